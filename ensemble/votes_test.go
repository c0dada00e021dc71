package ensemble

import (
	"context"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

func TestThreshold(t *testing.T) {
	t.Parallel()
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

// says is a member that finds given spans.
type says struct {
	name  string
	spans []phi.Span
}

func (s says) Name() string { return s.name }

func (s says) Detect(_ context.Context, _ *Note, dst []phi.Span) ([]phi.Span, error) {
	return append(dst, s.spans...), nil
}

func TestTentativeVotesNeedASecond(t *testing.T) {
	t.Parallel()
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
