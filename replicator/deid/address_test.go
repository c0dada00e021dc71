package deid

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/surrogate"
	"github.com/pgdeid/pgdeid/surrogate/letter"
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

// addressPaths returns paths that name addresses and telephones of a resource of FHIR, in their own order.
func addressPaths() []config.Column {
	surrogate := func(path string, role record.Role) config.Column {
		return config.Column{Name: path, Tells: role, Publish: config.Surrogate}
	}
	return []config.Column{
		surrogate("$.telecom[*].value", record.Phone), surrogate("$.address[*].postalCode", record.Zip),
		surrogate("$.address[*].city", record.City), surrogate("$.address[*].state", record.State),
		surrogate(`$["place of birth"].city`, record.City), surrogate(`$["place of birth"]["the state"]`, record.State),
	}
}

// What JSON, columns and notes of one patient show of an address is the same, and goes together; what is beside a town in its
// own object counts, not what is in others.
func TestAddressesInJSONAgree(t *testing.T) {
	t.Parallel()
	d := testDeidentifier(t)
	d.timeout = time.Minute // the lexicon is read on first use
	columns, documents := addresses("city", "state", "zip", "phone"), resources(d, config.ByPath, addressPaths()...)
	homes := [][4]string{
		{"Springfield", "IL", "62704", "(217) 555-3100"},
		{"Springfield", "MA", "01103", "413-555-8100"},
		{"Portland", "Maine", "04101", "207 555 4100"},
		{"Portland", "OR", "97205", "503.555.5100"},
		{"Quorrinville", "VT", "05401", "802-555-6100"},
	}
	for nth := range 40 {
		who := stranger(nth)
		published := publishing(t, d, who)
		in := map[string]any{"place of birth": map[string]any{"the state": "MA", "city": "Springfield"}}
		var list, ways []any
		for _, h := range homes {
			list = append(list, map[string]any{"city": h[0], "state": h[1], "postalCode": h[2]})
			ways = append(ways, map[string]any{"system": "phone", "value": h[3]})
		}
		in["address"], in["telecom"] = list, append(ways, map[string]any{"system": "email", "value": "zell@quorr.example"})
		doc, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		var out struct {
			Address []struct{ City, State, PostalCode string }
			Telecom []struct{ Value string }
			Born    struct{ City string } `json:"place of birth"`
		}
		if err := json.Unmarshal([]byte(*published(documents, string(doc))[0]), &out); err != nil {
			t.Fatal(err)
		}
		for i, h := range homes {
			a := []string{out.Address[i].City, out.Address[i].State, out.Address[i].PostalCode, out.Telecom[i].Value}
			checkAddress(t, []*string{&a[0], &a[1], &a[2], &a[3]})
			for c, v := range published(columns, h[:]...) {
				if *v != a[c] {
					t.Errorf("a column shows %s, JSON %s", *v, a[c])
				}
			}
			text := fmt.Sprintf("%s, %s %s", h[0], h[1], h[2])
			end := len(h[0]) + 2 + len(h[1])
			res, why := d.ReplaceSpans(who, text, []phi.Span{
				{Start: 0, End: len(h[0]), Type: phi.City}, {Start: len(h[0]) + 2, End: end, Type: phi.State}, {Start: end + 1, End: len(text), Type: phi.Zip},
			})
			if want := fmt.Sprintf("%s, %s %s", a[0], a[1], a[2]); why != "" || res.Text != want {
				t.Errorf("a note shows %s, JSON %s", res.Text, want)
			}
		}
		if out.Born.City != out.Address[1].City {
			t.Errorf("Springfield, MA is %s as the place of birth and %s as the home", out.Born.City, out.Address[1].City)
		}
		if mail := out.Telecom[len(homes)].Value; !strings.HasSuffix(mail, ".example.com") {
			t.Errorf("an e-mail address becomes %s", mail)
		}
	}
}

// Paths to towns find what is beside these, under whatever names.
func TestBesideTownsOfPaths(t *testing.T) {
	t.Parallel()
	d := testDeidentifier(t)
	table := resources(d, config.ByPath, addressPaths()...)
	for i, want := range map[int]schema.AddressMembers{1: {}, 2: {State: "state", Zip: "postalCode"}, 3: {}, 4: {State: "the state"}} {
		if got := table.Columns[1].Rules[i].Address; got != want {
			t.Errorf("address of %s: %v, want %v", table.Columns[1].Rules[i].Name, got, want)
		}
	}
	rule := &table.Columns[1].Rules[2]
	values := map[string]string{"state": "IL", "postalCode": "62704", "city": "Springfield"}
	if got := addressIn(rule, func(name string) string { return values[name] }); got != (surrogate.Address{State: "IL", Zip: "62704"}) {
		t.Error("state and ZIP code of a town are not found")
	}
}

// Addresses of Canada and the United Kingdom go together in JSON as they do in columns.
func TestAddressesAbroadInJSONAgree(t *testing.T) {
	t.Parallel()
	d := testDeidentifier(t)
	d.timeout = time.Minute // the lexicon is read on first use
	columns, documents := addresses("city", "state", "zip"), resources(d, config.ByPath, addressPaths()...)
	for nth := range 20 {
		for _, home := range [][]string{{"Toronto", "Ontario", "M5V 2T6"}, {"Leeds", "England", "LS1 4AB"}, {"Moose Jaw", "SK", "S6H 0A1"}} {
			who := stranger(nth)
			published := publishing(t, d, who)
			var out struct {
				Address []struct{ PostalCode, State, City string }
			}
			in := fmt.Sprintf(`{"address": [{"postalCode": %q, "state": %q, "city": %q}]}`, home[2], home[1], home[0])
			if err := json.Unmarshal([]byte(*published(documents, in)[0]), &out); err != nil {
				t.Fatal(err)
			}
			a := out.Address[0]
			code, ok := place.ReadCode(letter.Alnum(a.PostalCode))
			if !ok || place.OfName(letter.Alnum(a.State)) != code.Area.State || !slices.Contains(code.Area.Towns, a.City) {
				t.Errorf("%v becomes %s, %s %s", home, a.City, a.State, a.PostalCode)
			}
			if c := published(columns, home...); *c[0] != a.City || *c[1] != a.State || *c[2] != a.PostalCode {
				t.Errorf("columns show %s, %s %s, JSON %v", *c[0], *c[1], *c[2], a)
			}
		}
	}
}

// stranger returns the nth of patients of whom nothing is known.
func stranger(nth int) *patient.Patient {
	return &patient.Patient{
		Key: fmt.Sprint(nth), Pseudonym: fmt.Sprint("p", nth), Shift: -10, Ledger: &patient.Ledger{}, Gazetteer: record.NewGazetteer(nil),
	}
}

// publishing returns what writes rows of a patient and returns their published values but the key.
func publishing(t *testing.T, d *Deidentifier, who *patient.Patient) func(table *schema.Table, values ...string) []*string {
	t.Helper()
	return func(table *schema.Table, values ...string) []*string {
		t.Helper()
		it := RowItem(&schema.Change{Op: schema.InsertOp, Table: table, Row: present(append([]string{"1"}, values...)...)})
		it.Patient = who
		if d.Deidentify(t.Context(), it); it.Out.Reason != "" || len(it.Out.Withheld) > 0 {
			t.Fatalf("%s, withheld %v", it.Out.Reason, it.Out.Withheld)
		}
		return it.Out.Values[1:]
	}
}
