package surrogate

import (
	"errors"
	"fmt"

	"github.com/pgdeid/pgdeid/ensemble"
)

// maxValue is the length beyond which a value is no name, number or address.
const maxValue = 8 << 10

var errLongValue = errors.New("it is longer than any name, number or address")

// Value returns the surrogate of a structured value: the same that notes show, in
// the form of the value ("SMITH, JOHN" -> "HAMILTON, JACOB"), with the entries to
// store. The actions apply: what notes keep is kept. A birth date is shifted.
func (b *Book) Value(role ensemble.Role, value string) (string, []Entry, error) {
	t, known := roleTypes[role]
	if !known {
		return "", nil, fmt.Errorf("no surrogate for role %q: it is none of the gazetteer roles", role)
	}
	if err := ensemble.CheckText(value); err != nil {
		return "", nil, fmt.Errorf("value of role %s: %w", role, err)
	}
	switch {
	case value == "" || b.actions[t] == Keep:
		return value, nil, nil
	case b.actions[t] == Tag:
		return tag(t), nil, nil
	case len(value) > maxValue:
		return "", nil, fmt.Errorf("value of role %s: %w", role, errLongValue)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	w := &work{Book: b}
	defer w.discard()
	out := w.value(role, t, value)
	if w.err != nil {
		return "", nil, w.err
	}
	return out, w.entries(), nil
}

func (w *work) value(role ensemble.Role, t ensemble.Type, value string) string {
	switch role {
	case ensemble.NameFirst, ensemble.NameMiddle:
		return w.nameOf(value, w.splitAs(value, givenName))
	case ensemble.NameLast:
		return w.nameOf(value, w.splitAs(value, familyName))
	}
	switch t {
	case ensemble.Patient, ensemble.Doctor:
		return w.name(value)
	case ensemble.City:
		return w.city(value, "")
	case ensemble.Date:
		w.spans = []prepared{{text: value, pieces: scanDates(value)}}
		w.readDates()
		return w.date(value, w.spans[0].pieces)
	default:
		return w.surrogate(value, t)
	}
}

// splitAs splits a value of a column that holds names of one role only. What the
// lexicon is sure of still counts, so that the word has the role it has in notes.
func (w *work) splitAs(value string, role nameRole) []nameWord {
	words := splitName(value, w.people())
	for i := range words {
		if words[i].class == nameToken && w.people().role(words[i].plain) == anyName {
			words[i].role = likelyRole(words[i].plain, role)
		}
	}
	return words
}
