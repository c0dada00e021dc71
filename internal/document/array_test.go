package document

import (
	"errors"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/document/syntax"

	"github.com/pgdeid/pgdeid/internal/document/encoding"
)

// plainElements opens elements as plain text.
func plainElements(element []byte) (*Document, encoding.Coding, error) {
	doc, err := Parse(Plain, element)
	return doc, encoding.Coding{}, err
}

func TestArrays(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ array, text, edit, want string }{
		{`{}`, "", "", `{}`},
		{`{Ann}`, "Ann", "Bea", `{Bea}`},
		{`{Ann,NULL,"Ann slept",""}`, "Ann\n\nAnn slept", "Bea", `{Bea,NULL,"Bea slept",""}`},
		{`{"Ann, \"x\" \\ {y}",null,"null"}`, "Ann, \"x\" \\ {y}\n\nnull", "B\nC", `{"B` + "\n" + `C, \"x\" \\ {y}",null,"null"}`},
		{`{Ann}`, "Ann", "Bea Lee", `{"Bea Lee"}`},
		{`{"Ann x"}`, "Ann x", "", `{" x"}`},
		{`{{Ann,b},{c,NULL}}`, "Ann\n\nb\n\nc", "NULL", `{{"NULL",b},{c,NULL}}`},
		{`[0:1]={Ann,b}`, "Ann\n\nb", "Bea", `[0:1]={Bea,b}`},
		{`[0:0][-1:0]={{Ann,b}}`, "Ann\n\nb", "Bea", `[0:0][-1:0]={{Bea,b}}`},
		{`{a\"b}`, `a"b`, "", `{"a\"b"}`},
	} {
		d, err := ParseArray([]byte(tt.array), plainElements)
		if err != nil {
			t.Errorf("%s: %v", tt.array, err)
			continue
		}
		verifyParts(t, d)
		var edits []Edit
		for at := 0; strings.Contains(d.Text()[at:], "Ann"); at = edits[len(edits)-1].End {
			at += strings.Index(d.Text()[at:], "Ann")
			edits = append(edits, Edit{at, at + 3, tt.edit})
		}
		if got := string(replaced(t, d, edits)); got != tt.want || d.Text() != tt.text {
			t.Errorf("%s: got %s with the text %q", tt.array, got, d.Text())
		}
	}
}

func TestBrokenArrays(t *testing.T) {
	t.Parallel()
	for _, array := range []string{
		"", "{", "}", "{}}", "{a", `{"a`, `{"a}`, "{a,}", "{,a}", "{a b\"}", "a", "{a}b", "[x]={a}", "[0:1]", "{a}{b}", `{a\`, "{a{b}}", "{\xff}", "{{}",
		strings.Repeat("{", 600) + strings.Repeat("}", 600),
	} {
		if _, err := ParseArray([]byte(array), plainElements); err == nil {
			t.Errorf("%q is an array", array)
		}
	}
	_, err := ParseArray([]byte(`{a,"Ann"}`), func(element []byte) (*Document, encoding.Coding, error) {
		if string(element) == "Ann" {
			return nil, encoding.Coding{}, errNoText
		}
		return plainElements(element)
	})
	var at *syntax.Error
	if !errors.Is(err, errNoText) || !errors.As(err, &at) && !strings.Contains(err.Error(), "at byte 3") {
		t.Errorf("an element that is broken: %v", err)
	}
}

// What is an array stays one of the same shape, and reads as what was written.
func FuzzArrays(f *testing.F) {
	for _, array := range []string{`{Ann,NULL,"x \"y\""}`, `{{a,b},{c,d}}`, `[0:1]={a,b}`, `{}`, `{"","\\"}`} {
		f.Add([]byte(array), uint64(1))
	}
	f.Fuzz(func(t *testing.T, array []byte, at uint64) {
		d, err := ParseArray(array, plainElements)
		if err != nil {
			return
		}
		verifyParts(t, d)
		text := []rune(d.Text())
		out := replaced(t, d, nil)
		again, err := ParseArray(out, plainElements)
		if err != nil || again.Text() != d.Text() || string(replaced(t, again, nil)) != string(out) {
			t.Fatalf("%q became %q: %v", array, out, err)
		}
		if len(text) == 0 {
			return
		}
		n := int(at % uint64(len(text)))
		begin := len(string(text[:n]))
		edit := Edit{begin, begin + len(string(text[n])), `","`}
		if len(d.Gaps(edit.Begin, edit.End)) > 0 {
			return
		}
		again, err = ParseArray(replaced(t, d, []Edit{edit}), plainElements)
		if err != nil || again.Text() != edited(d.Text(), []Edit{edit}) {
			t.Fatalf("%q with an edit at %d: %v, %q", array, n, err, again.Text())
		}
	})
}
