package harvest

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// propose selects the sentences in most notes and, of the others, those in most notes that have a
// disease or drug term.
func (r *runner) propose(ctx context.Context, sum *Summary) ([]Proposal, error) {
	ranked := r.rank(sum)
	top, clinical := max(r.opts.Top, 0), max(r.opts.Clinical, 0)
	var out []Proposal
	const step = 256
	for len(ranked) > 0 && top+clinical > 0 {
		n := min(step, len(ranked))
		ok, err := r.alone(ctx, ranked[:n])
		if err != nil {
			return nil, err
		}
		for i, p := range ranked[:n] {
			wanted := top > 0 || p.Clinical && clinical > 0
			switch {
			case !wanted:
				continue
			case !ok[i]:
				if sum.Alone++; !r.opts.Suspects {
					continue
				}
				p.Suspect = true
			}
			if top > 0 {
				top--
			} else {
				clinical--
			}
			out = append(out, p)
		}
		ranked = ranked[n:]
		if r.opts.Progress != nil {
			r.opts.Progress(Progress{Pass: 3, Done: int64(len(out)), Total: int64(len(out) + len(ranked))})
		}
	}
	sum.Proposed = len(out)
	return out, nil
}

// rank returns the candidates over the thresholds that are not barred, those in most notes first.
func (r *runner) rank(sum *Summary) []Proposal {
	var ranked []Proposal
	for text, c := range r.at.Candidates {
		if !r.prevalent(c) {
			continue
		}
		sum.Prevalent++
		if c.Barred {
			sum.Barred++
			continue
		}
		if c.Suspect > 0 {
			if sum.Suspect++; !r.opts.Suspects {
				continue
			}
		}
		ranked = append(ranked, Proposal{
			ID: IDOf(Sentence, text), Kind: Sentence, Text: text, Notes: int64(c.Notes), Patients: max(r.opts.Patients, 0),
			Authors: max(r.opts.Authors, 0), Clinical: hasClinicalTerm(text), Suspect: c.Suspect > 0,
		})
	}
	slices.SortFunc(ranked, func(a, b Proposal) int {
		return cmp.Or(cmp.Compare(b.Notes, a.Notes), strings.Compare(a.Text, b.Text))
	})
	return ranked
}

// prevalent reports whether a candidate is over the thresholds.
func (r *runner) prevalent(c *candidate) bool {
	return int64(c.Notes) >= int64(r.opts.Notes) && c.Patients.reached(r.opts.Patients) && c.Authors.reached(r.opts.Authors)
}

// alone reports for each proposal whether nothing is found in it by itself.
func (r *runner) alone(ctx context.Context, list []Proposal) ([]bool, error) {
	ok := make([]bool, len(list))
	if r.opts.Alone == nil {
		for i := range ok {
			ok[i] = true
		}
		return ok, nil
	}
	at := 0
	err := ordered(ctx, r.opts.Workers, func(ctx context.Context, do func(Batch) error) error {
		for i := range list {
			if err := do(Batch{Notes: func() ([]Note, error) { return []Note{{Texts: []string{list[i].Text}}}, nil }}); err != nil {
				return err
			}
		}
		return ctx.Err()
	}, func(ctx context.Context, b Batch) (bool, error) {
		notes, err := b.Notes()
		if err != nil {
			return false, err
		}
		spans, err := r.opts.Alone.Detect(ctx, &ensemble.Note{Text: notes[0].Texts[0]})
		if err != nil && ctx.Err() == nil {
			err = errDetect
		}
		return len(replaced(spans)) == 0, err
	}, func(clean bool, _ Batch) error {
		ok[at] = clean
		at++
		return nil
	})
	return ok, err
}

// shortTerm is the length from which a word counts as a term: shorter ones are mostly
// abbreviations, which occur in every sentence.
const shortTerm = 4

// hasClinicalTerm reports whether a sentence has a disease or drug term. The lexicon does not
// distinguish these from anatomical and laboratory words.
func hasClinicalTerm(s string) bool {
	for _, t := range text.Tokenize(s) {
		if t.Kind != text.Word || t.End-t.Start < shortTerm {
			continue
		}
		if e, ok := lexicon.Lookup(s[t.Start:t.End]); ok && e.Is(lexicon.Clinical|lexicon.Eponym) {
			return true
		}
	}
	return false
}
