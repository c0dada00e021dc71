package cue_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
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

// The digits of every script have their value, and joiners between them none.
func TestPlain(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"12": "12", "007": "007", "٠٥": "05", "１２": "12", "1\u200b2": "12", "१२३": "123", "1٢": "12"} {
		r := cue.Reader{View: text.NewView(in), Words: load(t)}
		if got := r.Plain(0); got != want || r.Digits(0) != len(want) {
			t.Errorf("%q: %q of %d digits, want %q", in, got, r.Digits(0), want)
		}
	}
}

func TestEnds(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]bool{
		"a": true, "a b": false, "a, b": true, "a; b": true, "a) b": true, "a] b": true, "a? b": true, "a! b": true, "a| b": true, "a\" b": true,
		"a. b": true, "a.": true, "a.b": false, "a.) b": true, "a\nb": true, "a-b": false, "a: b": false, "a / b": false, "a (b)": false,
	} {
		r := cue.Reader{View: text.NewView(in), Words: load(t)}
		if got := r.Ends(1); got != want {
			t.Errorf("%q: %t", in, got)
		}
	}
}

func TestHere(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]bool{"a b": true, "ab": false, "a-b": true, "a\nb": false, "a\r\nb": false, "a \t b": true} {
		r := cue.Reader{View: text.NewView(in), Words: load(t)}
		if got := r.Here(1); got != want {
			t.Errorf("%q: %t", in, got)
		}
	}
}

func TestSpelled(t *testing.T) {
	t.Parallel()
	r := cue.Reader{View: text.NewView("Twenty-ONE 5,\n- x"), Words: load(t)}
	for i, want := range []string{"twenty", "-", "one", "", "", "", "x", ""} {
		if got := r.Spelled(i); got != want {
			t.Errorf("token %d: %q, want %q", i, got, want)
		}
	}
}

// Scan goes on behind what it finds, and says where that ended.
func TestScan(t *testing.T) {
	t.Parallel()
	first := phi.Span{Start: 0, End: 0, Type: phi.Zip}
	f := cue.NewFinder(text.NewView("1 2 x 3 4 5 y 6"), load(t), []phi.Span{first})
	var lasts []int
	spans := f.Scan(func(i int) int {
		lasts = append(lasts, f.Last)
		if f.Number(i) && f.Number(i+1) {
			return f.Add(i, i+2, phi.Date)
		}
		return f.Add(i, 0, phi.Date)
	})
	want := []phi.Span{first, {Start: 0, End: 3, Type: phi.Date}, {Start: 6, End: 9, Type: phi.Date}}
	if !slices.Equal(spans, want) {
		t.Errorf("%v, want %v", spans, want)
	}
	if !slices.Equal(lasts, []int{-1, 2, 2, 5, 5, 5}) || f.Last != 5 {
		t.Errorf("last was %v, then %d", lasts, f.Last)
	}
}

// A word is found in any case, however long it is.
func TestLongWords(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ab", 30)
	w, err := cue.Load("[month]\n"+long+" 7\nétude 8\n", "month")
	if err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]int{long: 7, strings.ToUpper(long): 7, long + "a": 0, "Étude": 8, "ÉTUDE": 8, "etude": 0} {
		r := cue.Reader{View: text.NewView(word), Words: w}
		if got := r.Value(0); got != want || r.In(0, month) != (want > 0) {
			t.Errorf("%s: %d, want %d", word, got, want)
		}
	}
}

// No text makes a reader panic, and what it says of marks, digits and sets fits the kind of the token.
func FuzzReader(f *testing.F) {
	for _, s := range []string{"", "March 5–٣ ’98 † a", "\u200b1", "é", "\x00"} {
		f.Add(s)
	}
	w, err := cue.Load(file, "month", "doubtful", "quantity/unit")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r := cue.Reader{View: text.NewView(s), Words: w}
		for i := -1; i <= len(r.Tokens); i++ {
			mark, number, word := r.Mark(i) != 0, r.Digits(i) > 0, r.Word(i)
			if r.Has(i) && !mark && !number && !word || mark && (number || word) || number && word || r.Sets(i) != 0 && !word {
				t.Fatalf("token %d of %q: mark %t, number %t, word %t", i, s, mark, number, word)
			}
			_ = r.Ends(i) || r.Tight(i) || r.Joins(i) || r.Here(i)
			if next := r.Skip(i, "/-"); next != i && next != i+1 || r.Value(i) < 0 {
				t.Fatalf("token %d of %q", i, s)
			}
		}
	})
}
