package surrogate

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/surrogate/letter"
	"github.com/pgdeid/pgdeid/surrogate/place"
)

// stateIndex returns the index of a state in any spelling, or -1.
func stateIndex(text string) int { return place.OfName(letter.Alnum(text)) }

// Labels of permutations: of the states; of the areas of each state; of the towns of each area.
const (
	stateLabel = 2 << 32
	areaLabel  = 3 << 32
	townLabel  = 4 << 32
)

// newState maps a state to another, one to one within a patient; states in the gazetteer are skipped. Where the actions
// keep states it is the same. It is -1 if there is none.
func (b *Book) newState(state int) int {
	if state < 0 || b.actions[phi.State] == Keep {
		return state
	}
	if b.states == nil {
		b.states = map[int]int{}
	}
	to, known := b.states[state]
	if !known {
		to = b.rotateState(state)
		b.states[state] = to
	}
	return to
}

func (b *Book) rotateState(state int) int {
	states := place.States()
	first, n := place.Peers(state)
	for try := range uint64(n) {
		i := first + int(b.source.perm.rotate(stateLabel+uint64(first), uint64(n), uint64(state-first), try))
		s := &states[i]
		if i != state && len(s.Towns) > 0 && !b.holds(strings.ToLower(s.Abbr)) && !b.holdsAny(strings.ToLower(s.Name)) {
			return i
		}
	}
	return -1
}

// holdsAny reports whether the gazetteer contains any word of text, such as "Virginia" for a
// patient of that name.
func (b *Book) holdsAny(text string) bool {
	for word := range strings.FieldsSeq(text) {
		if b.holds(word) {
			return true
		}
	}
	return false
}

// state replaces a state in the form in which it is written, postal or in full, by one of the same country. Text that is no
// state becomes another place.
func (w *work) state(text string) string {
	i := stateIndex(text)
	if i < 0 || w.wasPlace(i, text) {
		return w.place(text)
	}
	states := place.States()
	n := w.newState(i)
	if n < 0 || n == i {
		first, peers := place.Peers(i)
		n = first + (i+1-first)%peers
	}
	to := states[n]
	if len(letter.Alnum(text)) > 4 || strings.Contains(strings.TrimSpace(text), " ") {
		return letter.InCaseOf(to.Name, text)
	}
	if letter.Case(text) == lowerCase {
		return strings.ToLower(to.Abbr)
	}
	return to.Abbr
}

// wasPlace reports whether a state abroad has a made-up name already, as all of them had in earlier versions: it keeps it.
func (w *work) wasPlace(state int, text string) bool {
	if !isAbroad(state) {
		return false
	}
	name, _ := w.source.derive(kindPlace, squeeze(letter.Plain(text)))
	code, _ := w.source.derive(kindNumber, letter.Alnum(text))
	return w.isOriginal(name) || w.isOriginal(code)
}

// isAbroad reports whether a state is in another country than the United States.
func isAbroad(state int) bool { return place.States()[state].Country != place.UnitedStates }

// newArea maps an area to one of its state's surrogate, so that towns and ZIP codes that go together still do. It is nil
// if there is none.
func (b *Book) newArea(area *place.Area) *place.Area {
	if b.areas == nil {
		b.areas = map[*place.Area]*place.Area{}
	}
	to, known := b.areas[area]
	if !known {
		to = b.rotateArea(area)
		b.areas[area] = to
	}
	return to
}

func (b *Book) rotateArea(area *place.Area) *place.Area {
	state := b.newState(area.State)
	if state < 0 || len(place.States()[state].Open) == 0 {
		return nil
	}
	open := place.States()[state].Open
	label, n, nth := uint64(areaLabel+area.State), uint64(len(open)), uint64(area.Nth)
	if n == 1 {
		return open[0]
	}
	to := open[b.source.perm.rotate(label, n, nth%n, nth/n)]
	if to == area { // its state is kept
		to = open[b.source.perm.rotate(label, n, nth%n, nth/n+1)]
	}
	return to
}

// someArea returns an area for what tells none: that of a keyed choice by text.
func (w *work) someArea(text string) *place.Area {
	states := place.States()
	_, n := place.Peers(0)
	c := w.source.choices("area", text)
	for {
		if areas := states[c.below(n)].Areas; len(areas) > 0 {
			return areas[c.below(len(areas))]
		}
	}
}

// city replaces a town by a town of its area's surrogate, so that town, state and ZIP code agree.
func (w *work) city(text string, at Address) string {
	name, original := squeeze(text), squeeze(letter.Plain(text))
	if original == "" {
		return text
	}
	to, _ := w.newTown(original, at)
	return letter.InCaseOf(to, name)
}

// newTown returns the surrogate of a town, given by its folded name, and the area that it is in, or nil.
func (w *work) newTown(name string, at Address) (string, *place.Area) {
	state := w.townState(name, at)
	to := w.find(kindCity, cityKey(name, state), w.towns(name, state, at))
	area := w.newArea(w.townArea(name, state, at))
	if area == nil {
		return to, nil
	}
	if known := place.TownOf(squeeze(letter.Plain(to)), area.State); known.Area != nil {
		return to, known.Area
	}
	return to, area
}

