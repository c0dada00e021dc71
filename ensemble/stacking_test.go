package ensemble

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// keeps is a stacker that answers by the candidates' texts, and keeps all others.
type keeps map[string]string

func (k keeps) Keep(c *merge.Candidates) []phi.Range {
	var parts []phi.Range
	for _, s := range c.Spans {
		text := c.View.Text[s.Start:s.End]
		part, known := k[text]
		if !known {
			part = text
		}
		at := s.Start + strings.Index(text, part)
		parts = append(parts, phi.Range{Start: at, End: at + len(part)})
	}
	return parts
}

func TestStackerDecides(t *testing.T) {
	t.Parallel()
	const text = "Moss at Elm Clinic zz with Ann Lee"
	members := []Member{
		{Detector: says{"a", []phi.Span{{Start: 0, End: 4, Type: phi.Patient, Tentative: true}, {Start: 8, End: 21, Type: phi.Hospital}}}, Model: "x"},
		{Detector: says{"b", []phi.Span{{Start: 27, End: 30, Type: phi.Patient, Sure: true}}}},
		{Detector: says{"c", []phi.Span{{Start: 27, End: 34, Type: phi.Patient}}}},
	}
	for _, tt := range []struct {
		name string
		by   keeps
		want string
	}{
		{"everything, tentative spans too", nil, "Moss|Elm Clinic zz|Ann Lee"},
		{"nothing of one, a part of another", keeps{"Moss": "", "Elm Clinic zz": "Elm Clinic "}, "Elm Clinic|Ann Lee"},
		{"not what is sure", keeps{"Ann Lee": ""}, "Moss|Elm Clinic zz|Ann"},
		{"nor a part without it", keeps{"Ann Lee": "Lee"}, "Moss|Elm Clinic zz|Ann Lee"},
	} {
		e, err := New(Options{Detectors: []string{}, Members: members, Aggregation: merge.ByStacking, Stacker: tt.by})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(foundBy(t, e, text), "|"); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Union: a word is PHI if either says so (paper 002), also where both are unsure of it.
func TestUnionCountsTentativeSpans(t *testing.T) {
	t.Parallel()
	members := []Member{
		{Detector: says{"ann", []phi.Span{{Start: 0, End: 4, Type: phi.Patient, Tentative: true}}}, Model: "x"},
		{Detector: says{"crf", []phi.Span{{Start: 8, End: 11, Type: phi.City, Tentative: true}}}, Model: "y"},
	}
	for way, want := range map[merge.Aggregation][]string{merge.ByUnion: {"Moss", "Elm"}, merge.ByVote: nil, "": nil} {
		e, err := New(Options{Detectors: []string{}, Members: members, Aggregation: way})
		if err != nil {
			t.Fatal(err)
		}
		if got := foundBy(t, e, "Moss at Elm"); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", way, got, want)
		}
	}
}

func TestAggregationsThatDoNotFit(t *testing.T) {
	t.Parallel()
	for want, opts := range map[string]Options{
		"known: [combine vote union stacking]": {Aggregation: "majority"},
		"counts no votes":                      {Aggregation: merge.ByUnion, Threshold: 2},
		"needs a stacking model":               {Aggregation: merge.ByStacking},
		"no other takes one":                   {Aggregation: merge.ByUnion, Stacker: keeps{}},
	} {
		if _, err := New(opts); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", opts, err, want)
		}
	}
}

// The votes that candidates are made of are in order, each by one member.
func TestCandidates(t *testing.T) {
	t.Parallel()
	e, err := New(Options{Detectors: []string{"patterns", "directory"}})
	if err != nil {
		t.Fatal(err)
	}
	b, err := e.Vote(t.Context(), &Note{Text: "Seen on 4/27/2004, 5/1/2004 and 5/3/2004. Call 810-555-0142."})
	if err != nil {
		t.Fatal(err)
	}
	c := b.Candidates()
	if len(c.Spans) < 4 || !slices.Equal(c.Members, []string{"patterns", "directory"}) || c.Learned != 0 {
		t.Errorf("%d candidates of %v", len(c.Spans), c.Members)
	}
	if !slices.IsSortedFunc(c.Votes, func(a, b phi.Span) int { return a.Start - b.Start }) {
		t.Error("votes out of order")
	}
	for _, v := range c.Votes {
		if v.By.Count() != 1 {
			t.Errorf("a vote by %v", v.By)
		}
	}
}

// Candidates say what would count by vote: what is not tentative or has two sources.
func TestCandidatesThatCount(t *testing.T) {
	t.Parallel()
	unsure := phi.Span{Start: 0, End: 4, Type: phi.Patient, Tentative: true}
	for want, members := range map[bool][]Member{
		false: {{Detector: says{"a", []phi.Span{unsure}}, Model: "x"}, {Detector: says{"b", []phi.Span{unsure}}, Model: "x"}},
		true:  {{Detector: says{"a", []phi.Span{unsure}}, Model: "x"}, {Detector: says{"b", []phi.Span{unsure}}, Model: "y"}},
	} {
		e, err := New(Options{Detectors: []string{}, Members: members})
		if err != nil {
			t.Fatal(err)
		}
		b, err := e.Vote(t.Context(), &Note{Text: "Moss at Elm"})
		if err != nil {
			t.Fatal(err)
		}
		if c := b.Candidates(); len(c.Spans) != 1 || !slices.Equal(c.Counted, []bool{want}) {
			t.Errorf("%v for %v", c.Counted, c.Spans)
		}
	}
}

// A span that is kept whole keeps the marks at its ends, one that is cut does not.
func TestStackedEnds(t *testing.T) {
	t.Parallel()
	members := []Member{{Detector: says{"a", []phi.Span{{Start: 5, End: 19, Type: phi.Phone}}}}}
	for want, by := range map[string]keeps{"(555) 555-0100": nil, "555": {"(555) 555-0100": "(555) "}} {
		e, err := New(Options{Detectors: []string{}, Members: members, Aggregation: merge.ByStacking, Stacker: by})
		if err != nil {
			t.Fatal(err)
		}
		if got := foundBy(t, e, "Call (555) 555-0100"); len(got) != 1 || got[0] != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
