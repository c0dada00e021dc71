package inclusion

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

func listOf(sentences ...string) *List { return New(slices.Values(sentences)) }

func TestList(t *testing.T) {
	t.Parallel()
	list := listOf("Please call Brown if it hurts.", " ", "", "Wilbur was kind.", "Wilbur  was\nkind.")
	if list.Len() != 2 || len(list.Digest()) != 32 {
		t.Errorf("%d sentences, digest %q", list.Len(), list.Digest())
	}
	for sentence, want := range map[string]bool{
		"Please call Brown if it hurts.":   true,
		"Please  call\nBrown if it hurts.": true,
		"• Please call Brown if it hurts.": true,
		"please call Brown if it hurts.":   false,
		"Please call Brown if it hurts":    false,
		"Please call Browne if it hurts.":  false,
		"Please call\tBrown if it hurts.":  false,
		"":                                 false,
	} {
		if list.Holds(sentence) != want {
			t.Errorf("%q: %v", sentence, !want)
		}
	}
}

func TestDigest(t *testing.T) {
	t.Parallel()
	list := listOf("Wilbur was kind.", "Please call Brown.")
	if same := listOf("• Please call Brown.", "Wilbur was kind."); same.Digest() != list.Digest() {
		t.Error("the same list has another digest")
	}
	for _, other := range []*List{listOf("Wilbur was kind."), listOf("Wilbur was kind.Please call Brown."), listOf("Wilbur was kind.", "Please call brown."), nil} {
		if other.Digest() == list.Digest() {
			t.Errorf("a list of %d has the same digest", other.Len())
		}
	}
}

func TestEmptyList(t *testing.T) {
	t.Parallel()
	spans := []phi.Span{{Start: 0, End: 3, Type: phi.Patient}}
	for _, list := range []*List{nil, listOf(), listOf("", " • ")} {
		if list.Holds("") || list.Holds("•") {
			t.Error("it holds a sentence")
		}
		if got := list.Apply(text.NewView("Ann"), slices.Clone(spans), nil); list.Len() == 0 && !slices.Equal(got, spans) {
			t.Errorf("%v", got)
		}
	}
	if (*List)(nil).Len() != 0 || (*List)(nil).Digest() != "" || listOf().Digest() != "" {
		t.Error("nil is no empty list")
	}
}

// spansAt returns spans of all occurrences of words, in order.
func spansAt(s string, typ phi.Type, sure bool, words ...string) []phi.Span {
	var out []phi.Span
	for _, w := range words {
		for from := 0; ; {
			i := strings.Index(s[from:], w)
			if i < 0 {
				break
			}
			from += i + len(w)
			out = append(out, phi.Span{Start: from - len(w), End: from, Type: typ, Sure: sure})
		}
	}
	phi.SortSpans(out)
	return out
}

