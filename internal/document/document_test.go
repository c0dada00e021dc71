package document

import (
	"errors"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/document/documenttest"
	"github.com/pgdeid/pgdeid/internal/document/syntax"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// reads parses a document that must parse.
func reads(t testing.TB, format Format, input string) *Document {
	t.Helper()
	d, err := Parse(format, []byte(input))
	if err != nil {
		t.Fatalf("%v: %q", err, input)
	}
	return d
}

func TestErrorsSayWhereAndWhatToDo(t *testing.T) {
	t.Parallel()
	_, err := Parse(Plain, []byte("Zarkovin \xff"))
	var syntax *syntax.Error
	if !errors.As(err, &syntax) || syntax.Offset != 9 || fault.Hint(err) == "" || strings.Contains(err.Error(), "Zark") {
		t.Errorf("got %v", err)
	}
	if _, err := Parse("docx", nil); err == nil {
		t.Error("an unknown format is read")
	}
	if _, err := Parse(Auto, []byte("Zarkovin \xff")); err == nil {
		t.Error("what is no text is read")
	}
}

func TestWhatNoFormatClaimsIsPlain(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "Jane", "\ufeffJane", "a < b & c"} {
		d := reads(t, Auto, text)
		if d.Kind() != Plain || d.Text() != text {
			t.Errorf("%q is %s %q", text, d.Kind(), d.Text())
		}
	}
}

func FuzzPlain(f *testing.F) {
	f.Add([]byte("Jane\r\nPoe"), uint64(1))
	f.Add([]byte("\xff"), uint64(2))
	f.Fuzz(func(t *testing.T, input []byte, seed uint64) {
		(documenttest.Format{Name: Plain, Read: readPlain}).Verify(t, input, seed)
	})
}
