package research

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/sql/catalog"
	"github.com/pgdeid/pgdeid/sql/catalog/catalogtest"
)

func TestSearchPathHasThePublishedSchemas(t *testing.T) {
	t.Parallel()
	cfg, cat := catalogtest.Parse(t, catalogtest.Small)
	if got := searchPath(cfg, cat); got != `"$user", "ehr", deid_info, public` {
		t.Errorf("search path %s", got)
	}
	for i := range cfg.Tables { // a schema of which nothing is published, and public, which is there already
		cfg.Tables[i].Schema = []string{"other", "public"}[i]
	}
	cat.Tables["public."+cfg.Tables[1].Name], cat.Tables["other."+cfg.Tables[0].Name] = cat.Tables["ehr.note"], &catalog.Table{}
	if got := searchPath(cfg, cat); got != `"$user", deid_info, public` {
		t.Errorf("search path %s", got)
	}
}

func TestDesktop(t *testing.T) {
	t.Parallel()
	cfg, cat := catalogtest.Parse(t, catalogtest.Small)
	for _, tt := range []struct {
		path, ours  string
		foreign     bool
		sets, takes string
	}{
		{path: "", ours: "", sets: `alter database "r" set search_path = "$user", "ehr"`},
		{path: "a, b", ours: "", foreign: true},
		{path: "a, b", ours: "a, b", sets: `alter database "r" set search_path`, takes: `alter database "r" reset search_path`},
		{path: "", ours: "a, b", sets: `alter database "r" set search_path`, takes: `alter database "r" reset search_path`},
		{path: "c", ours: "a, b", foreign: true},
	} {
		d := Desktop{database: "r", path: tt.path, ours: tt.ours}
		up, down := d.Statements(cfg, cat), d.Undo()
		sets := slices.ContainsFunc(up, func(s string) bool { return strings.HasPrefix(s, "alter database") })
		takes := slices.ContainsFunc(down, func(s string) bool { return strings.HasPrefix(s, "alter database") })
		if d.OthersPath() != tt.foreign || sets != (tt.sets != "") || takes != (tt.takes != "") ||
			!strings.Contains(strings.Join(up, "\n"), tt.sets) || !strings.Contains(strings.Join(down, "\n"), tt.takes) {
			t.Errorf("%+v: up %q, down %q", tt, up, down)
		}
		if up[0] != `grant temporary on database "r" to pgdeid_analyst` || down[0] != `revoke temporary on database "r" from pgdeid_analyst` {
			t.Errorf("%+v: up %q, down %q", tt, up, down)
		}
	}
}
