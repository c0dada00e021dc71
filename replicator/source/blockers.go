package source

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// blockersDelay is how long to wait for transactions before the log names them.
const blockersDelay = 5 * time.Second

// NameBlockers logs which transactions at the source something waits for, once that takes
// longer than a few seconds. Until stop returns it may use conn.
func NameBlockers(ctx context.Context, conn *pgx.Conn, log *slog.Logger, what string) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	timer := time.AfterFunc(blockersDelay, func() {
		defer close(done)
		logBlockers(ctx, conn, log, what)
	})
	return func() {
		cancel()
		if !timer.Stop() {
			<-done // the connection must be free again
		}
	}
}

func logBlockers(ctx context.Context, conn *pgx.Conn, log *slog.Logger, what string) {
	rows, _ := conn.Query(ctx, `
		select format('%s (since %s)', pid, date_trunc('second', xact_start)) from pg_stat_activity
		where backend_xid is not null and pid <> pg_backend_pid() order by xact_start`)
	pids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return
	}
	list := strings.Join(pids, ", ")
	if list == "" { // other roles' transactions are hidden from this one
		list = "unknown to this role: select pid, xact_start from pg_stat_activity where backend_xid is not null"
	}
	log.Warn(what+" waits for open transactions at the source", "pids", list)
}
