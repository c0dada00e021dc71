package parts

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

// build returns a document of the parts that a function hands over.
func build(t *testing.T, input string, parse func(b *Builder)) *Document {
	t.Helper()
	b := NewBuilder([]byte(input))
	parse(b)
	d, err := b.document("plain")
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	return d
}

// plain returns a document of which everything is text.
func plain(t *testing.T, text string) *Document {
	t.Helper()
	return build(t, text, func(b *Builder) { b.Plain(b.input, Verbatim{}) })
}

func replaced(t *testing.T, d *Document, edits []Edit) []byte {
	t.Helper()
	out, err := d.Replace(edits)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// angles writes < as an entity.
type angles struct{}

func (angles) Append(dst []byte, s string) []byte {
	return append(dst, strings.ReplaceAll(s, "<", "&lt;")...)
}

// sample has "Jane < Poe" with a word cut by a tag, and "end" behind a gap.
func sample(t *testing.T) *Document {
	t.Helper()
	return build(t, "<p>J<b>an</b>&#101;\u00ad &lt; Poe<!--x--></p><p>end</p>", func(b *Builder) {
		in := b.input
		next := func(n int) []byte { return in[b.at : b.at+n] }
		b.Keep(next(3))
		b.Text("J", next(1), angles{})
		b.Keep(next(3))
		b.Text("a", next(1), angles{})
		b.Text("n", next(1), angles{})
		b.Keep(next(4))
		b.Text("e", next(6), angles{})
		b.Text("", next(2), angles{})
		b.Text(" ", next(1), angles{})
		b.Text("<", next(4), angles{})
		b.Plain(next(4), angles{})
		b.Drop(next(8))
		b.Put([]byte("<!---->"))
		b.Keep(next(4))
		b.Gap("\n")
		b.Keep(next(3))
		b.Text("end", next(3), angles{})
		b.Keep(next(4))
	})
}

func TestReplace(t *testing.T) {
	t.Parallel()
	d := sample(t)
	if got := d.Text(); got != "Jane < Poe\nend" {
		t.Fatalf("Text = %q", got)
	}
	for _, c := range []struct {
		name  string
		edits []Edit
		want  string
	}{
		{"nothing", nil, "<p>J<b>an</b>&#101;\u00ad &lt; Poe<!----></p><p>end</p>"},
		{"a word over tags", []Edit{{0, 4, "Ann"}}, "<p>Ann<b></b>\u00ad &lt; Poe<!----></p><p>end</p>"},
		{"a run in part", []Edit{{2, 3, "N"}}, "<p>J<b>aN</b>&#101;\u00ad &lt; Poe<!----></p><p>end</p>"},
		{"escapes", []Edit{{4, 5, "<"}}, "<p>J<b>an</b>&#101;\u00ad&lt;&lt; Poe<!----></p><p>end</p>"},
		{"over what shows nothing", []Edit{{3, 5, "?"}}, "<p>J<b>an</b>?&lt; Poe<!----></p><p>end</p>"},
		{"neighbours", []Edit{{0, 1, "A"}, {1, 3, "B"}, {7, 10, "C"}}, "<p>A<b>B</b>&#101;\u00ad &lt; C<!----></p><p>end</p>"},
		{"over a gap", []Edit{{7, 12, "x"}}, "<p>J<b>an</b>&#101;\u00ad &lt; x<!----></p><p>nd</p>"},
		{"all", []Edit{{0, 14, "x"}}, "<p>x<b></b><!----></p><p></p>"},
		{"deleted", []Edit{{0, 14, ""}}, "<p><b></b><!----></p><p></p>"},
	} {
		if got := string(replaced(t, d, c.edits)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestReplaceRefuses(t *testing.T) {
	t.Parallel()
	d := sample(t)
	for _, c := range []struct {
		name  string
		edits []Edit
		want  error
	}{
		{"only a gap", []Edit{{10, 11, "x"}}, errNoText},
		{"only a gap, then text", []Edit{{10, 11, "x"}, {11, 12, "y"}}, errNoText},
		{"nothing", []Edit{{1, 1, "x"}}, errRange},
		{"backwards", []Edit{{2, 1, "x"}}, errRange},
		{"before the text", []Edit{{-1, 1, "x"}}, errRange},
		{"behind the text", []Edit{{13, 15, "x"}}, errRange},
		{"unsorted", []Edit{{3, 4, "x"}, {0, 1, "y"}}, errOrder},
		{"overlapping", []Edit{{0, 4, "x"}, {3, 5, "y"}}, errOrder},
		{"not UTF-8", []Edit{{0, 4, "\xff"}}, errUTF8},
	} {
		out, err := d.Replace(c.edits)
		if !errors.Is(err, c.want) || out != nil {
			t.Errorf("%s: %q, %v, want %v", c.name, out, err, c.want)
		}
	}
	if _, err := plain(t, "é").Replace([]Edit{{0, 1, "x"}}); !errors.Is(err, errRange) {
		t.Errorf("half a character: %v", err)
	}
}

func TestAUnitIsReplacedAsAWhole(t *testing.T) {
	t.Parallel()
	d := build(t, "a&fi;b", func(b *Builder) {
		b.Text("a", b.input[:1], angles{})
		b.Text("<fi", b.input[1:5], angles{})
		b.Text("b", b.input[5:], angles{})
	})
	for _, c := range []struct {
		edit Edit
		want string
	}{
		{Edit{2, 3, "F"}, "a&lt;Fib"},
		{Edit{0, 2, "x"}, "xfib"},
		{Edit{3, 5, "x"}, "a&lt;fx"},
		{Edit{4, 5, "x"}, "a&fi;x"},
	} {
		if got := string(replaced(t, d, []Edit{c.edit})); got != c.want {
			t.Errorf("%v: %q, want %q", c.edit, got, c.want)
		}
	}
}

func TestAFreshUnitIsAlwaysWritten(t *testing.T) {
	t.Parallel()
	d := build(t, "a < b", func(b *Builder) {
		b.Plain(b.input[:2], angles{})
		b.Rewritten("<", b.input[2:3], angles{})
		b.Plain(b.input[3:], angles{})
	})
	if got := string(replaced(t, d, nil)); got != "a &lt; b" {
		t.Errorf("got %q", got)
	}
}

func TestOrigin(t *testing.T) {
	t.Parallel()
	d := sample(t)
	for _, c := range []struct{ begin, end, from, to int }{
		{0, 1, 3, 4},
		{0, 4, 3, 19},
		{1, 3, 7, 9},
		{3, 4, 13, 19},
		{5, 6, 22, 26},
		{7, 10, 27, 30},
		{10, 11, 42, 42},
		{11, 14, 45, 48},
		{14, 14, 52, 52},
		{0, 15, 0, 0},
		{-1, 0, 0, 0},
		{2, 1, 0, 0},
	} {
		if from, to := d.Origin(c.begin, c.end); from != c.from || to != c.to {
			t.Errorf("Origin(%d, %d) = %d, %d, want %d, %d", c.begin, c.end, from, to, c.from, c.to)
		}
	}
}

func TestTheBuilderRefusesAWrongParser(t *testing.T) {
	t.Parallel()
	for name, parse := range map[string]func(b *Builder){
		"a part left out":        func(b *Builder) { b.Keep(b.input[:1]) },
		"a part skipped":         func(b *Builder) { b.Keep(b.input[1:]) },
		"a part twice":           func(b *Builder) { b.Keep(b.input); b.Keep(b.input[1:]) },
		"bytes from elsewhere":   func(b *Builder) { b.Keep([]byte("abc")) },
		"text that is not UTF-8": func(b *Builder) { b.Text("\xff", b.input, Verbatim{}) },
		"writers without end": func(b *Builder) {
			for i := range b.input {
				b.Rewritten("x", b.input[i:i+1], &numbered{i})
			}
		},
	} {
		b := NewBuilder([]byte(strings.Repeat("abc", 100)))
		parse(b)
		if d, err := b.document("plain"); err == nil || d != nil {
			t.Errorf("%s: no error", name)
		}
	}
}

type numbered struct{ n int }

func (*numbered) Append(dst []byte, _ string) []byte { return dst }

func TestLikePartsAreOne(t *testing.T) {
	t.Parallel()
	d := build(t, "abcdef", func(b *Builder) {
		b.Keep(b.input[:1])
		b.Keep(b.input[1:2])
		b.Text("c", b.input[2:3], Verbatim{})
		b.Text("d", b.input[3:4], Verbatim{})
		b.Drop(b.input[4:5])
		b.Drop(b.input[5:6])
		b.Drop(nil)
		b.Put(nil)
		b.Gap("")
	})
	if len(d.parts) != 3 {
		t.Errorf("%d parts, want 3", len(d.parts))
	}
}

func TestNothingPrintsText(t *testing.T) {
	t.Parallel()
	d := plain(t, "Zarkovin")
	e := Edit{0, 8, "Zebulon"}
	for _, v := range []any{d, e, []Edit{e}, &e} {
		var log strings.Builder
		slog.New(slog.NewTextHandler(&log, nil)).Info("x", "v", v)
		for _, s := range []string{fmt.Sprintf("%v %+v %#v %s", v, v, v, v), log.String()} {
			if strings.Contains(s, "Zarkovin") || strings.Contains(s, "Zebulon") {
				t.Errorf("text is printed: %s", s)
			}
		}
	}
}
