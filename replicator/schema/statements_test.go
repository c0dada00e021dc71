package schema

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/config"
)

// oddTable has a key of two columns, in another order than the columns, and names that
// need their quotes.
func oddTable(mode config.ReleaseMode) *Table {
	t := &Table{
		Table: &config.Table{Schema: "Ehr", Name: `no"te; drop`}, ID: `Ehr.no"te; drop`, Key: []int{3, 0},
		Publish: []int{0, 2, 3, 4}, Texts: []int{2},
	}
	for _, c := range []struct {
		name, typ string
		publish   config.Policy
	}{
		{"Part", "smallint", config.Keep},
		{"unseen", "text", config.Drop},
		{`bo"dy`, "text", config.Text},
		{"id", "uuid", config.Pseudonym},
		{"seen at", "date", config.ShiftDate},
	} {
		t.Columns = append(t.Columns, Column{Column: config.Column{Name: c.name, Publish: c.publish}, Typ: c.typ, Replica: c.typ})
	}
	t.SQL = NewStatements(t)
	if mode != config.Live {
		t.SQL.Release = newReleaseStatements(t, &t.SQL)
	}
	return t
}

func TestStatementsWithOddNames(t *testing.T) {
	t.Parallel()
	table := oddTable(config.Live)
	s := &table.SQL
	const rows = `"deid_rows"."Ehr.no""te; drop"`
	for _, c := range []struct{ name, got, want string }{
		{"upsert", s.Upsert, `insert into ` + rows + ` ("Part", "bo""dy", "id", "seen at") ` +
			`select u.c0::smallint, u.c1::text, u.c2::uuid, u.c3::date ` +
			`from unnest($1::text[], $2::text[], $3::text[], $4::text[]) u(c0, c1, c2, c3) ` +
			`on conflict ("id", "Part") do update set "bo""dy" = excluded."bo""dy", "seen at" = excluded."seen at"`},
		{"remove", s.Remove, `delete from ` + rows + ` t using unnest($1::text[], $2::text[]) u(c2, c0) ` +
			`where t."id" = u.c2::uuid and t."Part" = u.c0::smallint`},
		{"update of some", s.Update([]int{0, 2, 3}), `update ` + rows + ` t set "seen at" = u.c3::date ` +
			`from unnest($1::text[], $2::text[], $3::text[]) u(c0, c2, c3) where t."id" = u.c2::uuid and t."Part" = u.c0::smallint`},
		{"update of the key alone", s.Update([]int{0, 2}), ""},
		{"what differs", s.Stale([]int{0, 2, 3}), `select t."id"::text, t."Part"::text, false or t."seen at"::text is distinct from (u.c3::date)::text ` +
			`from ` + rows + ` t join unnest($1::text[], $2::text[], $3::text[]) u(c0, c2, c3) on t."id" = u.c2::uuid and t."Part" = u.c0::smallint`},
		{"compare", s.Compare(), `select u.place, true and (t."bo""dy" is null) = (u.c1 is null) and t."seen at"::text is not distinct from (u.c3::date)::text ` +
			`from unnest($1::text[], $2::text[], $3::text[], $4::text[]) with ordinality u(c0, c1, c2, c3, place) ` +
			`join ` + rows + ` t on t."id" = u.c2::uuid and t."Part" = u.c0::smallint`},
		{"what is alike", s.Alike([]int{2, 0, 3}), `select t."id", t."Part" from ` + rows + ` t join unnest($1::text[], $2::text[], $3::text[]) u(c2, c0, c3) ` +
			`on t."id" = u.c2::uuid and t."Part" = u.c0::smallint where not (false or t."seen at"::text is distinct from (u.c3::date)::text)`},
		{"key", table.KeyList(), `t0."id", t0."Part"`},
		{"newest first", table.NewestFirst(), `t0."id" desc, t0."Part" desc`},
		{"after a key", table.after(table.Key, 2), `(t0."id", t0."Part") > ($2::uuid, $3::smallint)`},
		{"columns", table.ColumnList(), `t0."Part", t0."unseen", t0."bo""dy", t0."id", t0."seen at"`},
		{"telling columns", (&Table{Columns: table.Columns, Telling: []int{2, 4}}).TellingColumns(), `t0."bo""dy", t0."seen at"`},
		{"source", table.Source(), `"Ehr"."no""te; drop"`},
	} {
		if c.got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, c.got, c.want)
		}
	}
	if !slices.Equal(s.All(), []int{0, 1, 2, 3}) || !slices.Equal(s.Keys, []int{2, 0}) {
		t.Errorf("all %v, keys %v", s.All(), s.Keys)
	}
}

