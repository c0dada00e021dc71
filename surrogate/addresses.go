package surrogate

import (
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/surrogate/letter"
	"github.com/pgdeid/pgdeid/surrogate/place"
)

// Address is what is written with a town: its state and its ZIP code, empty where there are none.
type Address struct {
	phi.Redacted
	State, Zip string
}

// stateIndex returns the state that an address names, or else that of its ZIP code, or -1.
func (a Address) stateIndex() int {
	if i := stateIndex(a.State); a.State != "" && i >= 0 {
		return i
	}
	if area := areaOf(a.Zip); area != nil {
		return area.State
	}
	return -1
}

// areaOf returns the area of a ZIP code, or of a postal code abroad, as it is written, or nil.
func areaOf(zip string) *place.Area {
	norm := letter.Alnum(zip)
	if len(norm) < 5 {
		return nil
	}
	if code, ok := place.ReadCode(norm); ok {
		return code.Area
	}
	return place.OfPrefix(norm[:3])
}

// isAbroadCode reports whether a text is a postal code of another country than the United States.
func isAbroadCode(zip string) bool {
	_, ok := place.ReadCode(letter.Alnum(zip))
	return ok
}

// near is the distance in bytes up to which the parts of an address belong together.
const near = 4

// addressAfter returns the state and the ZIP code behind the town, or the county, that is span i.
func addressAfter(text string, spans []phi.Span, i int) Address {
	var at Address
	first := i
	next := func(t phi.Type) string {
		if i+1 == len(spans) || spans[i+1].Type != t || spans[i+1].Start-spans[i].End > near {
			return ""
		}
		i++
		return text[spans[i].Start:spans[i].End]
	}
	at.State = next(phi.State)
	at.Zip = next(phi.Zip)
	if at != (Address{}) {
		return at
	}
	if county := next(phi.County); county != "" { // "Leeds, West Yorkshire LS1 4AB"
		if zip := next(phi.Zip); isAbroadCode(zip) {
			at.Zip = zip
		} else {
			at.State = nationOf(text[spans[first].Start:spans[first].End], county)
		}
	}
	return at
}

// nationOf returns the nation of a town that is in a county of the United Kingdom, or "".
func nationOf(town, county string) string {
	name, known := place.ReadCounty(letter.Plain(squeeze(county)))
	if !known {
		return ""
	}
	nation := place.Nation(squeeze(letter.Plain(town)), name)
	if nation < 0 {
		return ""
	}
	return place.States()[nation].Name
}

// recordTown is a town of the patient's record: its state, or -1, and its ZIP code, as far as they can be told from
// columns that are no longer in rows.
type recordTown struct {
	phi.Redacted

	state int
	zip   string
}

// recordTowns returns the towns of the patient's record, by folded name.
func (b *Book) recordTowns() map[string]recordTown {
	if b.towns != nil {
		return b.towns
	}
	b.towns = map[string]recordTown{}
	rec := b.who.Record()
	for i, city := range rec[record.City] {
		putFirst(b.towns, squeeze(letter.Plain(city)), townOfRecord(rec, i))
	}
	return b.towns
}

// townOfRecord finds the state and the ZIP code of the i-th town. Values that repeat are in a record once, so that the
// i-th state need not be the i-th town's.
func townOfRecord(rec record.Record, i int) recordTown {
	cities, states, zips := rec[record.City], rec[record.State], rec[record.Zip]
	t := recordTown{state: -1}
	if len(zips) == len(cities) {
		t.zip = zips[i]
	}
	indexes := make([]int, 0, len(states))
	for _, s := range states {
		if n := stateIndex(s); n >= 0 {
			indexes = append(indexes, n)
		}
	}
	name, area := squeeze(letter.Plain(cities[i])), areaOf(t.zip)
	known := slices.DeleteFunc(slices.Clone(indexes), func(n int) bool { return !place.InState(name, n) })
	switch {
	case len(indexes) == 0 && area != nil:
		t.state = area.State
	case len(indexes) == 0:
	case area != nil && slices.Contains(indexes, area.State):
		t.state = area.State
	case len(states) != len(cities) && len(known) > 0:
		t.state = known[0]
	default:
		t.state = indexes[min(i, len(indexes)-1)]
	}
	if area == nil || area.State != t.state {
		t.zip = zipIn(zips, t.state)
	}
	return t
}

