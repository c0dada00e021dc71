package merge

import (
	mathbits "math/bits"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Aggregation is a way to make spans of the members' votes.
type Aggregation string

// The ways. None of them drops a span that a member is sure of.
const (
	// ByVote counts votes: a span needs as many as the threshold says, and a tentative
	// one the vote of another source (main paper: one vote is enough).
	ByVote Aggregation = "vote"
	// ByUnion counts a word as PHI if any member says so, however unsure (Dernoncourt et
	// al., J. Am. Med. Inform. Assoc., 2016, who joined an ANN and a CRF so).
	ByUnion Aggregation = "union"
	// ByStacking asks a classifier about what [ByUnion] would find (Zhao et al., JMIR Med.
	// Inform. 8(4):e17622, 2020).
	ByStacking Aggregation = "stacking"
	// ByCombination adds up the weighted log-odds of the members that give probabilities,
	// and joins the spans of the others to theirs: see [Combiner].
	ByCombination Aggregation = "combine"
)

// Aggregations lists the ways.
func Aggregations() []Aggregation { return []Aggregation{ByCombination, ByVote, ByUnion, ByStacking} }

// MaxVoters is how many members fit into [phi.Votes].
const MaxVoters = 32

// Voters is what counting votes needs to know of the members of an ensemble, by their bits in
// [phi.Votes].
type Voters struct {
	// Ranks decide, after everything else, which type a range gets that several members
	// tag: the lower one comes first.
	Ranks [MaxVoters]int
	// Sources are the members of the same model as each, itself among them.
	Sources [MaxVoters]phi.Votes
}

// rank returns the rank of the member that cast a vote.
func (v *Voters) rank(s phi.Span) int { return v.Ranks[firstOf(s.By)] }

// Counts reports whether a span of [Voters.Unite] has enough votes: as many as the threshold,
// and those of two sources where all are tentative. At threshold 0 every span counts.
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
