package surrogate

import (
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/surrogate/date"
	"github.com/pgdeid/pgdeid/surrogate/letter"
	"github.com/pgdeid/pgdeid/surrogate/place"
)

// kind names a set of surrogates that are distinct within one patient.
type kind string

const (
	kindName     kind = "name"
	kindNumber   kind = "number"
	kindCity     kind = "city"
	kindPlace    kind = "place" // states, countries, counties, other places
	kindFacility kind = "facility"
	kindStreet   kind = "street"
	kindZip      kind = "zip"
	kindLogin    kind = "login"    // user names and the local parts of e-mail addresses
	kindSite     kind = "site"     // internet domains
	kindInitials kind = "initials" // letters, and a mark that makes each entry distinct
	kindJob      kind = "job"
)

var kinds = [...]kind{
	kindName, kindNumber, kindCity, kindPlace, kindFacility, kindStreet, kindZip, kindLogin, kindSite,
	kindInitials, kindJob,
}

// kindOf returns the constant equal to a stored kind, so that entries share its memory.
func kindOf(s string) kind {
	for _, k := range kinds {
		if string(k) == s {
			return k
		}
	}
	return kind(s)
}

// Book holds the surrogates of one patient. It is safe for concurrent use, but
// one patient's notes should go through it in commit order, so that collisions
// are settled the same way each time.
// A Book remembers what it returned. A caller that fails to store [Result.New], for example
// because the replica transaction rolled back, must drop the Book and open another.
type Book struct {
	phi.Redacted

	actions map[phi.Type]Action
	who     *record.Gazetteer
	shift   int
	order   date.Order // order of day and month where the text does not show it
	oldest  int        // earliest year that dates may show; 0: no limit

	mu     sync.Mutex
	source *source
	known  map[entryKey]string
	taken  map[taken]struct{}
	roster *roster                     // built from the gazetteer's record on first use
	values *roleValues                 // likewise
	towns  map[string]recordTown       // likewise
	states map[int]int                 // surrogates of states, which depend on the gazetteer
	areas  map[*place.Area]*place.Area // likewise
}

type entryKey struct {
	kind kind
	hash [16]byte
}

// taken identifies a surrogate in use by its folded form.
type taken struct {
	phi.Redacted

	kind      kind
	surrogate string
}

// Know replaces the book's gazetteer after the patient's record has changed. The surrogates stay.
func (b *Book) Know(who *record.Gazetteer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.who, b.roster, b.values, b.towns, b.states, b.areas = who, nil, nil, nil, nil, nil
}

func (b *Book) remember(id entryKey, surrogate string) {
	b.known[id] = surrogate
	b.taken[taken{kind: id.kind, surrogate: letter.Plain(surrogate)}] = struct{}{}
}

func (b *Book) forget(id entryKey) {
	delete(b.taken, taken{kind: id.kind, surrogate: letter.Plain(b.known[id])})
	delete(b.known, id)
}

// errNoSurrogate is returned if every candidate is in use; the note must be quarantined.
var errNoSurrogate = errors.New("no surrogate is left for an identifier of the patient")

// The search for a free surrogate is bounded in the number of tries and in their cost, which grows
// with the length of the original.
const (
	maxTries   = 4096
	minTries   = 64
	triedBytes = 4 << 20
)

// triesFor returns how many candidates are tried for an original.
func triesFor(original string) int {
	return max(minTries, min(maxTries, triedBytes/(1+len(original))))
}

// work is the state of one call on a book. What it adds is either kept or undone as a whole. The
// book's lock is held during its life.
type work struct {
	*Book
	added []entryKey
	kept  bool       // the added entries were returned to the caller
	spans []prepared // the spans of the text, in order
	cast  *roster    // persons of the record and of the text; built on first use
	// lastDate is the last date that was read, initially the first complete date of the text.
	lastDate date.Civil
	// avoid holds the words of names and places in the text, which no surrogate may be. It is built on
	// first use.
	avoid map[string]struct{}
	// addresses are those that the text gives of its towns. It is built on first use.
	addresses map[string]Address
	err       error // a surrogate could not be made: the output is not to be used
}

