package surrogate

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// FuzzReplace cuts a text into spans of any type at rune borders: the output is valid, its spans
// are in range, the result is reproducible, and nothing panics.
func FuzzReplace(f *testing.F) {
	for _, c := range dateForms {
		f.Add(c.in, []byte{0, 200, byte(phi.Date)})
	}
	f.Add("SMITH, JOHN C, MD seen at MGH, 12 Main St Apt 4B", []byte{0, 13, 1, 9, 3, 5, 2, 18, 7})
	f.Add("https://a@b.c/d?e=f 10.0.0.1:80 j.s@x.y +1 (617) 555-1234 x9", []byte{0, 19, 21, 1, 11, 22, 1, 7, 20, 1, 30, 17})
	f.Add("9 Elm St, Springfield, IL 62704 or Springfield, Vermont 05156; 217-555-0100", []byte{9, 11, 8, 2, 2, 9, 1, 5, 11, 4, 11, 8})
	f.Add("李明 Zoë 😀 St. Mary's 00012 ½ ǅ ﬃ İ", []byte{0, 2, 1, 1, 3, 2, 3, 10, 5, 1, 5, 31, 1, 9, 4})
	m, who := testMaker(f, Options{}), record.NewGazetteer(johnSmith())
	f.Fuzz(func(t *testing.T, s string, cuts []byte) {
		if text.Check(s) != nil || len(s) > 2000 {
			return
		}
		spans := cut(s, cuts)
		a, err := m.Patient("p", who, nil, -100).Replace(s, spans)
		if err != nil {
			return
		}
		checkResult(t, a)
		checkSegments(t, s, a)
		if b, err := m.Patient("p", who, nil, -100).Replace(s, spans); err != nil || a.Text != b.Text {
			t.Errorf("another text the second time (%v)", err)
		}
		for _, role := range []record.Role{record.NameFull, record.Street, record.BirthDate, record.Email, record.Facility} {
			if v, _, err := m.Patient("p", who, nil, -100).Value(role, s); err == nil && !utf8.ValidString(v) {
				t.Errorf("%s: invalid UTF-8", role)
			}
		}
		first, second, _ := strings.Cut(s, " ")
		if v, _, err := m.Patient("p", who, nil, -100).ValueAt(record.City, s, Address{State: first, Zip: second}); err == nil && !utf8.ValidString(v) {
			t.Error("a town: invalid UTF-8")
		}
	})
}

// checkSegments writes the output with the segments alone.
func checkSegments(t *testing.T, input string, res Result) {
	t.Helper()
	var out strings.Builder
	at := 0
	for _, s := range res.Segments {
		if s.In.Start < at || s.In.End <= s.In.Start {
			t.Fatalf("segments are out of order: %+v", res.Segments)
		}
		out.WriteString(input[at:s.In.Start] + res.Text[s.Out.Start:s.Out.End])
		at = s.In.End
	}
	if out.WriteString(input[at:]); out.String() != res.Text {
		t.Errorf("the segments make another text")
	}
}

// cut reads triples of a gap, a length and a type, in characters.
func cut(text string, cuts []byte) []phi.Span {
	var spans []phi.Span
	at := 0
	skip := func(n int) {
		for ; n > 0 && at < len(text); n-- {
			_, size := utf8.DecodeRuneInString(text[at:])
			at += size
		}
	}
	types := phi.Types()
	for ; len(cuts) >= 3; cuts = cuts[3:] {
		skip(int(cuts[0]))
		start := at
		skip(int(cuts[1]))
		if at > start {
			spans = append(spans, phi.Span{Start: start, End: at, Type: types[int(cuts[2]+byte(len(types))-1)%len(types)]})
		}
	}
	return spans
}

// FuzzParseKey checks that no text makes the parser panic and that no error quotes the text.
func FuzzParseKey(f *testing.F) {
	f.Add(keyHeader + "\nepoch: 1\nkey: MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=\n")
	f.Fuzz(func(t *testing.T, text string) {
		k, err := parseKey([]byte(text))
		if (k == nil) == (err == nil) {
			t.Fatal("neither key nor error, or both")
		}
		if err != nil && len(text) > 60 && strings.Contains(err.Error(), text[50:]) {
			t.Error("the error quotes the file")
		}
	})
}
