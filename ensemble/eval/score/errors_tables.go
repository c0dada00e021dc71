package score

import (
	"cmp"
	"maps"
	"slices"
)

// ErrorReport holds the main paper's Tables 4 to 6: missed or partly missed instances of PII of
// group C, by category, by note and by kind of note.
type ErrorReport struct {
	Instances  int              `json:"instances"` // of PII
	Missed     int              `json:"missed"`
	Unique     int              `json:"unique"` // of Missed, with repeated sentences counted once
	Notes      int              `json:"notes"`  // with one
	Categories []CategoryErrors `json:"categories"`
	PerNote    []NotesOf        `json:"per_note"`
	Kinds      []KindErrors     `json:"kinds,omitempty"`
}

// CategoryErrors is a row of Table 4. Contribution is the category's errors as a share of all
// instances of PII; the rows add up to 1 less the recall by instances.
type CategoryErrors struct {
	Name         string         `json:"name"`
	Errors       int            `json:"errors"`
	Unique       int            `json:"unique"`
	Partly       int            `json:"partly"` // some words were found
	Contribution float64        `json:"contribution"`
	Forms        map[string]int `json:"forms"`
}

// NotesOf is a row of Table 5: the notes with a given number of errors. Coverage is the share of
// the PII that is found or in notes with at most so many errors: at 0 it equals the recall by
// instances, and it grows to 1. Types is the mean number of categories.
type NotesOf struct {
	Errors     int     `json:"errors"` // per note
	Notes      int     `json:"notes"`
	Total      int     `json:"total"`
	Cumulative int     `json:"cumulative"`
	Coverage   float64 `json:"coverage"`
	Types      float64 `json:"types"`
}

// KindErrors is a row of Table 6.
type KindErrors struct {
	Name       string  `json:"name"`
	Errors     int     `json:"errors"`
	Instances  int     `json:"instances"` // of PII
	WithErrors int     `json:"notes_with_errors"`
	Notes      int     `json:"notes"`
	Fraction   float64 `json:"fraction"` // WithErrors of Notes
}

// errorSums adds up documents for an ErrorReport. Its size depends on the number of errors, not of
// documents.
type errorSums struct {
	pii        int
	categories [numCategories]categorySum
	notes      map[int]noteSum // by their number of errors
	kinds      map[string]*KindErrors
	seen       map[uniqueError]struct{}
}

type categorySum struct {
	errors, unique, partly int
	forms                  [numForms]int
}

type noteSum struct{ notes, categories int }

type uniqueError struct {
	category category
	sentence uint64
}

func newErrorSums() *errorSums {
	return &errorSums{notes: map[int]noteSum{}, kinds: map[string]*KindErrors{}, seen: map[uniqueError]struct{}{}}
}

func (s *errorSums) add(kind string, e NoteErrors) {
	s.pii += e.pii
	n := s.notes[len(e.instances)]
	n.notes++
	n.categories += e.categories()
	s.notes[len(e.instances)] = n
	for _, i := range e.instances {
		c := &s.categories[i.category]
		c.errors++
		c.forms[i.form]++
		if i.partly {
			c.partly++
		}
		if u := (uniqueError{i.category, i.sentence}); !s.has(u) {
			s.seen[u] = struct{}{}
			c.unique++
		}
	}
	if kind != "" {
		s.addKind(kind, e)
	}
}

func (s *errorSums) has(u uniqueError) bool {
	_, ok := s.seen[u]
	return ok
}

func (s *errorSums) addKind(kind string, e NoteErrors) {
	k := s.kinds[kind]
	if k == nil {
		k = &KindErrors{Name: kind}
		s.kinds[kind] = k
	}
	k.Notes++
	k.Instances += e.pii
	k.Errors += len(e.instances)
	if len(e.instances) > 0 {
		k.WithErrors++
	}
}

func (s *errorSums) report() ErrorReport {
	r := ErrorReport{Instances: s.pii}
	for c := range s.categories {
		sum := &s.categories[c]
		r.Missed += sum.errors
		r.Unique += sum.unique
		if sum.errors > 0 {
			r.Categories = append(r.Categories, sum.row(category(c), s.pii))
		}
	}
	slices.SortStableFunc(r.Categories, func(a, b CategoryErrors) int { return cmp.Compare(b.Errors, a.Errors) })
	r.PerNote = s.perNote(r.Missed)
	for _, row := range r.PerNote {
		if row.Errors > 0 {
			r.Notes += row.Notes
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.kinds)) {
		k := *s.kinds[name]
		k.Fraction = Ratio(k.WithErrors, k.Notes)
		r.Kinds = append(r.Kinds, k)
	}
	slices.SortStableFunc(r.Kinds, func(a, b KindErrors) int { return cmp.Compare(b.Errors, a.Errors) })
	return r
}

func (c *categorySum) row(name category, pii int) CategoryErrors {
	row := CategoryErrors{
		Name: name.String(), Errors: c.errors, Unique: c.unique, Partly: c.partly, Contribution: Ratio(c.errors, pii), Forms: map[string]int{},
	}
	for f, n := range c.forms {
		if n > 0 {
			row.Forms[form(f).String()] = n
		}
	}
	return row
}

func (s *errorSums) perNote(missed int) []NotesOf {
	var rows []NotesOf
	cumulative := 0
	for _, n := range slices.Sorted(maps.Keys(s.notes)) {
		sum := s.notes[n]
		cumulative += n * sum.notes
		rows = append(rows, NotesOf{
			Errors: n, Notes: sum.notes, Total: n * sum.notes, Cumulative: cumulative,
			Coverage: Ratio(s.pii-(missed-cumulative), s.pii), Types: float64(sum.categories) / float64(sum.notes),
		})
	}
	return rows
}