// cityKey returns the form in which a town is compared. Of towns of one name, all but the largest count with their
// state, each as a town of its own; those abroad do not.
func cityKey(name string, state int) string {
	if home := place.Home(name); home < 0 || home == state || isAbroad(state) {
		return name
	}
	return name + ", " + strings.ToLower(place.States()[state].Abbr)
}

// towns proposes towns of the surrogate of a town's area, then made-up ones. Towns of one area that the lexicon knows
// are mapped one to one as far as the other area has as many.
func (w *work) towns(name string, state int, at Address) func(c *choices, try int) string {
	var area *place.Area
	return func(c *choices, try int) string {
		if try == 0 {
			area = w.newArea(w.townArea(name, state, at))
		}
		if area == nil || try >= len(area.Towns) {
			return coin(c)
		}
		to := area.Towns[w.townAt(area, w.nthTown(name, state), uint64(try))]
		if w.isTown(to, name) {
			return ""
		}
		return to
	}
}

// nthTown returns the index of a town in its area, or some number for a town that the lexicon does not know.
func (w *work) nthTown(name string, state int) uint64 {
	if town := place.TownOf(name, state); town.Area != nil {
		return uint64(town.Nth)
	}
	return w.source.choices("town", name).uint64()
}

// townAt returns the index of the town of an area that the nth town of its original becomes.
func (w *work) townAt(area *place.Area, nth, try uint64) uint64 {
	n := uint64(len(area.Towns))
	if n == 1 {
		return 0
	}
	return w.source.perm.rotate(uint64(townLabel+area.State<<8+area.Nth), n, nth%n, nth/n%n+try)
}

// isTown reports whether a town is another original of the patient, in any state.
func (w *work) isTown(town, original string) bool {
	name := squeeze(letter.Plain(town))
	for i := range place.Namesakes(name) {
		if id, _ := w.source.derive(kindCity, cityKey(name, i)); w.isOriginal(id) {
			return true
		}
	}
	return name == original
}

// zip replaces a ZIP code by one of its area's surrogate, with a prefix that Safe Harbor lets stand and random other
// digits. Length and punctuation stay.
func (w *work) zip(text string) string {
	norm := letter.Alnum(text)
	if len(norm) < 5 {
		return w.id(text, zipType)
	}
	if code, ok := place.ReadCode(norm); ok && !w.wasRandom(norm) {
		return w.codeAbroad(text, norm, code)
	}
	five := w.find(kindZip, norm[:5], w.zips(norm[:5]))
	rest := ""
	if len(norm) > 5 && w.err == nil {
		rest = w.find(kindZip, norm, func(c *choices, try int) string {
			return five + anyNumber(w, norm[5:], c, try)
		})
		rest = strings.TrimPrefix(rest, five)
	}
	return overlay(text, text, five+rest)
}

// wasRandom reports whether a code abroad has random letters and digits in its place already, as all of them had in earlier
// versions: it keeps them.
func (w *work) wasRandom(norm string) bool {
	id, _ := w.source.derive(kindZip, norm[:5])
	return len(norm) > 5 && w.isOriginal(id)
}

// codeAbroad replaces a postal code of Canada or the United Kingdom by one of its area's surrogate, which need not be as long.
func (w *work) codeAbroad(text, norm string, code place.Code) string {
	to := w.find(kindZip, norm, func(c *choices, try int) string {
		area := w.newArea(code.Area)
		if area == nil || try > 1000 {
			return anyNumber(w, norm, c, try)
		}
		return drawn(code.Places(c.oneOf(area.Shown)), c)
	})
	if len(to) == len(norm) || w.err != nil {
		return overlay(text, text, to)
	}
	return apart(text, to)
}

// apart writes a postal code as another one of another length is written: in its case, and with what is between its two parts.
func apart(text, code string) string {
	isPart := func(r rune) bool { return letter.IsAlnum(r) }
	begin := strings.IndexFunc(text, isPart)
	end := strings.LastIndexFunc(text, isPart) + 1
	local := end
	for range place.Local {
		local = begin + strings.LastIndexFunc(text[begin:local], isPart)
	}
	gap := begin + strings.LastIndexFunc(text[begin:local], isPart) + 1
	out := code[:len(code)-place.Local] + text[gap:local] + code[len(code)-place.Local:]
	if core := text[begin:end]; strings.ToLower(core) != core {
		out = strings.ToUpper(out)
	}
	return text[:begin] + out + text[end:]
}

// zips proposes ZIP codes; a code that is not all digits, such as one of no country that is known, becomes letters and digits.
func (w *work) zips(norm string) func(c *choices, try int) string {
	var area *place.Area
	return func(c *choices, try int) string {
		if try == 0 && isNumeric(norm) {
			area = w.newArea(w.zipArea(norm))
		}
		if area == nil || try > 1000 {
			return anyNumber(w, norm, c, try)
		}
		return c.oneOf(area.Shown) + someDigits(c, 2)
	}
}

// zipArea returns the area of a ZIP code; one that the post does not use is somewhere.
func (w *work) zipArea(norm string) *place.Area {
	if area := place.OfPrefix(norm[:3]); area != nil {
		return area
	}
	return w.someArea(norm[:3])
}

// squeeze trims white space and makes each run of it a single blank.
func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }
