package acceptance

import (
	"bytes"
	"cmp"
	"container/heap"
	"crypto/sha256"
	"fmt"
	"maps"
	"math"
	"slices"
)

// Sampler draws notes at random, by stratum, out of all that it was shown. The order in which a stratum's
// notes are drawn is that of hashes of the seed and their IDs: the same seed draws the same notes, whatever
// the order in which they come, and a larger sample has the smaller one in it.
type Sampler struct {
	seed   string
	most   int
	strata map[string]*stratum
}

// NewSampler returns a sampler for samples of up to most notes.
func NewSampler(seed string, most int) *Sampler {
	return &Sampler{seed, max(most, 0), map[string]*stratum{}}
}

// stratum has the notes that are first in the order of their hashes, last on top.
type stratum struct {
	seen  int
	first []ranked
}

type ranked struct {
	hash [sha256.Size]byte
	id   string
}

func (r ranked) compare(o ranked) int {
	return cmp.Or(bytes.Compare(r.hash[:], o.hash[:]), cmp.Compare(r.id, o.id))
}

func (s *stratum) Len() int           { return len(s.first) }
func (s *stratum) Less(i, j int) bool { return s.first[i].compare(s.first[j]) > 0 }
func (s *stratum) Swap(i, j int)      { s.first[i], s.first[j] = s.first[j], s.first[i] }
func (s *stratum) Push(x any)         { s.first = append(s.first, x.(ranked)) }
func (s *stratum) Pop() any {
	last := s.first[len(s.first)-1]
	s.first = s.first[:len(s.first)-1]
	return last
}

// Add shows the sampler a note of the population. Each note must be shown once.
func (s *Sampler) Add(name, id string) {
	in := s.strata[name]
	if in == nil {
		in = &stratum{}
		s.strata[name] = in
	}
	in.seen++
	note := ranked{sha256.Sum256([]byte(fmt.Sprintf("%d:%s%s", len(s.seed), s.seed, id))), id}
	switch {
	case len(in.first) < s.most:
		heap.Push(in, note)
	case s.most > 0 && note.compare(in.first[0]) < 0:
		in.first[0] = note
		heap.Fix(in, 0)
	}
}

// Drawn is a note of a sample.
type Drawn struct {
	ID, Stratum string
	Weight      float64 // notes of the population that it stands for
}

// Draw returns a sample of n notes, or of all there are, divided among the strata in proportion to their
// size. Where over has a factor for a stratum, its size counts as often; weights make up for it. A stratum
// with notes has at least one in the sample, if n allows.
func (s *Sampler) Draw(n int, over map[string]float64) ([]Drawn, error) {
	if n < 0 || n > s.most {
		return nil, fmt.Errorf("a sample of %d notes: the sampler was made for up to %d", n, s.most)
	}
	for name, factor := range over {
		if s.strata[name] == nil {
			return nil, fmt.Errorf("stratum %q, of which more are to be drawn, has no notes", name)
		}
		if !(factor > 0) || math.IsInf(factor, 0) {
			return nil, fmt.Errorf("stratum %q is to count %v times: want a number above 0", name, factor)
		}
	}
	var out []Drawn
	for name, take := range s.allocate(n, over) {
		in := s.strata[name]
		notes := slices.SortedFunc(slices.Values(in.first), ranked.compare)
		for _, note := range notes[:take] {
			out = append(out, Drawn{note.id, name, float64(in.seen) / float64(take)})
		}
	}
	slices.SortFunc(out, func(a, b Drawn) int { return cmp.Or(cmp.Compare(a.Stratum, b.Stratum), cmp.Compare(a.ID, b.ID)) })
	return out, nil
}

// allocate divides n among the strata: one by one, to the stratum that has the fewest for its size.
// It is the method of Huntington and Hill, which minimises the variance under proportional weights
// (Wright, The American Statistician 66, 2012), and gives every stratum its first note first.
func (s *Sampler) allocate(n int, over map[string]float64) map[string]int {
	taken := map[string]int{}
	names := slices.Sorted(maps.Keys(s.strata))
	priority := func(name string) float64 {
		size, have := float64(s.strata[name].seen), float64(taken[name])
		if factor, ok := over[name]; ok {
			size *= factor
		}
		if have == 0 {
			return size * 1e15 // before all others, the largest first
		}
		return size / math.Sqrt(have*(have+1))
	}
	for range n {
		best, most := "", 0.0
		for _, name := range names {
			p := priority(name)
			if taken[name] < s.strata[name].seen && p > most {
				best, most = name, p
			}
		}
		if most == 0 {
			break // all are drawn
		}
		taken[best]++
	}
	return taken
}
