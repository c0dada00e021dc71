package schema

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// catalogue is what both catalogues say of one table: its key, and its columns with
// their types.
type catalogue struct {
	key     []string
	columns map[string]string
}

// hospital maps notes that find their patient through a visit and an episode.
func hospital() (cfg *config.Config, tables map[string]catalogue) {
	cfg = &config.Config{PatientKey: config.Integer, Release: config.Release{Mode: config.Live}, Tables: []config.Table{
		{Schema: "ehr", Name: "person", Patient: config.Path{Column: "id"}, Columns: []config.Column{
			{Name: "id", Publish: config.Pseudonym, Domain: config.PatientDomain},
			{Name: "surname", Tells: record.NameLast, Publish: config.Drop},
			{Name: "born", Tells: record.BirthDate, Publish: config.ShiftDate},
			{Name: "unused", Publish: config.Drop},
		}},
		{Schema: "ehr", Name: "episode", Patient: config.Path{Column: "person_id"}},
		{Schema: "ehr", Name: "visit", Patient: config.Path{Column: "episode_id", Table: "ehr.episode", Key: "id"}, Columns: []config.Column{
			{Name: "ward", Publish: config.Keep}, {Name: "id", Publish: config.Pseudonym, Domain: "visit"},
		}},
		{Schema: "ehr", Name: "note", Patient: config.Path{Column: "visit_id", Table: "ehr.visit", Key: "id"}, Columns: []config.Column{
			{Name: "body", Publish: config.Text},
			{Name: "line", Publish: config.Keep},
			{Name: "id", Publish: config.Pseudonym, Domain: "note"},
			{Name: "author", Tells: record.ProviderName, Publish: config.Drop},
		}},
		{Schema: "ehr", Name: "staff", Columns: []config.Column{{Name: "name", Tells: record.ProviderName, Publish: config.Drop}}},
	}}
	tables = map[string]catalogue{
		"ehr.person":  {[]string{"id"}, map[string]string{"id": "bigint", "surname": "text", "born": "date", "unused": "text"}},
		"ehr.episode": {[]string{"id"}, map[string]string{"id": "integer", "person_id": "bigint"}},
		"ehr.visit":   {[]string{"id"}, map[string]string{"id": "integer", "episode_id": "bigint", "ward": "text"}},
		"ehr.note": {[]string{"id", "line"}, map[string]string{
			"id": "integer", "line": "smallint", "visit_id": "integer", "body": "text", "author": "text",
		}},
		"ehr.staff": {[]string{"id"}, map[string]string{"id": "integer", "name": "text"}},
	}
	return cfg, tables
}

