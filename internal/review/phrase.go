package review

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/site"
)

// Phrase is what people say of words of their site: that they are always PHI there, or never are. It prints itself redacted.
type Phrase struct {
	Text   string    `json:"text"`
	Type   string    `json:"type"` // of what is always PHI; [Never]: it never is
	By     string    `json:"by,omitempty"`
	At     time.Time `json:"at,omitzero"`
	Sample Measured  `json:"sample"`
}

// Never is the type of a phrase that is no PHI.
const Never = "never"

// Measured is what a phrase comes to in notes that people have read.
type Measured struct {
	Rounds   []string `json:"rounds,omitempty"`
	Read     int      `json:"read"`     // notes
	Notes    int      `json:"notes"`    // notes with the phrase
	Patients int      `json:"patients"` // likewise
	Found    int      `json:"found"`    // how often the phrase is in them
	PHI      int      `json:"phi"`      // of these, how often a reader says that PHI is there
	Missed   int      `json:"missed"`   // of these, how often it was missed
	Alarms   int      `json:"alarms"`   // how often it was found, and is none
}

// Site returns the phrase as the ensemble takes it.
func (p *Phrase) Site() (site.Phrase, error) {
	if p.Type == Never {
		return site.Phrase{Text: p.Text}, nil
	}
	t, err := phi.ParseType(p.Type)
	return site.Phrase{Text: p.Text, Type: t}, err
}

// SiteList returns phrases as the ensemble takes them; nil where there are none.
func SiteList(phrases []Phrase) (*site.List, error) {
	if len(phrases) == 0 {
		return nil, nil //nolint:nilnil // no phrases are no error
	}
	list := make([]site.Phrase, len(phrases))
	for i := range phrases {
		var err error
		if list[i], err = phrases[i].Site(); err != nil {
			return nil, fmt.Errorf("phrase %d: %w", i+1, err)
		}
	}
	return site.NewList(list)
}

// Format prints the type alone.
func (p Phrase) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "phrase[%s]", p.Type) }

// LogValue keeps the words out of logs.
func (p Phrase) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(p)) }
