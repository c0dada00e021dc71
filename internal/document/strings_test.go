package document

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/document/documenttest"
	"github.com/pgdeid/pgdeid/internal/document/syntax"
)

// upper is a converter that leaves out what begins with an x.
func upper(rule int, value string, _ func(string) string) (string, bool) {
	return fmt.Sprint(rule, strings.ToUpper(value)), !strings.HasPrefix(value, "x")
}

func TestConverters(t *testing.T) {
	t.Parallel()
	same := func(_ int, value string, _ func(string) string) (string, bool) { return value, true }
	number := func(int, string, func(string) string) (string, bool) { return "1234", true }
	broken := func(int, string, func(string) string) (string, bool) { return "\xff", true }
	for _, tt := range []struct {
		paths     []string
		convert   Converter
		doc, want string
		withheld  int
	}{
		{[]string{"$"}, nil, `"Ann"`, `"Ann"`, 0},
		{[]string{"$.a:convert"}, upper, `{"a": "Ann"}`, `{"a": "0ANN"}`, 0},
		{[]string{"$.x", "$.a:convert"}, upper, `{"a": "Ann", "b": 1}`, `{"a": "1ANN"}`, 0},
		{[]string{"$.a.b:drop", "$.c.d:drop", "$.c.e"}, nil, `{"a": {"b": "Ann"}, "c": {"d": "Ann", "e": "x"}}`, `{"c": {"e": "x"}}`, 0},
		{[]string{"$.a[*].b:drop", "$.c"}, nil, `{"a": [{"b": "Ann"}], "c": "x"}`, `{"c": "x"}`, 0},
		{[]string{"$.a:convert"}, nil, `{"a": "Ann", "b": 1}`, `{"a": "Ann"}`, 0},
		{[]string{"$.a:convert"}, same, `{"a": "\u0041nn \"é\""}`, `{"a": "\u0041nn \"é\""}`, 0},
		{[]string{"$.a:convert"}, upper, `{"a": "\"\né\\"}`, `{"a": "0\"\nÉ\\"}`, 0},
		{[]string{"$.a:convert", "$.b"}, upper, `{"a": "xAnn", "b": "Lee"}`, `{"b": "Lee"}`, 1},
		{[]string{"$.b", "$.c:convert"}, upper, `{"b": "Lee", "c": "xAnn"}`, `{"b": "Lee"}`, 1},
		{[]string{"$.g[*]:convert"}, upper, `{"g": ["Ann", "xBea", null, "Cy"]}`, `{"g": ["0ANN", null, null, "0CY"]}`, 1},
		{[]string{"$.g[*]:convert"}, upper, `{"g": "Ann"}`, `{}`, 0},
		{[]string{"$.a:convert"}, upper, `{"a": {"Ann": "Ann"}}`, `{}`, 1},
		{[]string{"$.a:convert"}, upper, `{"a": ["Ann"]}`, `{}`, 1},
		{[]string{"$.a:convert"}, upper, `{"a": true}`, `{}`, 1},
		{[]string{"$.a:convert"}, upper, `{"a": null}`, `{"a": null}`, 0},
		{[]string{"$.a:convert"}, upper, `{"a": 17}`, `{"a": 017}`, -1},
		{[]string{"$.a:convert"}, number, `{"a": -17.5e3, "b": 2}`, `{"a": 1234}`, 0},
		{[]string{"$.a:convert"}, number, `{"a": "17"}`, `{"a": "1234"}`, 0},
		{[]string{"$.a:convert"}, broken, `{"a": "17"}`, `{}`, 1},
		{[]string{"$:convert"}, upper, `"Ann"`, `"0ANN"`, 0},
		{[]string{"$:convert"}, upper, `"xAnn"`, `null`, 1},
		{[]string{"$:convert"}, upper, ` {"a": 1} `, ` null `, 1},
	} {
		s := selection(t, tt.paths...)
		d, err := s.Parse([]byte(tt.doc), tt.convert)
		if err != nil {
			t.Errorf("%v of %s: %v", tt.paths, tt.doc, err)
			continue
		}
		documenttest.VerifyParts(t, d)
		got := string(documenttest.Replaced(t, d, nil))
		if tt.withheld < 0 { // of a number that is none any more
			if !json.Valid([]byte(got)) || strings.Contains(got, tt.want) {
				t.Errorf("%s became %s", tt.doc, got)
			}
			continue
		}
		if got != tt.want || d.Withheld() != tt.withheld {
			t.Errorf("%v of %s: got %s, %d withheld, want %s and %d", tt.paths, tt.doc, got, d.Withheld(), tt.want, tt.withheld)
		}
	}
}