// assembled does what NewPlan does with rows of the catalogues; both have the same columns.
func assembled(cfg *config.Config, tables map[string]catalogue) (*Plan, error) {
	p := &Plan{Config: cfg, ByID: map[string]*Table{}, Inner: map[*Table]bool{}}
	for i := range cfg.Tables {
		t := &Table{Table: &cfg.Tables[i], ID: cfg.Tables[i].FullName(), Via: -1}
		rows := map[string]catalogueRow{}
		for name, typ := range tables[t.ID].columns {
			rows[name] = catalogueRow{name: name, typ: typ, oid: uint32(100 + len(name))}
		}
		if err := t.assemble(cfg, tables[t.ID].key, rows, rows); err != nil {
			return nil, err
		}
		p.Tables, p.ByID[t.ID] = append(p.Tables, t), t
	}
	for _, t := range p.Tables {
		if err := p.connect(t); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func mustAssemble(t testing.TB, change func(cfg *config.Config)) *Plan {
	t.Helper()
	cfg, tables := hospital()
	if change != nil {
		change(cfg)
	}
	p, err := assembled(cfg, tables)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// names returns the names of a table's columns with these indexes.
func names(t *Table, indexes []int) string {
	list := make([]string, len(indexes))
	for i, c := range indexes {
		list[i] = t.Columns[c].Name
	}
	return strings.Join(list, " ")
}

func TestColumnsPlayTheirParts(t *testing.T) {
	t.Parallel()
	p := mustAssemble(t, nil)
	for _, c := range []struct {
		table, columns, key, publish, texts, telling, lookups, via string
		personal                                                   bool
	}{
		{"ehr.person", "id surname born", "id", "id born", "", "surname born", "", "id", true},
		{"ehr.episode", "id person_id", "id", "", "", "", "id", "person_id", false},
		{"ehr.visit", "id ward episode_id", "id", "id ward", "", "", "id", "episode_id", false},
		{"ehr.note", "id line body author visit_id", "id line", "id line body", "body", "author", "", "visit_id", true},
		{"ehr.staff", "id name", "id", "", "", "name", "", "", false},
	} {
		got := p.ByID[c.table]
		all := make([]int, len(got.Columns))
		for i := range all {
			all[i] = i
		}
		via := ""
		if got.Via >= 0 {
			via = got.Columns[got.Via].Name
		}
		have := []string{
			names(got, all), names(got, got.Key), names(got, got.Publish), names(got, got.Texts), names(got, got.Telling),
			names(got, got.Lookups), via,
		}
		want := []string{c.columns, c.key, c.publish, c.texts, c.telling, c.lookups, c.via}
		if !slices.Equal(have, want) || got.Personal != c.personal {
			t.Errorf("%s: got %q, personal %v, want %q", c.table, have, got.Personal, want)
		}
	}
	born := p.ByID["ehr.person"].Columns[2]
	if !born.Moves || born.Typ != "date" || born.Replica != "date" || born.OID == 0 {
		t.Errorf("column born: %+v", born)
	}
}

func TestPathsAreConnected(t *testing.T) {
	t.Parallel()
	p := mustAssemble(t, nil)
	person, episode, visit, note := p.ByID["ehr.person"], p.ByID["ehr.episode"], p.ByID["ehr.visit"], p.ByID["ehr.note"]
	if note.Next != visit || visit.Next != episode || episode.Next != nil || person.Next != nil {
		t.Fatal("a path leads elsewhere")
	}
	for _, c := range []struct {
		from *Table
		to   Target
		want int
	}{
		{note, Target{visit, visit.ColumnIndex("id")}, 1},
		{note, Target{episode, episode.ColumnIndex("id")}, 2},
		{note, Target{visit, visit.ColumnIndex("ward")}, 0},
		{visit, Target{episode, episode.ColumnIndex("id")}, 1},
		{visit, Target{visit, visit.ColumnIndex("id")}, 0},
		{person, Target{episode, episode.ColumnIndex("id")}, 0},
	} {
		if got := c.from.Hops(c.to); got != c.want {
			t.Errorf("%s to %s: %d hops, want %d", c.from.ID, c.to.Table.ID, got, c.want)
		}
	}
	clause, patient, alias := note.From(AtSource)
	want := `"ehr"."note" t0 join "ehr"."visit" t1 on t1."id" = t0."visit_id" join "ehr"."episode" t2 on t2."id" = t1."episode_id"`
	if clause != want || patient.List(alias) != `t2."person_id"` || patient.Table != episode {
		t.Errorf("from %s, patient %s in %s", clause, patient.List(alias), patient.Table.ID)
	}
	for hops, want := range []string{
		`"deid_ehr"."ehr.note" t0`,
		`"deid_ehr"."ehr.note" t0 join "deid_ehr"."ehr.visit" t1 on t1."id" = t0."visit_id"`,
		`"deid_ehr"."ehr.note" t0 join "deid_ehr"."ehr.visit" t1 on t1."id" = t0."visit_id" ` +
			`join "deid_ehr"."ehr.episode" t2 on t2."id" = t1."episode_id"`,
	} {
		if got := note.Join(AtForeign, hops); got != want {
			t.Errorf("%d hops: %s", hops, got)
		}
	}
}

func TestTablesThatFollowAChange(t *testing.T) {
	t.Parallel()
	p := mustAssemble(t, nil)
	for table, want := range map[string]string{
		"ehr.person":  "ehr.person ehr.note", // notes are searched with its names
		"ehr.episode": "ehr.episode ehr.visit ehr.note",
		"ehr.visit":   "ehr.visit ehr.note",
		"ehr.note":    "ehr.note",
		"ehr.staff":   "ehr.staff",
	} {
		if got := strings.Join(p.Following(p.ByID[table]), " "); got != want {
			t.Errorf("%s: %s", table, got)
		}
	}
}

func TestMappingsThatAreRefused(t *testing.T) {
	t.Parallel()
	note := func(cfg *config.Config) *config.Table { return &cfg.Tables[3] }
	id := func(publish config.Policy) func(*config.Config, map[string]catalogue) {
		return func(cfg *config.Config, _ map[string]catalogue) { note(cfg).Columns[2].Publish = publish }
	}
	for _, c := range []struct {
		name, want string // want: a part of the error; "" for none
		change     func(cfg *config.Config, tables map[string]catalogue)
	}{
		{"as it is", "", func(*config.Config, map[string]catalogue) {}},
		{"key kept", "", id(config.Keep)},
		{"key not mapped", "column id of its primary key is not mapped", func(cfg *config.Config, _ map[string]catalogue) {
			note(cfg).Columns = slices.Delete(note(cfg).Columns, 2, 3)
		}},
		{"array in the key", "column id of its primary key is an array", func(_ *config.Config, tables map[string]catalogue) {
			tables["ehr.note"].columns["id"] = "integer[]"
		}},
		{"column that the source lacks", "the source has no column body", func(_ *config.Config, tables map[string]catalogue) {
			delete(tables["ehr.note"].columns, "body")
		}},
		{"path column that the source lacks", "the source has no column visit_id", func(_ *config.Config, tables map[string]catalogue) {
			delete(tables["ehr.note"].columns, "visit_id")
		}},
		{"dropped column that the source lacks", "", func(_ *config.Config, tables map[string]catalogue) {
			delete(tables["ehr.person"].columns, "unused")
		}},
		{"path through a table that is not mapped", "table ehr.bed is not mapped", func(cfg *config.Config, _ map[string]catalogue) {
			note(cfg).Patient.Table = "ehr.bed"
		}},
		{"path from text to a number", "visit_id is text and ehr.visit.id is integer", func(_ *config.Config, tables map[string]catalogue) {
			tables["ehr.note"].columns["visit_id"] = "text"
		}},
		{"path from a number to text", "visit_id is integer and ehr.visit.id is text", func(_ *config.Config, tables map[string]catalogue) {
			tables["ehr.visit"].columns["id"] = "text"
		}},
		{"path between numbers", "", func(_ *config.Config, tables map[string]catalogue) {
			tables["ehr.note"].columns["visit_id"] = "bigint"
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cfg, tables := hospital()
			c.change(cfg, tables)
			_, err := assembled(cfg, tables)
			if c.want == "" {
				if err != nil {
					t.Errorf("refused: %v", err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || fault.Hint(err) == "" {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestReplicaWithoutAPublishedColumnIsRefused(t *testing.T) {
	t.Parallel()
	cfg, tables := hospital()
	table := &Table{Table: &cfg.Tables[0], ID: "ehr.person", Via: -1}
	rows := map[string]catalogueRow{}
	for name, typ := range tables["ehr.person"].columns {
		rows[name] = catalogueRow{name: name, typ: typ}
	}
	err := table.assemble(cfg, []string{"id"}, rows, map[string]catalogueRow{"id": rows["id"]})
	if err == nil || !strings.Contains(err.Error(), "the replica has no column born") {
		t.Errorf("got %v", err)
	}
}

func TestVersionsAreKeptWhereReleaseWaits(t *testing.T) {
	t.Parallel()
	for _, mode := range []config.ReleaseMode{config.Live, config.Batches, config.Delayed} {
		p := mustAssemble(t, func(cfg *config.Config) { cfg.Release.Mode = mode })
		for id, table := range p.ByID {
			published := len(table.Publish) > 0
			if want := published && mode != config.Live; (table.SQL.Release != nil) != want {
				t.Errorf("%s: %s: release statements %v", mode, id, table.SQL.Release != nil)
			}
			if table.SQL.Release != nil && len(table.Places()) != 3 || table.SQL.Release == nil && len(table.Places()) != 1 {
				t.Errorf("%s: %s: places %q", mode, id, table.Places())
			}
		}
		if got := p.ByID["ehr.visit"].Personal; got != (mode == config.Delayed) {
			t.Errorf("%s: visits need a patient: %v", mode, got)
		}
	}
}

func TestTypesOfParameters(t *testing.T) {
	t.Parallel()
	for typ, want := range map[string]string{
		"smallint": "bigint[]", "integer": "bigint[]", "bigint": "bigint[]", "text": "text[]", "uuid": "uuid[]",
		"character varying": "character varying[]", "numeric": "numeric[]",
	} {
		if got := ArrayType(typ); got != want {
			t.Errorf("%s: %s", typ, got)
		}
	}
}

func TestKeysThatAreHashed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(note *config.Table, tables map[string]catalogue)
		want   bool
	}{
		"pseudonym and kept": {func(*config.Table, map[string]catalogue) {}, false},
		"dropped":            {func(n *config.Table, _ map[string]catalogue) { n.Columns[2].Publish = config.Drop }, true},
		"date without its patient": {func(n *config.Table, tables map[string]catalogue) {
			n.Columns[1].Publish = config.ShiftDate
			tables["ehr.note"].columns["line"] = "date"
		}, true},
	} {
		cfg, tables := hospital()
		c.change(&cfg.Tables[3], tables)
		p, err := assembled(cfg, tables)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		note := p.ByID["ehr.note"]
		if note.Hashed != c.want || note.NeedsPatient(DeleteOp) {
			t.Errorf("%s: hashed %v; a deletion needs the patient: %v", name, note.Hashed, note.NeedsPatient(DeleteOp))
		}
	}
}

func TestBlanksThatFillUpAreNoPartOfAValue(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ typ, raw, want string }{
		{"bpchar", "A-1   ", "A-1"},
		{"character", "A-1 ", "A-1"},
		{"bpchar", " A 1", " A 1"},
		{"bpchar", "   ", ""},
		{"text", "A-1 ", "A-1 "},
		{"character varying", "A ", "A "},
	} {
		if got := (&Column{Typ: c.typ}).Read([]byte(c.raw)); got != c.want {
			t.Errorf("%s %q: %q", c.typ, c.raw, got)
		}
	}
}
