package harvest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
)

// Kind says what is proposed and verified.
type Kind string

// The kinds.
const (
	Sentence Kind = "sentence" // goes on the inclusion list
	Template Kind = "template" // finds PHI by the form of a sentence
)

func (k Kind) valid() bool { return k == Sentence || k == Template }

// Proposal is what a person is asked about. It is identified text, and prints itself
// redacted.
type Proposal struct {
	ID       string          `json:"id"` // see [IDOf]
	Kind     Kind            `json:"kind"`
	Text     string          `json:"text"`
	Detail   json.RawMessage `json:"detail,omitempty"` // what belongs to a template
	Notes    int64           `json:"notes"`            // that it stands in
	Patients int             `json:"patients"`         // of so many patients at least
	Authors  int             `json:"authors"`          // by so many authors at least
	Clinical bool            `json:"clinical,omitempty"`
	Suspect  bool            `json:"suspect,omitempty"` // a member saw PHI in it
}

// Format prints the ID.
func (p Proposal) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "%s %s", p.Kind, p.ID) }

// LogValue keeps the text out of logs.
func (p Proposal) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(p)) }

// IDOf names a proposal by what it says: 32 hexadecimal digits of a SHA-256. Whoever
// guesses the text can check the guess by it.
func IDOf(kind Kind, text string) string {
	sum := sha256.Sum256([]byte(string(kind) + "\x00" + text))
	return hex.EncodeToString(sum[:16])
}
