package preflight

import "testing"

// ALTER SYSTEM is refused by every service: a remedy that nobody can follow is none.
func TestRemediesOfManagedServers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		service                            managed
		setting, start, logical, mayStream string
	}{
		{
			"",
			"alter system set wal_sender_timeout = '60s'; select pg_reload_conf()",
			"alter system set max_wal_senders = '12', then restart the server",
			"alter system set wal_level = 'logical', then restart the server",
			`alter role "pgdeid_replication" replication`,
		},
		{
			rds,
			"set wal_sender_timeout = 60s in the instance's parameter group",
			"set max_wal_senders = 12 in the instance's parameter group, then restart the server",
			"set rds.logical_replication = 1 in the instance's parameter group, then restart the server",
			`grant rds_replication to "pgdeid_replication"`,
		},
		{
			azure,
			"set wal_sender_timeout = 60s under the server's parameters",
			"set max_wal_senders = 12 under the server's parameters, then restart the server",
			"set wal_level = logical under the server's parameters, then restart the server",
			`alter role "pgdeid_replication" replication`,
		},
		{
			cloudSQL,
			"set wal_sender_timeout = 60s in the instance's database flags",
			"set max_wal_senders = 12 in the instance's database flags, then restart the server",
			"set cloudsql.logical_decoding = on in the instance's database flags, then restart the server",
			`alter role "pgdeid_replication" replication`,
		},
	} {
		for _, pair := range [][2]string{
			{c.service.setting("wal_sender_timeout", "60s"), c.setting},
			{c.service.settingAtStart("max_wal_senders", "12"), c.start},
			{c.service.logicalDecoding(), c.logical},
			{c.service.replicationRight("pgdeid_replication"), c.mayStream},
		} {
			if pair[0] != pair[1] {
				t.Errorf("%s: %s, want %s", c.service, pair[0], pair[1])
			}
		}
	}
}
