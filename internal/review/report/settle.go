package report

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/acceptance"
	"github.com/pgdeid/pgdeid/internal/review"
)

// Settle returns what holds of a note after its finished readings: the adjudicator's marks, or those of the one
// reader. Of two readers whom nobody has settled, the marks of both hold: what either calls PHI is PHI, and what either
// says was missed was missed. open is set where they differ in that.
func Settle(readings []review.Reading) (marks []review.Mark, open bool) {
	for i := range readings {
		if readings[i].Part == review.Adjudicator {
			return readings[i].Marks, false
		}
	}
	if len(readings) == 0 {
		return nil, false
	}
	marks = readings[0].Marks
	for _, other := range readings[1:] {
		open = open || len(review.Differences(marks, other.Marks)) > 0
		marks = worse(marks, other.Marks)
	}
	return marks, open
}

// worse joins two readers' marks.
func worse(a, b []review.Mark) []review.Mark {
	var out []review.Mark
	taken := make([]bool, len(b))
	for _, m := range a {
		for i := range b {
			if !overlap(&m, &b[i]) {
				continue
			}
			if !taken[i] && severity(&b[i]) > severity(&m) {
				m = b[i]
			}
			taken[i] = true
		}
		out = append(out, m)
	}
	for i := range b {
		if !taken[i] {
			out = append(out, b[i])
		}
	}
	review.Sort(out)
	return out
}

func overlap(a, b *review.Mark) bool { return a.Start < b.End && b.Start < a.End }

func severity(m *review.Mark) int {
	switch {
	case m.Verdict == review.Wrong:
		return 0
	case missed(m):
		return 2
	default:
		return 1
	}
}

// missed reports whether an identifier was missed, whole or in part.
func missed(m *review.Mark) bool {
	return m.Verdict == review.Missed || m.Verdict == review.Resized && m.Found != nil && (m.Start < m.Found.Start || m.End > m.Found.End)
}

// count counts what marks say, by type. A type that this version does not know can't be in the vault.
func count(marks []review.Mark) map[phi.Type]acceptance.Counts {
	counts := map[phi.Type]acceptance.Counts{}
	for i := range marks {
		m := &marks[i]
		t, err := phi.ParseType(m.Type)
		if err == nil && m.IsPHI() {
			c := counts[t]
			c.Present++
			if missed(m) {
				c.Missed++
			}
			counts[t] = c
		}
		if m.Found == nil {
			continue
		}
		if t, err = phi.ParseType(m.Found.Type); err == nil {
			c := counts[t]
			c.Shown++
			if m.Verdict == review.Wrong {
				c.Wrong++
			}
			counts[t] = c
		}
	}
	return counts
}

// countNames counts names by groups of those who bear such names, and those of which no group was worked out.
func countNames(marks []review.Mark) (names acceptance.Names, without int) {
	names = acceptance.Names{Origins: map[string]acceptance.Counts{}, Sexes: map[string]acceptance.Counts{}}
	for i := range marks {
		m := &marks[i]
		if !m.IsName() || !m.IsPHI() {
			continue
		}
		if m.Bearer == "" {
			without++
			continue
		}
		add := func(groups map[string]acceptance.Counts, name string) {
			c := groups[name]
			c.Present++
			if missed(m) {
				c.Missed++
			}
			groups[name] = c
		}
		add(names.Origins, m.Bearer.Origin())
		add(names.Sexes, m.Bearer.Sex())
	}
	return names, without
}