func TestApply(t *testing.T) {
	t.Parallel()
	list := listOf("Please call Brown if it hurts.", "It hurts.", "Wilbur was kind.", "J. Roe agrees.")
	for _, tt := range []struct {
		name, text, found string // words that are found, parted by |
		typ               phi.Type
		sure              bool
		hits              []phi.Range
		want              string
	}{
		{name: "a sentence of the list", text: "He is well. Please call Brown if it hurts. Bye.", found: "Brown"},
		{name: "another sentence", text: "Please call Brown when it hurts.", found: "Brown", want: "Brown"},
		{name: "a sentence that differs in case", text: "PLEASE CALL Brown IF IT HURTS.", found: "Brown", want: "Brown"},
		{name: "a sure span", text: "Please call Brown if it hurts.", found: "Brown", sure: true, want: "Brown"},
		{name: "a name that is found elsewhere", text: "Jane Brown was seen.\nPlease call Brown if it hurts.", found: "Jane Brown|call Brown", want: "Jane Brown|call Brown"},
		{name: "in another case", text: "JANE BROWN was seen.\nPlease call Brown if it hurts.", found: "JANE BROWN|call Brown", want: "JANE BROWN|call Brown"},
		{name: "an initial that is found elsewhere", text: "J. Moss was seen.\nJ. Roe agrees.", found: "J. Moss|J. Roe", want: "J. Moss"},
		{name: "a place that is found elsewhere", text: "Lives in Brown.\nPlease call Brown if it hurts.", found: "Brown", typ: phi.City, want: "Brown"},
		{name: "a sentence with a hit of the records", text: "Please call Brown if it hurts.", found: "Brown", hits: []phi.Range{{Start: 7, End: 11}}, want: "Brown"},
		{name: "hits around it, out of order", text: "Please call Brown if it hurts.", found: "Brown", hits: []phi.Range{{Start: 30, End: 31}, {Start: 0, End: 0}}},
		{name: "a hit in one of two sentences", text: "Wilbur was kind. Please call Brown if it hurts.", found: "Wilbur|Brown", hits: []phi.Range{{Start: 20, End: 22}}, want: "Brown"},
		{name: "a span that reaches beyond", text: "It hurts. Brown went home.", found: "hurts. Brown", want: "hurts. Brown"},
		{name: "two spans of one sentence", text: "Please call Brown if it hurts.", found: "Please|Brown"},
		{name: "nothing found", text: "Please call Brown if it hurts."},
	} {
		typ := tt.typ
		if typ == phi.None {
			typ = phi.Patient
		}
		var spans []phi.Span
		if tt.found != "" {
			spans = spansAt(tt.text, typ, tt.sure, strings.Split(tt.found, "|")...)
		}
		var got []string
		for _, s := range list.Apply(text.NewView(tt.text), spans, tt.hits) {
			got = append(got, tt.text[s.Start:s.End])
		}
		if strings.Join(got, "|") != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Apply drops spans and changes none, and without the list it drops none.
func FuzzApply(f *testing.F) {
	f.Add("It hurts. Please call Brown.\nIt hurts.", "It hurts.", 3, 5, 22, 5, 10, false)
	f.Add("• a b\n\na  b\ta b", "a b", 0, 1, 2, 3, 9, true)
	f.Fuzz(func(t *testing.T, s, sentence string, at, length, at2, length2, hit int, sure bool) {
		if text.Check(s) != nil || at < 0 || length < 1 || at > len(s)-length || at2 < at+length || length2 < 1 || at2 > len(s)-length2 || hit < 0 || hit >= len(s) {
			t.Skip()
		}
		spans := []phi.Span{{Start: at, End: at + length, Type: phi.Patient, Sure: sure}, {Start: at2, End: at2 + length2, Type: phi.City}}
		view := text.NewView(s)
		got := listOf(sentence).Apply(view, slices.Clone(spans), []phi.Range{{Start: hit, End: hit + 1}})
		if !isSubsequence(got, spans) || sure && !slices.Contains(got, spans[0]) {
			t.Fatalf("%v of %v", got, spans)
		}
		for _, r := range view.Sentences() {
			inside := at2 >= r.Start && at2+length2 <= r.End
			if inside && hit >= r.Start && hit < r.End && !slices.Contains(got, spans[1]) {
				t.Fatalf("%v is gone from a sentence with a hit", spans[1])
			}
		}
		if all := listOf().Apply(view, slices.Clone(spans), nil); !slices.Equal(all, spans) {
			t.Fatalf("%v of %v without a list", all, spans)
		}
	})
}

func isSubsequence(part, whole []phi.Span) bool {
	for _, s := range part {
		i := slices.Index(whole, s)
		if i < 0 {
			return false
		}
		whole = whole[i+1:]
	}
	return true
}

func BenchmarkApply(b *testing.B) {
	for _, sentences := range []int{10, 1000} {
		b.Run(fmt.Sprint(sentences), func(b *testing.B) {
			view := text.NewView(strings.Repeat("Please call Brown. It hurts.\n", sentences/2))
			spans := spansAt(view.Text, phi.Patient, false, "Brown")
			hits := make([]phi.Range, 0, len(spans))
			for _, s := range spans {
				hits = append(hits, phi.Range{Start: s.Start, End: s.End})
			}
			list := listOf("It hurts.")
			for b.Loop() {
				list.Apply(view, spans, hits)
			}
		})
	}
}
