package ensemble

import (
	"context"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

func TestAppendSentence(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"as it is", "No known drug allergies.", "No known drug allergies."},
		{"white space around it", " \t No fever.\n", "No fever."},
		{"two blanks", "Rubella:  yes", "Rubella: yes"},
		{"a wrapped line", "Please let your doctor know if you\n   have problems.", "Please let your doctor know if you have problems."},
		{"a wrapped line of Windows", "if you\r\nhave problems", "if you have problems"},
		{"a blank line is more than a wrap", "Brown\n \n\nstool", "Brown\n\nstool"},
		{"columns", "Smith   Brown stool", "Smith\tBrown stool"},
		{"a tab", "Smith\tBrown", "Smith\tBrown"},
		{"a bullet", "• No fever.", "No fever."},
		{"bullets", "* ▪ No fever.", "No fever."},
		{"no bullet without a blank", "*No fever.", "*No fever."},
		{"nothing but a bullet", "*", "*"},
		{"a dash signs", "- Rose", "- Rose"},
		{"the number of an item may be a day", "12. May", "12. May"},
		{"case", "seen by rose", "seen by rose"},
		{"numbers", "Room 7", "Room 7"},
		{"a space of another kind", "No\u00a0fever", "No fever"},
		{"an invisible joiner is kept", "Ro\u200bse", "Ro\u200bse"},
		{"nothing", " \n ", ""},
	} {
		if got := string(AppendSentence(nil, tt.in)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	if got := string(AppendSentence([]byte("before"), " a  b ")); got != "beforea b" {
		t.Errorf("appended: %q", got)
	}
}

// Whatever is folded, words, numbers and marks stay, and so do the places where white
// space parts them.
func FuzzAppendSentence(f *testing.F) {
	for _, s := range []string{"• No fever.", "Smith   Brown\tstool", "a\r\nb\n\nc", "* * x", "- Rose", "\u00a0\u2003é\u200b1"} {
		f.Add(s)
	}
	pieces := func(s string) []string {
		var out []string
		for i, t := range text.Tokenize(s) {
			if glued := i > 0 && !t.Space; glued {
				out = append(out, "+")
			}
			out = append(out, s[t.Start:t.End])
		}
		return out
	}
	f.Fuzz(func(t *testing.T, s string) {
		if text.Check(s) != nil {
			t.Skip()
		}
		key := string(AppendSentence(nil, s))
		if again := string(AppendSentence(nil, key)); again != key {
			t.Fatalf("%q becomes %q, and that %q", s, key, again)
		}
		want := strings.TrimLeftFunc(s, func(r rune) bool {
			return unicode.IsSpace(r) || r == '\ufeff' || strings.ContainsRune(bullets, r)
		})
		got := strings.TrimLeftFunc(key, func(r rune) bool { return strings.ContainsRune(bullets, r) || unicode.IsSpace(r) })
		if !slices.Equal(pieces(got), pieces(want)) {
			t.Fatalf("%q becomes %q", s, key)
		}
	})
}

// pointer finds given words wherever they stand.
type pointer struct {
	name  string
	words []string
	typ   phi.Type
	sure  bool
}

func (p pointer) Name() string { return p.name }

func (p pointer) Detect(_ context.Context, note *Note, dst []phi.Span) ([]phi.Span, error) {
	for _, w := range p.words {
		for from := 0; ; {
			i := strings.Index(note.Text[from:], w)
			if i < 0 {
				break
			}
			from += i + len(w)
			dst = append(dst, phi.Span{Start: from - len(w), End: from, Type: p.typ, Sure: p.sure})
		}
	}
	phi.SortSpans(dst)
	return dst, nil
}

func TestInclusion(t *testing.T) {
	list := NewInclusion(slices.Values([]string{"Please call Brown if it hurts.", " ", "Wilbur was kind."}))
	if list.Len() != 2 || list.Digest() == "" || !list.Holds("Please  call\nBrown if it hurts.") || list.Holds("please call Brown if it hurts.") {
		t.Fatalf("list of %d, %q", list.Len(), list.Digest())
	}
	if same := NewInclusion(slices.Values([]string{"Wilbur was kind.", "• Please call Brown if it hurts."})); same.Digest() != list.Digest() {
		t.Error("the same list has another digest")
	}
	brown := record.NewGazetteer(record.Record{"name.last": {"Brownlow"}, "name.first": {"Wilbur"}})
	for _, tt := range []struct {
		name, text string
		patient    *record.Gazetteer
		sure       bool
		want       []string
	}{
		{name: "a sentence of the list passes", text: "He is well. Please call Brown if it hurts. Bye."},
		{name: "another one does not", text: "Please call Brown when it hurts.", want: []string{"Brown"}},
		{name: "case counts", text: "PLEASE CALL Brown IF IT HURTS.", want: []string{"Brown"}},
		{name: "what is sure stays", text: "Please call Brown if it hurts.", sure: true, want: []string{"Brown"}},
		{name: "a name that stands elsewhere stays", text: "Jane Brown was seen.\nPlease call Brown if it hurts.", want: []string{"Brown", "Brown"}},
		{name: "the record beats the list", text: "Wilbur was kind.", patient: brown, want: []string{"Wilbur"}},
		{name: "another sentence of that patient passes", text: "Please call Brown if it hurts.", patient: brown},
	} {
		e, err := New(Options{Detectors: []string{}, Members: []Member{{Detector: pointer{"pointer", []string{"Brown", "Wilbur"}, phi.Patient, tt.sure}}}})
		if err != nil {
			t.Fatal(err)
		}
		spans, err := e.WithInclusion(list).Detect(t.Context(), &Note{Text: tt.text, Patient: tt.patient})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range spans {
			got = append(got, tt.text[s.Start:s.End])
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		plain, err := e.Detect(t.Context(), &Note{Text: tt.text, Patient: tt.patient})
		if err != nil || len(plain) == 0 {
			t.Errorf("%s: without a list %v, %v", tt.name, plain, err)
		}
		ballot, err := e.WithInclusion(list).Vote(t.Context(), &Note{Text: tt.text, Patient: tt.patient})
		if err != nil || !slices.Equal(ballot.SpansWithoutList(), plain) || !slices.Equal(ballot.Spans(e.Members()), spans) {
			t.Errorf("%s: the ballot says %v and %v, %v", tt.name, ballot.SpansWithoutList(), ballot.Spans(e.Members()), err)
		}
	}
}

// What reaches out of a sentence of the list is more than was verified.
func TestInclusionKeepsWhatReachesBeyond(t *testing.T) {
	e, err := New(Options{Detectors: []string{}, Members: []Member{{Detector: pointer{"pointer", []string{"hurts. Brown"}, phi.Patient, false}}}})
	if err != nil {
		t.Fatal(err)
	}
	list := NewInclusion(slices.Values([]string{"It hurts."}))
	spans, err := e.WithInclusion(list).Detect(t.Context(), &Note{Text: "It hurts. Brown went home."})
	if err != nil || len(spans) != 1 {
		t.Errorf("%v, %v", spans, err)
	}
}

func TestVotesOf(t *testing.T) {
	e, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	b, err := e.Vote(t.Context(), &Note{Text: "Seen by Dr. Jane Rosewood on 03/05/2014."})
	if err != nil {
		t.Fatal(err)
	}
	if got := b.VotesOf("patterns"); len(got) != 1 || got[0].Type != phi.Date {
		t.Errorf("patterns: %v", got)
	}
	if got := b.VotesOf("nobody"); got != nil {
		t.Errorf("no member: %v", got)
	}
}
