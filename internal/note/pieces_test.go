package note

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/internal/document/encoding"

	"github.com/pgdeid/pgdeid/internal/document"
	"github.com/pgdeid/pgdeid/surrogate"
)

const rtfNote = `{\rtf1\ansi\deff0 Seen: Marks{\b man}, Ann\par slept well.\par}`

// cut cuts a text before each bar.
func cut(text string) []string { return strings.Split(text, "|") }

// asBytes writes values as bytea.
func asBytes(values ...string) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = `\x` + hex.EncodeToString([]byte(v))
	}
	return out
}

// ocf writes a text as a blob of Millennium, with the marker.
func ocf(t testing.TB, text string) string {
	t.Helper()
	_, coding, err := encoding.Decode(encoding.OCF, []byte("\x80\x40\x40ocf_blob\x00")) // of nothing, compressed
	if err != nil {
		t.Fatal(err)
	}
	out, err := coding.Encode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// written returns the values of rows, NULL for one without.
func written(list []Written) []string {
	values := make([]string, len(list))
	for i, w := range list {
		if values[i] = w.Value; w.Null {
			values[i] = "NULL"
		}
	}
	return values
}

func TestDocumentsInLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		form      Form
		separator string
		rows      []string
		pairs     [][2]string
		want      []string
		spans     string // for each row, what is at its spans
	}{
		{
			"RTF in pieces, a name that a row cuts",
			Form{Format: document.RTF},
			"",
			cut(`{\rtf1\ansi Seen: Ma|rks{\b m|an} and |Ann\par}`),
			[][2]string{{"Marksman", "Lindqvist"}, {"Ann", "Bea"}},
			cut(`{\rtf1\ansi Seen: Lindqvist|{\b |} and |Bea\par}`), "[Lindqvist] [] [] [Bea]",
		},
		{
			"RTF in pieces, a control word that a row cuts",
			Form{Format: document.RTF},
			"",
			cut(`{\rtf1\an|si Ann\p|ar slept\par}`),
			[][2]string{{"Ann", "Bea"}},
			cut(`{\rtf1\an|si Bea\p|ar slept\par}`), "[] [Bea] []",
		},
		{
			"HTML in lines",
			Form{Format: document.HTML},
			"\n",
			[]string{"<p>Mr. <b>Marks</b>man", "slept</p>", "<p>Ann</p>"},
			[][2]string{{"Marksman", "Lindqvist"}, {"Ann", "Beatrix"}},
			[]string{"<p>Mr. <b>Lindqvist</b>", "slept</p>", "<p>Beatrix</p>"},
			"[Lindqvist] [] [Beatrix]",
		},
		{
			"HTML in lines, a name over an end",
			Form{Format: document.HTML},
			"\n",
			[]string{"<p>Seen by Ann", "Marksman today</p>", "<p>Ann</p>"},
			[][2]string{{"Ann Marksman", "Bea Lindqvist"}, {"Ann", "Bea"}},
			[]string{"<p>Seen by Bea Lindqvist today</p>", "NULL", "<p>Bea</p>"},
			"[Bea Lindqvist] [] [Bea]",
		},
		{
			"a comment that goes over an end",
			Form{Format: document.HTML},
			"\n",
			[]string{"<p>x<!-- Ann", "Marksman -->y</p>", "z"},
			nil,
			[]string{"<p>xy</p>", "NULL", "z"},
			"[] [] []",
		},
		{
			"XML in pieces of bytea, a tag and a character that a row cuts",
			Form{Format: document.XML, Bytes: true},
			"",
			asBytes("<a><n", ">Jos\xc3", "\xa9</n></a>"),
			[][2]string{{"José", "Bea"}},
			asBytes("<a><n", ">Bea", "</n></a>"), "[] [Bea] []",
		},
		{
			"HL7, each row a segment",
			Form{Format: document.HL7},
			"\n",
			[]string{`MSH|^~\&|A|B|C|D|20200101||ORU^R01|1|P|2.3`, `OBX|1|TX|||Seen by Ann||||||F`},
			[][2]string{{"Ann", "Bea"}},
			nil, "[] [Bea]",
		},
		{
			"plain text in pieces of bytea",
			Form{Format: document.Plain, Bytes: true},
			"", asBytes("by Marks", "man é", " Ann"),
			[][2]string{{"Marksman", "Lindqvist"}, {"Ann", "Bea"}},
			asBytes("by Lindqvist", " é", " Bea"), "[Lindqvist] [] [Bea]",
		},
		{
			"lines in base64, each by itself",
			Form{Encoding: encoding.Base64},
			"\n",
			[]string{"w6kgQW5u", "TWFya3NtYW4="},
			[][2]string{{"Ann\nMarksman", "Bea\nLee"}},
			[]string{base64.StdEncoding.EncodeToString([]byte("é Bea")), base64.StdEncoding.EncodeToString([]byte("Lee"))},
			"[Bea] [Lee]",
		},
		{
			"pieces of one text in base64",
			Form{Encoding: encoding.Base64, Format: document.RTF},
			"",
			cut(base64.StdEncoding.EncodeToString([]byte(rtfNote))[:33] + "|" + base64.StdEncoding.EncodeToString([]byte(rtfNote))[33:]),
			[][2]string{{"Marksman", "Lee"}, {"Ann", "Bea"}},
			nil, "",
		},
		{
			"blobs, each compressed by itself",
			Form{Encoding: encoding.OCF, Format: document.Auto, Bytes: true},
			"",
			asBytes(ocf(t, `{\rtf1\ansi Seen: Marks{\b`), ocf(t, ` man}, Ann\par}`)),
			[][2]string{{"Marksman", "Lee"}, {"Ann", "Bea"}},
			asBytes(ocf(t, `{\rtf1\ansi Seen: Lee{\b`), ocf(t, ` }, Bea\par}`)), "[Lee] [Bea]",
		},
		{
			"no rows", Form{Encoding: encoding.OCF, Bytes: true}, "", nil, nil, []string{}, "",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l, err := c.form.OpenLines(c.rows, c.separator)
			if err != nil {
				t.Fatal(err)
			}
			res := result(t, l.Text(), c.pairs...)
			list, err := l.Write(res)
			if err != nil || len(list) != len(c.rows) {
				t.Fatalf("%d rows, %v", len(list), err)
			}
			if c.want != nil && !slices.Equal(written(list), c.want) {
				t.Errorf("got %q, want %q", written(list), c.want)
			}
			if c.spans != "" {
				if got := spansOf(t, c.form, list); got != c.spans {
					t.Errorf("the spans are %s, want %s", got, c.spans)
				}
			}
			again := reopened(t, c.form, list, c.separator)
			if _, ok := align(res.Text, again); !ok {
				t.Errorf("read again, the text is %q, want %q", again, res.Text)
			}
		})
	}
}

