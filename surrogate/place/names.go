package place

import (
	"slices"
	"strings"
	"sync"
)

// oldStates are abbreviations older than the postal ones, without full stops.
var oldStates = map[string]string{
	"ala": "AL", "ariz": "AZ", "ark": "AR", "calif": "CA", "cal": "CA", "colo": "CO", "conn": "CT", "del": "DE", "fla": "FL", "ill": "IL",
	"ind": "IN", "kan": "KS", "kans": "KS", "mass": "MA", "mich": "MI", "minn": "MN", "miss": "MS", "mont": "MT", "neb": "NE",
	"nebr": "NE", "nev": "NV", "okla": "OK", "ore": "OR", "penn": "PA", "penna": "PA", "tenn": "TN", "tex": "TX", "wash": "WA",
	"wis": "WI", "wisc": "WI", "wyo": "WY", "nmex": "NM", "ndak": "ND", "sdak": "SD", "wva": "WV", "ncar": "NC", "scar": "SC",
	"ont": "ON", "que": "QC", "pq": "QC", "alta": "AB", "sask": "SK", "nfld": "NL", "newfoundland": "NL", "pei": "PE",
}

var namesOfStates = sync.OnceValue(func() map[string]int {
	m := map[string]int{}
	for i, s := range slices.Backward(States()) { // so that a name of the United States is one of theirs
		m[strings.ToLower(s.Abbr)], m[strings.ToLower(strings.ReplaceAll(s.Name, " ", ""))] = i, i
	}
	for old, abbr := range oldStates {
		m[old] = m[strings.ToLower(abbr)]
	}
	return m
})

// OfName returns the index of a state in any spelling, or -1. The name is in small letters, and nothing else: "ncar".
func OfName(letters string) int {
	if i, ok := namesOfStates()[letters]; ok {
		return i
	}
	return -1
}
