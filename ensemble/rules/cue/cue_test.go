package cue_test

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/rules/cue"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

const (
	month cue.Set = 1 << iota
	doubtful
	unit
)

const file = "# Words of a test.\n[month]\nmarch 3\nmayo 5\naño\n\n[doubtful]\nmarch\n"

func load(t *testing.T) *cue.Words {
	t.Helper()
	w, err := cue.Load(file, "month", "doubtful", "quantity/unit")
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestLoadRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, file, section, want string }{
		{"an unknown section", "[year]\n1\n", "month", "no section"},
		{"a word in no section", "march\n", "month", "in no section"},
		{"a value that is no number", "[month]\nmarch x\n", "month", "value of"},
		{"a list that does not exist", "", "quantity/nothing", "no list"},
	} {
		if _, err := cue.Load(tt.file, tt.section); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

func TestMustLoadPanics(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	cue.MustLoad("[year]\n", "month")
}

func TestSets(t *testing.T) {
	t.Parallel()
	r := cue.Reader{View: text.NewView("March MAYO Año mg 12 wordsthatarelongerthananyofthem"), Words: load(t)}
	for i, want := range []cue.Set{month | doubtful, month, month, unit, 0, 0} {
		if got := r.Sets(i); got != want {
			t.Errorf("%s: %b, want %b", r.Str(i), got, want)
		}
	}
	if !r.In(0, doubtful) || r.In(0, unit) || r.In(-1, month) || r.In(99, month) {
		t.Error("In differs from Sets")
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	r := cue.Reader{View: text.NewView("007 ٢٠١٤ 1234567890 march mg"), Words: load(t)}
	for i, want := range []struct {
		value, digits int
		plain         string
	}{{7, 3, "007"}, {2014, 4, "2014"}, {0, 10, "1234567890"}, {3, 0, ""}, {0, 0, ""}} {
		if r.Value(i) != want.value || r.Digits(i) != want.digits {
			t.Errorf("%s: value %d of %d digits", r.Str(i), r.Value(i), r.Digits(i))
		}
		if r.Number(i) && r.Plain(i) != want.plain {
			t.Errorf("%s: %q", r.Str(i), r.Plain(i))
		}
	}
}

func TestMarks(t *testing.T) {
	t.Parallel()
	r := cue.Reader{View: text.NewView("– ’ ⁄ ( † a"), Words: load(t)}
	for i, want := range []byte{'-', '\'', '/', '(', 0x7f, 0, 0} {
		if got := r.Mark(i); got != want {
			t.Errorf("%q: %q, want %q", r.Str(i), got, want)
		}
	}
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	r := cue.Reader{View: text.NewView("3/5 6 / 7\nx. Y a.b (z)"), Words: load(t)}
	for _, tt := range []struct {
		what      string
		got, want bool
	}{
		{"3/5 is tight", r.Tight(1), true},
		{"6 / 7 is not", r.Tight(4), false},
		{"6 / 7 joins", r.Joins(4), true},
		{"x begins a line", r.Here(6), false},
		{"a line ends behind 7", r.Ends(6), true},
		{"x. ends a phrase", r.Ends(7), true},
		{"a.b does not", r.Ends(10), false},
		{"nothing follows the end", r.Ends(99), true},
		{"nothing is before the text", r.Here(0), false},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %v", tt.what, tt.got)
		}
	}
	if r.Skip(1, "/-") != 2 || r.Skip(0, "/-") != 0 || r.Skip(99, "/") != 99 {
		t.Error("Skip")
	}
	if got := r.Spelled(8) + r.Spelled(1) + r.Spelled(99); got != "y" {
		t.Errorf("spelled %q", got)
	}
}
