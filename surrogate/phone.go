package surrogate

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/surrogate/letter"
	"github.com/pgdeid/pgdeid/surrogate/number"
	"github.com/pgdeid/pgdeid/surrogate/place"
)

func isPhone(t phi.Type) bool {
	return t == phi.Phone || t == phi.Fax || t == phi.Pager
}

// isOnePhone reports whether a text is one telephone number of North America in its groups, also where it goes on in
// the next line. Other numbers on several lines are several.
func isOnePhone(text string) bool {
	groups := strings.FieldsFunc(text, func(r rune) bool { return !letter.IsAlnum(r) })
	if len(groups) == 4 && groups[0] == "1" {
		groups = groups[1:]
	}
	return len(groups) == 3 && len(groups[0]) == 3 && len(groups[1]) == 3 && len(groups[2]) == 4 && isNumeric(strings.Join(groups, "")) &&
		!strings.ContainsAny(text, ",;")
}

func isNumeric(s string) bool { return s != "" && digitsAt(s) == len(s) }

// british is the country code under which British numbers are known.
const british = "44"

// dialled is a telephone number as it is written.
type dialled struct {
	phi.Redacted

	before string // what is dialled before it: an international prefix, a country code, the trunk prefix 0
	number string // under which it is known
	cut    int    // how much of that is not written
	form   form   // nil: of no plan that has numbers for fiction
}

// readPhone reads the digits of a telephone number. plus says that a plus sign is before them.
func readPhone(norm string, plus bool) dialled {
	if isBritishTrunk(norm) && !plus {
		return dialled{before: "0", number: british + norm[1:], cut: len(british), form: phoneBritish}
	}
	before, rest := "", norm
	for _, prefix := range []string{"011", "00"} {
		if after, ok := strings.CutPrefix(norm, prefix); ok && !plus && len(after) >= leastAbroad {
			before, rest = prefix, after
			break
		}
	}
	abroad := plus || before != ""
	switch n := len(rest); {
	case !isNumeric(rest):
	case n == 11 && rest[0] == '1':
		return dialled{before: before + "1", number: rest[1:], cut: 0, form: phone10}
	case n == 10 && !abroad && rest[0] != '0':
		return dialled{before: before, number: rest, cut: 0, form: phone10}
	case n == 7 && !abroad:
		return dialled{before: before, number: rest, cut: 0, form: phone7}
	case n == 12 && strings.HasPrefix(rest, british):
		return dialled{before: before, number: rest, cut: 0, form: phoneBritish}
	case n == 13 && strings.HasPrefix(rest, british+"0"): // "+44 (0)20"
		return dialled{before: before + british + "0", number: british + rest[3:], cut: len(british), form: phoneBritish}
	case n == 11 && !abroad && rest[0] == '0' && strings.IndexByte("123789", rest[1]) >= 0:
		return dialled{before: "0", number: british + rest[1:], cut: len(british), form: phoneBritish}
	case n >= leastAbroad && abroad:
		return dialled{before: before, number: rest, cut: 0, form: phoneAbroad}
	}
	return dialled{}
}

// isBritishTrunk reports whether digits are a number of a British city whose dialling code begins as an international call from North
// America does: 0113 is Leeds. Nothing is called abroad by so few digits.
func isBritishTrunk(norm string) bool {
	return len(norm) == 11 && strings.HasPrefix(norm, "011") && norm[3] >= '3' && norm[3] <= '8' && isNumeric(norm)
}

// wasAbroad reports whether such a number was taken for a call abroad, as in earlier versions: it keeps what it became.
func (w *work) wasAbroad(norm string) bool {
	id, _ := w.source.derive(kindNumber, norm[len("011"):])
	return w.isOriginal(id)
}

// leastAbroad is the length of the shortest number with its country code.
const leastAbroad = 8

// phone10 returns a number of the range 555-0100 to 555-0199, reserved for fiction, with an area code of the surrogate
// of the number's state, so that numbers go with the addresses beside them.
func phone10(w *work, norm string, c *choices, try int) string {
	state := place.OfCode(norm[:3])
	if state < 0 {
		state = w.someArea(norm[:3]).State
	}
	codes := place.States()[max(w.newState(state), 0)].Codes
	if try >= manyLines*len(codes) {
		_, n := place.Peers(0)
		codes = place.States()[c.below(n)].Codes
	}
	return c.oneOf(codes) + fictionLine(c)
}

// manyLines is how many numbers are drawn for each area code of a state, of which each has a hundred, before others count.
const manyLines = 200

func fictionLine(c *choices) string { return "55501" + someDigits(c, 2) }

// phone7 uses the 100 numbers of that range, then exchanges that begin with 1, which there are none of.
func phone7(_ *work, _ string, c *choices, try int) string {
	if try < 2*manyLines {
		return fictionLine(c)
	}
	return "1" + someDigits(c, 6)
}

// phoneBritish returns a number that Ofcom keeps for drama. There are a thousand of each kind: where a patient has more, they
// are of any town.
func phoneBritish(w *work, norm string, c *choices, try int) string {
	national := norm[len(british):]
	start := number.British(national)
	switch {
	case try >= 10*manyLines:
		start = c.oneOf(place.Dramas())
	case start == "":
		start = w.dialling(national)
	}
	return british + start + someDigits(c, 3)
}

// phoneAbroad returns a number under a country code of no country: few countries keep numbers for fiction.
func phoneAbroad(_ *work, norm string, c *choices, _ int) string {
	return c.oneOf(number.Spare) + someDigits(c, len(norm)-2)
}

func someDigits(c *choices, n int) string {
	out := make([]byte, n)
	for i := range out {
		out[i] = digit(c, 0, 9)
	}
	return string(out)
}
