package surrogate

import (
	"strings"
	"sync"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// gazette holds the lexicon's towns by state and states by ZIP prefix.
type gazette struct {
	towns   map[string][]string // by state, postal abbreviation
	zips    map[string][]string // ZIP prefixes of a state with enough people
	stateOf map[string]string   // of a ZIP prefix
	homes   map[string]string   // state of the largest town of a name, folded
}

var places = sync.OnceValue(func() *gazette {
	g := &gazette{towns: map[string][]string{}, zips: map[string][]string{}, stateOf: map[string]string{}, homes: map[string]string{}}
	for _, p := range lexicon.Places() {
		if !isTownName(p.City) {
			continue
		}
		g.towns[p.State] = append(g.towns[p.State], p.City)
		if name := plain(p.City); g.homes[name] == "" {
			g.homes[name] = p.State
		}
		if g.stateOf[p.Zip3] == "" && p.Zip3 != "" {
			g.stateOf[p.Zip3] = p.State
			if !smallZip3[p.Zip3] {
				g.zips[p.State] = append(g.zips[p.State], p.Zip3)
			}
		}
	}
	return g
})

// isTownName reports whether a name is free of the gazetteer's annotations ("Ranson corporation").
func isTownName(s string) bool {
	for word := range strings.FieldsSeq(s) {
		switch word {
		case "of", "the", "de", "la", "del", "du", "and", "on", "in":
		default:
			if !isUpperASCII(word[0]) {
				return false
			}
		}
	}
	return s != "" && !strings.ContainsAny(s, "()0123456789")
}

// The states, the District of Columbia and Puerto Rico.
var stateNames = strings.Split(`AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE `+
	`Delaware|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|`+
	`MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New `+
	`Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA `+
	`Pennsylvania|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA `+
	`Washington|WV West Virginia|WI Wisconsin|WY Wyoming|DC District of Columbia|PR Puerto Rico`, "|")

// oldStates are abbreviations older than the postal ones, without full stops.
var oldStates = map[string]string{
	"ala": "AL", "ariz": "AZ", "ark": "AR", "calif": "CA", "cal": "CA", "colo": "CO", "conn": "CT", "del": "DE", "fla": "FL", "ill": "IL",
	"ind": "IN", "kan": "KS", "kans": "KS", "mass": "MA", "mich": "MI", "minn": "MN", "miss": "MS", "mont": "MT", "neb": "NE",
	"nebr": "NE", "nev": "NV", "okla": "OK", "ore": "OR", "penn": "PA", "penna": "PA", "tenn": "TN", "tex": "TX", "wash": "WA",
	"wis": "WI", "wisc": "WI", "wyo": "WY", "nmex": "NM", "ndak": "ND", "sdak": "SD", "wva": "WV", "ncar": "NC", "scar": "SC",
}

var stateIndexes = func() map[string]int {
	m := map[string]int{}
	for i, s := range stateNames {
		m[strings.ToLower(s[:2])], m[alnum(s[3:])] = i, i
	}
	for old, abbr := range oldStates {
		m[old] = m[strings.ToLower(abbr)]
	}
	return m
}()

// stateIndex returns the index in stateNames of a state in any spelling, or -1.
func stateIndex(text string) int {
	if i, ok := stateIndexes[alnum(text)]; ok {
		return i
	}
	return -1
}

const stateLabel = 2 << 32

// newState maps a state (postal abbreviation) to another, one to one within a patient; states in
// the gazetteer are skipped.
func (w *work) newState(abbr string) string {
	i := stateIndex(abbr)
	if i < 0 {
		return ""
	}
	for try := range uint64(len(stateNames)) {
		s := stateNames[w.source.perm.rotate(stateLabel, uint64(len(stateNames)), uint64(i), try)]
		if s[:2] != stateNames[i][:2] && !w.holdsAny(strings.ToLower(s)) && len(places().towns[s[:2]]) > 0 {
			return s[:2]
		}
	}
	return ""
}

// holdsAny reports whether the gazetteer contains any word of text, such as "Virginia" for a
// patient of that name.
func (w *work) holdsAny(text string) bool {
	for word := range strings.FieldsSeq(text) {
		if w.holds(word) {
			return true
		}
	}
	return false
}

// state replaces a state in the form in which it is written, postal or in full. Text that is not a
// US state becomes another place.
func (w *work) state(text string) string {
	i := stateIndex(text)
	if i < 0 {
		return w.place(text)
	}
	to := stateNames[max(0, stateIndex(w.newState(stateNames[i][:2])))]
	if to == stateNames[i] {
		to = stateNames[(i+1)%len(stateNames)]
	}
	if len(alnum(text)) > 4 || strings.Contains(strings.TrimSpace(text), " ") {
		return inCaseOf(to[3:], text)
	}
	if letterCase(text) == lowerCase {
		return strings.ToLower(to[:2])
	}
	return to[:2]
}

// city replaces a town by a town of its state's surrogate, so that town, state and ZIP code agree.
// state is the text of the state next to it, or "".
func (w *work) city(text, state string) string {
	name, original := squeeze(text), squeeze(plain(text))
	if original == "" {
		return text
	}
	to := w.find(kindCity, original, func(c *choices, try int) string {
		towns := places().towns[w.newState(w.stateOfCity(original, state))]
		if len(towns) == 0 {
			return coin(c)
		}
		if try < 200 {
			return towns[c.below(len(towns))]
		}
		if all := lexicon.Places(); len(all) > 0 && try < 1000 {
			return all[c.below(len(all))].City
		}
		return coin(c)
	})
	return inCaseOf(to, name)
}

// stateOfCity returns the state of a town: from the record if the town is there, from the text, or
// that of the largest town of this name.
func (w *work) stateOfCity(city, state string) string {
	rec := w.who.Record()
	for i, c := range rec["city"] {
		if squeeze(plain(c)) == city && len(rec["state"]) > 0 {
			state = pick(rec["state"], i)
		}
	}
	if i := stateIndex(state); state != "" && i >= 0 {
		return stateNames[i][:2]
	}
	if home := places().homes[city]; home != "" {
		return home
	}
	return "OH" // arbitrary, but always the same
}

// zip replaces a ZIP code by one of its state's surrogate, with a populous prefix and random other
// digits. Length and punctuation stay.
func (w *work) zip(text string) string {
	norm := alnum(text)
	if len(norm) < 5 {
		return w.id(text, zipType)
	}
	five := w.find(kindZip, norm[:5], func(c *choices, try int) string {
		prefixes := places().zips[w.newState(places().stateOf[norm[:3]])]
		if len(prefixes) == 0 || try > 1000 {
			return anyNumber(w, norm[:5], c, try)
		}
		return c.oneOf(prefixes) + string([]byte{digit(c, 0, 9), digit(c, 0, 9)})
	})
	rest := ""
	if len(norm) > 5 && w.err == nil {
		rest = w.find(kindZip, norm, func(c *choices, try int) string {
			return five + anyNumber(w, norm[5:], c, try)
		})
		rest = strings.TrimPrefix(rest, five)
	}
	return overlay(text, text, five+rest)
}

// squeeze trims white space and makes each run of it a single blank.
func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }
