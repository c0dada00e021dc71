package report

import (
	"github.com/pgdeid/pgdeid/internal/review"
)

// pairOf compares the first two reviewers of each note; nil where no note has two.
func pairOf(notes []note) *Pair {
	p := &Pair{}
	present := 0
	for _, n := range notes {
		first, second, ok := reviewers(n.readings)
		if !ok {
			continue
		}
		p.Notes++
		p.compare(first.Marks, second.Marks)
		for _, c := range count(worse(first.Marks, second.Marks)) {
			present += c.Present
		}
	}
	if p.Notes == 0 {
		return nil
	}
	p.Marked, p.KappaSpans, p.Kappa = p.Identifiers.Marked(), p.Identifiers.Kappa(), p.Misses.Kappa()
	p.Unseen, _ = p.Recapture.Unseen()
	p.Recall, _ = p.Recapture.Recall(present)
	return p
}

func reviewers(readings []review.Reading) (first, second *review.Reading, ok bool) {
	for i := range readings {
		r := &readings[i]
		switch {
		case r.Part == review.Adjudicator:
		case first == nil:
			first = r
		default:
			return first, r, true
		}
	}
	return nil, nil, false
}

// compare counts the identifiers of one note. Marks that overlap are of one identifier.
func (p *Pair) compare(a, b []review.Mark) {
	pairs, onlyA, onlyB := matched(a, b, (*review.Mark).IsPHI)
	rejected, _, _ := matched(a, b, func(m *review.Mark) bool { return !m.IsPHI() })
	p.Identifiers.Both += len(pairs)
	p.Identifiers.OnlyA += onlyA
	p.Identifiers.OnlyB += onlyB
	p.Identifiers.Neither += len(rejected)
	for _, one := range pairs {
		if a[one[0]].Type == b[one[1]].Type {
			p.Typed++
		}
	}
	pairs, onlyA, onlyB = matched(a, b, missed)
	both := len(pairs)
	p.Recapture.Both += both
	p.Recapture.First += both + onlyA
	p.Recapture.Second += both + onlyB
	switch inA, inB := both+onlyA > 0, both+onlyB > 0; {
	case inA && inB:
		p.Misses.Both++
	case inA:
		p.Misses.OnlyA++
	case inB:
		p.Misses.OnlyB++
	default:
		p.Misses.Neither++
	}
}

// matched returns the marks of a kind that both have, by their places in each list, and counts those of one alone.
func matched(a, b []review.Mark, kind func(*review.Mark) bool) (both [][2]int, onlyA, onlyB int) {
	taken := make([]bool, len(b))
	for i := range a {
		if !kind(&a[i]) {
			continue
		}
		found := false
		for j := range b {
			if !taken[j] && kind(&b[j]) && overlap(&a[i], &b[j]) {
				taken[j], found = true, true
				both = append(both, [2]int{i, j})
				break
			}
		}
		if !found {
			onlyA++
		}
	}
	for j := range b {
		if kind(&b[j]) && !taken[j] {
			onlyB++
		}
	}
	return both, onlyA, onlyB
}
