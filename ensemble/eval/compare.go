package eval

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/eval/score"
)

// Comparison compares a later run with an earlier one over the same documents.
type Comparison struct {
	Docs int
	// Paired is set if both runs saved the counts of each document, which intervals need.
	Paired bool
	// Tolerance is how much, as a share, a rate may fall without being listed as fallen.
	Tolerance float64
	Rows      []Change
	// Errors are the missed instances of PII by category, and NotesWith the notes with one; they are
	// empty unless both runs have them.
	Errors    []ErrorChange
	NotesWith ErrorChange
}

// ErrorChange compares the errors of a category.
type ErrorChange struct {
	Name          string
	Before, After int
}

// Change compares a group, a class or a type.
type Change struct {
	Name          string
	Before, After score.Counts
	Recall        Delta
	Precision     Delta
}

// Delta is a difference of two rates, later less earlier, with the limits of a 95% interval by
// bootstrap over documents. Measured is false if the rate is undefined in one of the runs.
type Delta struct {
	Measured bool
	By       float64
	CI       [2]float64
}

// Rose reports whether the whole interval is above 0.
func (d Delta) Rose() bool { return d.Measured && d.CI[0] > 0 }

// Fell reports whether the whole interval is below 0, by more than a tolerance.
func (d Delta) Fell(tolerance float64) bool { return d.Measured && d.CI[1] < -tolerance }

// Compare pairs the documents of two runs by their order. It fails if lengths or gold show that
// the documents differ.
func Compare(before, after Result, tolerance float64) (Comparison, error) {
	if before.Docs != after.Docs || before.Bytes != after.Bytes {
		return Comparison{}, fmt.Errorf("the runs are over different documents: %d of %d bytes, %d of %d bytes",
			before.Docs, before.Bytes, after.Docs, after.Bytes)
	}
	c := Comparison{Docs: before.Docs, Tolerance: tolerance, Paired: len(before.Notes) == before.Docs && len(after.Notes) == after.Docs &&
		before.Docs > 0}
	c.rows(before, after)
	c.errors(before.Errors, after.Errors)
	if !c.Paired {
		return c, nil
	}
	pairs, err := c.pair(before.Notes, after.Notes)
	if err != nil {
		return Comparison{}, err
	}
	c.bootstrap(pairs)
	return c, nil
}

// rows lists groups, classes and types with the counts of both runs.
func (c *Comparison) rows(before, after Result) {
	add := func(name string, a, b score.Counts) {
		c.Rows = append(c.Rows, Change{
			Name: name, Before: a, After: b,
			Recall:    Delta{Measured: a.Gold > 0, By: b.Recall() - a.Recall()},
			Precision: Delta{Measured: a.Predicted > 0 && b.Predicted > 0, By: b.Precision() - a.Precision()},
		})
	}
	for _, g := range []score.Group{score.C, score.All} {
		add(groupPrefix+g.String(), before.Groups[g.String()].Counts, after.Groups[g.String()].Counts)
	}
	for class := score.Class(0); class < score.NumClasses; class++ {
		a, ok := before.Classes[class.String()]
		if b, also := after.Classes[class.String()]; ok || also {
			add(classPrefix+class.String(), a.Counts, b.Counts)
		}
	}
	trackRows(before, after, add)
	names := maps.Clone(before.Types)
	maps.Copy(names, after.Types)
	for _, name := range (score.Report{Types: names}).Labels() {
		add(name, before.Types[name].Counts(), after.Types[name].Counts())
	}
}

// trackRows lists the primary scores of the tracks that both runs have.
func trackRows(before, after Result, add func(name string, a, b score.Counts)) {
	for _, p := range score.PrimaryScores {
		a, ok := before.I2B2[p.Track.String()][p.Way.String()]
		b, also := after.I2B2[p.Track.String()][p.Way.String()]
		if ok && also {
			add(scorePrefix+p.String(), a.Counts, b.Counts)
		}
	}
}

