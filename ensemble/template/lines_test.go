package template

import (
	"slices"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

func TestWithLines(t *testing.T) {
	t.Parallel()
	for s, want := range map[string][]string{
		"one line":            {"one line"},
		"one\ntwo":            {"one\ntwo", "one", "two"},
		"one  \r\n\n  two \v": {"one  \r\n\n  two \v", "one", "two"},
		"é\u0085ü\u2028x":     {"é\u0085ü\u2028x", "é", "ü", "x"},
		"\none":               {"\none"},
		"naïve “quotes”":      {"naïve “quotes”"},
	} {
		var got []string
		for r := range withLines(s, phi.Range{End: len(s)}) {
			got = append(got, s[r.Start:r.End])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

// Offsets are those of the whole text, and iteration may stop before the end.
func TestWithLinesOfAPart(t *testing.T) {
	t.Parallel()
	const s = "before one\ntwo\nthree after"
	var got []phi.Range
	for r := range withLines(s, phi.Range{Start: 7, End: 20}) {
		got = append(got, r)
		if len(got) == 3 {
			break
		}
	}
	if want := []phi.Range{{Start: 7, End: 20}, {Start: 7, End: 10}, {Start: 11, End: 14}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestNextTerm(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		s     string
		at    int
		want  string
		gap   gap
		class Slot
	}{
		{"Moss, Ann", 0, "Moss", 0, WordSlot},
		{"Moss, Ann", 4, ",", 0, 0},
		{"Moss, Ann", 5, "Ann", ' ', WordSlot},
		{"a\tb", 1, "b", '\t', WordSlot},
		{"a   b", 1, "b", '\t', WordSlot},
		{"a\n\nb", 1, "b", '\n', WordSlot},
		{"a\nb", 1, "b", ' ', WordSlot},
		{"0123-4", 0, "0123", 0, NumberSlot},
		{"E12b/", 0, "E12b", 0, MixedSlot},
		{"Łukasz١٢", 0, "Łukasz١٢", 0, MixedSlot},
		{"–x", 0, "–", 0, 0},
		{"a ", 1, "", ' ', 0},
	} {
		got := nextTerm(tt.s, tt.at)
		if tt.s[got.start:got.end] != tt.want || got.gap != tt.gap || got.class != tt.class {
			t.Errorf("%q at %d: %+v", tt.s, tt.at, got)
		}
	}
}

// Lines have templates of their own, and a sentence has one where they do not hold all.
func TestAll(t *testing.T) {
	t.Parallel()
	doctor := func(start, end int) phi.Span { return phi.Span{Start: start, End: end, Type: phi.Doctor} }
	for _, tt := range []struct {
		name, text string
		spans      []phi.Span
		longest    int
		want       []string
	}{
		{"a sentence", "No rash. Seen by Moss.", []phi.Span{doctor(17, 21)}, 99, []string{"Seen by <DOCTOR W>."}},
		{"two sentences", "Seen by Moss. Call Rose now.", []phi.Span{doctor(8, 12), doctor(19, 23)}, 99, []string{"Seen by <DOCTOR W>.", "Call <DOCTOR W> now."}},
		{"too long", "Seen by Moss. Call Rose now.", []phi.Span{doctor(8, 12), doctor(19, 23)}, 13, []string{"Seen by <DOCTOR W>."}},
		{"nothing found", "Seen by Moss.", nil, 99, nil},
	} {
		var got []string
		for _, tm := range All(text.NewView(tt.text), tt.spans, tt.longest) {
			got = append(got, tm.String())
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestWaysToWrite(t *testing.T) {
	t.Parallel()
	tm, err := Parse("by <DOCTOR W, W> in <HOSPITAL W> on <DATE N/N>")
	if err != nil {
		t.Fatal(err)
	}
	if got := tm.Coarse(); got != "by <NAME W, W> in <LOCATION W> on <DATE N/N>" {
		t.Errorf("coarse: %q", got)
	}
	if got := tm.Form(); got != "by <W>, <W> in <W> on <N>/<N>" {
		t.Errorf("form: %q", got)
	}
	if got := tm.Literals(); !slices.Equal(got, []string{"by", ",", "in", "on", "/"}) {
		t.Errorf("literals: %q", got)
	}
}

// A template that is a beginning of another one is found where its sentence ends.
func TestSetOfPrefixes(t *testing.T) {
	t.Parallel()
	var list []*Template
	for _, s := range []string{"by <DOCTOR W>", "by <DOCTOR W> and <DOCTOR W>", "by <DOCTOR W> and nurse <DOCTOR W>"} {
		tm, err := Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, tm)
	}
	set := NewSet(list)
	m := matcher{set: set}
	for s, want := range map[string]string{
		"by Moss": "by <DOCTOR W>", "by Moss and Rose": "by <DOCTOR W> and <DOCTOR W>", "by Moss and nurse Rose": "by <DOCTOR W> and nurse <DOCTOR W>",
		"by": "", "by Moss and": "", "": "", "by Moss and Rose Roe": "",
	} {
		got := m.find(s)
		if want == "" && got != nil || want != "" && (got == nil || got.String() != want) {
			t.Errorf("%q: %v, want %q", s, got, want)
		}
	}
	if (*Set)(nil).Len() != 0 || (*Set)(nil).Digest() != "" || NewSet(nil).Digest() != "" {
		t.Error("an empty set has a digest")
	}
	if again := NewSet([]*Template{list[2], list[0], list[1], list[0]}); again.Digest() != set.Digest() {
		t.Error("the same set has another digest")
	}
}
