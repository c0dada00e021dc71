package peers

import (
	"errors"
)

// alignment maps a gold text to a redacted one.
type alignment struct {
	covers   []cover // by placeholder
	lost     int     // tokens of the gold text that are missing and not covered by a placeholder
	inserted int     // tokens of the redacted text that are not in the gold's
}

// cover means that the placeholder at token at covers the gold tokens [from, to).
type cover struct{ at, from, to int }

// The costs of alignment steps. It is cheaper for a placeholder to cover few tokens than many, and
// cheaper to cover any than to lose text.
const (
	costCover  = 1
	costEmpty  = 2
	costLost   = 4
	costInsert = 4
)

// maxCells bounds the time and memory of an alignment: 4,000 tokens on each side of completely
// different texts.
const maxCells = 16 << 20

// The steps.
const (
	stepSame   byte = iota // the same token in both
	stepStart              // a placeholder covers its first token
	stepExtend             // it covers one more
	stepLost
	stepInsert // a token of the redacted text alone, or an empty placeholder
)

// align finds the cheapest alignment of the gold tokens with the redacted ones. Equal prefixes and
// suffixes are skipped; the rest is divided at long runs of tokens that occur once in each text,
// and the parts are solved exactly.
func align(gold, other []alignToken) (alignment, error) {
	head := 0
	for head < len(gold) && head < len(other) && gold[head].text == other[head].text {
		head++
	}
	tail := 0
	for tail < len(gold)-head && tail < len(other)-head && gold[len(gold)-1-tail].text == other[len(other)-1-tail].text {
		tail++
	}
	var a alignment
	s := stretch{head, len(gold) - tail, head, len(other) - tail}
	for _, part := range s.split(gold, other) {
		if err := a.solve(gold, other, part); err != nil {
			return alignment{}, err
		}
	}
	return a, nil
}

// stretch is a part of both texts: gold [g0, g1) and redacted [o0, o1).
type stretch struct{ g0, g1, o0, o1 int }

func (s stretch) cells() int { return (s.g1 - s.g0 + 1) * (s.o1 - s.o0 + 1) }

// anchorRun is the number of consecutive equal tokens that identify a position.
const anchorRun = 8

// split divides a stretch that is too large to solve at runs of equal tokens that occur once in
// each text, in the same order.
func (s stretch) split(gold, other []alignToken) []stretch {
	const enough = 1 << 20
	if s.cells() <= enough {
		return []stretch{s}
	}
	once := func(tokens []alignToken, from, to int) map[string]int {
		at := map[string]int{}
		for i := from; i+anchorRun <= to; i++ {
			key := ""
			for _, t := range tokens[i : i+anchorRun] {
				key += t.text + " "
			}
			if _, again := at[key]; again {
				at[key] = -1
			} else {
				at[key] = i
			}
		}
		return at
	}
	inGold, inOther := once(gold, s.g0, s.g1), once(other, s.o0, s.o1)
	pairs := map[int]int{} // starts of runs: redacted by gold
	for key, g := range inGold {
		if o, ok := inOther[key]; ok && g >= 0 && o >= 0 {
			pairs[g] = o
		}
	}
	var out []stretch
	for g := s.g0; g < s.g1; g++ {
		o, ok := pairs[g]
		here := stretch{s.g0, g, s.o0, o}
		if !ok || o < s.o0 || here.cells() < enough/4 {
			continue
		}
		out = append(out, here)
		s.g0, s.o0 = g, o
	}
	return append(out, s)
}

// solve aligns a stretch exactly, by dynamic programming.
func (a *alignment) solve(gold, other []alignToken, s stretch) error {
	if s.cells() > maxCells {
		return errors.New("the redacted text differs in too much of its length to be aligned")
	}
	n, m := s.g1-s.g0, s.o1-s.o0
	steps := make([]byte, (n+1)*(m+1))
	before, now := make([]int, m+1), make([]int, m+1)
	for j := 1; j <= m; j++ {
		now[j] = now[j-1] + insertCost(other[s.o0+j-1])
		steps[j] = stepInsert
	}
	for i := 1; i <= n; i++ {
		before, now = now, before
		now[0], steps[i*(m+1)] = before[0]+costLost, stepLost
		for j := 1; j <= m; j++ {
			o := other[s.o0+j-1]
			best, step := before[j]+costLost, stepLost
			try := func(cost int, by byte) {
				if cost < best || cost == best && by < step {
					best, step = cost, by
				}
			}
			if gold[s.g0+i-1].text == o.text {
				try(before[j-1], stepSame)
			}
			if o.holds {
				try(before[j-1]+costCover, stepStart)
				if last := steps[(i-1)*(m+1)+j]; last == stepStart || last == stepExtend {
					try(before[j]+costCover, stepExtend)
				}
			}
			try(now[j-1]+insertCost(o), stepInsert)
			now[j], steps[i*(m+1)+j] = best, step
		}
	}
	a.trace(other, s, steps)
	return nil
}

func insertCost(t alignToken) int {
	if t.holds {
		return costEmpty
	}
	return costInsert
}

// trace follows the cheapest path backwards.
func (a *alignment) trace(other []alignToken, s stretch, steps []byte) {
	m := s.o1 - s.o0
	end := -1 // end of the current placeholder's cover
	for i, j := s.g1-s.g0, m; i > 0 || j > 0; {
		switch steps[i*(m+1)+j] {
		case stepSame:
			i, j = i-1, j-1
		case stepLost:
			a.lost++
			i--
		case stepExtend:
			if end < 0 {
				end = i
			}
			i--
		case stepStart:
			if end < 0 {
				end = i
			}
			a.covers = append(a.covers, cover{s.o0 + j - 1, s.g0 + i - 1, s.g0 + end})
			end = -1
			i, j = i-1, j-1
		case stepInsert:
			if other[s.o0+j-1].holds {
				a.covers = append(a.covers, cover{s.o0 + j - 1, s.g0 + i, s.g0 + i})
			} else {
				a.inserted++
			}
			j--
		}
	}
}
