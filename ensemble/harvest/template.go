package harvest

import (
	"context"
	"iter"
	"maps"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/template"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// eachForm passes on the templates of a note's sentences, as the whole ensemble reads them:
// without the inclusion list.
func (r *runner) eachForm(ctx context.Context, n *Note, do func(*template.Template)) error {
	for _, s := range n.Texts {
		if text.Check(s) != nil {
			continue
		}
		note := &ensemble.Note{Text: s, Patient: n.Record, Directory: n.Directory}
		ballot, err := r.opts.InNotes.Vote(ctx, note)
		if err != nil {
			return err
		}
		spans, err := ballot.SpansWithoutList(ctx)
		if err != nil {
			return err
		}
		for _, t := range template.All(note.View(), spans, r.opts.MaxBytes) {
			do(t)
		}
	}
	return nil
}

// formHashes returns the hashes of the forms in a note, sorted, without duplicates.
func (r *runner) formHashes(ctx context.Context, n *Note) ([]uint64, error) {
	var hashes []uint64
	if err := r.eachForm(ctx, n, func(t *template.Template) { hashes = append(hashes, hashText(t.Form())) }); err != nil {
		return nil, hideDetector(ctx, err)
	}
	slices.Sort(hashes)
	return slices.Compact(hashes), nil
}

// formOccurrences returns the candidates among the forms in a note, each once, with the templates
// found for them.
func (r *runner) formOccurrences(ctx context.Context, _ *splitter, n *Note) (iter.Seq[occurrence], error) {
	found := map[string]occurrence{}
	err := r.eachForm(ctx, n, func(t *template.Template) {
		form, variant := t.Form(), t.String()
		if !r.candidate(hashText(form)) {
			return
		}
		o := found[form]
		if !slices.Contains(o.variants, variant) {
			o.variants = append(o.variants, variant)
		}
		o.text, o.patient, o.author = form, keyHash(n.Patient), keyHash(n.Author)
		found[form] = o
	})
	return maps.Values(found), err // the order does not matter
}

// variants are the templates found for the sentences of one form.
type variants struct {
	Notes  map[string]uint32 // number of notes with each
	Coarse string            // the first template, with classes for types
	// Mixed is set if they disagree in a class or in borders. They may differ in the type within a
	// class; the one of most notes is used, since the paper's models did not distinguish patients from
	// doctors.
	Mixed bool
}

// maxVariants limits the memory; a form with more variants is ambiguous.
const maxVariants = 64

func (v *variants) add(text string) {
	if v.Notes == nil {
		v.Notes, v.Coarse = map[string]uint32{}, coarse(text)
	}
	if _, there := v.Notes[text]; !there {
		if len(v.Notes) == maxVariants {
			v.Mixed = true
			return
		}
		v.Mixed = v.Mixed || coarse(text) != v.Coarse
	}
	v.Notes[text]++
}

// coarse returns a template with classes for types, or "" if it is not a template.
func coarse(text string) string {
	t, err := template.Parse(text)
	if err != nil {
		return ""
	}
	return t.Coarse()
}

// most returns the template in most notes; ties are resolved by text.
func (v *variants) most() (*template.Template, error) {
	best := ""
	for text, notes := range v.Notes {
		if best == "" || notes > v.Notes[best] || notes == v.Notes[best] && text < best {
			best = text
		}
	}
	return template.Parse(best)
}
