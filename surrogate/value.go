package surrogate

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/ensemble/text"
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
		pieces := scanDates(value)
		if !isOneDate(value, pieces) {
			w.err = ErrNoDate
			return ""
		}
		w.spans = []prepared{{text: value, pieces: pieces}}
		w.readDates()
		return w.date(value, w.spans[0].pieces)
	default:
		return w.surrogate(value, t)
	}
}

// timeOfDay matches a time after a date.
var timeOfDay = regexp.MustCompile(`^[T ][0-9]{1,2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?( ?[AaPp][Mm])?( ?(Z|[+-][0-9]{2}(:?[0-9]{2})?))?$`)

// isOneDate reports whether a value is exactly one date, complete or partial, with an optional
// time of day.
func isOneDate(value string, pieces []piece) bool {
	if len(pieces) != 1 || pieces[0].scrambled || len(pieces[0].slots) == 0 {
		return false
	}
	slots := pieces[0].slots
	before, after := value[:slots[0].start], value[slots[len(slots)-1].end:]
	return strings.IndexFunc(before, isAlnum) < 0 && (strings.IndexFunc(after, isAlnum) < 0 || timeOfDay.MatchString(after))
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
