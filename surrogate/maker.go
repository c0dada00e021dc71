package surrogate

import (
	"errors"
	"strings"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

// Maker makes surrogates under one key. It is safe for concurrent use.
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

// Action returns what the settings say for a type.
func (m *Maker) Action(t phi.Type) Action { return m.actions[t] }

// Entry is a row of the patient-keyed surrogate table. It holds no original.
type Entry struct {
	// Kind is "name", "number", "city", "place", "facility", "street", "zip",
	// "login", "site", "initials" or "job": surrogates are distinct within a
	// patient's kind.
	Kind      string
	Hash      []byte // 16 bytes: HMAC-SHA-256 of patient, kind and normalised original, truncated
	Surrogate string // in the form it is stored in: "Hamilton", "5550143"
}

// Patient opens the book of the patient with this pseudonym: who is the patient's
// gazetteer (nil if unknown), stored the entries of the surrogate table, shift
// the row of the date-shift table (0: none yet, so it is [Maker.Shift]).
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
