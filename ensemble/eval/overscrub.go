package eval

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/eval/overscrub"
	"github.com/pgdeid/pgdeid/ensemble/eval/score"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// OverscrubReport lists which clinical terms of the suite in
// [github.com/pgdeid/pgdeid/ensemble/eval/overscrub] group C would replace. A term counts as taken
// if any letter or digit of it is.
type OverscrubReport struct {
	Members    []string          `json:"members,omitempty"`
	Halves     []OverscrubCounts `json:"halves"`     // dev, test, all
	Categories []OverscrubCounts `json:"categories"` // of both halves
	Taken      []TakenTerm       `json:"taken"`
	// Words counts the words around the terms, Scrubbed those taken. None is PHI.
	Words    int `json:"words_around"`
	Scrubbed int `json:"words_around_scrubbed"`
}

// OverscrubCounts counts terms and cases, each a term in a text. A term counts as taken if it is
// taken in any case.
type OverscrubCounts struct {
	Name       string `json:"name"`
	Terms      int    `json:"terms"`
	TermsTaken int    `json:"terms_taken"`
	Cases      int    `json:"cases"`
	CasesTaken int    `json:"cases_taken"`
}

// Rate is the share of cases that are taken.
func (c OverscrubCounts) Rate() float64 { return float64(c.CasesTaken) / float64(max(c.Cases, 1)) }

// TermRate is the share of terms that are taken in at least one case.
func (c OverscrubCounts) TermRate() float64 { return float64(c.TermsTaken) / float64(max(c.Terms, 1)) }

func (c *OverscrubCounts) add(t TakenTerm) {
	c.Terms++
	c.Cases += t.Of
	c.CasesTaken += t.Times
	if t.Times > 0 {
		c.TermsTaken++
	}
}

// TakenTerm is a term that was taken in Times of Of cases.
type TakenTerm struct {
	Term     string         `json:"term"`
	Category string         `json:"category"`
	Half     overscrub.Half `json:"half"`
	Times    int            `json:"times"`
	Of       int            `json:"of"`
	Types    []string       `json:"types"`        // types of the spans that took it
	By       []string       `json:"by,omitempty"` // members that took it
	Example  string         `json:"example"`      // a text in which it was taken

	words, scrubbed int // words around it
}

// Overscrub runs the ensemble over the terms of a half of the suite, without patient or staff
// records.
func Overscrub(ctx context.Context, d finder, half overscrub.Half, tick func()) (OverscrubReport, error) {
	terms, err := overscrub.Suite()
	if err != nil {
		return OverscrubReport{}, err
	}
	if half != overscrub.Both {
		terms = slices.DeleteFunc(terms, func(t overscrub.Term) bool { return t.Half != half })
	}
	taken, err := eachTerm(ctx, d, terms, tick)
	if err != nil {
		return OverscrubReport{}, err
	}
	r := sumTerms(taken)
	if named, ok := d.(namer); ok {
		r.Members = named.Names(^phi.Votes(0))
	}
	return r, nil
}

// eachTerm tries the terms on all cores until the first error.
func eachTerm(ctx context.Context, d finder, terms []overscrub.Term, tick func()) ([]TakenTerm, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	out := make([]TakenTerm, len(terms))
	var next atomic.Int64
	var done sync.Mutex
	var work sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		work.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(terms)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				var err error
				if out[i], err = tryTerm(ctx, d, terms[i]); err != nil {
					cancel(err)
					return
				}
				if tick != nil {
					done.Lock()
					tick()
					done.Unlock()
				}
			}
		})
	}
	work.Wait()
	return out, context.Cause(ctx)
}

// tryTerm runs detection on each case of a term.
func tryTerm(ctx context.Context, d finder, term overscrub.Term) (TakenTerm, error) {
	t := TakenTerm{Term: term.Text, Category: term.Category, Half: term.Half, Of: len(term.Cases)}
	for _, c := range term.Cases {
		found, err := d.Detect(ctx, &ensemble.Note{Text: c.Text})
		if err != nil {
			return t, err
		}
		phi.SortSpans(found)
		hit := false
		for _, s := range found {
			if !score.C.Has(s.Type, c.Text[s.Start:s.End]) || !touches(c, s) {
				continue
			}
			hit = true
			t.blame(d, s)
		}
		if hit {
			t.Times++
			if t.Example == "" {
				t.Example = c.Text
			}
		}
		t.around(c, found)
	}
	slices.Sort(t.Types)
	slices.Sort(t.By)
	return t, nil
}

// touches reports whether a span covers a letter or digit of the case's term.
func touches(c overscrub.Case, s phi.Span) bool {
	start, end := max(c.Start, s.Start), min(c.End, s.End)
	return start < end && len(score.Words(c.Text, start, end)) > 0
}

// blame records the types and members of a span that took a term.
func (t *TakenTerm) blame(d finder, s phi.Span) {
	if name := s.Type.String(); !slices.Contains(t.Types, name) {
		t.Types = append(t.Types, name)
	}
	named, ok := d.(namer)
	if !ok {
		return
	}
	for _, name := range named.Names(s.By) {
		if !slices.Contains(t.By, name) {
			t.By = append(t.By, name)
		}
	}
}

// around counts the words around the term, and those that group C replaces.
func (t *TakenTerm) around(c overscrub.Case, found []phi.Span) {
	for _, side := range [][2]int{{0, c.Start}, {c.End, len(c.Text)}} {
		for _, w := range score.Words(c.Text, side[0], side[1]) {
			t.words++
			for _, s := range found {
				if s.Start < w.End && w.Start < s.End && score.C.Has(s.Type, c.Text[s.Start:s.End]) {
					t.scrubbed++
					break
				}
			}
		}
	}
}

// sumTerms adds up terms in order.
func sumTerms(terms []TakenTerm) OverscrubReport {
	r := OverscrubReport{Halves: []OverscrubCounts{
		{Name: overscrub.Dev.String()},
		{Name: overscrub.Test.String()},
		{Name: overscrub.Both.String()},
	}}
	for _, t := range terms {
		for i := range r.Halves {
			if name := r.Halves[i].Name; name == t.Half.String() || name == overscrub.Both.String() {
				r.Halves[i].add(t)
			}
		}
		if n := len(r.Categories); n == 0 || r.Categories[n-1].Name != t.Category {
			r.Categories = append(r.Categories, OverscrubCounts{Name: t.Category})
		}
		r.Categories[len(r.Categories)-1].add(t)
		r.Words += t.words
		r.Scrubbed += t.scrubbed
		if t.Times > 0 {
			r.Taken = append(r.Taken, t)
		}
	}
	slices.SortStableFunc(r.Taken, func(a, b TakenTerm) int { return b.Times - a.Times })
	return r
}

// Hide removes the terms of a half from the list of those taken; they stay counted.
func (r *OverscrubReport) Hide(half overscrub.Half) {
	r.Taken = slices.DeleteFunc(r.Taken, func(t TakenTerm) bool { return t.Half == half })
}
