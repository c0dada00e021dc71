package backfill

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/sql/jobs"
)

const migrateHint = "run 'pgdeid migrate up'"

// Chunk is a part of a table that this process copies. It holds keys of the source and prints
// itself redacted.
type Chunk struct {
	phi.Redacted

	Task

	Part    schema.Part
	After   []string // the key of the last row that was copied, or nil
	Compare bool     // the replica may have rows of it
}

// lockKey is the key of the lock that a process which copies a chunk holds, with its columns for parameters.
const lockKey = "hashtextextended(format('pgdeid chunk %%s %%s %%s', %s::text, %s::text, %s::bigint), 0)"

var (
	lockOfTask = fmt.Sprintf(lockKey, "$1", "$2", "$3")
	lockOfRow  = fmt.Sprintf(lockKey, "c.slot", "c.table_name", "c.chunk")
)

// Take takes a chunk for worker until conn is closed or [Chunk.Release] is called. It returns nil where
// another process has it, or nothing of it is left to do. conn must be the one that writes its rows.
func Take(ctx context.Context, conn *pgx.Conn, seals vault.Seals, task Task, worker string) (*Chunk, error) {
	const op = "take a part of a table to copy"
	var got bool
	if err := conn.QueryRow(ctx, "select pg_try_advisory_lock("+lockOfTask+")", task.Slot, task.Table, task.N).Scan(&got); err != nil || !got {
		return nil, fault.New(op, connect.Lost(conn, err), "")
	}
	c := &Chunk{Task: task}
	var part, last []byte
	err := conn.QueryRow(ctx, `update deid.copy_chunk set worker = $4 where slot = $1 and table_name = $2 and chunk = $3 and not done
		returning part, last_key, compare`, task.Slot, task.Table, task.N, worker).Scan(&part, &last, &c.Compare)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, c.unlock(ctx, conn)
	}
	if err == nil {
		c.Part, err = seals.OpenPart(part, task.Table, strconv.Itoa(task.N))
	}
	if err == nil && last != nil {
		c.After, err = seals.OpenKey("chunk", last, task.Table, strconv.Itoa(task.N))
	}
	return c, fault.New(op, connect.Lost(conn, err), migrateHint)
}

// Release gives a chunk back.
func (c *Chunk) Release(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, "update deid.copy_chunk set worker = null where slot = $1 and table_name = $2 and chunk = $3",
		c.Slot, c.Table, c.N)
	if err != nil {
		return fault.New("give back a part of a table", connect.Lost(conn, err), "")
	}
	return c.unlock(ctx, conn)
}

func (c *Chunk) unlock(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, "select pg_advisory_unlock("+lockOfTask+")", c.Slot, c.Table, c.N)
	return fault.New("give back a part of a table", connect.Lost(conn, err), "")
}

// Planned reports whether parts of a table are planned.
func Planned(ctx context.Context, conn *pgx.Conn, slot, table string) (planned bool, err error) {
	err = conn.QueryRow(ctx, "select exists (select from deid.copy_chunk where slot = $1 and table_name = $2)", slot, table).Scan(&planned)
	return planned, fault.New("look for planned parts of table "+table, connect.Lost(conn, err), migrateHint)
}

// Plan stores the parts of a table, in the place of others, with a job for each. Their numbers are new: whoever
// still copies a part of an earlier plan can't write any more of it.
func Plan(ctx context.Context, conn *pgx.Conn, seals vault.Seals, slot, table string, parts []Counted, compare bool) error {
	return inTx(ctx, conn, "plan the copy of table "+table, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "delete from deid.copy_chunk where slot = $1 and table_name = $2", slot, table); err != nil {
			return err
		}
		numbered, _ := tx.Query(ctx, "select nextval('deid.copy_chunk_number') from generate_series(1, $1::int)", len(parts))
		numbers, err := pgx.CollectRows(numbered, pgx.RowTo[int])
		if err != nil {
			return err
		}
		rows := make([][]any, len(parts))
		for i, p := range parts {
			rows[i] = []any{slot, table, numbers[i], seals.SealPart(p.Part, table, strconv.Itoa(numbers[i])), p.Rows, compare}
		}
		_, err = tx.CopyFrom(ctx, pgx.Identifier{"deid", "copy_chunk"},
			[]string{"slot", "table_name", "chunk", "part", "planned", "compare"}, pgx.CopyFromRows(rows))
		if err != nil {
			return err
		}
		return enqueueLeft(ctx, tx, slot, table)
	})
}

// Again makes jobs of all parts of a table that are not done. Those that have one already lose nothing by it.
func Again(ctx context.Context, conn *pgx.Conn, slot, table string) error {
	return inTx(ctx, conn, "go on with the copy of table "+table, func(tx pgx.Tx) error { return enqueueLeft(ctx, tx, slot, table) })
}

