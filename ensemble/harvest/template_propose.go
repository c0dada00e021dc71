package harvest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/template"
)

// formFound is a form over the thresholds.
type formFound struct {
	template *template.Template
	notes    uint32
	mixed    bool
}

// proposeTemplates selects the forms with exactly one template, those in most notes first.
//
// A form is suspect if it has a word where a form in at least as many notes has a slot: "signed
// by: DEWEY, <DOCTOR W W>" next to "signed by: <DOCTOR W, W W>" is a missed name. The more general
// form finds it.
func (r *runner) proposeTemplates(sum *Summary) ([]Proposal, error) {
	forms, err := r.formsFound()
	if err != nil {
		return nil, err
	}
	sum.Prevalent = len(forms)
	all, notes := make([]*template.Template, len(forms)), map[string]uint32{}
	for i, f := range forms {
		all[i], notes[f.template.Form()] = f.template, f.notes
	}
	set := template.NewSet(all)
	var out []Proposal
	for _, f := range forms {
		suspect := slices.ContainsFunc(set.Wider(f.template), func(w *template.Template) bool { return notes[w.Form()] >= f.notes })
		switch {
		case f.mixed:
			sum.Ambiguous++
			continue
		case suspect:
			if sum.Suspect++; !r.opts.Suspects {
				continue
			}
		}
		text := f.template.String()
		out = append(out, Proposal{
			ID: IDOf(Template, text), Kind: Template, Text: text, Notes: int64(f.notes),
			Patients: max(r.opts.Patients, 0), Authors: max(r.opts.Authors, 0), Suspect: suspect,
		})
	}
	slices.SortFunc(out, func(a, b Proposal) int { return cmp.Or(cmp.Compare(b.Notes, a.Notes), strings.Compare(a.Text, b.Text)) })
	out = out[:min(len(out), max(r.opts.Top, 0))]
	sum.Proposed = len(out)
	return out, nil
}

// formsFound returns the forms over the thresholds, in no particular order.
func (r *runner) formsFound() ([]formFound, error) {
	var forms []formFound
	for _, c := range r.at.Candidates {
		if !r.prevalent(c) {
			continue
		}
		t, err := c.Variants.most()
		if err != nil {
			return nil, fmt.Errorf("state %s: %w", r.opts.State, errState)
		}
		forms = append(forms, formFound{t, c.Notes, c.Variants.Mixed})
	}
	return forms, nil
}

// plain returns the text without the slots of a template.
func (p Proposal) plain() string {
	if p.Kind != Template {
		return p.Text
	}
	t, err := template.Parse(p.Text)
	if err != nil {
		return p.Text
	}
	return strings.Join(t.Literals(), " ")
}

// Templates returns the templates of the list; nil if there are none.
func (l List) Templates() (*template.Set, error) {
	var list []*template.Template
	for v := range l.Of(Template) {
		t, err := template.Parse(v.Text)
		if err != nil {
			return nil, fmt.Errorf("template %s: %w", v.ID(), err)
		}
		list = append(list, t)
	}
	if len(list) == 0 {
		return nil, nil //nolint:nilnil // nil is the empty set
	}
	return template.NewSet(list), nil
}
