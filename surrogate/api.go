package surrogate

import (
	"errors"
	"time"

	"github.com/pgdeid/pgdeid/ensemble"
)

// Action says what becomes of a span.
type Action string

// The actions.
const (
	Keep    Action = "keep"      // leave the text as it is
	Replace Action = "surrogate" // put a realistic surrogate in its place
	Tag     Action = "tag"       // put the type in its place: "[PATIENT]"
)

// Profile is a named choice of actions: "safe_harbor", "limited", "custom".
type Profile string

// The profiles. SafeHarbor replaces group C of the main paper's Table 1, Limited
// is the HIPAA Limited Data Set (dates, ages, towns, states, ZIP codes stay).
const (
	SafeHarbor Profile = "safe_harbor"
	Limited    Profile = "limited"
	Custom     Profile = "custom"
)

// Direction tells which way dates move.
type Direction string

// The directions of date shifts.
const (
	Back    Direction = "back"
	Forward Direction = "forward"
	Both    Direction = "both"
)

// DateShift bounds the number of days by which a patient's dates move.
type DateShift struct {
	MinDays    int       // at least 1; default 1
	MaxDays    int       // default 365
	Direction  Direction // default Back
	WholeWeeks bool      // shifts are multiples of 7, so that weekdays stay
}

// Options are the settings of a Maker. The zero value means the defaults.
type Options struct {
	Profile Profile // default SafeHarbor
	// Actions overrules the profile for single types (profile "custom" starts from
	// SafeHarbor).
	Actions map[ensemble.Type]Action
	Dates   DateShift
}

// Entry is a row of the patient-keyed surrogate table. It holds no original.
type Entry struct {
	Kind      string // "surname", "first", "city", "digits", … : surrogates are distinct within a kind
	Hash      []byte // 16 bytes: HMAC-SHA-256 of patient, kind and normalised original, truncated
	Surrogate string
}

// Span is a range of the output text, in code points, and what was there.
type Span struct {
	Start, End int
	Type       ensemble.Type
	By         ensemble.Votes
}

// Result is a text with its surrogates in.
type Result struct {
	Text  string
	Spans []Span  // of the output, in order
	New   []Entry // entries to store with the row, in the same transaction
}

// ErrLeak tells that an identifier of the patient stands in an output text. The
// note must not be published.
var ErrLeak = errors.New("an identifier of the patient stands in the de-identified text")

// Maker makes surrogates under one key. It is safe for concurrent use.
type Maker struct {
	key  *Key
	opts Options
}

// New returns a Maker, or an error that explains which option is wrong.
func New(key *Key, opts Options) (*Maker, error) { return &Maker{key: key, opts: opts}, nil }

// Key is the secret that pseudonyms, surrogates and shifts are derived from. It
// prints itself redacted.
type Key struct{}

// Book holds the surrogates of one patient. It is safe for concurrent use, but
// one patient's notes should go through it in commit order, so that collisions
// are settled the same way each time.
type Book struct{}

// Shift returns the number of days by which the dates of a patient move: never 0.
func (m *Maker) Shift(pseudonym string) int { return 0 }

// Patient opens the book of the patient with this pseudonym: who is the patient's
// gazetteer (nil if unknown), stored the entries of the surrogate table, shift
// the row of the date-shift table.
func (m *Maker) Patient(pseudonym string, who *ensemble.Gazetteer, stored []Entry, shift int) *Book {
	return nil
}

// Replace puts surrogates for spans (sorted, not overlapping, as an Ensemble
// returns them) and runs the leak check. On an error nothing is remembered.
// ErrLeak is among the errors; none of them quotes the text.
func (b *Book) Replace(text string, spans []ensemble.Span) (Result, error) { return Result{}, nil }

// Value returns the surrogate of a structured value: the same that notes show.
func (b *Book) Value(role ensemble.Role, value string) (string, []Entry, error) { return "", nil, nil }

// ShiftTime moves a structured date or timestamp.
func (b *Book) ShiftTime(t time.Time) time.Time { return t }

// ReadKey reads a key file, refusing one that others than its owner can read.
func ReadKey(path string) (*Key, error) { return nil, nil }

// NewKeyFile makes a key file with mode 0600, refusing to overwrite one.
func NewKeyFile(path string) error { return nil }

// Check returns the value that the vault keeps to tell a wrong key at once.
func (k *Key) Check() []byte { return nil }

// Seal encrypts plain (AES-256-GCM, random nonce) and binds it to aad.
func (k *Key) Seal(plain, aad []byte) []byte { return nil }

// Open is the inverse of Seal.
func (k *Key) Open(sealed, aad []byte) ([]byte, error) { return nil, nil }

// HMAC returns a keyed hash of parts for a purpose, unambiguous in their borders.
func (k *Key) HMAC(purpose string, parts ...string) []byte { return nil }

// PseudonymInt permutes integers within a domain ("patient", "encounter"): those
// of 31 bits stay within 31 bits, so the same value in an int4 and an int8
// column joins; larger ones stay within 63 bits. It never collides.
func (k *Key) PseudonymInt(domain string, v int64) int64 { return 0 }

// PseudonymText returns the pseudonym of a text value: 26 letters and digits.
func (k *Key) PseudonymText(domain, v string) string { return "" }

// PseudonymUUID returns the pseudonym of a UUID as a UUID (version 8).
func (k *Key) PseudonymUUID(domain string, v [16]byte) [16]byte { return v }
