package note

import (
	"encoding/hex"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/document/encoding"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/document"
	"github.com/pgdeid/pgdeid/surrogate"
)

// result is what a book would return for a text in which each of pairs, in order, is once.
func result(t testing.TB, text string, pairs ...[2]string) surrogate.Result {
	t.Helper()
	var out strings.Builder
	var res surrogate.Result
	at, points := 0, 0
	for _, p := range pairs {
		i := strings.Index(text[at:], p[0])
		if i < 0 {
			t.Fatalf("%q is not in the rest of %q", p[0], text)
		}
		between := text[at : at+i]
		out.WriteString(between)
		points += len([]rune(between))
		begin := out.Len()
		out.WriteString(p[1])
		res.Segments = append(res.Segments, surrogate.Segment{
			In: phi.Range{Start: at + i, End: at + i + len(p[0])}, Out: phi.Range{Start: begin, End: out.Len()},
		})
		if p[1] != "" {
			n := len([]rune(p[1]))
			res.Spans = append(res.Spans, surrogate.Span{Start: points, End: points + n, Type: phi.Patient})
			points += n
		}
		at += i + len(p[0])
	}
	out.WriteString(text[at:])
	res.Text = out.String()
	return res
}

func mustSelect(paths ...string) *document.Selection {
	list := make([]document.Path, len(paths))
	for i, p := range paths {
		list[i].Path = p
	}
	s, err := document.Select(list)
	if err != nil {
		panic(err)
	}
	return s
}