// spansOf returns what is at the spans of each row.
func spansOf(t *testing.T, f Form, list []Written) string {
	t.Helper()
	all := make([]string, len(list))
	for i, w := range list {
		var in []string
		for _, s := range w.Spans {
			if f.Wrapped() {
				data, err := f.bytes(w.Value)
				if err != nil {
					t.Fatal(err)
				}
				if data, _, err = encoding.Decode(f.encoding(), data); err != nil {
					t.Fatal(err)
				}
				in = append(in, string(data[s.Start:s.End]))
				continue
			}
			in = append(in, string([]rune(w.Value)[s.Start:s.End]))
		}
		all[i] = fmt.Sprint(in)
	}
	return strings.Join(all, " ")
}

// reopened returns the text of rows that were written.
func reopened(t *testing.T, f Form, list []Written, separator string) string {
	t.Helper()
	var rows []string
	for _, w := range list {
		if !w.Null {
			rows = append(rows, w.Value)
		}
	}
	l, err := f.OpenLines(rows, separator)
	if err != nil {
		t.Fatalf("what was written can't be read: %v", err)
	}
	return l.Text()
}

// A blob that was compressed as a whole lies in rows as large as before, whether each has a marker or the last alone.
func TestBlobsInPieces(t *testing.T) {
	t.Parallel()
	form := Form{Encoding: encoding.OCF, Format: document.Auto, Bytes: true}
	long := `{\rtf1\ansi ` + strings.Repeat(`Mr. Marks{\b man} slept; potassium 4.1.\par `, 40) + "}"
	whole := ocf(t, long)
	body, _ := strings.CutSuffix(whole, "ocf_blob\x00")
	for name, rows := range map[string][]string{
		"a marker at the end":          {body[:100], body[100:200], body[200:] + "ocf_blob\x00"},
		"a marker behind each":         {body[:100] + "ocf_blob", body[100:200] + "ocf_blob\x00", body[200:] + "ocf_blob\x00"},
		"uncompressed":                 {long[:100] + "ocf_blob", long[100:800] + "ocf_blob", long[800:] + "ocf_blob"},
		"uncompressed, one marker":     {long[:100], long[100:800], long[800:] + "ocf_blob"},
		"compressed, each by itself":   {ocf(t, long[:100]), ocf(t, long[100:800]), ocf(t, long[800:])},
		"one row":                      {whole},
		"cut within the marker's room": {body, "ocf_blob\x00"},
	} {
		l, err := form.OpenLines(asBytes(rows...), "")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		pairs := slices.Repeat([][2]string{{"Marksman", "Lindqvist-Oppenheimer"}}, 40)
		list, err := l.Write(result(t, l.Text(), pairs...))
		if err != nil || len(list) != len(rows) {
			t.Errorf("%s: %d rows, %v", name, len(list), err)
			continue
		}
		for i, w := range list {
			data, err := form.bytes(w.Value)
			if err != nil || strings.Contains(rows[i], "ocf_blob") != bytes.Contains(data, []byte("ocf_blob")) {
				t.Errorf("%s: row %d has another marker: %v", name, i, err)
			}
		}
		if got := reopened(t, form, list, ""); strings.Count(got, "Lindqvist-Oppenheimer") != 40 || strings.Contains(got, "man") {
			t.Errorf("%s: it became %.80q", name, got)
		}
	}
	for name, rows := range map[string][]string{
		"the end is not there":       {body[:100], body[100:200]},
		"the beginning is not there": {body[100:200], body[200:] + "ocf_blob\x00"},
		"the middle is not there":    {body[:100], body[200:] + "ocf_blob\x00"},
		"in another order":           {body[100:200], body[:100], body[200:] + "ocf_blob\x00"},
	} {
		if _, err := form.OpenLines(asBytes(rows...), ""); err == nil || strings.Contains(err.Error(), "Marks") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLinesThatAreNoDocument(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		form      Form
		separator string
		rows      []string
	}{
		"RTF that does not end":       {Form{Format: document.RTF}, "", cut(`{\rtf1 Marks|man`)},
		"no bytea":                    {Form{Format: document.RTF, Bytes: true}, "", []string{"Marksman"}},
		"a row in no base64":          {Form{Encoding: encoding.Base64}, "\n", []string{"TWFy", "Marksman!"}},
		"a piece cut off of one text": {Form{Encoding: encoding.Gzip, Bytes: true}, "", asBytes("\x1f\x8b", "Marksman")},
	} {
		if _, err := c.form.OpenLines(c.rows, c.separator); err == nil || strings.Contains(err.Error(), "Marksman") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A document that is converted is written whole into the first row.
func TestConvertedDocumentsInPieces(t *testing.T) {
	t.Parallel()
	data := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune("<a><n>Ann</n></a>")) {
		data = append(data, byte(u), byte(u>>8))
	}
	form := Form{Format: document.XML, Bytes: true}
	l, err := form.OpenLines(asBytes(string(data[:7]), string(data[7:])), "")
	if err != nil {
		t.Fatal(err)
	}
	list, err := l.Write(result(t, l.Text(), [2]string{"Ann", "Bea"}))
	if err != nil || !slices.Equal(written(list), asBytes("\xef\xbb\xbf<a><n>Bea</n></a>", "")) {
		t.Errorf("got %q, %v", written(list), err)
	}
}

// However a document is cut, the rows make up a document with the text that was checked.
func FuzzDocumentsInLines(f *testing.F) {
	f.Add(`{\rtf1\ansi Seen: Ma|rks{\b m|an} and |Ann\par}`, "Marksman", "Lee", uint8(0), false)
	f.Add("<p>Seen by Ann|Marksman <!-- x|y --> today</p>|<p>Ann</p>", "Ann", "B\nC", uint8(1), true)
	f.Add("<a x='1'><![CDATA[Ann|Lee]]>|&amp;</a>", "Ann", "&", uint8(2), true)
	f.Add(`{"a": "Ann|", "b": [1,| 2]}`, "Ann", `"`, uint8(3), false)
	f.Add("MSH^~\\&|PID", "P", "x", uint8(4), true)
	f.Add("plain|text", "ai", "\n", uint8(5), true)
	f.Add(`{\rtf0 Marks{man}}`, "M", "a\fb", uint8(0), false)
	formats := []document.Format{document.RTF, document.HTML, document.XML, document.JSON, document.HL7, document.Plain, document.Auto}
	f.Fuzz(func(t *testing.T, text, old, replacement string, format uint8, broken bool) {
		form := Form{Format: formats[int(format)%len(formats)]}
		separator := ""
		if broken {
			separator = "\n"
		}
		rows := strings.Split(text, "|")
		bare := strings.TrimSpace(replacement) // white space at an end of a surrogate may become layout
		if len(text) > 1<<12 || old == "" || bare != replacement || !utf8.ValidString(text+old+replacement) {
			return
		}
		l, err := form.OpenLines(rows, separator)
		if err != nil || !strings.Contains(l.Text(), old) {
			return
		}
		var pairs [][2]string
		for range strings.Count(l.Text(), old) {
			pairs = append(pairs, [2]string{old, replacement})
		}
		res := result(t, l.Text(), pairs...)
		list, err := l.Write(res)
		if err != nil {
			return // set aside
		}
		checkRows(t, form, list, separator, res)
	})
}

// checkRows reads rows that were written, as whoever puts the replica's rows together does.
func checkRows(t *testing.T, form Form, list []Written, separator string, res surrogate.Result) {
	t.Helper()
	var rows []string
	for _, w := range list {
		if !utf8.ValidString(w.Value) || w.Null && w.Value != "" {
			t.Fatalf("a row is %q", w.Value)
		}
		if !w.Null {
			rows = append(rows, w.Value)
		}
		checkSpans(t, w)
	}
	if form.plain() {
		return
	}
	l, err := form.OpenLines(rows, separator)
	if err != nil && form.Format != document.Auto {
		t.Fatalf("%q can't be read again: %v", rows, err)
	}
	if err == nil {
		bare := func(text string) string { return strings.Join(strings.Fields(text), "") }
		if form.Format != document.Auto && bare(l.Text()) != bare(res.Text) {
			t.Fatalf("%q is read as %q, want %q", rows, l.Text(), res.Text)
		}
	}
}
