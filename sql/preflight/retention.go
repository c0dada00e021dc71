package preflight

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/sql/postgres"
)

// checkSlotLimit looks at how long the source keeps WAL for a slot.
func (p *run) checkSlotLimit(ctx context.Context, conn *pgx.Conn) error {
	mb, err := postgres.Number(ctx, conn, "select setting::bigint from pg_settings where name = 'max_slot_wal_keep_size'")
	if err != nil {
		return err
	}
	if mb < 0 {
		p.Warn("source max_slot_wal_keep_size", "has no limit: if pgdeid is stopped, WAL fills the source's disk",
			"set it to what the disk can spare: WAL per hour times the hours that an outage may last, such as "+
				p.service.setting("max_slot_wal_keep_size", "50GB"))
	} else {
		p.OK("source max_slot_wal_keep_size", "%d MB; a slot further behind is lost, and the tables have to be copied again", mb)
	}
	return nil
}

// checkSenderTimeout looks at how long the source keeps a connection that is silent.
func (p *run) checkSenderTimeout(ctx context.Context, conn *pgx.Conn) error {
	ms, err := postgres.Number(ctx, conn, "select setting::bigint from pg_settings where name = 'wal_sender_timeout'")
	if err != nil {
		return err
	}
	switch timeout := time.Duration(ms) * time.Millisecond; {
	case ms == 0:
		p.Warn("source wal_sender_timeout", "is off: a connection whose other end is gone holds the slot until TCP gives up",
			p.service.setting("wal_sender_timeout", "60s"))
	case timeout < 3*time.Second:
		p.Warn("source wal_sender_timeout", "is shorter than 3 s, which short pauses of the network exceed",
			p.service.setting("wal_sender_timeout", "60s"))
	default:
		p.OK("source wal_sender_timeout", "%v; pgdeid answers at a third of it", timeout)
	}
	return nil
}

func (p *run) checkDecodingMemory(ctx context.Context, conn *pgx.Conn) error {
	kb, err := postgres.Number(ctx, conn, "select setting::bigint from pg_settings where name = 'logical_decoding_work_mem'")
	if err != nil {
		return err
	}
	if kb < 64<<10 {
		p.Warn("source logical_decoding_work_mem", fmt.Sprintf("%d kB: larger transactions are spilled to disk while they are decoded", kb),
			p.service.setting("logical_decoding_work_mem", "64MB"))
	} else {
		p.OK("source logical_decoding_work_mem", "%d MB", kb>>10)
	}
	return nil
}

// checkIdleTimeout looks at a setting that servers before 18 do not have.
func (p *run) checkIdleTimeout(ctx context.Context, conn *pgx.Conn) error {
	s, err := postgres.Settings(ctx, conn, "idle_replication_slot_timeout")
	if err != nil {
		return err
	}
	if v := s["idle_replication_slot_timeout"]; v != "" && v != "0" {
		p.Warn("source idle_replication_slot_timeout", "is "+v+": the slot is lost if pgdeid is stopped for longer",
			"make it longer than any outage that you expect, or 0, and rely on max_slot_wal_keep_size")
	}
	return nil
}
