package document

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/document/documenttest"
	"github.com/pgdeid/pgdeid/internal/document/encoding"
)

func selection(t testing.TB, paths ...string) *Selection {
	t.Helper()
	list := make([]Path, len(paths))
	for i, p := range paths {
		list[i] = pathOf(p, i)
	}
	s, err := Select(list)
	if err != nil {
		t.Fatalf("%v: %v", paths, err)
	}
	return s
}

// pathOf reads "$.a", "$.a:keep", "$.a:convert" or "$.a:html".
func pathOf(s string, rule int) Path {
	path, do, _ := strings.Cut(s, ":")
	switch do {
	case "":
		return Path{Path: path}
	case "drop":
		return Path{Path: path, Do: LeaveOut}
	case "keep":
		return Path{Path: path, Do: Keep}
	case "convert":
		return Path{Path: path, Do: Convert, Rule: rule}
	}
	format, chain, _ := strings.Cut(do, ",")
	return Path{Path: path, Do: Open, Format: Format(format), Encoding: encoding.Encoding(chain)}
}

// An object of which nothing is published says so, where the format has words for that.
func TestMaskedObjects(t *testing.T) {
	t.Parallel()
	for doc, want := range map[string]string{
		`{"a": {"x": "Ann"}}`:                          `{"a": {"m": 1}}`,
		`{"a": {"x": "Ann", "y": [1, 2]}, "b": "Ann"}`: `{"a": {"m": 1}}`,
		`{"a": {"x": "Ann", "b": "Lee"}}`:              `{"a": {"b": "Lee"}}`,
		`{"l": [{"b": "Lee"}, {"x": "Ann"}, { }]}`:     `{"l": [{"b": "Lee"}, {"m": 1}, { }]}`,
		`{"a": {}}`:    `{"a": {}}`,
		`{"x": "Ann"}`: `{"m": 1}`,
		`{"x": {"x": "Ann"}, "a": {"b": "Lee", "x": 1}}`: `{"a": {"b": "Lee"}}`,
	} {
		s, err := Select([]Path{{Path: "$.a.b"}, {Path: "$.l[*].b"}})
		if err != nil {
			t.Fatal(err)
		}
		s.Mask(`"m": 1`)
		d, err := s.Parse([]byte(doc), nil)
		if err != nil {
			t.Fatal(err)
		}
		out, err := d.Replace(nil)
		if err != nil || string(out) != want {
			t.Errorf("%s became %s (%v), want %s", doc, out, err, want)
		}
		again, err := s.Parse(out, nil)
		if err != nil || again.Text() != d.Text() {
			t.Errorf("%s is read as another text (%v)", out, err)
		}
	}
}

