package eval

import (
	"context"
	"fmt"
	"io"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/eval/score"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// namer returns the names of members.
type namer interface {
	Names(votes phi.Votes) []string
}

// voter is an ensemble whose members can be measured separately.
type voter interface {
	finder
	namer
	Vote(ctx context.Context, note *ensemble.Note) (*ensemble.Ballot, error)
	Members() phi.Votes
}

// Trial is a part of the ensemble and its scores: in words; in i2b2's types with exact borders, as
// in Table 6 of Zhao et al. (2020); and in HIPAA's tokens, as in figure 4 of Dernoncourt et al.
// (2017).
type Trial struct {
	Name    string                  `json:"name"`    // "all", "only NAME", "without NAME", or of the inclusion list
	Groups  map[string]score.Counts `json:"groups"`  // A, B, C and all
	Classes map[string]score.Counts `json:"classes"` // of group all, as far as the gold marks them
	Strict  score.Counts            `json:"strict"`
	HIPAA   score.Counts            `json:"hipaa_tokens"`
	members phi.Votes
	bare    bool // the inclusion list is left out
}

// spans returns the finds of the part.
func (t *Trial) spans(ctx context.Context, b *ensemble.Ballot) ([]phi.Span, error) {
	if t.bare {
		return b.SpansWithoutList(ctx)
	}
	return b.Spans(ctx, t.members)
}

// trialsOf lists the whole ensemble, the ensemble without its inclusion list if it has one, each
// member alone, and the ensemble without each member.
func trialsOf(v voter) []Trial {
	all := v.Members()
	trials := []Trial{{Name: "all", members: all}}
	if l, ok := v.(interface{ HasInclusion() bool }); ok && l.HasInclusion() {
		trials = append(trials, Trial{Name: "without the inclusion list", members: all, bare: true})
	}
	members := membersOf(v)
	for _, bit := range members {
		trials = append(trials, Trial{Name: "only " + v.Names(bit)[0], members: bit})
	}
	if len(members) == 1 {
		return trials // a single member cannot be left out
	}
	for _, bit := range members {
		trials = append(trials, Trial{Name: "without " + v.Names(bit)[0], members: all &^ bit})
	}
	return trials
}

// membersOf returns the members that can find anything: the template member cannot without the
// site's own templates.
func membersOf(v voter) []phi.Votes {
	l, ok := v.(interface{ HasTemplates() bool })
	var members []phi.Votes
	for bit := phi.Votes(1); bit&v.Members() != 0; bit <<= 1 {
		if !ok || l.HasTemplates() || v.Names(bit)[0] != "templates" {
			members = append(members, bit)
		}
	}
	return members
}

func (t *Trial) measure(r score.Report, unmarked []score.Class) {
	t.Groups, t.Classes = map[string]score.Counts{}, map[string]score.Counts{}
	t.Strict, t.HIPAA = r.Strict.Counts, r.I2B2[score.HIPAA.String()][score.BinaryTokens.String()].Counts
	for name, rates := range r.Groups {
		t.Groups[name] = rates.Counts
	}
	for c := score.Class(0); c < score.NumClasses; c++ {
		if rates, ok := r.Classes[c.String()]; ok && !has(unmarked, c) {
			t.Classes[c.String()] = rates.Counts
		}
	}
}

// writeAblation prints a line for each part: group C, F1 by i2b2's two scores, recall of each
// class.
func writeAblation(w io.Writer, trials []Trial) {
	if len(trials) == 0 {
		return
	}
	var classes []score.Class
	fmt.Fprintf(w, "\nmembers\tC precision\tC recall\tF1\tmissed\tfalse\tstrict F1\tHIPAA tokens F1\t")
	for c := score.Class(0); c < score.NumClasses; c++ {
		if _, ok := trials[0].Classes[c.String()]; ok {
			classes = append(classes, c)
			fmt.Fprintf(w, "%s\t", c)
		}
	}
	fmt.Fprintln(w)
	for _, t := range trials {
		c := t.Groups[score.C.String()]
		fmt.Fprintf(w, "%s\t%.4f\t%.4f\t%.4f\t%d\t%d\t%.4f\t%.4f\t", t.Name, c.Precision(), c.Recall(), c.F1(), c.Missed(), c.False,
			t.Strict.F1(), t.HIPAA.F1())
		for _, class := range classes {
			fmt.Fprintf(w, "%.4f\t", t.Classes[class.String()].Recall())
		}
		fmt.Fprintln(w)
	}
}
