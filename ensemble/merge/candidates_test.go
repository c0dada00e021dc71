package merge

import (
	"slices"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// A stacker that answers nonsense moves no span beyond what was proposed.
func TestStackerStaysWithinCandidates(t *testing.T) {
	t.Parallel()
	c := &Candidates{View: text.NewView("Ann Lee, Zoe"), Spans: []phi.Span{{Start: 4, End: 7}}}
	if got := c.Kept(answer(nil)); len(got) != 1 || got[0] != c.Spans[0] {
		t.Errorf("no answer: %v", got)
	}
	for r, want := range map[phi.Range]int{{Start: 0, End: 12}: 7, {Start: 5, End: 3}: 0, {Start: -4, End: -1}: 0, {Start: 6, End: 99}: 7} {
		got := c.Kept(answer{r, r})
		if want == 0 && len(got) > 0 || want > 0 && (len(got) != 1 || got[0].Start < 4 || got[0].End != want) {
			t.Errorf("%v: %v", r, got)
		}
	}
}

type answer []phi.Range

func (a answer) Keep(*Candidates) []phi.Range { return a }

// What is sure is kept whatever the stacker answers, and the ends of what it cuts are trimmed.
func TestKept(t *testing.T) {
	t.Parallel()
	const s = "Ann Lee, (555) 555-0100"
	ann, phone := phi.Span{Start: 0, End: 7, Type: phi.Patient, By: 1}, phi.Span{Start: 9, End: 23, Type: phi.Phone, By: 1}
	sure := phi.Span{Start: 0, End: 3, Type: phi.Patient, By: 2, Sure: true}
	for _, tt := range []struct {
		name  string
		votes []phi.Span
		by    answer
		want  []string
	}{
		{"all", []phi.Span{ann, phone}, nil, []string{"Ann Lee", "(555) 555-0100"}},
		{"none", []phi.Span{ann, phone}, answer{{}, {}}, nil},
		{"none, but one is sure", []phi.Span{ann, sure, phone}, answer{{}, {}}, []string{"Ann"}},
		{"a part with what is sure", []phi.Span{ann, sure, phone}, answer{{Start: 4, End: 7}, {}}, []string{"Ann Lee"}},
		{"a part is trimmed", []phi.Span{phone}, answer{{Start: 9, End: 15}}, []string{"555"}},
	} {
		c := new(Voters).Candidates(text.NewView(s), tt.votes)
		var got []string
		for _, k := range c.Kept(tt.by) {
			got = append(got, s[k.Start:k.End])
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