// What is known stays: other strings are text, or are left out.
func TestKnownStrings(t *testing.T) {
	t.Parallel()
	known := func(value string, member func(string) string) (string, bool) {
		return "x" + value[1:], member("s") == "public" && strings.HasPrefix(value, "0")
	}
	for _, tt := range []struct {
		do             Treatment
		doc, out, text string
		withheld       int
	}{
		{Show, `{"s": "public", "v": "\u0030-1"}`, `{"s": "public", "v": "x-1"}`, "", 0},
		{Show, `{"v": "Ann \"A\"", "s": "public"}`, `{"v": "Ann \"A\"", "s": "public"}`, `Ann "A"`, 0},
		{Show, `{"v": "0-1"}`, `{"v": "0-1"}`, "0-1", 0},
		{Show, `{"v": ["Ann", {"s": "public", "a": "01"}, 1234567]}`, `{"v": ["Ann", {"s": "public", "a": "x1"}, 1234567]}`, "Ann\npublic\n1234567", 0},
		{Keep, `{"s": "public", "v": "0-1"}`, `{"s": "public", "v": "x-1"}`, "", 0},
		{Keep, `{"v": "0-1"}`, `{}`, "", 1},
		{Keep, `{"v": {"Ann": "0"}, "s": "public"}`, `{"s": "public"}`, "", 1},
		{Keep, `{"v": 17}`, `{}`, "", 1},
		{Keep, `{"v": null}`, `{"v": null}`, "", 0},
		{Show, `{"v": "0`, "", "", 0},
	} {
		s, err := Select([]Path{{Path: "$.s", Do: Keep}, {Path: "$.v", Do: tt.do, Known: known}})
		if err != nil {
			t.Fatal(err)
		}
		d, err := s.Parse([]byte(tt.doc), nil)
		if tt.out == "" {
			if err == nil {
				t.Errorf("%s was read", tt.doc)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", tt.doc, err)
		}
		out, err := d.Replace(nil)
		if err != nil || string(out) != tt.out || d.Text() != tt.text || d.Withheld() != tt.withheld {
			t.Errorf("%s became %s (%v) with text %q, %d withheld", tt.doc, out, err, d.Text(), d.Withheld())
		}
	}
}

func TestSelection(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		paths           []string
		doc, want, text string
	}{
		{[]string{"$"}, `{"a": ["Ann"]}`, `{"a": ["Ann"]}`, "Ann"},
		{[]string{"$:keep"}, `{"a": ["Ann", 1234567]}`, `{"a": ["Ann", 1234567]}`, ""},
		{[]string{"$.b"}, `{"a": "Ann", "b": "Lee", "c": 1}`, `{"b": "Lee"}`, "Lee"},
		{[]string{"$.a"}, `{"a": "Ann", "b": "Lee", "c": 1}`, `{"a": "Ann"}`, "Ann"},
		{[]string{"$.c"}, `{"a": "Ann", "b": "Lee", "c": "x" }`, `{"c": "x" }`, "x"},
		{[]string{"$.a", "$.c:keep"}, `{"a": "Ann", "b": "Lee", "c": "x"}`, `{"a": "Ann", "c": "x"}`, "Ann"},
		{[]string{"$.d"}, `{ "a" : "Ann" , "b" : [{}] }`, `{ }`, ""},
		{
			[]string{"$.name[*].family"},
			`{"name": [{"use": "x", "family": "Lee"}, {"family": "Roe", "given": ["Ann"]}]}`,
			`{"name": [{"family": "Lee"}, {"family": "Roe"}]}`, "Lee\nRoe",
		},
		{
			[]string{"$.name[*].given[*]"},
			`{"name": [{"given": ["Ann", "B."]}, {"given": "Bea"}, {}, "Lee", 1234567, null]}`,
			`{"name": [{"given": ["Ann", "B."]}, {}, {}, null, null, null]}`, "Ann\nB.",
		},
		{[]string{"$[*].a"}, `[{"a": "Ann"}, "Lee", ["Roe"], {"b": {"a": "x"}}]`, `[{"a": "Ann"}, null, null, {}]`, "Ann"},
		{[]string{"$.a.b"}, `{"a": "Ann"}`, `{}`, ""},
		{[]string{"$.a.b"}, `"Ann"`, `null`, ""},
		{[]string{"$.a.b"}, `["Ann"]`, `null`, ""},
		{[]string{"$.a"}, `{"a": {"Ann": {"x": ["y"]}}}`, `{"a": {"Ann": {"x": ["y"]}}}`, "y"},
		{
			[]string{`$["a name"]`, `$["é\"\u0041"].x`},
			`{"a name": "Ann", "é\"A": {"x": "Lee", "y": "Roe"}}`,
			`{"a name": "Ann", "é\"A": {"x": "Lee"}}`, "Ann\nLee",
		},
		{
			[]string{"$.r[*](Ax).n", "$.r[*](Bx).m"},
			`{"r": [{"resourceType": "Ax", "n": "Ann", "m": "x"}, {"n": "y", "m": "Bea", "resourceType": "Bx"}, {"n": "y"}, {"resourceType": "Cx", "n": "y"}, "y", null]}`,
			`{"r": [{"n": "Ann"}, {"m": "Bea"}, null, null, null, null]}`, "Ann\nBea",
		},
		{[]string{"$(Ax).n"}, `{"n": "Ann", "resourceType": "Ax"}`, `{"n": "Ann"}`, "Ann"},
		{[]string{"$(Ax).n"}, `{"n": "Ann", "resourceType": ["Ax"]}`, `null`, ""},
		{[]string{"$.mrn"}, `{"ssn": 123456789, "mrn": 1234567, "n": [12345]}`, `{"mrn": 1234567}`, "1234567"},
	} {
		d, err := selection(t, tt.paths...).Parse([]byte(tt.doc), nil)
		if err != nil {
			t.Errorf("%v of %s: %v", tt.paths, tt.doc, err)
			continue
		}
		if got := string(documenttest.Replaced(t, d, nil)); got != tt.want || d.Text() != tt.text {
			t.Errorf("%v of %s: got %s with the text %q, want %s and %q", tt.paths, tt.doc, got, d.Text(), tt.want, tt.text)
		}
	}
}

func TestSelectionsThatAreRefused(t *testing.T) {
	t.Parallel()
	for _, paths := range [][]string{
		{""},
		{"a"},
		{".a"},
		{"$a"},
		{"$."},
		{"$.a."},
		{"$..a"},
		{"$.a b"},
		{"$[0]"},
		{"$['a']"},
		{`$["a]`},
		{`$["\x"]`},
		{"$.*"},
		{"$.a(b)"},
		{"$(Ab)", "$.a"},
		{"$.a", "$(Ab)"},
		{"$[*]", "$(Ab)"},
		{"$(Ab)", "$(Ab).c"},
		{"$(Ab).c", "$"},
		{"$.a", "$.a"},
		{"$", "$.a"},
		{"$.a", "$.a.b"},
		{"$.a[*].b", "$.a[*]"},
		{"$.a", "$.a:keep"},
		{"$.a", `$["a"]`},
	} {
		list := make([]Path, len(paths))
		for i, p := range paths {
			list[i] = pathOf(p, i)
		}
		if _, err := Select(list); err == nil {
			t.Errorf("%q is a selection", paths)
		}
	}
}

