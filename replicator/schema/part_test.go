package schema

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func TestRowsOfParts(t *testing.T) {
	t.Parallel()
	p := mustAssemble(t, nil)
	note, visit, episode := p.ByID["ehr.note"], p.ByID["ehr.visit"], p.ByID["ehr.episode"]
	join := `"ehr"."note" t0 join "ehr"."visit" t1 on t1."id" = t0."visit_id" join "ehr"."episode" t2 on t2."id" = t1."episode_id"`
	after := fmt.Sprintf(`(t0."id", t0."line") > ($1::%s, $2::%s)`, note.Columns[note.Key[0]].Typ, note.Columns[note.Key[1]].Typ)
	until := func(first int) string {
		return fmt.Sprintf(`not (t0."id", t0."line") > ($%d::%s, $%d::%s)`, first, note.Columns[note.Key[0]].Typ, first+1, note.Columns[note.Key[1]].Typ)
	}
	for _, c := range []struct {
		name  string
		table *Table
		part  Part
		want  Among
	}{
		{"all", note, Part{}, Among{From: `"ehr"."note" t0`}},
		{"patients, by a path", note, Part{Patients: []string{"7", "8"}}, Among{From: join, Where: `t2."person_id" = any($1::bigint[])`, Args: []any{`{"7","8"}`}}},
		{
			"patients, by a column", episode,
			Part{Patients: []string{"7"}},
			Among{From: `"ehr"."episode" t0`, Where: `t0."person_id" = any($1::bigint[])`, Args: []any{`{"7"}`}},
		},
		{"of nobody, by a column", episode, Part{Alone: true}, Among{From: `"ehr"."episode" t0`, Where: `t0."person_id" is null`}},
		{
			"of nobody, by one join", visit,
			Part{Alone: true},
			Among{From: `"ehr"."visit" t0`, Where: `not exists (select from "ehr"."episode" t1 where t1."id" = t0."episode_id" and t1."person_id" is not null)`},
		},
		{
			"of nobody, by two joins", note,
			Part{Alone: true},
			Among{From: `"ehr"."note" t0`, Where: `not exists (select from "ehr"."visit" t1 join "ehr"."episode" t2 on t2."id" = t1."episode_id" ` +
				`where t1."id" = t0."visit_id" and t2."person_id" is not null)`},
		},
		{"behind a key", note, Part{After: []string{"1", "2"}}, Among{From: `"ehr"."note" t0`, Where: after, Args: []any{"1", "2"}}},
		{"up to a key", note, Part{Until: []string{"3", "4"}}, Among{From: `"ehr"."note" t0`, Where: until(1), Args: []any{"3", "4"}}},
		{
			"between keys", note,
			Part{After: []string{"1", "2"}, Until: []string{"3", "4"}},
			Among{From: `"ehr"."note" t0`, Where: after + " and " + until(3), Args: []any{"1", "2", "3", "4"}},
		},
	} {
		got := c.table.Within(c.part)
		if got.From != c.want.From || got.Where != c.want.Where || !reflect.DeepEqual(got.Args, c.want.Args) {
			t.Errorf("%s:\n got %s where %s with %q\nwant %s where %s with %q", c.name, got.From, got.Where, got.Args, c.want.From, c.want.Where, c.want.Args)
		}
	}
}

func TestPartsPrintRedacted(t *testing.T) {
	t.Parallel()
	const secret = "Zorvakian"
	part := Part{Patients: []string{secret}, After: []string{secret}, Until: []string{secret}}
	for _, v := range []any{part, &part, []Part{part}, Among{Where: secret, Args: []any{secret}}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%q"} {
			if text := fmt.Sprintf(verb, v); strings.Contains(text, secret) {
				t.Errorf("%T with %s: %s", v, verb, text)
			}
		}
	}
}
