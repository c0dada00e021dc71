package harvest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
)

// Kind is the kind of a proposal.
type Kind string

// The kinds.
const (
	Sentence Kind = "sentence" // goes on the inclusion list
	Template Kind = "template" // finds PHI by the form of a sentence
)

func (k Kind) valid() bool { return k == Sentence || k == Template }

// Proposal is what a person is asked to verify. It is identified text and prints itself redacted.
type Proposal struct {
	ID       string          `json:"id"` // see [IDOf]
	Kind     Kind            `json:"kind"`
	Text     string          `json:"text"`
	Detail   json.RawMessage `json:"detail,omitempty"` // data of a template
	Notes    int64           `json:"notes"`            // number of notes with it
	Patients int             `json:"patients"`         // at least so many patients
	Authors  int             `json:"authors"`          // at least so many authors
	Clinical bool            `json:"clinical,omitempty"`
	Suspect  bool            `json:"suspect,omitempty"` // a member found PHI in it
}

// Format prints the ID.
func (p Proposal) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "%s %s", p.Kind, p.ID) }

// LogValue keeps the text out of logs.
func (p Proposal) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(p)) }

// IDOf returns the ID of a proposal: 32 hexadecimal digits of a SHA-256 of its text. The ID lets
// anyone check a guess of the text.
func IDOf(kind Kind, text string) string {
	sum := sha256.Sum256([]byte(string(kind) + "\x00" + text))
	return hex.EncodeToString(sum[:16])
}