// zipIn returns the first ZIP code of a state, or "".
func zipIn(zips []string, state int) string {
	for _, z := range zips {
		if area := areaOf(z); area != nil && area.State == state {
			return z
		}
	}
	return ""
}

// townState returns the state of a town: that beside it, else that of the record or of an address in the text, else
// that of the largest town of this name in the record's country, or in the United States.
func (w *work) townState(name string, at Address) int {
	if i := at.stateIndex(); i >= 0 {
		return i
	}
	if t, ok := w.recordTowns()[name]; ok && t.state >= 0 {
		return t.state
	}
	if i := w.written()[name].stateIndex(); i >= 0 {
		return i
	}
	if i := w.homeAbroad(name); i >= 0 {
		return i
	}
	home := place.Home(name)
	if home >= 0 && !isAbroad(home) {
		return home
	}
	for _, s := range w.who.Record()[record.State] {
		if i := stateIndex(s); i >= 0 {
			return i
		}
	}
	if home >= 0 {
		return home
	}
	return w.someArea(name).State
}

// homeAbroad returns the state of a town of this name in the country that the record's addresses are in, if that is not the United
// States; else -1.
func (w *work) homeAbroad(name string) int {
	for _, state := range w.recordStates() {
		first, n := place.Peers(state)
		for i := first; isAbroad(state) && i < first+n; i++ {
			if place.InState(name, i) {
				return i
			}
		}
	}
	return -1
}

// recordStates returns the states that the patient's record names, or that its ZIP codes are in.
func (w *work) recordStates() []int {
	var list []int
	rec := w.who.Record()
	for _, s := range rec[record.State] {
		if i := stateIndex(s); i >= 0 {
			list = append(list, i)
		}
	}
	for _, zip := range rec[record.Zip] {
		if area := areaOf(zip); area != nil {
			list = append(list, area.State)
		}
	}
	return list
}

// townArea returns the area of a town: as the lexicon has it, unless the record has another; else that of the ZIP code
// beside the town, or any of its state. Abroad, where towns are at the borders of areas and lists are short, the postal code
// comes first.
func (w *work) townArea(name string, state int, at Address) *place.Area {
	town := place.TownOf(name, state)
	if t, ok := w.recordTowns()[name]; ok && t.state == state {
		if area := areaOf(t.zip); area != nil && area.State == state {
			return area
		}
	}
	if town.Area != nil && !isAbroad(state) {
		return town.Area
	}
	for _, zip := range []string{at.Zip, w.written()[name].Zip} {
		if area := areaOf(zip); area != nil && area.State == state {
			return area
		}
	}
	if town.Area != nil {
		return town.Area
	}
	areas := place.States()[state].Areas
	return areas[w.source.choices("area", name).below(len(areas))]
}

// written returns the addresses that the text gives of its towns, by folded name.
func (w *work) written() map[string]Address {
	if w.addresses != nil {
		return w.addresses
	}
	w.addresses = map[string]Address{}
	for _, s := range w.spans {
		if town, at := s.address(); at != (Address{}) {
			putFirst(w.addresses, squeeze(letter.Plain(town)), at)
		}
	}
	return w.addresses
}

// address returns the town of a span and what the text says of it, where the span is a town or an address with one.
func (s *prepared) address() (town string, at Address) {
	if s.typ == phi.Street {
		parts := addressParts(s.text)
		return tailOf(parts).townOf(parts)
	}
	return s.text, s.at
}