func TestDocumentsInStrings(t *testing.T) {
	t.Parallel()
	encoded := base64.StdEncoding.EncodeToString
	picture := encoded([]byte("\x89PNG\r\n\x1a\n\x00\xff"))
	for _, tt := range []struct {
		name        string
		paths       []string
		doc, text   string
		edits, want string // edits: "Ann=Bea"
		withheld    int
	}{
		{
			"HTML",
			[]string{"$.div:html", "$.k"},
			`{"k": "Ann", "div": "<p>Mr. A<b>nn<\/b> <!-- Ann -->slept</p>"}`, "Ann\nMr. Ann slept",
			"Ann=Bea", `{"k": "Bea", "div": "<p>Mr. Bea<b></b> slept</p>"}`, 0,
		},
		{"nothing to edit", []string{"$.div:html"}, `{"div": "<p><!-- Ann -->slept</p>"}`, "slept", "", `{"div": "<p>slept</p>"}`, 0},
		{"nothing to see", []string{"$.div:html"}, `{"div": "<!-- Ann --><p></p>"}`, "", "", `{"div": "<p></p>"}`, 0},
		{"nothing", []string{"$.div:html"}, `{"div": ""}`, "", "", `{"div": ""}`, 0},
		{"JSON", []string{"$.s:json"}, `{"s": "{\"n\": [\"Ann\", 12]}"}`, "Ann", "Ann=\"B\"", `{"s": "{\"n\": [\"\\\"B\\\"\", 12]}"}`, 0},
		{
			"base64",
			[]string{"$.a[*]:,base64"},
			`{"a": ["` + encoded([]byte("Ann slept")) + `", null]}`, "Ann slept",
			"Ann=Bea", `{"a": ["` + encoded([]byte("Bea slept")) + `", null]}`, 0,
		},
		{
			"auto",
			[]string{"$.a:auto,base64"},
			`{"a": "` + encoded([]byte(`{\rtf1 Dr {\b A}nn}`)) + `"}`, "Dr Ann",
			"Ann=Bea", `{"a": "` + encoded([]byte(`{\rtf1 Dr {\b Bea}}`)) + `"}`, 0,
		},
		{"a picture", []string{"$.a:auto,base64", "$.b"}, `{"a": "` + picture + `", "b": "x"}`, "x", "", `{"b": "x"}`, 1},
		{
			"by type",
			[]string{"$.data:media_type,base64", "$.contentType:keep"},
			`{"data": "` + encoded([]byte("<p>A<i>nn</i>")) + `", "contentType": "text/html; charset=utf-8"}`, "Ann",
			"Ann=Bea", `{"data": "` + encoded([]byte("<p>Bea<i></i>")) + `", "contentType": "text/html; charset=utf-8"}`, 0,
		},
		{
			"character set",
			[]string{"$.data:media_type,base64", "$.contentType:keep"},
			`{"contentType": "text/plain; charset=ISO-8859-1", "data": "` + encoded([]byte("Ren\xe9 Ann")) + `"}`, "René Ann",
			"Ann=é", `{"contentType": "text/plain; charset=ISO-8859-1", "data": "` + encoded([]byte("Ren\xe9 \xe9")) + `"}`, 0,
		},
		{
			"a type that is not read",
			[]string{"$.data:media_type,base64", "$.contentType:keep"},
			`{"data": "QW5u", "contentType": "application/pdf"}`, "", "", `{"contentType": "application/pdf"}`, 1,
		},
		{
			"no type", []string{"$.data:media_type,base64", "$.contentType:keep"}, `{"data": "QW5u"}`, "Ann", "Ann=Bea", `{"data": "QmVh"}`, 0,
		},
		{"no string", []string{"$.s:html"}, `{"s": {"a": "Ann"}}`, "", "", `{}`, 1},
		{"a number", []string{"$.s:html"}, `{"s": 1234567}`, "", "", `{}`, 1},
	} {
		d, err := selection(t, tt.paths...).Parse([]byte(tt.doc), nil)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		documenttest.VerifyParts(t, d)
		documenttest.VerifyOrigin(t, d)
		var edits []Edit
		if from, to, ok := strings.Cut(tt.edits, "="); ok {
			for at := 0; strings.Contains(d.Text()[at:], from); {
				at += strings.Index(d.Text()[at:], from)
				edits = append(edits, Edit{Begin: at, End: at + len(from), Text: to})
				at += len(from)
			}
		}
		if got := string(documenttest.Replaced(t, d, edits)); got != tt.want || d.Text() != tt.text || d.Withheld() != tt.withheld {
			t.Errorf("%s: got %s with the text %q, %d withheld; want %s, %q, %d", tt.name, got, d.Text(), d.Withheld(), tt.want, tt.text, tt.withheld)
		}
	}
}

