package merge

import (
	"sort"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Least is the least probability of PHI, of all types together, that a [Posterior] must report.
const Least = 1.0 / 1024

// Posterior is the output of one member for the tokens of a note: the probability of each type of
// PHI for each token. Nearly all tokens of a note are certainly not PHI, so it is sparse: an
// absent token is PHI with a probability below [Least].
//
// The zero value is ready for use, and [Posterior.Reset] makes a used one ready again.
type Posterior struct {
	// Types are the types that the member reports, one for each column of Probs.
	Types []phi.Type
	// Tokens are the numbers of the tokens that are present, ascending.
	Tokens []int32
	// First reports, by entry of Tokens, whether an entity begins at the token.
	First []bool
	// Probs has a row of len(Types) probabilities for each entry of Tokens. The sum of a
	// row is at most 1, and the rest is the probability of no PHI of these types.
	Probs []float32
}

// Reset empties the posterior for a member that reports the given types, and keeps its
// memory.
func (p *Posterior) Reset(types []phi.Type) {
	p.Types = types
	p.Tokens, p.First, p.Probs = p.Tokens[:0], p.First[:0], p.Probs[:0]
}

// Len returns how many tokens are present.
func (p *Posterior) Len() int { return len(p.Tokens) }

// Row returns the probabilities of entry i, one for each type. It is part of Probs.
func (p *Posterior) Row(i int) []float32 {
	n := len(p.Types)
	return p.Probs[i*n : (i+1)*n : (i+1)*n]
}

// Add appends a token, which must come after all present ones, and returns its row of zeros.
func (p *Posterior) Add(token int32, first bool) []float32 {
	p.Tokens, p.First = append(p.Tokens, token), append(p.First, first)
	for range p.Types {
		p.Probs = append(p.Probs, 0)
	}
	return p.Row(len(p.Tokens) - 1)
}

// Find returns the entry of a token, and whether it is present.
func (p *Posterior) Find(token int32) (entry int, ok bool) {
	i := sort.Search(len(p.Tokens), func(i int) bool { return p.Tokens[i] >= token })
	return i, i < len(p.Tokens) && p.Tokens[i] == token
}
