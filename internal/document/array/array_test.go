package array

import (
	"errors"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/document/documenttest"
	"github.com/pgdeid/pgdeid/internal/document/encoding"
	"github.com/pgdeid/pgdeid/internal/document/parts"
	"github.com/pgdeid/pgdeid/internal/document/syntax"
)

var errBroken = errors.New("broken")

// parse reads an array.
func parse(data []byte, open func([]byte) (*parts.Document, encoding.Coding, error)) (*parts.Document, error) {
	return parts.Parse("an array", data, func(b *parts.Builder) error { return Read(b, open) })
}

// plainElements opens elements as plain text.
func plainElements(element []byte) (*parts.Document, encoding.Coding, error) {
	doc, err := parts.Parse("plain", element, func(b *parts.Builder) error { b.Plain(element, parts.Verbatim{}); return nil })
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
		d, err := parse([]byte(tt.array), plainElements)
		if err != nil {
			t.Errorf("%s: %v", tt.array, err)
			continue
		}
		documenttest.VerifyParts(t, d)
		var edits []parts.Edit
		for at := 0; strings.Contains(d.Text()[at:], "Ann"); at = edits[len(edits)-1].End {
			at += strings.Index(d.Text()[at:], "Ann")
			edits = append(edits, parts.Edit{Begin: at, End: at + 3, Text: tt.edit})
		}
		if got := string(documenttest.Replaced(t, d, edits)); got != tt.want || d.Text() != tt.text {
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
		if _, err := parse([]byte(array), plainElements); err == nil {
			t.Errorf("%q is an array", array)
		}
	}
	_, err := parse([]byte(`{a,"Ann"}`), func(element []byte) (*parts.Document, encoding.Coding, error) {
		if string(element) == "Ann" {
			return nil, encoding.Coding{}, errBroken
		}
		return plainElements(element)
	})
	var at *syntax.Error
	if !errors.Is(err, errBroken) || !errors.As(err, &at) && !strings.Contains(err.Error(), "at byte 3") {
		t.Errorf("an element that is broken: %v", err)
	}
}

// What is an array stays one of the same shape, and reads as what was written.
func FuzzArrays(f *testing.F) {
	for _, array := range []string{`{Ann,NULL,"x \"y\""}`, `{{a,b},{c,d}}`, `[0:1]={a,b}`, `{}`, `{"","\\"}`} {
		f.Add([]byte(array), uint64(1))
	}
	f.Fuzz(func(t *testing.T, array []byte, at uint64) {
		d, err := parse(array, plainElements)
		if err != nil {
			return
		}
		documenttest.VerifyParts(t, d)
		text := []rune(d.Text())
		out := documenttest.Replaced(t, d, nil)
		again, err := parse(out, plainElements)
		if err != nil || again.Text() != d.Text() || string(documenttest.Replaced(t, again, nil)) != string(out) {
			t.Fatalf("%q became %q: %v", array, out, err)
		}
		if len(text) == 0 {
			return
		}
		n := int(at % uint64(len(text)))
		begin := len(string(text[:n]))
		edit := parts.Edit{Begin: begin, End: begin + len(string(text[n])), Text: `","`}
		if len(d.Gaps(edit.Begin, edit.End)) > 0 {
			return
		}
		again, err = parse(documenttest.Replaced(t, d, []parts.Edit{edit}), plainElements)
		if err != nil || again.Text() != documenttest.Edited(d.Text(), []parts.Edit{edit}) {
			t.Fatalf("%q with an edit at %d: %v, %q", array, n, err, again.Text())
		}
	})
}
