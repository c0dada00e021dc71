package itest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/sql/foreign"
	"github.com/pgdeid/pgdeid/sql/roles"
)

// The replica's server reads the EHR with a client certificate: over TLS, with no
// credential in the database, and with no other way in for that role.
func TestForeignServerLogsInWithACertificate(t *testing.T) {
	t.Parallel()
	p := newOwnPair(t)
	src := p.onSource(t)
	do(t, src, hospital)
	do(t, src, "create role "+roles.Reader+" login noinherit") // the rule below names it
	c := newCertificates(t)
	source, replica := filepath.Dir(p.source.Log()), filepath.Dir(p.replica.Log())
	for name, content := range map[string]string{"server.crt": c.server.cert, "server.key": c.server.key, "ca.crt": c.authority} {
		writeAsServer(t, src, filepath.Join(source, name), content)
	}
	for name, content := range map[string]string{"reader.crt": c.reader.cert, "reader.key": c.reader.key, "ca.crt": c.authority} {
		writeAsServer(t, p.onReplica(t), filepath.Join(replica, name), content)
	}
	do(t, src, "alter system set ssl = on")
	for setting, file := range map[string]string{"ssl_cert_file": "server.crt", "ssl_key_file": "server.key", "ssl_ca_file": "ca.crt"} {
		do(t, src, "alter system set "+setting+" = '"+filepath.Join(source, file)+"'")
	}
	prependRule(t, src, "hostssl all "+roles.Reader+" 127.0.0.1/32 cert\nhostnossl all "+roles.Reader+" all reject")
	do(t, src, "select pg_reload_conf()")

	ca := p.file(t, "ca.crt", c.authority)
	lines := strings.Split(p.settings(t), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "  dsn: ") && i < 4 { // the source's, which the foreign server's options come from
			lines[i] = strings.Replace(line, "sslmode=disable", "sslmode=verify-full&sslrootcert="+ca, 1)
		}
		if strings.HasPrefix(line, "  reader_password_file: ") {
			lines[i] = "  foreign_sslcert: " + filepath.Join(replica, "reader.crt") + "\n  foreign_sslkey: " + filepath.Join(replica, "reader.key")
		}
	}
	cfg := p.config(t, strings.Join(lines, "\n")+hospitalTables)
	// The authority lies elsewhere on the replica's server than here.
	if err := os.Chmod(filepath.Dir(ca), 0o755); err != nil {
		t.Fatal(err)
	}
	migrateUp(t, cfg)

	if stored := texts(t, p.onReplica(t), "select umoptions::text from pg_user_mappings where umoptions::text ~ 'password=[^f]'"); len(stored) > 0 {
		t.Errorf("%d user mappings hold a password", len(stored))
	}
	do(t, p.onReplica(t), "alter server "+foreign.Server+" options (set sslrootcert '"+filepath.Join(replica, "ca.crt")+"')")
	conf, err := cfg.ReplicaConn(config.Service)
	service := as(t, conf, err)
	if got := texts(t, service, `select given_name from deid_ehr."ehr.patient" where patient_id = any($1::int[])`, []int{1}); !slices.Equal(got, []string{"Ida"}) {
		t.Errorf("through the foreign server: %v", got)
	}
	if got := texts(t, src, "select ssl::text || ' ' || coalesce(client_dn, '') from pg_stat_ssl s join pg_stat_activity a using (pid) where usename = $1", roles.Reader); len(got) == 0 ||
		!strings.HasPrefix(got[0], "true") || !strings.Contains(got[0], roles.Reader) {
		t.Errorf("how the replica's server logged in: %q", got)
	}
	if fs := attention(findingsOf(t, cfg)); len(fs) > 0 {
		t.Errorf("check: %v", fs)
	}
}

// prependRule puts lines before all others of a server's pg_hba.conf.
func prependRule(t *testing.T, conn *pgx.Conn, rule string) {
	t.Helper()
	path := texts(t, conn, "show hba_file")[0]
	rules, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append([]byte(rule+"\n"), rules...), 0o600); err != nil {
		t.Fatal(err)
	}
}

// writeAsServer has a server write a file: keys must belong to the account that it runs as.
func writeAsServer(t *testing.T, conn *pgx.Conn, path, content string) {
	t.Helper()
	do(t, conn, "copy (select unnest(string_to_array($pem$"+strings.TrimSpace(content)+"$pem$, e'\\n'))) to program 'umask 077; cat >"+path+"'")
}
