package surrogate

import (
	"fmt"
	"maps"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Action is what happens to a span.
type Action string

// The actions.
const (
	Keep    Action = "keep"      // leave the text as it is
	Replace Action = "surrogate" // put a realistic surrogate in its place
	Tag     Action = "tag"       // put the type in its place: "[PATIENT]"
)

// Profile is a named choice of actions: "safe_harbor", "limited", "custom".
type Profile string

// The profiles. SafeHarbor replaces group C of the main paper's Table 1 and every number and
// contact; professions and ages up to 89 stay. Limited is the HIPAA Limited Data Set (45 CFR
// 164.514(e)): dates, ages, towns, states, countries and ZIP codes stay as well.
const (
	SafeHarbor Profile = "safe_harbor"
	Limited    Profile = "limited"
	Custom     Profile = "custom"
)

// Options are the settings of a Maker. The zero value means the defaults.
type Options struct {
	Profile Profile // default SafeHarbor
	// Actions overrides the profile for single types (profile "custom" starts from SafeHarbor). TIME
	// can be kept or tagged; it has no surrogate.
	Actions map[phi.Type]Action
	Dates   DateShift
}

// WithDefaults returns a copy with every unset field filled in.
func (o Options) WithDefaults() Options {
	if o.Profile == "" {
		o.Profile = SafeHarbor
	}
	o.Actions = maps.Clone(o.Actions)
	o.Dates = o.Dates.withDefaults()
	return o
}

func (o Options) validate() error {
	switch o.Profile {
	case SafeHarbor, Limited, Custom:
	default:
		return fmt.Errorf("surrogates: unknown profile %q (one of %s, %s, %s)", o.Profile, SafeHarbor, Limited, Custom)
	}
	for _, typ := range phi.Types() {
		a, set := o.Actions[typ]
		switch {
		case !set || a == Keep || a == Tag:
		case a == Replace && typ == phi.Time:
			return fmt.Errorf("surrogates: actions: TIME has no surrogate: want %s or %s", Keep, Tag)
		case a == Replace:
		default:
			return fmt.Errorf("surrogates: actions: %s: unknown action %q (one of %s, %s, %s)", typ, a, Keep, Replace, Tag)
		}
	}
	return o.Dates.validate()
}

// limitedKeeps are the types that a Limited Data Set may contain.
var limitedKeeps = map[phi.Type]bool{
	phi.Date: true, phi.Age: true, phi.City: true, phi.State: true, phi.Country: true,
	phi.Zip: true,
}

// actions returns the action of every type.
func (o Options) actions() map[phi.Type]Action {
	table := make(map[phi.Type]Action)
	for _, typ := range phi.Types() {
		table[typ] = Replace
		if typ == phi.Time || typ == phi.Profession || o.Profile == Limited && limitedKeeps[typ] {
			table[typ] = Keep
		}
	}
	maps.Copy(table, o.Actions)
	return table
}
