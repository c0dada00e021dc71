package itest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/replicator/sandbox"
)

// contents returns the rows of every table of some schemas, as JSON and sorted. Columns
// whose names are in without (times of writing, say) are left out.
func contents(t *testing.T, conn *pgx.Conn, schemas []string, without ...string) map[string][]string {
	t.Helper()
	all := make(map[string][]string)
	for _, table := range texts(t, conn, `
		select quote_ident(n.nspname) || '.' || quote_ident(c.relname)
		from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where c.relkind in ('r', 'p') and not c.relispartition and n.nspname = any($1) order by 1`, schemas) {
		rows := texts(t, conn, fmt.Sprintf("select (to_jsonb(x) - $1::text[])::text from %s x", table), append([]string{}, without...))
		slices.Sort(rows)
		all[table] = rows
	}
	if len(all) == 0 {
		t.Fatalf("no tables in %v", schemas)
	}
	return all
}

// sameContents fails the test with what differs, cut to a size that can be read.
func sameContents(t *testing.T, got, want map[string][]string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		lines := strings.Split(diff, "\n")
		t.Errorf("the databases differ (- want, + got):\n%s", strings.Join(lines[:min(len(lines), 60)], "\n"))
	}
}

// pathTo returns a proxy to a server which the test can cut and stall.
func pathTo(t *testing.T, s *sandbox.Server) *proxy {
	t.Helper()
	p, err := newProxy(s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p
}
