package surrogate

import (
	"errors"
	"strings"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

// Maker creates surrogates under one key. It is safe for concurrent use.
type Maker struct {
	key     *Key
	opts    Options
	actions map[phi.Type]Action
	now     func() time.Time
}

// New returns a Maker, or an error that explains which option is wrong.
func New(key *Key, opts Options) (*Maker, error) {
	if key == nil {
		return nil, errors.New("surrogates: no key: make one with 'pgdeid key new' and name its file")
	}
	opts = opts.WithDefaults()
	if err := opts.validate(); err != nil {
		return nil, err
	}
	return &Maker{key: key, opts: opts, actions: opts.actions(), now: time.Now}, nil
}

// Action returns the action for a type.
func (m *Maker) Action(t phi.Type) Action { return m.actions[t] }

// Entry is a row of the surrogate table of a patient. It contains no original.
type Entry struct {
	phi.Redacted

	// Kind is "name", "number", "city", "place", "facility", "street", "zip", "login", "site",
	// "initials" or "job". Surrogates are distinct within a patient and kind.
	Kind      string
	Hash      []byte // 16 bytes: HMAC-SHA-256 of patient, kind and normalised original, truncated
	Surrogate string // in its stored form: "Hamilton", "5550143"
}

// Patient opens the book of the patient with this pseudonym. who is the patient's gazetteer, nil
// if unknown; stored are the entries of the surrogate table; shift is the row of the date-shift
// table, 0 if there is none, which means [Maker.Shift].
func (m *Maker) Patient(pseudonym string, who *record.Gazetteer, stored []Entry, shift int) *Book {
	if shift == 0 {
		shift = m.Shift(pseudonym)
	}
	b := &Book{
		actions: m.actions,
		who:     who,
		shift:   shift,
		order:   m.opts.Dates.Order,
		oldest:  m.OldestYear(),
		source:  newSource(m.key.HMAC("patient", pseudonym)),
		known:   make(map[entryKey]string, len(stored)),
		taken:   make(map[taken]struct{}, len(stored)),
	}
	for _, e := range stored {
		if len(e.Hash) == len(entryKey{}.hash) {
			b.remember(entryKey{kindOf(e.Kind), [16]byte(e.Hash)}, strings.Clone(e.Surrogate))
		}
	}
	return b
}
