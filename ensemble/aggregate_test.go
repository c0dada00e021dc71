package ensemble

import (
	"context"
	"slices"
	"strings"
	"testing"
)

func TestAggregate(t *testing.T) {
	//       0123456789012345678901234567890
	text := "Mr. John Smith, Boston General Hospital"
	tests := []struct {
		name  string
		votes []Span
		want  []Span
	}{
		{"nothing", nil, nil},
		{
			"the longer reading explains the shorter",
			[]Span{{Start: 16, End: 22, Type: City, By: 1}, {Start: 16, End: 39, Type: Hospital, By: 2}},
			[]Span{{Start: 16, End: 39, Type: Hospital, By: 3}},
		},
		{
			"parts of one class make a whole",
			[]Span{{Start: 4, End: 10, Type: Patient, By: 1}, {Start: 9, End: 14, Type: Doctor, By: 2}},
			[]Span{{Start: 4, End: 14, Type: Patient, By: 3}},
		},
		{
			"a name beats a place for the same range",
			[]Span{{Start: 9, End: 14, Type: City, By: 1}, {Start: 9, End: 14, Type: Patient, By: 2}},
			[]Span{{Start: 9, End: 14, Type: Patient, By: 3}},
		},
		{
			"what is left of a weaker one stays",
			[]Span{{Start: 4, End: 14, Type: Patient, By: 1}, {Start: 9, End: 22, Type: City, By: 2}},
			[]Span{{Start: 4, End: 14, Type: Patient, By: 3}, {Start: 16, End: 22, Type: City, By: 2}},
		},
		{
			"an exact pattern wins over what stands in it",
			[]Span{{Start: 4, End: 14, Type: Email, By: 1}, {Start: 9, End: 14, Type: Patient, By: 2}},
			[]Span{{Start: 4, End: 14, Type: Email, By: 3}},
		},
		{
			"neighbours of one name are one span",
			[]Span{{Start: 4, End: 8, Type: Patient, By: 1}, {Start: 9, End: 14, Type: Patient, By: 2}},
			[]Span{{Start: 4, End: 14, Type: Patient, By: 3}},
		},
		{
			"what is sure comes first",
			[]Span{{Start: 4, End: 14, Type: Patient, By: 1}, {Start: 9, End: 22, Type: City, By: 2, Sure: true}},
			[]Span{{Start: 4, End: 8, Type: Patient, By: 1}, {Start: 9, End: 22, Type: City, By: 3, Sure: true}},
		},
	}
	for _, tt := range tests {
		if got := unite(text, tt.votes, &ranks{}); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

func TestThreshold(t *testing.T) {
	votes := map[string][]Span{
		"a": {{Start: 0, End: 3, Type: Patient}, {Start: 4, End: 8, Type: City}, {Start: 9, End: 12, Type: City, Sure: true}, {Start: 14, End: 17, Type: Patient}},
		"b": {{Start: 0, End: 3, Type: Patient}, {Start: 18, End: 21, Type: Patient}},
	}
	const text = "Ann Gary Foo, Zoe Poe."
	for threshold, want := range map[int]string{1: "Ann|Gary|Foo|Zoe Poe", 2: "Ann|Foo|Zoe Poe"} {
		members := []Member{{Detector: says{"a", votes["a"]}}, {Detector: says{"b", votes["b"]}}}
		e, err := New(Options{Detectors: []string{}, Members: members, Threshold: threshold})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(foundBy(t, e, text), "|"); got != want {
			t.Errorf("threshold %d: %q, want %q", threshold, got, want)
		}
	}
}

// foundBy returns the texts of the spans that an ensemble finds.
func foundBy(t *testing.T, e *Ensemble, text string) []string {
	t.Helper()
	spans, err := e.Detect(t.Context(), &Note{Text: text})
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, s := range spans {
		found = append(found, text[s.Start:s.End])
	}
	return found
}

// Supplementary Table 1 of the main paper: the name, then the normalised name.
func TestAggregateByMembersPriority(t *testing.T) {
	first, second := Span{Start: 4, End: 14, Type: Doctor, By: 1}, Span{Start: 4, End: 14, Type: Patient, By: 2}
	place := Span{Start: 4, End: 14, Type: City, By: 4}
	for _, tt := range []struct {
		name string
		by   ranks
		want Type
	}{
		{"the lower number decides", ranks{1, 2, 3}, Doctor},
		{"in whatever order they vote", ranks{2, 1, 3}, Patient},
		{"a member without a number comes first", ranks{1, 0, 3}, Patient},
		{"types come before members", ranks{1, 2, 0}, Doctor},
	} {
		got := unite("Mr. John Smith", []Span{first, second, place}, &tt.by)
		if want := (Span{Start: 4, End: 14, Type: tt.want, By: 7}); len(got) != 1 || got[0] != want {
			t.Errorf("%s: got %+v, want %+v", tt.name, got, want)
		}
	}
	longer := Span{Start: 0, End: 14, Type: Patient, By: 2}
	got := unite("Mr. John Smith", []Span{first, longer}, &ranks{1, 2})
	if len(got) != 1 || got[0].Type != Patient {
		t.Errorf("length comes before members: got %+v", got)
	}
}

// says is a member that finds what it is told to.
type says struct {
	name  string
	spans []Span
}

func (s says) Name() string { return s.name }

func (s says) Detect(_ context.Context, _ *Note, dst []Span) ([]Span, error) {
	return append(dst, s.spans...), nil
}

func TestTentativeVotesNeedASecond(t *testing.T) {
	const text = "Seen with Moss Abara"
	sure, unsure := Span{Start: 10, End: 14, Type: Patient}, Span{Start: 10, End: 14, Type: Patient, Tentative: true}
	wide := Span{Start: 10, End: 20, Type: Patient, Tentative: true}
	city, apart := Span{Start: 10, End: 14, Type: City, Tentative: true}, Span{Start: 15, End: 20, Type: Patient, Tentative: true}
	member := func(name, model string, spans ...Span) Member {
		return Member{Detector: says{name, spans}, Model: model}
	}
	for _, tt := range []struct {
		name    string
		members []Member
		want    string
	}{
		{"alone", []Member{member("a", "x", unsure)}, ""},
		{"not tentative", []Member{member("a", "x", sure)}, "Moss"},
		{"two members of one model", []Member{member("a", "x", unsure), member("b", "x", unsure)}, ""},
		{"two models", []Member{member("a", "x", unsure), member("b", "y", unsure)}, "Moss"},
		{"two models, two types", []Member{member("a", "x", unsure), member("b", "y", city)}, "Moss"},
		{"detectors without a model", []Member{member("a", "", unsure), member("b", "", unsure)}, "Moss"},
		{"a sure vote of the same model", []Member{member("a", "x", sure), member("b", "x", unsure)}, "Moss"},
		{"widens what another found", []Member{member("a", "x", wide), member("b", "y", sure)}, "Moss Abara"},
		{"goes on a name", []Member{member("a", "x", apart), member("b", "y", sure)}, "Moss Abara"},
	} {
		e, err := New(Options{Detectors: []string{}, Members: tt.members})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(foundBy(t, e, text), "|"); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// FuzzAggregate throws arbitrary votes together: every byte that a vote covers
// with a letter or digit stays covered, and the result is sorted and disjoint.
func FuzzAggregate(f *testing.F) {
	f.Add([]byte{0, 5, 1, 3, 9, 12, 4, 4, 20})
	f.Add([]byte{0, 30, 13, 2, 3, 1, 5, 5, 30, 7, 4, 14})
	text := "Abcdefghijklmnopqrstuvwxyz0123456789"
	f.Fuzz(func(t *testing.T, data []byte) {
		var votes []Span
		covered := make([]bool, len(text))
		for ; len(data) >= 3; data = data[3:] {
			start := int(data[0]) % len(text)
			end := min(len(text), start+1+int(data[1])%12)
			votes = append(votes, Span{Start: start, End: end, Type: Type(data[2])%(numTypes-1) + 1, By: 1, Sure: data[2] > 200})
			for i := start; i < end; i++ {
				covered[i] = true
			}
		}
		end := 0
		for _, s := range unite(text, votes, &ranks{}) {
			if s.Start < end || s.End <= s.Start {
				t.Fatalf("span %+v after %d", s, end)
			}
			for i := s.Start; i < s.End; i++ {
				covered[i] = false
			}
			end = s.End
		}
		if i := slices.Index(covered, true); i >= 0 {
			t.Errorf("byte %d is lost", i)
		}
	})
}

func TestOccupationsDoNotSwallowNames(t *testing.T) {
	text := "grandson Annie Stacker, age 14"
	spans := unite(text, []Span{
		{Start: 0, End: 22, Type: Profession, By: 1}, {Start: 9, End: 22, Type: Patient, By: 2, Sure: true},
	}, &ranks{})
	for _, s := range spans {
		if s.Start == 9 && s.End == 22 && s.Type == Patient {
			return
		}
	}
	t.Errorf("the name is gone: %v", spans)
}
