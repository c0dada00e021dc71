package review

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/acceptance"
)

// Kind says why the notes of a round were chosen.
type Kind string

// The kinds of rounds.
const (
	Acceptance   Kind = "acceptance"   // at random, for figures about all notes
	Disagreement Kind = "disagreement" // members of the ensemble differ about them
	Doubt        Kind = "doubt"        // something was nearly found, or is found without much certainty
	Quarantine   Kind = "quarantine"   // the leak check or another failure set them aside
	Rare         Kind = "rare"         // few notes look like them
	Clusters     Kind = "cluster"      // sentences of theirs are like those of many others
)

// Design is how a round was drawn. It is sealed in the vault: the years of notes beside shifted
// dates would show the shifts.
type Design struct {
	Strata []Stratum `json:"strata,omitempty"`
	Seed   string    `json:"seed,omitempty"` // of the draw; the same notes and seed give the same draw
	Note   string    `json:"note,omitempty"` // what else a reader of the report must know
	Claims []Claim   `json:"claims,omitempty"`
}

// Claim is what a round is to prove of some types of identifiers. One that is named when the round is drawn can't be made to
// fit what was found.
type Claim struct {
	Types string `json:"types"` // as [acceptance.ParseTypes] has it
	acceptance.Claim
}

// Stratum is a group of notes of which some were drawn.
type Stratum struct {
	Label string `json:"label"` // such as "discharge summary / 2024 / north"
	Notes int64  `json:"notes"` // in all
	Drawn int    `json:"drawn"`
}

// Round is a queue of notes to look at.
type Round struct {
	ID       int64
	Name     string
	Kind     Kind
	Readers  int // how many people read each note, none seeing what another one found: 1 or 2
	Design   Design
	DrawnBy  string
	DrawnAt  time.Time
	ClosedAt time.Time // zero: open
}

// Of returns an item as a reader of the round is to see it. What others found since the draw would tell the second reader what the first
// one decided, and would count as found in a sample that is to say what the program finds alone.
func (r *Round) Of(it Item) Item {
	if r.Readers > 1 || r.Kind == Acceptance {
		it.Drawn = r.DrawnAt
	}
	return it
}

// Progress is a round, and how far it has come for one reader.
type Progress struct {
	Round

	Items    int // notes in it
	Finished int // notes that as many people have read as should
	Mine     int // notes that the reader has finished
	Begun    int // notes that the reader has begun
	Left     int // notes that are still to be read by the reader
	Differ   int // notes that two people decided differently and the reader may settle
}

// Note names a text of the replica.
type Note struct {
	Table, Column string // schema.name, and its column
	Row           string // published primary key, a JSON array of texts
}

// Item is a note in a round. It prints itself redacted.
type Item struct {
	Round   int64
	Place   int // from 1
	Note    Note
	Patient string   // pseudonym
	Stratum int      // index in the round's design
	Key     []string // the note's primary key in the source
	// When its round was drawn, if the note is to be seen as it was then: without what people found since. Zero: as it is now.
	Drawn  time.Time
	Member int     // of a note of a cluster: its number there; 0: the note at the place itself
	Alike  []Alike // of a note that leads a cluster, when it is drawn: its sentence first
}

// Alike is a sentence of a cluster. It prints itself redacted.
type Alike struct {
	Item       Item   // the note that it is in
	Start, End int    // range in characters of the note's text
	Words      []byte // [Hashes.Sentence] of the sentence
}

// Format prints the place, and nothing of the note.
func (a Alike) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "alike[%d of %d in round %d]", a.Item.Member, a.Item.Place, a.Item.Round)
}

// LogValue is what Format prints.
func (a Alike) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(a)) }

// Format prints the item's place, and nothing of its key.
func (i Item) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "item[%d of round %d]", i.Place, i.Round)
}

// LogValue is what Format prints.
func (i Item) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(i)) }

// Candidate is a note that may be drawn. It prints itself redacted.
type Candidate struct {
	phi.Redacted

	Key    []string // in the source
	Strata []string // what the columns say that the notes are divided by
}

// Doubts are what a look at a note leaves open. They print themselves redacted.
type Doubts struct {
	Key    []string // of the note in the source
	Alone  int      // spans that one member alone found
	Unsure int      // spans of a low probability
	Nearly int      // what members proposed and the ensemble did not take
	Layout []uint64 // hashes of the forms of its lines, none twice
}

// Format prints the counts, and nothing of the key.
func (d Doubts) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "doubts[%d alone, %d unsure, %d nearly]", d.Alone, d.Unsure, d.Nearly)
}

// LogValue is what Format prints.
func (d Doubts) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(d)) }
