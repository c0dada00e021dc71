package merge

import (
	mathbits "math/bits"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Aggregation is a method of turning the members' votes into spans.
type Aggregation string

// The aggregations. None of them drops a span that a member is sure of.
const (
	// ByVote counts votes: a span needs as many as the threshold, and a tentative one also the vote of
	// another source (main paper: one vote is enough).
	ByVote Aggregation = "vote"
	// ByUnion counts a word as PHI if any member proposes it, however unsure (as Dernoncourt et al.,
	// J. Am. Med. Inform. Assoc., 2016, combined an ANN and a CRF).
	ByUnion Aggregation = "union"
	// ByStacking asks a classifier about what [ByUnion] would find (Zhao et al., JMIR Med.
	// Inform. 8(4):e17622, 2020).
	ByStacking Aggregation = "stacking"
	// ByCombination adds up the weighted log-odds of the members that give probabilities, and joins
	// the result with the spans of the others: see [Combiner].
	ByCombination Aggregation = "combine"
)

// Aggregations lists all aggregations.
func Aggregations() []Aggregation { return []Aggregation{ByCombination, ByVote, ByUnion, ByStacking} }

// MaxVoters is the capacity of [phi.Votes].
const MaxVoters = 32

// Voters is the data on an ensemble's members needed for counting votes, by their bits in
// [phi.Votes].
type Voters struct {
	// Ranks break ties between types for a range that several members tag: lower ranks win.
	Ranks [MaxVoters]int
	// Sources are, for each member, all members of the same model.
	Sources [MaxVoters]phi.Votes
}

// rank returns the rank of the member that cast a vote.
func (v *Voters) rank(s phi.Span) int { return v.Ranks[firstOf(s.By)] }

// Counts reports whether a span of [Voters.Unite] has enough votes: as many as the threshold, and
// from two sources if all are tentative. At threshold 0 every span counts.
func (v *Voters) Counts(s phi.Span, threshold int) bool {
	switch {
	case s.Sure || threshold == 0:
		return true
	case s.Tentative && s.By&^v.Sources[firstOf(s.By)] == 0:
		return false
	}
	return s.By.Count() >= threshold
}

// firstOf returns the number of the first member of a set.
func firstOf(v phi.Votes) int { return mathbits.TrailingZeros32(uint32(v)) % MaxVoters }
