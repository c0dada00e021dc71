package publication

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/sql/catalog"
)

// A table whose entry in the publication is another one than when its rows were
// copied was out of it for a time, and rows of partitions that are attached or
// detached never are in the stream. Both are found by comparing what the source's
// catalogue says with what deid.membership remembers, so it does not matter
// who made the change, or whether anything ran meanwhile.

// Rejoined is a table of which changes may have passed by.
type Rejoined struct {
	Table string
	Why   string
}

// ReadMembership returns what the replica remembers of a slot's tables, by
// "schema.name".
func ReadMembership(ctx context.Context, replica *pgx.Conn, slot string) (map[string]Member, error) {
	const op = "read how the tables were published"
	rows, err := replica.Query(ctx, "select table_name, since, partitions from deid.membership where slot = $1", slot)
	if err != nil {
		return nil, fault.New(op, err, "run 'pgdeid migrate up'")
	}
	then := map[string]Member{}
	var table string
	var m Member
	_, err = pgx.ForEachRow(rows, []any{&table, &m.Since, &m.Partitions}, func() error {
		then[table] = m
		m = Member{}
		return nil
	})
	return then, fault.New(op, err, "")
}

// QueueMembership queues the statements that remember how a slot's tables are
// published now.
func QueueMembership(batch *pgx.Batch, slot string, now *Publication, want []Wanted) {
	for _, w := range want {
		m := now.Tables[w.Table]
		batch.Queue(`
			insert into deid.membership (slot, table_name, since, partitions) values ($1, $2, $3, $4)
			on conflict (slot, table_name) do update set since = excluded.since, partitions = excluded.partitions`,
			slot, w.Table, m.Since, append([]string{}, m.Partitions...))
	}
}

// QueueCopyAgain queues the statements that make a run copy tables again, before it
// follows the stream any further; why is for people. A run that streams meanwhile
// notices at its next heartbeat.
func QueueCopyAgain(batch *pgx.Batch, slot string, tables []string, why string) {
	batch.Queue(`update deid.snapshot set last_key = null, rows = 0, done = false, seen = null, seen_lsn = null, again = $3, compare = false
		where slot = $1 and table_name = any($2)`, slot, tables, why)
	batch.Queue("delete from deid.copy_chunk where slot = $1 and table_name = any($2)", slot, tables)
}

// Rejoined compares how tables are published with what was remembered. source is
// asked whether partitions that are new hold anything.
func (p *Publication) Rejoined(ctx context.Context, source *pgx.Conn, then map[string]Member, want []Wanted) ([]Rejoined, error) {
	var list []Rejoined
	for _, w := range want {
		now, was := p.Tables[w.Table], then[w.Table]
		switch {
		case !p.unbroken(was.Since, now.Since):
			list = append(list, Rejoined{w.Table, "it was out of the publication for a time, or published in another way"})
		case slices.Equal(now.Partitions, was.Partitions):
		default:
			moved, err := partitionsMoved(ctx, source, was.Partitions, now.Partitions)
			if err != nil {
				return nil, fault.New("look at the partitions of "+w.Table, err, "")
			}
			if moved {
				list = append(list, Rejoined{w.Table, "partitions with rows were attached, detached or dropped"})
			}
		}
	}
	return list, nil
}

// partitionsMoved reports whether rows came or went with partitions. One that is
// new and empty makes no difference: what is inserted later is in the stream.
func partitionsMoved(ctx context.Context, source *pgx.Conn, was, now []string) (bool, error) {
	if slices.ContainsFunc(was, func(edge string) bool { return !slices.Contains(now, edge) }) {
		return true, nil
	}
	var added []string
	for _, edge := range now {
		if !slices.Contains(was, edge) {
			oid, _, _ := strings.Cut(edge, ".")
			added = append(added, oid)
		}
	}
	var filled bool
	err := source.QueryRow(ctx, "select coalesce(bool_or(pg_relation_size(p::oid) > 0), false) from unnest($1::text[]) p", added).Scan(&filled)
	return filled, err
}

// PassedBy compares a slot's publication with the mapping, and with how it was when
// the tables were copied: lacks says what passes the stream by now, rejoined of
// which tables something may have passed by before. Both are empty before the first
// copy.
func PassedBy(ctx context.Context, source, replica *pgx.Conn, cfg *config.Config) (lacks []string, rejoined []Rejoined, err error) {
	then, err := ReadMembership(ctx, replica, cfg.Source.Slot)
	if err != nil || len(then) == 0 {
		return nil, nil, err
	}
	cat, err := catalog.Read(ctx, source, cfg)
	if err != nil {
		return nil, nil, err
	}
	now, err := Read(ctx, source, cfg.Source.Publication)
	if err != nil {
		return nil, nil, err
	}
	want := WantedOf(cfg, cat)
	if lacks = now.Lacks(want); len(lacks) > 0 {
		return lacks, nil, nil
	}
	rejoined, err = now.Rejoined(ctx, source, then, want)
	return nil, rejoined, err
}
