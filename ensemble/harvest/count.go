package harvest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// counted is the result of pass 2 for a batch.
type counted struct {
	found []occurrence
	notes int
}

// errDetect replaces a detector's error on a note, except for the end of the context.
var errDetect = errors.New("a detector failed on a note")

func (r *runner) countBatch(ctx context.Context, b Batch) (counted, error) {
	notes, err := b.Notes()
	if err != nil {
		return counted{}, err
	}
	split := splitter{longest: r.opts.MaxBytes}
	out := counted{notes: len(notes)}
	for i := range notes {
		find := r.occurrences
		if r.opts.Kind == Template {
			find = r.formOccurrences
		}
		found, err := find(ctx, &split, &notes[i])
		if err != nil {
			return out, hideDetector(ctx, err)
		}
		out.found = slices.AppendSeq(out.found, found)
	}
	return out, nil
}

// hideDetector replaces an error of a detector by one that is safe to show.
func hideDetector(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	return fmt.Errorf("%w: search it with 'pgdeid detect' to see why", errDetect)
}

// occurrences returns the candidates in a note, each once, with what was found in them.
func (r *runner) occurrences(ctx context.Context, split *splitter, n *Note) (iter.Seq[occurrence], error) {
	patient, author := keyHash(n.Patient), keyHash(n.Author)
	found := map[string]occurrence{}
	for _, body := range n.Texts {
		if text.Check(body) != nil {
			continue
		}
		note := &ensemble.Note{Text: body, Patient: n.Record, Directory: n.Directory}
		var hits *hits
		var failed error
		split.each(note, func(s sentence) {
			if failed != nil || !r.candidate(s.hash) {
				return
			}
			if hits == nil {
				if hits, failed = r.search(ctx, note); failed != nil {
					return
				}
			}
			o := found[string(s.key)]
			o.text, o.patient, o.author = string(s.key), patient, author
			o.barred = o.barred || within(hits.hard, s.where)
			o.suspect = o.suspect || within(hits.soft, s.where)
			found[o.text] = o
		})
		if failed != nil {
			return nil, failed
		}
	}
	return maps.Values(found), nil // the order does not matter
}

func keyHash(key string) uint64 {
	if key == "" {
		return 0
	}
	return max(hashText(key), 1)
}

// candidate reports whether, by pass 1, a sentence may be in enough notes.
func (r *runner) candidate(hash uint64) bool {
	least, most := r.sketch.Count(hash)
	return least > 0 && most >= uint64(max(r.opts.Notes, 1))
}

// hits are the finds in a text.
type hits struct {
	hard []phi.Span // of the exact detectors: record, directory, patterns
	soft []phi.Span // of the whole ensemble
}

// search finds PHI in a whole note. Times and occupations, which are not replaced, are ignored.
func (r *runner) search(ctx context.Context, note *ensemble.Note) (*hits, error) {
	ballot, err := r.opts.InNotes.Vote(ctx, note)
	if err != nil {
		return nil, err
	}
	spans, err := ballot.SpansWithoutList(ctx)
	if err != nil {
		return nil, err
	}
	h := &hits{soft: replaced(spans)}
	for _, name := range []string{"record", "directory", "patterns"} {
		h.hard = append(h.hard, replaced(ballot.VotesOf(name))...)
	}
	return h, nil
}

func replaced(spans []phi.Span) []phi.Span {
	return slices.DeleteFunc(spans, func(s phi.Span) bool { return s.Type == phi.Time || s.Type == phi.Profession })
}

func within(spans []phi.Span, r phi.Range) bool {
	return slices.ContainsFunc(spans, func(s phi.Span) bool { return s.Start < r.End && r.Start < s.End })
}