func open(t *testing.T, f Form, value string) *Note {
	t.Helper()
	n, err := f.Open(value)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestWrite(t *testing.T) {
	t.Parallel()
	asBytes := func(s string) string { return `\x` + hex.EncodeToString([]byte(s)) }
	for _, tt := range []struct {
		name        string
		form        Form
		value, text string
		pairs       [][2]string
		want        string
		spans       []string // what is in the value, or in the document within it, at the spans
	}{
		{
			"plain",
			Form{},
			"é Ann slept", "é Ann slept",
			[][2]string{{"Ann", "Bea"}},
			"é Bea slept",
			[]string{"Bea"},
		}, {
			"JSON",
			Form{Format: document.JSON},
			`{"é": "Ann Lee", "b": ["x \u0041nn"]}`, "Ann Lee\nx Ann",
			[][2]string{{"Ann", "Bea"}, {"Lee", "Röe"}, {"Ann", `"B"`}},
			`{"é": "Bea Röe", "b": ["x \"B\""]}`,
			[]string{"Bea", "Röe", `\"B\"`},
		}, {
			"over two strings",
			Form{Format: document.JSON},
			`{"given": "Ann", "family": "Lee", "k": "Ann"}`, "Ann\nLee\nAnn",
			[][2]string{{"Ann\nLee", "Bea Roe"}, {"Ann", "Bea"}},
			`{"given": "Bea Roe", "family": "", "k": "Bea"}`,
			[]string{"Bea Roe", "Bea"},
		}, {
			"each string its part",
			Form{Format: document.JSON},
			`{"given": "Ann", "family": "Lee", "mrn": 1234567, "k": "x"}`, "Ann\nLee\n1234567\nx",
			[][2]string{{"Ann\nLee\n1234567", "Bea\nRoe\n7654321"}},
			`{"given": "Bea", "family": "Roe", "mrn": 7654321, "k": "x"}`,
			[]string{`Bea", "family": "Roe", "mrn": 7654321`},
		}, {
			"paths",
			Form{Format: document.JSON, Paths: mustSelect("$.name", "$.k")},
			`{"name": "Ann", "born": "Lee", "k": {"x": ["Ann"]}}`, "Ann\nAnn",
			[][2]string{{"Ann", "Bea"}, {"Ann", "Bea"}},
			`{"name": "Bea", "k": {"x": ["Bea"]}}`,
			[]string{"Bea", "Bea"},
		}, {
			"nothing in the place",
			Form{Format: document.JSON},
			`["Ann Lee slept"]`, "Ann Lee slept",
			[][2]string{{"Ann ", ""}, {"Lee", "Roe"}},
			`["Roe slept"]`,
			[]string{"Roe"},
		}, {
			"an array",
			Form{Array: true},
			`{"é Ann slept",NULL,Ann,""}`, "é Ann slept\n\nAnn",
			[][2]string{{"Ann", "Bea"}, {"Ann", "B \"C"}},
			`{"é Bea slept",NULL,"B \"C",""}`,
			[]string{`"é Bea slept"`, `"B \"C"`},
		}, {
			"an array of JSON with paths",
			Form{Array: true, Format: document.JSON, Paths: mustSelect("$.a")},
			`{"{\"a\": \"Ann\", \"b\": \"Ann\"}"}`, "Ann",
			[][2]string{{"Ann", "Bea"}},
			`{"{\"a\": \"Bea\"}"}`,
			[]string{`"{\"a\": \"Bea\"}"`},
		}, {
			"nothing at all", Form{Format: document.JSON}, `{"a": 1}`, "", nil, `{"a": 1}`, nil,
		}, {
			"base64",
			Form{Format: document.JSON, Encoding: encoding.Base64},
			"WyLDqSBBbm4iXQ==", "é Ann",
			[][2]string{{"Ann", "Bea"}},
			"WyLDqSBCZWEiXQ==",
			[]string{"Bea"},
		}, {
			"a text in base64",
			Form{Encoding: encoding.Base64},
			"w6kgQW5u", "é Ann",
			[][2]string{{"Ann", "Bea"}},
			"w6kgQmVh",
			[]string{"Bea"},
		}, {
			"bytes in another character set",
			Form{Encoding: encoding.Latin1, Bytes: true},
			`\xe920416e6e`, "é Ann",
			[][2]string{{"Ann", "Bea"}},
			`\xe920426561`,
			[]string{"Bea"},
		}, {
			"HTML, each cell its part",
			Form{Format: document.HTML},
			"<table><tr><td>Ann<td>L<b>ee</b></table>", "Ann\tLee",
			[][2]string{{"Ann\tLee", "Bea\tRoe"}},
			"<table><tr><td>Bea<td>Roe<b></b></table>",
			[]string{"Bea<td>Roe"},
		}, {
			"HTML, all in the first paragraph",
			Form{Format: document.HTML},
			"<p>Ann</p><p>Lee</p><p>x</p>", "Ann\n\nLee\n\nx",
			[][2]string{{"Ann\n\nLee", "Bea Roe"}},
			"<p>Bea Roe</p><p></p><p>x</p>",
			[]string{"Bea Roe"},
		}, {
			"RTF",
			Form{Format: document.RTF},
			`{\rtf1\ansi\ansicpg1252 {\b A}nn L\'e9e\par}`, "Ann Lée\n",
			[][2]string{{"Ann", "Bea"}, {"Lée", "Roe"}},
			`{\rtf1\ansi\ansicpg1252 {\b Bea} Roe\par}`,
			[]string{"Bea", "Roe"},
		}, {
			"plain bytes",
			Form{Bytes: true},
			asBytes("é Ann slept"), "é Ann slept",
			[][2]string{{"Ann", "Bea"}},
			asBytes("é Bea slept"),
			[]string{"Bea"},
		}, {
			"a number",
			Form{Format: document.JSON, Bytes: true},
			asBytes(`{"é": 1234567}`), "1234567",
			[][2]string{{"1234567", "7654321"}},
			asBytes(`{"é": 7654321}`),
			[]string{"7654321"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			n := open(t, tt.form, tt.value)
			if n.Text() != tt.text {
				t.Fatalf("the text is %q, want %q", n.Text(), tt.text)
			}
			got, err := n.Write(result(t, n.Text(), tt.pairs...))
			if err != nil || got.Value != tt.want {
				t.Fatalf("got %q, %v, want %q", got.Value, err, tt.want)
			}
			var spans []string
			for _, s := range got.Spans {
				spans = append(spans, at(t, tt.form, got.Value, s))
			}
			if fmt.Sprint(spans) != fmt.Sprint(tt.spans) {
				t.Errorf("the spans are %q, want %q", spans, tt.spans)
			}
		})
	}
}

// at returns what is at a span of a value.
func at(t *testing.T, f Form, value string, s surrogate.Span) string {
	t.Helper()
	if !f.Wrapped() {
		return string([]rune(value)[s.Start:s.End])
	}
	data := []byte(value)
	if f.Bytes {
		var err error
		if data, err = hex.DecodeString(strings.TrimPrefix(value, `\x`)); err != nil {
			t.Fatal(err)
		}
	}
	data, _, err := encoding.Decode(f.encoding(), data)
	if err != nil {
		t.Fatal(err)
	}
	return string(data[s.Start:s.End])
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		form  Form
		value string
	}{
		{"broken JSON", Form{Format: document.JSON}, `{"a": "Marksman"`},
		{"no bytea", Form{Bytes: true}, "Marksman"},
		{"half a byte", Form{Bytes: true}, `\x4`},
		{"bytes that are no text", Form{Bytes: true}, `\xff`},
		{"an unknown format", Form{Format: "Marksman"}, "x"},
		{"what is not base64", Form{Encoding: encoding.Base64}, "?"},
		{"what is not gzip", Form{Encoding: encoding.Gzip, Bytes: true}, `\x41`},
		{"an unknown encoding", Form{Encoding: "Marksman"}, "x"},
	} {
		n, err := tt.form.Open(tt.value)
		if err == nil || n != nil {
			t.Errorf("%s is opened", tt.name)
		}
		if err != nil && tt.value == "Marksman" && strings.Contains(err.Error(), tt.value) {
			t.Errorf("%s: the error quotes the value: %v", tt.name, err)
		}
	}
}