func TestRowsThatWaitAreWrittenAnew(t *testing.T) {
	t.Parallel()
	got := oddTable(config.Batches).SQL.Stale([]int{0, 2})
	if want := `exists (select from "deid_waiting"."Ehr.no""te; drop" w where w."id" = t."id" and w."Part" = t."Part")`; !strings.Contains(got, want) {
		t.Errorf("%s\nlacks %s", got, want)
	}
	if n := parameters(got); n != 2 || !balanced(got) {
		t.Errorf("%d parameters in %s", n, got)
	}
}

func TestUpsertOfATableThatIsAllKey(t *testing.T) {
	t.Parallel()
	table := &Table{Table: &config.Table{Schema: "e", Name: "n"}, Key: []int{0}, Publish: []int{0}}
	table.Columns = []Column{{Column: config.Column{Name: "id", Publish: config.Keep}, Replica: "integer"}}
	if s := NewStatements(table); !strings.HasSuffix(s.Upsert, ` on conflict ("id") do nothing`) {
		t.Error(s.Upsert)
	}
}

var parameter = regexp.MustCompile(`\$([0-9]+)`)

// parameters returns how many parameters a statement has, or -1 if one of them is missing.
func parameters(sql string) int {
	found, most := map[int]bool{}, 0
	for _, m := range parameter.FindAllStringSubmatch(sql, -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			return -1
		}
		found[n] = true
		most = max(most, n)
	}
	if len(found) != most {
		return -1
	}
	return most
}

// balanced reports whether quotes and parentheses of a statement are closed.
func balanced(sql string) bool {
	depth, quoted := 0, false
	for _, r := range sql {
		switch {
		case r == '"':
			quoted = !quoted
		case quoted:
		case r == '(':
			depth++
		case r == ')':
			depth--
		}
		if depth < 0 {
			return false
		}
	}
	return depth == 0 && !quoted
}

func TestReleaseStatementsFitTheirParameters(t *testing.T) {
	t.Parallel()
	r := oddTable(config.Delayed).SQL.Release
	for _, c := range []struct {
		name       string
		statements []string
		count      int
		parameters int // the key's columns, and due marks, patients and prints
	}{
		{"withdraw", r.Withdraw, 2, 2},
		{"wait", r.Wait, 2, 5},
		{"copy", r.Copy, 2, 5},
		{"remake", r.Remake, 5, 5},
		{"release", r.Release, 3, 1},
		{"truncate", r.Truncate, 2, 0},
	} {
		if len(c.statements) != c.count {
			t.Errorf("%s: %d statements", c.name, len(c.statements))
		}
		for _, sql := range c.statements {
			if n := parameters(sql); n != c.parameters {
				t.Errorf("%s: %d parameters: %s", c.name, n, sql)
			}
			if !balanced(sql) || strings.Contains(sql, "%!") {
				t.Errorf("%s: %s", c.name, sql)
			}
		}
	}
}

