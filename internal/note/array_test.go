package note

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/document/encoding"

	"github.com/pgdeid/pgdeid/internal/document"
)

// Arrays of bytea are arrays of documents, whose bytes are written in hexadecimal digits.
func TestArraysOfBytes(t *testing.T) {
	t.Parallel()
	form := Form{Array: true, Bytes: true, Format: document.HTML}
	n := open(t, form, `{"\\x3c623e416e6e3c2f623e",NULL}`)
	w, err := n.Write(result(t, n.Text(), [2]string{"Ann", "Bea"}))
	if err != nil || w.Value != `{"\\x3c623e4265613c2f623e",NULL}` || n.Text() != "Ann" {
		t.Errorf("got %s with the text %q, %v", w.Value, n.Text(), err)
	}
	if _, err := form.Open(`{"Marksman"}`); err == nil || strings.Contains(err.Error(), "Marksman") {
		t.Errorf("what is no hexadecimal digits: %v", err)
	}
}

func TestValuesOfArrays(t *testing.T) {
	t.Parallel()
	paths := mustSelectConverted("$.name")
	for form, value := range map[Form]string{
		{Format: document.JSON}:                                         `{"name": "Ann"}`,
		{Format: document.JSON, Array: true}:                            `{"{\"name\": \"Ann\"}",NULL,"{\"name\": \"Bea\", \"x\": 1}"}`,
		{Format: document.JSON, Bytes: true}:                            `\x7b226e616d65223a22416e6e227d`,
		{Format: document.JSON, Encoding: encoding.Base64}:              `eyJuYW1lIjoiQW5uIn0=`,
		{Format: document.JSON, Encoding: encoding.Base64, Bytes: true}: `Ann`,
	} {
		var got []string
		form.Values(value, paths, func(_ int, value string) { got = append(got, value) })
		want := map[string]string{`Ann`: "", `{"{\"name\": \"Ann\"}",NULL,"{\"name\": \"Bea\", \"x\": 1}"}`: "Ann Bea"}
		if w, ok := want[value]; !ok && strings.Join(got, " ") != "Ann" || ok && strings.Join(got, " ") != w {
			t.Errorf("%s: %q", value, got)
		}
	}
}

// mustSelectConverted is a selection of values that are converted.
func mustSelectConverted(path string) *document.Selection {
	s, err := document.Select([]document.Path{{Path: path, Do: document.Convert}})
	if err != nil {
		panic(err)
	}
	return s
}