// errors compares the categories in the later run's order.
func (c *Comparison) errors(before, after score.ErrorReport) {
	if before.Instances == 0 || after.Instances == 0 {
		return
	}
	c.NotesWith = ErrorChange{"notes with errors", before.Notes, after.Notes}
	at := map[string]int{}
	for _, row := range after.Categories {
		at[row.Name] = len(c.Errors)
		c.Errors = append(c.Errors, ErrorChange{Name: row.Name, After: row.Errors})
	}
	for _, row := range before.Categories {
		i, ok := at[row.Name]
		if !ok {
			i = len(c.Errors)
			c.Errors = append(c.Errors, ErrorChange{Name: row.Name})
		}
		c.Errors[i].Before = row.Errors
	}
}

const (
	groupPrefix = "group "
	classPrefix = "class "
	scorePrefix = "score " // track and way
)

// pair holds the counts of both runs for a row of a document.
type pair struct {
	doc           int
	before, after score.Counts
}

// pair returns for each row the documents that contribute to it.
func (c *Comparison) pair(before, after []score.Note) ([][]pair, error) {
	at := make(map[string]int, len(c.Rows))
	for i, row := range c.Rows {
		at[row.Name] = i
	}
	out := make([][]pair, len(c.Rows))
	for d := range before {
		a, b := rowsOf(before[d]), rowsOf(after[d])
		names := maps.Clone(a)
		maps.Copy(names, b)
		if before[d].Bytes != after[d].Bytes {
			return nil, fmt.Errorf("the runs are over different documents: number %d has %d bytes in one and %d in the other",
				d+1, before[d].Bytes, after[d].Bytes)
		}
		for name := range names {
			i, ok := at[name]
			if !ok && strings.HasPrefix(name, scorePrefix) {
				continue // the other run was saved without
			}
			if a[name].Gold != b[name].Gold {
				return nil, fmt.Errorf("the runs are over different gold: document number %d differs in %s", d+1, name)
			}
			if !ok {
				return nil, errors.New("the counts of documents do not fit the sums")
			}
			out[i] = append(out[i], pair{d, a[name], b[name]})
		}
	}
	return out, nil
}

// rows returns a document's counts by row name.
func rowsOf(n score.Note) map[string]score.Counts {
	out := map[string]score.Counts{}
	for group, classes := range n.Groups {
		var sum score.Counts
		for class, q := range classes {
			sum.Add(score.Counts(q))
			if group == score.All.String() {
				out[classPrefix+class] = score.Counts(q)
			}
		}
		if sum != (score.Counts{}) {
			out[groupPrefix+group] = sum
		}
	}
	for name, q := range n.Scores {
		out[scorePrefix+name] = score.Counts(q)
	}
	for name, q := range n.Types {
		out[name] = score.Counts(q)
	}
	return out
}

const pairedDraws = 1000

// bootstrap draws documents with replacement from a fixed seed, the same ones for both runs and
// all rows.
func (c *Comparison) bootstrap(pairs [][]pair) {
	recall, precision := make([][]float64, len(pairs)), make([][]float64, len(pairs))
	rng := rand.New(rand.NewPCG(2014, 2))
	times := make([]int, c.Docs)
	for range pairedDraws {
		clear(times)
		for range times {
			times[rng.IntN(c.Docs)]++
		}
		for i, list := range pairs {
			var before, after score.Counts
			for _, p := range list {
				before.AddTimes(p.before, times[p.doc])
				after.AddTimes(p.after, times[p.doc])
			}
			recall[i] = append(recall[i], after.Recall()-before.Recall())
			precision[i] = append(precision[i], after.Precision()-before.Precision())
		}
	}
	for i := range c.Rows {
		c.Rows[i].Recall.CI = score.Interval(recall[i])
		c.Rows[i].Precision.CI = score.Interval(precision[i])
	}
}

// Fell lists the rows whose recall or precision fell, with the whole interval and by more than the
// tolerance.
func (c Comparison) Fell() []string {
	var out []string
	for _, row := range c.Rows {
		if row.Recall.Fell(c.Tolerance) {
			out = append(out, "recall of "+row.Name)
		}
		if row.Precision.Fell(c.Tolerance) {
			out = append(out, "precision of "+row.Name)
		}
	}
	return out
}
