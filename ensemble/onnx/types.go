package onnx

import (
	"errors"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Encoding is a text cut into wordpieces; its slices have the same length.
type Encoding struct {
	IDs     []uint32 // in the tokenizer's vocabulary
	Offsets [][2]int // half-open ranges of bytes of the text; 0, 0 for special tokens
}

// ModelOptions say how a folder is loaded.
type ModelOptions struct {
	// Sums has the SHA-256 of every file of the folder in hexadecimal digits. Every
	// file it lists must be there and match, and no other file is read. Without sums
	// a model is refused, unless Unverified says that this is meant.
	Sums map[string]string
	// Unverified loads a folder of which there are no sums, such as one that was
	// just trained. It can't be combined with Sums.
	Unverified bool
	// Folder is where the files lie, for messages; they are read from the fs.FS.
	Folder string
	// Labels gives each label of the model, without its prefix (B-, I-, ...) and in
	// upper case, a type; [phi.None] says that what it marks is no PHI. A label
	// that is missing here is an error. Nil means that labels are names of types, or
	// one of NAME, LOCATION, ORG, ID and CONTACT. Package mapping has maps of
	// public models.
	Labels map[string]phi.Type
	// Cache is how many sentences' results are kept; 0 means [DefaultCache], and a
	// negative number none.
	Cache int
}

// DefaultCache is how many sentences' results a model keeps by default.
const DefaultCache = 100_000

// MemberOptions say what a member makes of a model's probabilities.
type MemberOptions struct {
	// Name is the detector's; the model's if empty.
	Name string
	// Types are those that the member reports; empty means all that the model knows.
	// What the model takes for another type is no PHI to this member.
	Types []phi.Type
	// Normalize feeds the model words that are all capitals in title case (paper,
	// supplement: text normalisation).
	Normalize bool
	// Threshold is the probability from which a word is PHI, that of all the member's
	// types together; 0 means 0.5.
	Threshold float64
	// Alone is the probability from which a span counts without a vote from elsewhere:
	// one whose surest word is below it is tentative, see [phi.Span]. 0 means that
	// every span counts.
	Alone float64
	// Bias is added to the log-odds of PHI before they are compared with a threshold:
	// above 0 for recall.
	Bias float64
	// Thresholds are those of single types instead of Threshold; they are compared
	// with the type's probability, for names and for organisations with that of
	// PATIENT and DOCTOR, or HOSPITAL and ORGANIZATION, together.
	Thresholds map[phi.Type]float64
}

// Stats counts what a model did since it was loaded.
type Stats struct {
	Sentences uint64 // looked at, by all members
	Hits      uint64 // of these, answered from the cache
	Windows   uint64 // that the network ran over; a long sentence has several
	Batches   uint64 // calls of the network
	Cells     uint64 // words or wordpieces in all batches, padding included
	Padding   uint64 // of these, padding
	Cached    int    // sentences in the cache now
	// Running is how long the network has used cores, of all goroutines together.
	Running time.Duration
}

// ErrNoParity says that a model has no parity.json to compare with.
var ErrNoParity = errors.New("the model has no parity.json")
