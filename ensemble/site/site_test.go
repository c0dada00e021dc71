package site

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

func listOf(t testing.TB, phrases ...Phrase) *List {
	t.Helper()
	l, err := NewList(phrases)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestCheck(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		phrase Phrase
		want   error
	}{
		{Phrase{"The Rookery", phi.Hospital}, nil},
		{Phrase{"Quarkstein protocol", phi.None}, nil},
		{Phrase{"Smith protocol", phi.None}, nil},
		{Phrase{"Zzyq", phi.None}, nil},
		{Phrase{"Smith", phi.None}, errName},
		{Phrase{"SMITH.", phi.None}, errName},
		{Phrase{"Smith", phi.Doctor}, nil},
		{Phrase{"", phi.Hospital}, errLength},
		{Phrase{" - ", phi.Hospital}, errLength},
		{Phrase{"one two three four five six seven eight nine", phi.Hospital}, errLength},
		{Phrase{"of 12", phi.Hospital}, errShort},
		{Phrase{"7", phi.None}, errShort},
		{Phrase{"the dawn", phi.Time}, errKind},
	} {
		if err := Check(tt.phrase); !errors.Is(err, tt.want) {
			t.Errorf("%q of %s: %v, want %v", tt.phrase.Text, tt.phrase.Type, err, tt.want)
		}
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	l := listOf(t, Phrase{"The Rookery", phi.Hospital}, Phrase{"Rookery Lane Mill", phi.Organization}, Phrase{"St. Q-ward", phi.Hospital},
		Phrase{"quiet ridge protocol", phi.None})
	for text, want := range map[string][]string{
		"Moved to the rookery today.":            {"HOSPITAL the rookery"},
		"Moved to THE\nROOKERY, works at mill":   {"HOSPITAL THE\nROOKERY"},
		"He works at Rookery Lane Mill.":         {"ORGANIZATION Rookery Lane Mill"},
		"the rookery lane":                       {"HOSPITAL the rookery"},
		"on St Q ward and st.q-ward":             {"HOSPITAL St Q ward", "HOSPITAL st.q-ward"},
		"a rookery, the, rookery; the (rookery)": nil,
		"therookery":                             nil,
		"Quiet Ridge protocol":                   nil,
		"":                                       nil,
		"the the rookery the":                    {"HOSPITAL the rookery"},
	} {
		found, err := l.Find(t.Context(), textView(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range found {
			got = append(got, s.Type.String()+" "+text[s.Start:s.End])
			if !s.Sure {
				t.Errorf("%q: not sure", text)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func textView(s string) *text.View { return text.NewView(s) }

func TestApply(t *testing.T) {
	t.Parallel()
	l := listOf(t, Phrase{"Brown protocol", phi.None}, Phrase{"Quiet Ridge", phi.None})
	at := func(s, word string, typ phi.Type, sure bool) phi.Span {
		i := strings.LastIndex(s, word)
		return phi.Span{Start: i, End: i + len(word), Type: typ, Sure: sure}
	}
	for _, tt := range []struct {
		name, text string
		words      []string
		typ        phi.Type
		sure       bool
		hits       []string
		want       []string
	}{
		{name: "within a phrase", text: "the Brown protocol was used", words: []string{"Brown"}, typ: phi.Doctor},
		{name: "the whole phrase", text: "by Quiet-Ridge rules", words: []string{"Quiet-Ridge"}, typ: phi.Hospital},
		{name: "outside", text: "Brown's own protocol", words: []string{"Brown"}, typ: phi.Doctor, want: []string{"Brown"}},
		{name: "more than the phrase", text: "Ann Brown protocol", words: []string{"Ann Brown"}, typ: phi.Patient, want: []string{"Ann Brown"}},
		{name: "sure", text: "Brown protocol", words: []string{"Brown"}, typ: phi.Patient, sure: true, want: []string{"Brown"}},
		{name: "the record knows it", text: "Brown protocol", words: []string{"Brown"}, typ: phi.Patient, hits: []string{"Brown"}, want: []string{"Brown"}},
		{name: "the record knows another word", text: "Ann had Brown protocol", words: []string{"Brown"}, typ: phi.Patient, hits: []string{"Ann"}},
		{name: "the name is elsewhere", text: "Mr. Brownie and the Brown protocol", words: []string{"Brownie", "Brown"}, typ: phi.Patient, want: []string{"Brownie"}},
		{name: "no phrase", text: "Brown", words: []string{"Brown"}, typ: phi.Patient, want: []string{"Brown"}},
	} {
		var spans []phi.Span
		for _, w := range tt.words {
			spans = append(spans, at(tt.text, w, tt.typ, tt.sure))
		}
		if tt.name == "the name is elsewhere" {
			spans[0] = phi.Span{Start: 4, End: 11, Type: phi.Patient}
		}
		var hits []phi.Range
		for _, h := range tt.hits {
			s := at(tt.text, h, phi.Patient, false)
			hits = append(hits, phi.Range{Start: s.Start, End: s.End})
		}
		var got []string
		for _, s := range l.Apply(textView(tt.text), spans, hits) {
			got = append(got, tt.text[s.Start:s.End])
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestElsewhere finds a name outside of the phrase too: then it is a name.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	l := listOf(t, Phrase{"Brown protocol", phi.None})
	const s = "Mr. Brown had the Brown protocol."
	spans := []phi.Span{{Start: 4, End: 9, Type: phi.Patient}, {Start: 18, End: 23, Type: phi.Patient}}
	if got := l.Apply(textView(s), spans, nil); len(got) != 2 {
		t.Errorf("%d spans, want both", len(got))
	}
}

func TestNewList(t *testing.T) {
	t.Parallel()
	a := listOf(t, Phrase{"The Rookery", phi.Hospital}, Phrase{"Brown protocol", phi.None})
	b := listOf(t, Phrase{"brown  Protocol", phi.None}, Phrase{"the rookery.", phi.Hospital}, Phrase{"the rookery", phi.Hospital})
	c := listOf(t, Phrase{"The Rookery", phi.City}, Phrase{"Brown protocol", phi.None})
	if a.Digest() != b.Digest() || a.Digest() == c.Digest() || len(a.Digest()) != 32 {
		t.Errorf("digests %s, %s, %s", a.Digest(), b.Digest(), c.Digest())
	}
	if !a.HasAlways() || !a.HasNever() || a.Len() != 2 {
		t.Error("phrases are missing")
	}
	for _, both := range [][]Phrase{
		{{"The Rookery", phi.Hospital}, {"the rookery", phi.None}}, {{"The Rookery", phi.Hospital}, {"the rookery", phi.City}}, {{"", phi.City}},
	} {
		if _, err := NewList(both); err == nil || strings.Contains(strings.ToLower(err.Error()), "rookery") {
			t.Errorf("%v", err)
		}
	}
	var none *List
	spans := []phi.Span{{Start: 0, End: 1}}
	if none.Len() != 0 || none.HasAlways() || none.HasNever() || none.Digest() != "" || len(none.Apply(textView("a"), spans, nil)) != 1 {
		t.Error("no list does something")
	}
	if found, err := none.Find(t.Context(), textView("a"), spans); len(found) != 1 || err != nil {
		t.Errorf("%v, %v", found, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.Find(ctx, textView("a"), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestPrints(t *testing.T) {
	t.Parallel()
	p := Phrase{"Zorvakian Mill", phi.Organization}
	l := listOf(t, p)
	for _, s := range []string{
		fmt.Sprint(p), fmt.Sprintf("%+v %#v %q", p, p, []Phrase{p}), p.LogValue().String(), fmt.Sprintf("%v %+v", l, l.always), l.LogValue().String(),
	} {
		if strings.Contains(s, "Zorvak") {
			t.Error(s)
		}
	}
}

// FuzzFind has any phrase and any text: what is found is in order, disjoint, on borders of characters and has the phrase's words.
func FuzzFind(f *testing.F) {
	f.Add("St. Q-ward", "on st q WARD.")
	f.Fuzz(func(t *testing.T, phrase, s string) {
		l, err := NewList([]Phrase{{phrase, phi.Hospital}})
		if err != nil || text.Check(s) != nil {
			return
		}
		found, err := l.Find(t.Context(), textView(s), nil)
		if err != nil {
			t.Fatal(err)
		}
		end := 0
		for _, m := range found {
			if m.Start < end || !slices.Equal(Words(s[m.Start:m.End]), Words(phrase)) {
				t.Errorf("%v of %q", m, s)
			}
			end = m.End
		}
	})
}