func TestUnnamed(t *testing.T) {
	t.Parallel()
	s := selection(t, "$.name[*].family", "$.text", "$.status:keep")
	for _, tt := range []struct{ doc, want string }{
		{`{"name": [{"family": "Lee"}], "text": {"x": ["y"]}, "status": 1}`, ""},
		{`{"name": [{"family": "Lee", "given": ["Ann"]}, {"given": []}], "a": {"b": {"c": 1}}, "n": 1}`, "$.a $.n $.name[*].given"},
		{`{"name": "Lee"}`, "$.name"},
		{`{"name": ["Lee", null]}`, "$.name[*]"},
		{`{"Ann Lee": 1, "ann-lee": 2, "é": {"x": 1}, "9a": 1}`, "$[unusual key]"},
		{`"Ann"`, "$"},
		{`["Ann", 1]`, "$[*]"},
		{`{`, ""},
	} {
		if got := strings.Join(s.Unnamed([]byte(tt.doc)), " "); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.doc, got, tt.want)
		}
	}
}

// What no path names is not in the output, whatever is around it, and what is left is JSON of the same shape.
func FuzzSelection(f *testing.F) {
	for _, doc := range []string{
		`{"a": {"b": "Ann", "x": 1}, "c": ["Lee", {"d": "Roe"}], "x": "no"}`, `{"x": 1,"a":2}`, `[{"a": 1}]`,
		`{ "x" : [ ] , "c" : [ "" , null ] }`, `{}`, `1`, `{"c": {"a": 12345}}`,
	} {
		f.Add([]byte(doc))
	}
	s := selection(f, "$.a.b", "$.c[*].d", "$.k:keep")
	f.Fuzz(func(t *testing.T, doc []byte) {
		d, err := s.Parse(doc, nil)
		if _, whole := Parse(JSON, doc); (err == nil) != (whole == nil) {
			t.Fatalf("%q: %v for a part, %v for the whole", doc, err, whole)
		}
		if err != nil {
			return
		}
		documenttest.VerifyParts(t, d)
		out := documenttest.Replaced(t, d, nil)
		var was, is any
		if json.Unmarshal([]byte(strings.TrimPrefix(string(doc), "\ufeff")), &was) != nil {
			return // numbers that are too large
		}
		if err := json.Unmarshal([]byte(strings.TrimPrefix(string(out), "\ufeff")), &is); err != nil {
			t.Fatalf("%v in %q of %q", err, out, doc)
		}
		if got, want := fmt.Sprint(is), fmt.Sprint(left(was)); got != want {
			t.Errorf("%q became %s, want %s", doc, got, want)
		}
	})
}

// left is what the fuzz test's selection leaves of a document.
func left(doc any) any {
	object, ok := doc.(map[string]any)
	if !ok {
		return nil
	}
	out := map[string]any{}
	if k, ok := object["k"]; ok {
		out["k"] = k
	}
	if a, ok := object["a"].(map[string]any); ok {
		out["a"] = only(a, "b")
	}
	if c, ok := object["c"].([]any); ok {
		list := make([]any, len(c))
		for i := range c {
			if element, ok := c[i].(map[string]any); ok {
				list[i] = only(element, "d")
			}
		}
		out["c"] = list
	}
	return out
}

func only(object map[string]any, name string) map[string]any {
	out := map[string]any{}
	if v, ok := object[name]; ok {
		out[name] = v
	}
	return out
}

func TestMembersOfPaths(t *testing.T) {
	t.Parallel()
	for path, want := range map[string][2]string{
		"$.city":                       {"$", "city"},
		"$.address[*].city":            {"$.address[*]", "city"},
		`$(Patient).address["a \"b"]`:  {"$(Patient).address", `a "b`},
		"$":                            {},
		"$.address[*]":                 {},
		"$.entry[*].resource(Patient)": {},
		"$.a b":                        {},
		"city":                         {},
	} {
		object, name, ok := Member(path)
		if object != want[0] || name != want[1] || ok != (want[1] != "") {
			t.Errorf("%s: %q of %q, %v", path, name, object, ok)
		}
	}
}

// A converter sees what else is in the object of a value, before it and behind it.
func TestConvertersSeeWhatIsBeside(t *testing.T) {
	t.Parallel()
	s, err := Select([]Path{{Path: "$.a[*].city", Do: Convert}, {Path: "$.l[*]", Do: Convert}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	_, err = s.Parse([]byte(`{"zip": "0", "l": ["x"], "a": [{"state": "I\u004c", "city": "x", "zip": 62704, "o": {"zip": "9"}}, {"city": "y", "zip": {}, "state": null}]}`),
		func(_ int, value string, member func(string) string) (string, bool) {
			got = append(got, value+"/"+member("state")+"/"+member("zip")+"/"+member("none"))
			return value, true
		})
	if want := []string{"x///", "x/IL/62704/", "y///"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
}
