package surrogate

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/surrogate/letter"
	"github.com/pgdeid/pgdeid/surrogate/words"
)

var streetKinds = words.Set("known/street-kinds")

var streetNames = words.List("drawn/streets")

// street replaces an address: each digit of a house number by another digit, the street's name by
// a made-up one. The kind of street is kept ("500 State Highway 72"). A town, state and ZIP code
// after a comma or on lines of their own are replaced by their own generators.
func (w *work) street(text string) string {
	parts := addressParts(text)
	tail := tailOf(parts)
	var out strings.Builder
	rest := text
	for i, part := range parts {
		before, after, _ := strings.Cut(rest, part)
		out.WriteString(before)
		out.WriteString(w.addressPart(part, i, tail))
		rest = after
	}
	return out.String() + rest
}

func addressParts(text string) []string { return strings.FieldsFunc(text, isPartMark) }

func isPartMark(r rune) bool { return r == ',' || r == ';' || r == '\n' || r == '\r' }

// addressTail holds the indexes of the parts of an address that are its town, state and ZIP code,
// -1 where there is none.
type addressTail struct {
	phi.Redacted

	town, state, zip int
	at               Address
}

func tailOf(parts []string) addressTail {
	t := addressTail{town: -1, state: -1, zip: -1, at: Address{}}
	for i := len(parts) - 1; i > 0; i-- {
		text := strings.TrimRight(parts[i], "0123456789- ")
		town, state := townAndState(text)
		if state == "" {
			continue
		}
		t.state, t.at.State, t.at.Zip = i, strings.TrimSpace(state), parts[i][len(text):]
		if town == "" && i > 1 && strings.TrimSpace(parts[i-1]) != "" {
			t.town = i - 1
		}
		if i+1 < len(parts) && digitsAt(strings.TrimSpace(parts[i+1])) >= 5 {
			t.zip, t.at.Zip = i+1, parts[i+1]
		}
		break
	}
	return t
}

// townOf returns the town of an address and what the address says of it, or nothing.
func (t addressTail) townOf(parts []string) (string, Address) {
	switch {
	case t.town >= 0:
		return parts[t.town], t.at
	case t.state >= 0:
		town, _ := townAndState(strings.TrimRight(parts[t.state], "0123456789- "))
		return town, t.at
	default:
		return "", Address{}
	}
}

func (w *work) addressPart(part string, i int, t addressTail) string {
	switch i {
	case t.state:
		return w.townStateZip(part, t.at)
	case t.town:
		return w.cityWithin(part, t.at)
	case t.zip:
		return w.zip(part)
	default:
		return w.streetLine(part)
	}
}

// townAndState splits "Cambridge MA" and " MA"; state is "" if there is none.
func townAndState(s string) (town, state string) {
	trimmed := strings.TrimSpace(s)
	if trimmed == "" {
		return s, ""
	}
	if stateIndex(trimmed) >= 0 {
		return "", s
	}
	if i := strings.LastIndexAny(trimmed, " \t"); i > 0 {
		i += strings.Index(s, trimmed) + 1
		if stateIndex(s[i:]) >= 0 {
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// townStateZip replaces town, state and ZIP code: " Cambridge MA 02139", " MA 02139", " MA".
func (w *work) townStateZip(part string, address Address) string {
	at := strings.IndexAny(part, "0123456789")
	if at < 0 {
		at = len(part)
	}
	town, state := townAndState(part[:at])
	out := ""
	if town != "" {
		out = w.cityWithin(town, address)
	}
	name := strings.TrimSpace(state)
	before, after, _ := strings.Cut(state, name)
	out += before + w.state(name) + after
	if at < len(part) {
		out += w.zip(part[at:])
	}
	return out
}

// cityWithin replaces a town and keeps the white space around it.
func (w *work) cityWithin(text string, at Address) string {
	name := strings.TrimSpace(text)
	before, after, _ := strings.Cut(text, name)
	return before + w.city(name, at) + after
}

// streetLine replaces a part of an address that is no town, state or ZIP code.
func (w *work) streetLine(text string) string {
	var out strings.Builder
	at := 0
	for _, run := range coreRuns(text, streetKinds) {
		out.WriteString(text[at:run.Start])
		core := text[run.Start:run.End]
		if core[0] <= '9' || len(core) == 1 { // "7A", "12", and "B" after "Apt"
			out.WriteString(w.number(core))
		} else {
			out.WriteString(w.streetName(core))
		}
		at = run.End
	}
	out.WriteString(text[at:])
	if at == 0 && letter.Alnum(text) != "" {
		return w.streetName(text) + " " + text
	}
	return out.String()
}

func (w *work) streetName(core string) string {
	to := w.find(kindStreet, squeeze(letter.Plain(core)), func(c *choices, try int) string {
		if try < 3*len(streetNames) {
			return c.oneOf(streetNames)
		}
		return placeName(c, try)
	})
	return letter.InCaseOf(to, core)
}
