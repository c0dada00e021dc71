package deid

import (
	"time"

	"github.com/jackc/pglogrepl"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/trace"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Item is one thing on its way through the pipeline: a change, a mark that everything
// before it belongs together and ends at a position, or a mark of [source.Mark].
type Item struct {
	phi.Redacted

	Change *schema.Change // nil for a mark
	Mark   Position       // of a mark
	Passed string         // a mark of [source.Mark]

	Request          // how the change is to be treated
	Resolved         // what the change alone does not say
	Out      Outcome // what becomes of its row
	line     line    // of a note, if its row is one

	// Ends is the note whose lines came before: rows of it that are none of these are deleted.
	Ends *Note
	// Brings are lines of a note that come with the item, and in its order before it.
	Brings []*Item
	// Extra is true of items that were taken in besides what the stream brought: their bytes
	// are counted apart ([Pipeline.Written]).
	Extra bool

	Trace *trace.Note // nil: the row is not traced

	Held int64         // bytes of the queue's budget
	Done chan struct{} // closed when Out is there
}

// Request says how a row is to be treated that is read again. The zero value is a change
// of the stream or of the first copy.
type Request struct {
	phi.Redacted

	Background bool // nothing but the backlog asked for the row
	Refiled    bool // it may be another patient's now
	Only       bool // write the row only if the replica has it
	Fresh      bool // de-identify texts whatever is published of them
	Anew       bool // de-identify texts even if they are up to date; those that come out as they are published stay
	Compared   Comparing
}

// Comparing says how texts are treated of rows that are compared with the replica's.
type Comparing uint8

// How texts are treated.
const (
	NotCompared Comparing = iota // a text stays if this very program and configuration made it of the same source
	ForRepair                    // a text stays if it was made of the same source, whatever made it
	ForCount                     // likewise, and one that does not stay is not searched: nothing of the row is to be written
)

// Resolved is what [Resolver.ResolveEach] finds out of a change.
type Resolved struct {
	phi.Redacted

	Key   []string // the row's primary key in the source; of the row before, for a delete
	Owner string   // pseudonym of the row's patient, or "" if it has none or several
	// OwnerKey is that patient's key in the source.
	OwnerKey  string
	HeldWords *patient.HeldWords   // that the cache keeps for the item, or nil
	LeftOut   bool                 // the patient stays out of the replica, as far as is known before the row is written
	Patient   *patient.Patient     // pinned; nil if the row has none, or needs none
	known     []known              // by index of table.texts: what is published already, if that was asked for
	Requests  []*Requeue           // the change says something new about these patients
	Leads     []patient.PathChange // the change says something new about rows under this one
	Words     []surrogate.Entry    // words of the record that the row itself has
	Whose     string               // pseudonym of the patient id whose record has these words
	WhoseKey  string               // that id
	Absent    bool                 // the replica does not have the row, and it is only written if it does
	Lacks     string               // the hash of the row that would lead to a patient
	Reason    vault.Reason         // why the row can't be published, if that is clear already
}

// Position is where everything before a mark ends: in the stream, or in the copy
// of a table.
type Position struct {
	LSN       pglogrepl.LSN
	Committed time.Time // when the transaction committed at the source; zero for idle marks
	Cursor    *Cursor
}

// known is what provenance has of a published text.
type known struct {
	hmac      []byte // of the source text, with what is known of the patient
	published []byte // hash of what was published
	config    string
	null      bool // the replica has the row without a text, and nothing says that it had one
}

// Outcome is what becomes of a row: what is published, or why nothing is.
type Outcome struct {
	phi.Redacted

	Key    []string  // what identifies the row in the replica: the published primary key or its hash
	RowKey string    // the same as a JSON array of texts
	OldKey []string  // the same before, where it changed
	OldRow string    // the same as JSON
	Values []*string // by index of table.SQL.Names
	Keep   []bool    // by index of table.texts: the published text stays
	// Texts has nothing of a text that stays, unless that was made anew and came out the same.
	Texts   []TextOutcome
	Entries []surrogate.Entry // new surrogates
	Reason  vault.Reason      // "" if the row may be published
	// Repairs says whether those of the row's texts had an effect.
	Repairs []review.RepairState
	// Withheld are columns whose values do not fit their policies: NULL is published.
	Withheld []int
}

// TextOutcome is how one published text was made.
type TextOutcome struct {
	HMAC      []byte // of the source text, with what is known of the patient
	Published []byte // hash of what is published
	Spans     []surrogate.Span
	Null      bool // there is no text
}

// PassedItem returns an item that says, to the one that expects the mark ([Pipeline.Expect]), that everything before
// it is committed.
func PassedItem(mark string) *Item {
	it := &Item{Passed: mark, Held: 64, Done: make(chan struct{})}
	close(it.Done)
	return it
}

// MarkItem returns a mark.
func MarkItem(p Position) *Item {
	it := &Item{Mark: p, Held: 64, Done: make(chan struct{})}
	close(it.Done)
	return it
}

// RowItem returns an item for a change.
func RowItem(c *schema.Change) *Item {
	c.Measure()
	return &Item{Change: c, Held: c.Size, Done: make(chan struct{})}
}

// Release gives back what an item holds in the cache.
func (it *Item) Release(r *patient.Register) {
	if it.Patient != nil {
		r.Cache.Unpin(it.Patient)
		it.Patient = nil
	}
	if it.HeldWords != nil {
		r.Cache.WordsStored(it.HeldWords)
		it.HeldWords = nil
	}
}

// Cursor is a position within the copy of a table.
type Cursor struct {
	phi.Redacted

	Table *schema.Table
	Chunk int      // the part of the table that it is in; 0: the table is copied as a whole
	Key   []string // of the last row; nil if there was none
	Rows  int64    // since the cursor before
	Done  bool
}
