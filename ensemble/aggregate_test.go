package ensemble

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

func TestAggregate(t *testing.T) {
	//       0123456789012345678901234567890
	text := "Mr. John Smith, Boston General Hospital"
	tests := []struct {
		name  string
		votes []phi.Span
		want  []phi.Span
	}{
		{"nothing", nil, nil},
		{
			"the longer reading explains the shorter",
			[]phi.Span{{Start: 16, End: 22, Type: phi.City, By: 1}, {Start: 16, End: 39, Type: phi.Hospital, By: 2}},
			[]phi.Span{{Start: 16, End: 39, Type: phi.Hospital, By: 3}},
		},
		{
			"parts of one class make a whole",
			[]phi.Span{{Start: 4, End: 10, Type: phi.Patient, By: 1}, {Start: 9, End: 14, Type: phi.Doctor, By: 2}},
			[]phi.Span{{Start: 4, End: 14, Type: phi.Patient, By: 3}},
		},
		{
			"a name beats a place for the same range",
			[]phi.Span{{Start: 9, End: 14, Type: phi.City, By: 1}, {Start: 9, End: 14, Type: phi.Patient, By: 2}},
			[]phi.Span{{Start: 9, End: 14, Type: phi.Patient, By: 3}},
		},
		{
			"what is left of a weaker one stays",
			[]phi.Span{{Start: 4, End: 14, Type: phi.Patient, By: 1}, {Start: 9, End: 22, Type: phi.City, By: 2}},
			[]phi.Span{{Start: 4, End: 14, Type: phi.Patient, By: 3}, {Start: 16, End: 22, Type: phi.City, By: 2}},
		},
		{
			"an exact pattern wins over what stands in it",
			[]phi.Span{{Start: 4, End: 14, Type: phi.Email, By: 1}, {Start: 9, End: 14, Type: phi.Patient, By: 2}},
			[]phi.Span{{Start: 4, End: 14, Type: phi.Email, By: 3}},
		},
		{
			"neighbours of one name are one span",
			[]phi.Span{{Start: 4, End: 8, Type: phi.Patient, By: 1}, {Start: 9, End: 14, Type: phi.Patient, By: 2}},
			[]phi.Span{{Start: 4, End: 14, Type: phi.Patient, By: 3}},
		},
		{
			"what is sure comes first",
			[]phi.Span{{Start: 4, End: 14, Type: phi.Patient, By: 1}, {Start: 9, End: 22, Type: phi.City, By: 2, Sure: true}},
			[]phi.Span{{Start: 4, End: 8, Type: phi.Patient, By: 1}, {Start: 9, End: 22, Type: phi.City, By: 3, Sure: true}},
		},
	}
	for _, tt := range tests {
		if got := unite(text, tt.votes, &ranks{}); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

func TestThreshold(t *testing.T) {
	votes := map[string][]phi.Span{
		"a": {{Start: 0, End: 3, Type: phi.Patient}, {Start: 4, End: 8, Type: phi.City}, {Start: 9, End: 12, Type: phi.City, Sure: true}, {Start: 14, End: 17, Type: phi.Patient}},
		"b": {{Start: 0, End: 3, Type: phi.Patient}, {Start: 18, End: 21, Type: phi.Patient}},
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
	first, second := phi.Span{Start: 4, End: 14, Type: phi.Doctor, By: 1}, phi.Span{Start: 4, End: 14, Type: phi.Patient, By: 2}
	place := phi.Span{Start: 4, End: 14, Type: phi.City, By: 4}
	for _, tt := range []struct {
		name string
		by   ranks
		want phi.Type
	}{
		{"the lower number decides", ranks{1, 2, 3}, phi.Doctor},
		{"in whatever order they vote", ranks{2, 1, 3}, phi.Patient},
		{"a member without a number comes first", ranks{1, 0, 3}, phi.Patient},
		{"types come before members", ranks{1, 2, 0}, phi.Doctor},
	} {
		got := unite("Mr. John Smith", []phi.Span{first, second, place}, &tt.by)
		if want := (phi.Span{Start: 4, End: 14, Type: tt.want, By: 7}); len(got) != 1 || got[0] != want {
			t.Errorf("%s: got %+v, want %+v", tt.name, got, want)
		}
	}
	longer := phi.Span{Start: 0, End: 14, Type: phi.Patient, By: 2}
	got := unite("Mr. John Smith", []phi.Span{first, longer}, &ranks{1, 2})
	if len(got) != 1 || got[0].Type != phi.Patient {
		t.Errorf("length comes before members: got %+v", got)
	}
}

// says is a member that finds what it is told to.
type says struct {
	name  string
	spans []phi.Span
}

func (s says) Name() string { return s.name }

func (s says) Detect(_ context.Context, _ *Note, dst []phi.Span) ([]phi.Span, error) {
	return append(dst, s.spans...), nil
}

func TestTentativeVotesNeedASecond(t *testing.T) {
	const text = "Seen with Moss Abara"
	sure, unsure := phi.Span{Start: 10, End: 14, Type: phi.Patient}, phi.Span{Start: 10, End: 14, Type: phi.Patient, Tentative: true}
	wide := phi.Span{Start: 10, End: 20, Type: phi.Patient, Tentative: true}
	city, apart := phi.Span{Start: 10, End: 14, Type: phi.City, Tentative: true}, phi.Span{Start: 15, End: 20, Type: phi.Patient, Tentative: true}
	member := func(name, model string, spans ...phi.Span) Member {
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
		var votes []phi.Span
		covered := make([]bool, len(text))
		for ; len(data) >= 3; data = data[3:] {
			start := int(data[0]) % len(text)
			end := min(len(text), start+1+int(data[1])%12)
			votes = append(votes, phi.Span{Start: start, End: end, Type: phi.Types()[int(data[2])%len(phi.Types())], By: 1, Sure: data[2] > 200})
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
	spans := unite(text, []phi.Span{
		{Start: 0, End: 22, Type: phi.Profession, By: 1}, {Start: 9, End: 22, Type: phi.Patient, By: 2, Sure: true},
	}, &ranks{})
	for _, s := range spans {
		if s.Start == 9 && s.End == 22 && s.Type == phi.Patient {
			return
		}
	}
	t.Errorf("the name is gone: %v", spans)
}
