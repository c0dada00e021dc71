package deid

import (
	"fmt"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/surrogate"
	"github.com/pgdeid/pgdeid/surrogate/place"
)

// addresses is a table whose columns tell these roles, all of them published as surrogates, behind a key.
func addresses(roles ...record.Role) *schema.Table {
	t := column(config.Column{Publish: config.Keep}, "text", false)
	t.Columns = t.Columns[:1]
	t.Publish = []int{0}
	for i, role := range roles {
		c := config.Column{Name: fmt.Sprint("c", i), Tells: role, Publish: config.Surrogate}
		t.Columns = append(t.Columns, schema.Column{Column: c, Typ: "text"})
		t.Publish = append(t.Publish, i+1)
	}
	return t
}

func TestAddressOf(t *testing.T) {
	t.Parallel()
	missing := []schema.Value{{State: schema.Present, Text: "1"}, {State: schema.Present, Text: "Springfield"}, {State: schema.Null}, {State: schema.Unchanged}}
	for _, tt := range []struct {
		name  string
		table *schema.Table
		row   []schema.Value
		col   int
		want  surrogate.Address
	}{
		{"behind it", addresses("city", "state", "zip"), present("1", "Springfield", "IL", "62704"), 1, surrogate.Address{State: "IL", Zip: "62704"}},
		{"before it", addresses("zip", "state", "city"), present("1", "62704", "IL", "Springfield"), 3, surrogate.Address{State: "IL", Zip: "62704"}},
		{"around it", addresses("zip", "city", "street", "state"), present("1", "62704", "Springfield", "x", "IL"), 2, surrogate.Address{State: "IL", Zip: "62704"}},
		{"first of two", addresses("city", "state", "city", "state"), present("1", "Springfield", "IL", "Salem", "OR"), 1, surrogate.Address{State: "IL"}},
		{"second of two", addresses("city", "state", "city", "state"), present("1", "Springfield", "IL", "Salem", "OR"), 3, surrogate.Address{State: "OR"}},
		{"two towns, one state", addresses("city", "city", "state"), present("1", "Springfield", "Salem", "OR"), 1, surrogate.Address{}},
		{"state before two", addresses("state", "city", "city"), present("1", "IL", "Springfield", "Salem"), 3, surrogate.Address{}},
		{"nothing there", addresses("city", "state", "zip"), missing, 1, surrogate.Address{}},
		{"no such columns", addresses("city", "street"), present("1", "Springfield", "x"), 1, surrogate.Address{}},
		{"no town", addresses("state", "zip"), present("1", "IL", "62704"), 2, surrogate.Address{}},
	} {
		if got := addressOf(tt.table, tt.row, tt.col); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, [2]string{got.State, got.Zip}, [2]string{tt.want.State, tt.want.Zip})
		}
	}
	key := addresses("city", "state")
	key.Key = []int{1}
	if got := addressOf(key, present("1", "Springfield", "IL"), 1); got != (surrogate.Address{}) {
		t.Error("a key depends on the rest of its row")
	}
	for many, want := range map[int]surrogate.Address{1: {}, 2: {Zip: "62704"}, 3: {State: "IL"}} {
		list := addresses("city", "state", "zip")
		list.Columns[many].Element = &schema.Column{}
		if got := addressOf(list, present("1", "Springfield", "IL", "62704"), 1); got != want {
			t.Errorf("column %d holds many values: %v", many, [2]string{got.State, got.Zip})
		}
	}
}

// Columns of one row that hold an address show another address, whatever the record says elsewhere of a town of the same
// name; and the same row shows the same when it comes again.
func TestColumnsOfOneRowAgree(t *testing.T) {
	t.Parallel()
	d := testDeidentifier(t)
	d.timeout = time.Minute // the lexicon is read on first use
	table := addresses("city", "state", "zip", "phone")
	rows := [][]string{
		{"Springfield", "IL", "62704", "(217) 555-3100"},
		{"Springfield", "MA", "01103", "413-555-8100"},
		{"Springfield", "Missouri", "65807", "4175559100"},
		{"Portland", "ME", "04101", "207 555 4100"},
		{"Portland", "OR", "97205", "503.555.5100"},
		{"Quorrinville", "VT", "05401", "802-555-6100"},
	}
	for nth := range 40 {
		who := &patient.Patient{
			Key: fmt.Sprint(nth), Pseudonym: fmt.Sprint("p", nth), Shift: -10, Ledger: &patient.Ledger{},
			Gazetteer: record.NewGazetteer(record.Record{record.City: {"Springfield", "Portland"}, record.State: {"IL", "ME", "OR"}}),
		}
		towns := map[string]bool{}
		for range 2 {
			for i, values := range rows {
				it := RowItem(&schema.Change{Op: schema.InsertOp, Table: table, Row: present(append([]string{fmt.Sprint(i)}, values...)...)})
				it.Patient = who
				d.Deidentify(t.Context(), it)
				if it.Out.Reason != "" {
					t.Fatalf("row %d: %s", i, it.Out.Reason)
				}
				towns[checkAddress(t, it.Out.Values[1:])] = true
			}
		}
		if len(towns) != len(rows) {
			t.Errorf("%d towns for %d", len(towns), len(rows))
		}
	}
}

// checkAddress checks that town, state, ZIP code and telephone go together, and returns the town.
func checkAddress(t *testing.T, shown []*string) string {
	t.Helper()
	town, state, zip, phone := *shown[0], *shown[1], *shown[2], *shown[3]
	area := place.OfPrefix(zip[:3])
	if area == nil {
		t.Fatalf("ZIP code %s is nowhere", zip)
	}
	of := place.States()[area.State]
	if state != of.Abbr && state != of.Name {
		t.Errorf("%s is not in %s", zip, state)
	}
	var digits []byte
	for _, c := range []byte(phone) {
		if c >= '0' && c <= '9' {
			digits = append(digits, c)
		}
	}
	if place.OfCode(string(digits[:3])) != area.State || string(digits[3:8]) != "55501" {
		t.Errorf("%s is not in %s, or not of fiction", phone, state)
	}
	known := false
	for _, name := range of.Towns {
		known = known || name == town
	}
	for _, name := range area.Towns {
		if name == town {
			return town
		}
	}
	if known {
		t.Errorf("%s is not where %s is", town, zip)
	}
	return town
}