func enqueueLeft(ctx context.Context, tx pgx.Tx, slot, table string) error {
	rows, _ := tx.Query(ctx, "select chunk from deid.copy_chunk where slot = $1 and table_name = $2 and not done order by chunk",
		slot, table)
	left, err := pgx.CollectRows(rows, pgx.RowTo[int])
	if err != nil {
		return err
	}
	return enqueue(ctx, tx, slot, table, left)
}

// takeWithin is how long a process may take from a job to its part. One that died in between leaves a job that runs, and a part that
// nobody has.
const takeWithin = "60 seconds"

// unlocked is the condition of a part c that no process holds.
var unlocked = `not exists (
	select from pg_locks l where l.locktype = 'advisory' and l.granted and l.objsubid = 1
		and l.database = (select oid from pg_database where datname = current_database())
		and (l.classid::bigint << 32) | l.objid::bigint = ` + lockOfRow + `)`

// wake gives jobs to others whose process died before it took the part. Should it only have been slow, the part's lock
// keeps the two from copying it both.
func wake(ctx context.Context, tx pgx.Tx, slot, table string) error {
	_, err := tx.Exec(ctx, `
		update `+jobs.Schema+`.river_job j set state = 'available', scheduled_at = now()
		where j.state = 'running' and j.kind = $3 and j.queue = $4 and j.attempted_at < now() - interval '`+takeWithin+`' and exists (
			select from deid.copy_chunk c where c.slot = $1 and c.table_name = $2 and j.args->>'table' = c.table_name
				and c.chunk = (j.args->>'chunk')::bigint and not c.done and c.worker is null and `+unlocked+`)`,
		slot, table, Task{}.Kind(), queue(slot))
	return err
}

// Orphans gives the parts of a table whose process died to others, and returns how many there were.
func Orphans(ctx context.Context, conn *pgx.Conn, slot, table string) (n int, err error) {
	err = inTx(ctx, conn, "look for processes that died while they copied", func(tx pgx.Tx) error {
		if err := wake(ctx, tx, slot, table); err != nil {
			return err
		}
		rows, _ := tx.Query(ctx, `update deid.copy_chunk c set worker = null, times = times + 1
			where slot = $1 and table_name = $2 and not done and worker is not null and `+unlocked+`
			returning chunk`, slot, table)
		orphans, err := pgx.CollectRows(rows, pgx.RowTo[int])
		if n = len(orphans); err != nil || n == 0 {
			return err
		}
		return enqueue(ctx, tx, slot, table, orphans)
	})
	return n, err
}

// Progress is how far the parts of a table are copied.
type Progress struct {
	Parts, Done, Taken int
	Rows, Planned      int64
}

// ReadProgress reads how far the parts of a table are copied.
func ReadProgress(ctx context.Context, conn *pgx.Conn, slot, table string) (p Progress, err error) {
	err = conn.QueryRow(ctx, `select count(*), count(*) filter (where done), count(*) filter (where worker is not null and not done),
		coalesce(sum(rows), 0)::bigint, coalesce(sum(planned), 0)::bigint from deid.copy_chunk where slot = $1 and table_name = $2`, slot, table).
		Scan(&p.Parts, &p.Done, &p.Taken, &p.Rows, &p.Planned)
	return p, fault.New("read how far table "+table+" is copied", connect.Lost(conn, err), migrateHint)
}

// Finish notes that a table is copied, all of whose parts are.
func Finish(ctx context.Context, conn *pgx.Conn, slot, table string) error {
	return inTx(ctx, conn, "end the copy of table "+table, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `update deid.snapshot s set done = true, again = null, last_key = null,
			rows = (select coalesce(sum(c.rows), 0) from deid.copy_chunk c where c.slot = s.slot and c.table_name = s.table_name)
			where slot = $1 and table_name = $2`, slot, table)
		if err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, "delete from deid.copy_chunk where slot = $1 and table_name = $2 and not done", slot, table)
		if err == nil && tag.RowsAffected() > 0 {
			err = errors.New("a part of it is not")
		}
		if err == nil {
			_, err = tx.Exec(ctx, "delete from deid.copy_chunk where slot = $1 and table_name = $2", slot, table)
		}
		return err
	})
}

// Drop forgets the parts of a table: a process that copies one can't write any more of it.
func Drop(ctx context.Context, conn *pgx.Conn, slot, table string) error {
	_, err := conn.Exec(ctx, "delete from deid.copy_chunk where slot = $1 and table_name = $2", slot, table)
	return fault.New("forget the parts of table "+table, connect.Lost(conn, err), migrateHint)
}

func inTx(ctx context.Context, conn *pgx.Conn, op string, do func(pgx.Tx) error) error {
	err := pgx.BeginFunc(ctx, conn, do)
	return fault.New(op, connect.Lost(conn, err), migrateHint)
}
