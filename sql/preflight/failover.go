package preflight

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/sql/postgres"
)

// checkFailover makes sure that the stream never runs ahead of the standby that may
// be promoted: what pgdeid has applied and the new primary lacks can't be taken back.
func (p *run) checkFailover(ctx context.Context, conn *pgx.Conn) error {
	server, err := postgres.ReadVersion(ctx, conn)
	if err != nil || !server.FailoverSlots() {
		return err
	}
	const subject = "source synchronized_standby_slots"
	standbys, err := postgres.Names(ctx, conn,
		"select slot_name::text from pg_replication_slots where slot_type = 'physical' and not temporary order by 1")
	if err != nil {
		return err
	}
	s, err := postgres.Settings(ctx, conn, "synchronized_standby_slots")
	if err != nil {
		return err
	}
	switch set := s["synchronized_standby_slots"]; {
	case set != "":
		p.OK(subject, "%s", set)
	case len(standbys) == 0:
		p.OK(subject, "no standby has a slot")
	default:
		p.Problem(subject, "is empty, and there are standbys: if one is promoted that lacks changes which the replica has, "+
			"everything has to be copied again",
			"alter system set synchronized_standby_slots = '"+strings.Join(standbys, ", ")+
				"' (the slots of the standbys that may be promoted), then select pg_reload_conf()")
	}
	return nil
}
