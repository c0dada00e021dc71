package phrases

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/pgdeid/pgdeid/internal/review"
)

// Proposal is a line of a file of proposals, which a person edits. It prints itself redacted.
type Proposal struct {
	Accept bool `json:"accept"` // a person says that the phrase is to count
	review.Phrase
}

// Format prints the type alone.
func (p Proposal) Format(f fmt.State, verb rune) { p.Phrase.Format(f, verb) }

// LogValue keeps the words out of logs.
func (p Proposal) LogValue() slog.Value { return p.Phrase.LogValue() }

// Write writes proposals, a line each.
func Write(w io.Writer, list []review.Phrase) error {
	enc := json.NewEncoder(w)
	for _, p := range list {
		if err := enc.Encode(Proposal{Phrase: p}); err != nil {
			return err
		}
	}
	return nil
}

// maxLine is how long a line of proposals may be.
const maxLine = 1 << 16

// errLine quotes nothing of the line.
var errLine = errors.New(`is no proposal: want {"accept": true, "text": "…", "type": "HOSPITAL"}, where the type "never" says that it is no PHI`)

// Read returns the phrases of a file of proposals that a person accepts. What they came to is not read: it is measured anew.
func Read(r io.Reader) ([]review.Phrase, error) {
	var out []review.Phrase
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	n := 0
	for lines.Scan() {
		n++
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		var p Proposal
		dec := json.NewDecoder(bytes.NewReader(line))
		dec.DisallowUnknownFields()
		if dec.Decode(&p) != nil || dec.More() {
			return nil, fmt.Errorf("line %d %w", n, errLine)
		}
		if !p.Accept {
			continue
		}
		if _, err := p.Site(); err != nil {
			return nil, fmt.Errorf("line %d %w", n, errLine)
		}
		out = append(out, review.Phrase{Text: p.Text, Type: p.Type})
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return nil, fmt.Errorf("line %d %w", n+1, errLine)
	}
	return out, lines.Err()
}
