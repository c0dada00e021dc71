package ensemble

import (
	"errors"
	"fmt"
	mathbits "math/bits"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Aggregation is a way to make spans of the members' votes.
type Aggregation string

// The ways. Whichever it is, nothing is dropped that a member is sure of.
const (
	// ByVote counts votes: a span needs as many as the threshold says, and a tentative
	// one is seconded by another source (main paper: one vote is enough).
	ByVote Aggregation = "vote"
	// ByUnion counts a word as PHI if any member says so, however unsure (Dernoncourt et
	// al., J. Am. Med. Inform. Assoc., 2016, who joined an ANN and a CRF so).
	ByUnion Aggregation = "union"
	// ByStacking asks a classifier about what [ByUnion] would find (Zhao et al., JMIR Med.
	// Inform. 8(4):e17622, 2020).
	ByStacking Aggregation = "stacking"
	// ByCombination adds up the weighted log-odds of the members that give probabilities,
	// and joins the spans of the others to theirs: see package merge.
	ByCombination Aggregation = "combine"
)

// Aggregations lists the ways.
func Aggregations() []Aggregation { return []Aggregation{ByCombination, ByVote, ByUnion, ByStacking} }

// aggregateBy sets how votes become spans.
func (e *Ensemble) aggregateBy(opts Options) error {
	way := opts.Aggregation
	if way == "" && opts.Threshold <= 1 || way == ByCombination {
		var err error
		if e.judge, err = e.newJudge(&opts); err != nil {
			return err
		}
	}
	if way == "" && e.judge != nil {
		way = ByCombination
	}
	switch way {
	case "", ByVote:
		e.threshold = max(opts.Threshold, 1)
		if e.threshold > len(e.members) {
			return fmt.Errorf("threshold %d is more than the %d detectors there are", e.threshold, len(e.members))
		}
	case ByUnion, ByStacking, ByCombination:
		if way == ByCombination {
			e.threshold = 1
		}
		if opts.Threshold > 1 {
			return fmt.Errorf("threshold %d is for aggregation %s: %s counts no votes", opts.Threshold, ByVote, opts.Aggregation)
		}
	default:
		return fmt.Errorf("unknown aggregation %q (known: %v)", opts.Aggregation, Aggregations())
	}
	if (opts.Aggregation == ByStacking) != (opts.Stacker != nil) {
		return errors.New("aggregation stacking needs a stacking model, and no other takes one")
	}
	return nil
}

// counts reports whether a span of all votes has enough of them: as many as the
// threshold, and where all are tentative those of two sources. Parts of one name that go
// on one another have lent each other theirs.
func (e *Ensemble) counts(s phi.Span, threshold int) bool {
	switch {
	case s.Sure || threshold == 0:
		return true
	case s.Tentative && !e.seconded(s.By):
		return false
	}
	return s.By.Count() >= threshold
}

// seconded reports whether members of more than one source are among the votes.
func (e *Ensemble) seconded(v phi.Votes) bool {
	return v&^e.kin[mathbits.TrailingZeros32(uint32(v))%maxMembers] != 0
}