func TestReleaseStatements(t *testing.T) {
	t.Parallel()
	r := oddTable(config.Batches).SQL.Release
	const (
		rows     = `"deid_rows"."Ehr.no""te; drop"`
		waiting  = `"deid_waiting"."Ehr.no""te; drop"`
		released = `"deid_released"."Ehr.no""te; drop"`
		same     = `t."id" = u.c2::uuid and t."Part" = u.c0::smallint`
		given    = `unnest($1::text[], $2::text[], $3::bytea[], $4::text[], $5::bytea[]) u(c2, c0, due, patient, print)`
		columns  = `"Part", "bo""dy", "id", "seen at"`
	)
	if r.Waiting != waiting {
		t.Errorf("waiting: %s", r.Waiting)
	}
	for _, c := range []struct{ name, got, want string }{
		{"withdraw", r.Withdraw[1], `delete from ` + released + ` t using unnest($1::text[], $2::text[]) u(c2, c0) where ` + same},
		{"other patients", r.Wait[0], `delete from ` + waiting + ` t using ` + given + ` where ` + same + ` and t.pgdeid_patient <> u.patient`},
		{"copied anew", r.Copy[0], `delete from ` + waiting + ` t using ` + given + ` where ` + same},
		{"out of the released", r.Release[0], `delete from ` + released + ` t using ` + waiting + ` w ` +
			`where t."id" = w."id" and t."Part" = w."Part" and w.pgdeid_due = any($1::bytea[])`},
		{"into the released", r.Release[1], `insert into ` + released + ` (` + columns + `, pgdeid_print, pgdeid_patient) ` +
			`select ` + columns + `, pgdeid_print, pgdeid_patient from ` + waiting + ` where pgdeid_due = any($1::bytea[]) order by "id", "Part"`},
		{"out of the waiting", r.Release[2], `delete from ` + waiting + ` where pgdeid_due = any($1::bytea[])`},
		// A repair leaves the day that was shown: dates of the same patient move as before.
		{"repair", r.Remake[3], `update ` + released + ` t set pgdeid_print = u.print, pgdeid_patient = u.patient, "bo""dy" = r."bo""dy" ` +
			`from ` + rows + ` r join ` + given + ` on r."id" = u.c2::uuid and r."Part" = u.c0::smallint where ` + same},
		{"truncate", strings.Join(r.Truncate, "; "), `delete from ` + waiting + `; delete from ` + released},
	} {
		if c.got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, c.got, c.want)
		}
	}
	// The day that a version is due is part of its key, and the row's own values replace it.
	for name, sql := range map[string]string{"wait": r.Wait[1], "copy": r.Copy[1], "remake": r.Remake[4]} {
		if !strings.Contains(sql, `on conflict ("id", "Part", pgdeid_due) do update set "Part" = excluded."Part", "bo""dy" = excluded."bo""dy"`) {
			t.Errorf("%s: %s", name, sql)
		}
	}
	if strings.Contains(r.Wait[1], "not exists") || !strings.Contains(r.Remake[4], "not exists (select from "+released) {
		t.Error("only what was made anew waits anew where no version is left")
	}
}

func TestStatementsOfHashedKeys(t *testing.T) {
	t.Parallel()
	table := oddTable(config.Live)
	table.Hashed = true
	table.SQL = NewStatements(table)
	s := &table.SQL
	const rows = `"deid_rows"."Ehr.no""te; drop"`
	for _, c := range []struct{ name, got, want string }{
		{"upsert", s.Upsert, `insert into ` + rows + ` ("Part", "bo""dy", "id", "seen at", "pgdeid_key") ` +
			`select u.c0::smallint, u.c1::text, u.c2::uuid, u.c3::date, u.c4::uuid ` +
			`from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) u(c0, c1, c2, c3, c4) on conflict ("pgdeid_key") ` +
			`do update set "Part" = excluded."Part", "bo""dy" = excluded."bo""dy", "id" = excluded."id", "seen at" = excluded."seen at"`},
		{"remove", s.Remove, `delete from ` + rows + ` t using unnest($1::text[]) u(c4) where t."pgdeid_key" = u.c4::uuid`},
		{"update without the text", s.Update(table.Without([]bool{true})), `update ` + rows + ` t set "Part" = u.c0::smallint, ` +
			`"id" = u.c2::uuid, "seen at" = u.c3::date from unnest($1::text[], $2::text[], $3::text[], $4::text[]) u(c0, c2, c3, c4) ` +
			`where t."pgdeid_key" = u.c4::uuid`},
		{"key at the source", table.KeyList(), `t0."id", t0."Part"`},
	} {
		if c.got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, c.got, c.want)
		}
	}
	if table.Identifies(3) || !oddTable(config.Live).Identifies(3) {
		t.Error("columns of a hashed key tell no rows apart, those of a published one do")
	}
	release := newReleaseStatements(table, s)
	for _, sql := range slices.Concat(release.Wait, release.Copy, release.Remake, release.Release) {
		if sql != release.Release[2] && !strings.Contains(sql, `"pgdeid_key"`) {
			t.Errorf("without the hash of the key: %s", sql)
		}
	}
}
