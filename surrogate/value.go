package surrogate

import (
	"errors"
	"fmt"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/ensemble/text"
	"github.com/pgdeid/pgdeid/surrogate/date"
)

// maxValue is the length in bytes above which a value is not a name, number or address.
const maxValue = 8 << 10

var errLongValue = errors.New("it is longer than any name, number or address")

// ErrNoDate means that a value of a date-of-birth column is not exactly one date. Other text
// around the date would be copied, as it is in notes.
var ErrNoDate = errors.New("a date of birth is not one whole date")

// Value returns the surrogate of a structured value, the same as in notes, in the form of the
// value ("SMITH, JOHN" -> "HAMILTON, JACOB"), and the entries to store. Actions apply: what notes
// keep is kept. A birth date is shifted; any other value in its column is [ErrNoDate].
func (b *Book) Value(role record.Role, value string) (string, []Entry, error) {
	return b.ValueAt(role, value, Address{})
}

// ValueAt is Value for a value of a row that has columns for an address, so that the columns agree: at is what the row
// has beside a town.
func (b *Book) ValueAt(role record.Role, value string, at Address) (string, []Entry, error) {
	t, known := roleTypes[role]
	if !known {
		return "", nil, fmt.Errorf("no surrogate for role %q: it is none of the gazetteer roles", role)
	}
	if err := text.Check(value); err != nil {
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
	out := w.value(role, t, value, at)
	if w.err != nil {
		return "", nil, w.err
	}
	return out, w.entries(), nil
}

func (w *work) value(role record.Role, t phi.Type, value string, at Address) string {
	switch role {
	case record.NameFirst, record.NameMiddle:
		return w.nameOf(value, w.splitAs(value, givenName))
	case record.NameLast:
		return w.nameOf(value, w.splitAs(value, familyName))
	}
	switch t {
	case phi.Patient, phi.Doctor:
		return w.name(value)
	case phi.City:
		return w.city(value, at)
	case phi.Date:
		dates := date.Read(value)
		if !dates.IsOne() {
			w.err = ErrNoDate
			return ""
		}
		w.spans = []prepared{{text: value, dates: dates}}
		w.relateDates()
		return w.date(value, dates)
	default:
		return w.surrogate(value, t)
	}
}

// splitAs splits a value of a column that contains names of one role only. Where the lexicon is
// certain it still decides, so that a word has the same role as in notes.
func (w *work) splitAs(value string, role nameRole) []nameWord {
	words := splitName(value, w.people())
	for i := range words {
		if words[i].class == nameToken && w.people().role(words[i].plain) == anyName {
			words[i].role = likelyRole(words[i].plain, role)
		}
	}
	return words
}