// avoidance returns the folded words of the names and places in the text, except those of up to
// three letters, such as "of" and "st".
func (w *work) avoidance() map[string]struct{} {
	if w.avoid != nil {
		return w.avoid
	}
	w.avoid = map[string]struct{}{}
	for _, s := range w.spans {
		for _, word := range s.words {
			if word.class == nameToken {
				w.avoid[word.plain] = struct{}{}
			}
		}
		if s.dates.Pieces() != nil {
			continue
		}
		for word := range letter.Words(letter.Plain(s.text)) {
			if len(word) > 3 {
				w.avoid[word] = struct{}{}
			}
		}
	}
	return w.avoid
}

// discard undoes the additions unless they were returned, also after a panic: the panic costs one
// text, not the book.
func (w *work) discard() {
	if w.kept {
		return
	}
	for _, id := range w.added {
		w.forget(id)
	}
}

// entries returns what was added, for the caller to store.
func (w *work) entries() []Entry {
	w.kept = true
	if len(w.added) == 0 {
		return nil
	}
	entries := make([]Entry, len(w.added))
	for i, id := range w.added {
		entries[i] = Entry{Kind: string(id.kind), Hash: id.hash[:], Surrogate: w.known[id]}
	}
	return entries
}

// find returns the surrogate of an original (normalised by the caller). If there is none yet, it
// takes the first free candidate of propose for tries 0, 1, …; empty candidates are skipped.
func (w *work) find(k kind, original string, propose func(c *choices, try int) string) string {
	id, seed := w.source.derive(k, original)
	if s, ok := w.known[id]; ok {
		return s
	}
	c := &choices{seed: seed, used: sha256.Size}
	for try := range triesFor(original) {
		s := propose(c, try)
		if s == "" || !w.free(k, original, s) {
			continue
		}
		w.remember(id, s)
		w.added = append(w.added, id)
		return s
	}
	w.err = errNoSurrogate
	return ""
}

// free reports whether s may replace original: it is not in use for another original, not an
// original of the patient, and shows nothing of the gazetteer.
func (w *work) free(k kind, original, s string) bool {
	folded := letter.Plain(s)
	if folded == original {
		return false
	}
	if _, used := w.taken[taken{kind: k, surrogate: folded}]; used {
		return false
	}
	crowded := k == kindNumber && len(folded) <= crowdedLength
	if id, _ := w.source.derive(k, folded); w.isOriginal(id) && !crowded {
		return false
	}
	// What is behind an address is of everybody: texts that show it themselves do not use it up.
	for word := range letter.Words(strings.TrimSuffix(folded, mailDomain)) {
		if _, avoid := w.avoidance()[word]; avoid && !crowded || w.holds(word) {
			return false
		}
	}
	return !w.reveals(s)
}

// crowdedLength is the length up to which there are so few numbers that a surrogate may equal
// another number's original.
const crowdedLength = 3

func (w *work) isOriginal(id entryKey) bool {
	_, ok := w.known[id]
	return ok
}

// reveals reports whether an identifier of the patient can be read in a surrogate, also in a part of a word: the town
// Jamestown in the notes of a James. What can be read depends on how a note shows the surrogate, which has the case of
// its original: "longcliff" shows Cliff, "Longcliff" does not, and "Dr. McKay" shows Kay.
func (b *Book) reveals(s string) bool {
	if b.who == nil {
		return false
	}
	if b.revealsAmid("", s, "") {
		return true
	}
	lower := strings.ToLower(s)
	upper := strings.ToUpper(s)
	if lower == upper { // no letters
		return false
	}
	return b.revealsAmid("", lower, "") || b.revealsAmid("", upper, "") ||
		b.revealsAmid("Mr. ", s, " said") || b.revealsAmid("seen by ", s, ", MD")
}

// revealsAmid reports whether an identifier can be read in s between two other texts.
func (b *Book) revealsAmid(before, s, after string) bool {
	return slices.ContainsFunc(b.who.Leaks(before+s+after), func(r phi.Range) bool {
		return r.Start < len(before)+len(s) && r.End > len(before)
	})
}

func (b *Book) holds(word string) bool { return b.who != nil && b.who.Holds(word) }