// An edit over several documents is written where it begins.
func TestEditsOverDocumentsInStrings(t *testing.T) {
	t.Parallel()
	d, err := selection(t, "$.a", "$.b:html", "$.c:html", "$.d").Parse(
		[]byte(`{"a": "Ann", "b": "A<br>B", "c": "<b>C</b>", "d": "D"}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	text := d.Text()
	if text != "Ann\nA\nB\nC\nD" {
		t.Fatalf("the text is %q", text)
	}
	if got := fmt.Sprint(d.Gaps(0, len(text))); got != "[[3 4] [5 6] [7 8] [9 10]]" {
		t.Errorf("gaps at %s", got)
	}
	for _, tt := range []struct {
		begin, end int
		want       string
	}{
		{0, 3, `{"a": "X", "b": "A<br>B", "c": "<b>C</b>", "d": "D"}`},
		{0, 5, `{"a": "X", "b": "<br>B", "c": "<b>C</b>", "d": "D"}`},
		{2, 9, `{"a": "AnX", "b": "<br>", "c": "<b></b>", "d": "D"}`},
		{3, 9, `{"a": "Ann", "b": "X<br>", "c": "<b></b>", "d": "D"}`},
		{6, 11, `{"a": "Ann", "b": "A<br>X", "c": "<b></b>", "d": ""}`},
		{8, 9, `{"a": "Ann", "b": "A<br>B", "c": "<b>X</b>", "d": "D"}`},
	} {
		if got := string(documenttest.Replaced(t, d, []Edit{{Begin: tt.begin, End: tt.end, Text: "X"}})); got != tt.want {
			t.Errorf("%d-%d: %s, want %s", tt.begin, tt.end, got, tt.want)
		}
	}
	if _, err := d.Replace([]Edit{{Begin: 5, End: 6, Text: "X"}}); err == nil {
		t.Errorf("an edit of what is between two paragraphs: %v", err)
	}
}

func TestBrokenDocumentsInStrings(t *testing.T) {
	t.Parallel()
	for path, doc := range map[string]string{
		"$.s:json":       `{"s": "{\"Marksman\": "}`,
		"$.s:,base64":    `{"s": "Marksman!"}`,
		"$.s:html,gzip":  `{"s": "Marksman"}`,
		"$.s:rtf,base64": `{"s": "TWFya3NtYW4="}`,
		"$.s:,hex":       `{"s": "ff"}`,
	} {
		_, err := selection(t, path).Parse([]byte(doc), nil)
		var at *syntax.Error
		if err == nil || strings.Contains(err.Error(), "Marksman") || !errors.As(err, &at) || at.Offset != 6 && !strings.Contains(err.Error(), "at byte 6") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestValuesByType(t *testing.T) {
	t.Parallel()
	s := selection(t, "$.r[*](Ax).n:convert", "$.r[*](Bx).m[*]:convert", "$.k:convert")
	var got []string
	s.Values([]byte(`{"r": [{"n": "Ann", "m": "x", "resourceType": "Ax"}, {"resourceType": "Bx", "m": ["Bea", "Cy"]}, {"n": "y"}, 7], "k": "Di"}`),
		func(rule int, value string) { got = append(got, fmt.Sprint(rule, value)) })
	if strings.Join(got, " ") != "0Ann 1Bea 1Cy 2Di" {
		t.Errorf("got %q", got)
	}
	unnamed := s.Unnamed([]byte(`{"r": [{"n": "Ann", "m": "x", "resourceType": "Ax"}, {"resourceType": "Cx"}], "k": "Di"}`))
	if got := strings.Join(unnamed, " "); got != "$.r[*] $.r[*](Ax).m $.r[*](Ax).resourceType" {
		t.Errorf("unnamed: %s", got)
	}
}

func TestValues(t *testing.T) {
	t.Parallel()
	s := selection(t, "$.name[*].family:convert", "$.born:convert", `$["a b"]:convert`, "$.kept:keep", "$.text")
	for _, tt := range []struct{ doc, want string }{
		{`{"name": [{"family": "Lee", "given": "Ann"}, {"family": 17}], "born": "1970", "a b": "c", "kept": "d", "text": "e"}`, "0Lee 017 11970 2c"},
		{"\ufeff" + `{"born": "1970"}`, "11970"},
		{`{"born": "1970", "born": "1971"}`, "11970 11971"},
		{`{"born": ["1970"], "name": "Lee"}`, ""},
		{`{"born": true, "a b": null}`, ""},
		{`{"born": "1970", "name": [{"family": "Lee"`, "11970 0Lee"},
		{`{"born": "\ud800\u0041"}`, "1\ufffdA"},
		{`"x"`, ""},
		{``, ""},
		{`{`, ""},
		{`[{"born": "1970"}]`, ""},
	} {
		var got []string
		s.Values([]byte(tt.doc), func(rule int, value string) { got = append(got, fmt.Sprint(rule, value)) })
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %q, want %q", tt.doc, got, tt.want)
		}
	}
}

// Whatever is in a document, no part of a value that is converted, opened or not named comes out as it was.
func FuzzPaths(f *testing.F) {
	for _, doc := range []string{
		`{"a": "Q.1Z", "b": ["Q.1Z", {"c": "Q.1Z"}], "d": "<p title='Q.1Z'>Q.<b>1Z</b><!-- Q.1Z -->", "e": "Q.1Z"}`,
		`{"a": {"Q.1Z": "Q.1Z"}, "b": {"c": "Q.1Z"}, "d": 5, "Q.1Z": {"a": "Q.1Z"}}`,
		`{"d": "{\"Q.1Z\"", "a": "\u0051.1Z"}`, `["Q.1Z"]`, `"Q.1Z"`, `{"f": {"contentType": "text/html", "data": "US4xWg=="}}`,
		`{"f": {"data": "PHA+US4xWjwvcD4=", "contentType": "Q.1Z"}}`,
	} {
		f.Add([]byte(doc))
	}
	s := selection(f, "$.a:convert", "$.b[*].c:convert", "$.d:html", "$.f.data:media_type,base64")
	f.Fuzz(func(t *testing.T, doc []byte) {
		const planted = "Q.1Z"
		d, err := s.Parse(doc, func(int, string, func(string) string) (string, bool) { return "-", true })
		if err != nil {
			return
		}
		documenttest.VerifyParts(t, d)
		var edits []Edit
		for at := 0; ; {
			i := strings.Index(d.Text()[at:], planted)
			if i < 0 {
				break
			}
			edits = append(edits, Edit{Begin: at + i, End: at + i + len(planted), Text: "-"})
			at += i + len(planted)
		}
		out := documenttest.Replaced(t, d, edits)
		if !json.Valid([]byte(strings.TrimPrefix(string(out), "\ufeff"))) {
			t.Fatalf("%q became %q, which is no JSON", doc, out)
		}
		again, err := s.Parse(out, nil)
		if err != nil {
			t.Fatalf("%v in %q of %q", err, out, doc)
		}
		if strings.Contains(again.Text(), planted) {
			t.Errorf("%q became %q, which shows what was planted", doc, out)
		}
		if strings.Contains(string(doc), planted) && !strings.Contains(d.Text(), planted) && strings.Contains(string(out), planted) {
			t.Errorf("%q became %q, which has what was planted", doc, out)
		}
	})
}