func TestNewForm(t *testing.T) {
	t.Parallel()
	if f, err := NewForm("json", "base64+gzip"); err != nil || f != (Form{Format: document.JSON, Encoding: "base64+gzip"}) {
		t.Errorf("got %+v, %v", f, err)
	}
	if f, err := NewForm("", ""); err != nil || f != (Form{}) {
		t.Errorf("got %+v, %v", f, err)
	}
	for _, words := range [][2]string{{"docx", ""}, {"", "zip"}, {"json", "gzip+"}, {"JSON", ""}} {
		if _, err := NewForm(words[0], words[1]); err == nil {
			t.Errorf("%q is a form", words)
		}
	}
}

func TestLocate(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		form        Form
		value, want string // what is at the spans of Ann and Lee
	}{
		{Form{}, "é Ann and Lee", "Ann|Lee"},
		{Form{Format: document.JSON}, `{"é": "x \u0041nn and Lee"}`, `\u0041nn|Lee`},
		{Form{Bytes: true}, `\x` + hex.EncodeToString([]byte("é Ann and Lee")), "Ann|Lee"},
	} {
		n := open(t, tt.form, tt.value)
		var spans []phi.Span
		for _, name := range []string{"Ann", "Lee"} {
			i := strings.Index(n.Text(), name)
			spans = append(spans, phi.Span{Start: i, End: i + len(name), Type: phi.Patient})
		}
		var got []string
		for _, s := range n.Locate(spans) {
			got = append(got, at(t, tt.form, tt.value, surrogate.Span{Start: s.Start, End: s.End}))
		}
		if strings.Join(got, "|") != tt.want {
			t.Errorf("%s: got %q, want %q", tt.value, got, tt.want)
		}
	}
}

// What would not be a document any more, or another text than the one that was checked, is not published.
func TestWriteRefuses(t *testing.T) {
	t.Parallel()
	n := open(t, Form{Format: document.JSON}, `{"a": "Ann", "mrn": 1234567}`)
	for name, pair := range map[string][2]string{
		"a number that vanishes":   {"Ann\n1234567", "Bea 7654321"},
		"another part of a number": {"345", "x"},
	} {
		if got, err := n.Write(result(t, n.Text(), pair)); err == nil || got.Value != "" {
			t.Errorf("%s: got %q", name, got.Value)
		}
	}
	res := result(t, n.Text(), [2]string{"Ann", "Bea"})
	res.Text = "Bea Lee\n1234567"
	if _, err := n.Write(res); err == nil {
		t.Error("another text than the one that was checked is written")
	}
}

func TestAlign(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"", "", true},
		{" ", "", true},
		{"a", "a", true},
		{" a b\n", "a\tb", true},
		{"a\n\nb", "a b", true},
		{"é\u00a0b", "é b", true},
		{"a", "", false},
		{"", "a", false},
		{"ab", "a b", false},
		{"a b", "ab", false},
		{"a b", "a c", false},
		{"a b", "a", false},
		{"a", "ab", false},
	} {
		places, ok := align(tt.a, tt.b)
		if ok != tt.want {
			t.Errorf("%q and %q: %v", tt.a, tt.b, ok)
		}
		for _, p := range places {
			if ok && strings.TrimSpace(tt.a[p.here:]) != "" && tt.a[p.here] != tt.b[p.there] {
				t.Errorf("%q and %q: another character at %d and %d", tt.a, tt.b, p.here, p.there)
			}
		}
	}
}

func TestNotesPrintThemselvesRedacted(t *testing.T) {
	t.Parallel()
	n := open(t, Form{Format: document.JSON}, `["Marksman"]`)
	w := Written{Value: "Marksman"}
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "note", n, "written", w)
	if s := log.String() + fmt.Sprintf("%v %+v %#v %s %v %#v", n, n, n, n, w, w); strings.Contains(s, "Marksman") {
		t.Errorf("it prints %q", s)
	}
}

func FuzzWrite(f *testing.F) {
	f.Add(`{"a": "Ann Lee", "b": ["x \u0041nn"]}`, "Ann", "Bea")
	f.Add(`["Ann", "Lee", "é"]`, "n\nL", "\"\\")
	f.Add(`["Ann", "é"]`, "Ann\n", "")
	f.Fuzz(func(t *testing.T, value, old, replacement string) {
		form := Form{Format: document.JSON}
		n, err := form.Open(value)
		if err != nil || old == "" || !strings.Contains(n.Text(), old) {
			return
		}
		res := result(t, n.Text(), [2]string{old, replacement})
		got, err := n.Write(res)
		if err != nil {
			return
		}
		again := open(t, form, got.Value)
		if _, ok := align(again.Text(), res.Text); !ok {
			t.Errorf("the text is %q, want %q", again.Text(), res.Text)
		}
		for _, s := range got.Spans {
			if s.Start < 0 || s.End < s.Start || s.End > len([]rune(got.Value)) {
				t.Errorf("span %d-%d of %q", s.Start, s.End, got.Value)
			}
		}
	})
}
