package record_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/ensemble/synth"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// share counts the letters and digits of values, and those of them that were found.
type share struct{ held, found int }

func (s share) recall() float64 { return float64(s.found) / float64(max(1, s.held)) }

// tally is what was measured of one way of writing.
type tally struct {
	share
	types  map[phi.Type]share
	misses []string
	twice  share // of values that the note has damaged already
	words  int   // of the notes
	wrong  int   // hits of another patient's record that meet no PHI
	errors []string
}

// TestRecall writes the notes of a made-up hospital with the values of the
// patient's record in each of the ways and counts what the record finds of them, and what the
// record of another patient finds where no PHI is. Values that the note itself has damaged are
// counted apart, since two errors in one name may make another word of it.
func TestRecall(t *testing.T) {
	t.Parallel()
	const patients, notes = 40, 120
	seed := uint64(71)
	if s := os.Getenv("PGDEID_SEED"); s != "" { // another hospital
		if _, err := fmt.Sscan(s, &seed); err != nil {
			t.Fatal(err)
		}
	}
	h, err := synth.NewHospital(seed, synth.Options{Patients: patients, Notes: notes})
	if err != nil {
		t.Fatal(err)
	}
	gazetteers := map[int64]*record.Gazetteer{}
	for i := range h.Patients {
		gazetteers[h.Patients[i].ID] = record.NewGazetteer(h.Patients[i].Record())
	}
	const floor, mostWrong = .999, .05 // recall, and hits per thousand words
	var report strings.Builder
	fmt.Fprintf(&report, "%-12s %10s %8s %12s %14s %8s\n", "written", "characters", "recall", "false/1000", "damaged twice", "recall")
	for n, way := range Ways() {
		tally := tally{types: map[phi.Type]share{}}
		rng := rand.New(rand.NewPCG(seed, uint64(n)))
		for i := range notes {
			doc := h.Note(i)
			other := &h.Patients[(slices.IndexFunc(h.Patients, func(p synth.Patient) bool { return p.ID == doc.Patient.ID })+1)%patients]
			tally.note(t, rng, way, &doc, gazetteers[doc.Patient.ID], gazetteers[other.ID])
		}
		fmt.Fprintf(&report, "%-12s %10d %8.4f %12.2f %14d %8.4f\n", way.Name, tally.held, tally.recall(), 1000*float64(tally.wrong)/float64(tally.words),
			tally.twice.held, tally.twice.recall())
		tally.details(&report)
		if tally.held == 0 || tally.recall() < floor || 1000*float64(tally.wrong) > mostWrong*float64(tally.words) {
			t.Errorf("%s: recall %.4f, want %.4f; %d false hits in %d words", way.Name, tally.recall(), floor, tally.wrong, tally.words)
		}
	}
	t.Log("\n" + report.String())
}

// note measures one note.
func (y *tally) note(t *testing.T, rng *rand.Rand, way Way, doc *synth.Document, own, other *record.Gazetteer) {
	t.Helper()
	plain := find(t, doc.Text, own)
	var b strings.Builder
	var gold, held []phi.Span
	twice := map[int]bool{} // by number of held
	done := 0
	for _, s := range doc.Spans {
		value := doc.Text[s.Start:s.End]
		b.WriteString(doc.Text[done:s.Start])
		written, glued := "", false
		if covered(doc.Text, s.Start, s.End, plain).complete() {
			written = way.Write(rng, value)
			twice[len(held)] = way.Damages && damaged(doc.Text, s, own)
			if way.Glue && rng.IntN(2) == 0 && strings.HasPrefix(doc.Text[s.End:], " ") && !joinsWord(value, doc.Text[s.End+1:]) {
				written, glued = value, true
			}
		}
		at := s
		at.Start = b.Len()
		if written == "" {
			b.WriteString(value)
		} else {
			b.WriteString(written)
			held = append(held, phi.Span{Start: at.Start, End: b.Len(), Type: s.Type})
		}
		at.End = b.Len()
		gold = append(gold, at)
		done = s.End
		if glued {
			done++ // the blank behind the value
		}
	}
	b.WriteString(doc.Text[done:])
	body := b.String()
	found := find(t, body, own)
	for i, s := range held {
		c := covered(body, s.Start, s.End, found)
		if twice[i] {
			y.twice = share{y.twice.held + c.held, y.twice.found + c.found}
			continue
		}
		y.held, y.found = y.held+c.held, y.found+c.found
		sum := y.types[s.Type]
		y.types[s.Type] = share{sum.held + c.held, sum.found + c.found}
		if !c.complete() {
			y.misses = append(y.misses, fmt.Sprintf("%s %q in %q", s.Type, body[s.Start:s.End], around(body, s)))
		}
	}
	y.words += len(text.Tokenize(body))
	for _, s := range find(t, body, other) {
		if !slices.ContainsFunc(gold, s.Overlaps) {
			y.wrong++
			y.errors = append(y.errors, fmt.Sprintf("%s %q in %q", s.Type, body[s.Start:s.End], around(body, s)))
		}
	}
}

// damaged reports whether a note has a value otherwise than the record: a name with a typing error, or
// any value that is glued to what is next to it.
func damaged(body string, s phi.Span, own *record.Gazetteer) bool {
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	before, _ := utf8.DecodeLastRuneInString(body[:s.Start])
	after, _ := utf8.DecodeRuneInString(body[s.End:])
	if inWord(before) || inWord(after) {
		return true
	}
	if s.Type != phi.Patient && s.Type != phi.Doctor {
		return false
	}
	for word := range strings.FieldsFuncSeq(body[s.Start:s.End], func(r rune) bool { return !inWord(r) }) {
		if folded := lexicon.Fold(word); utf8.RuneCountInString(word) > 2 && !own.Holds(folded) && text.RolesOf(folded)&text.RoleSuffix == 0 {
			return true
		}
	}
	return false
}

// joinsWord reports whether the last word of a value and the first of the rest are another word
// together, as "rob" and "in" are.
func joinsWord(value, rest string) bool {
	before, after := wordsOf(value), wordsOf(rest)
	if len(before) == 0 || len(after) == 0 || after[0][0] != 0 {
		return false
	}
	_, known := lexicon.Lookup(value[before[len(before)-1][0]:] + rest[:after[0][1]])
	return known
}

// details lists what was found by type, and what was missed, if the environment asks for it.
func (y *tally) details(b *strings.Builder) {
	if os.Getenv("PGDEID_MISSES") == "" {
		return
	}
	types := slices.SortedFunc(maps.Keys(y.types), func(a, b phi.Type) int { return cmp.Compare(a, b) })
	for _, typ := range types {
		if s := y.types[typ]; s.found < s.held {
			fmt.Fprintf(b, "    %-14s %6d of %6d\n", typ, s.found, s.held)
		}
	}
	for _, m := range y.misses {
		fmt.Fprintf(b, "    missed %s\n", m)
	}
	for _, m := range y.errors {
		fmt.Fprintf(b, "    wrong %s\n", m)
	}
}

func (s share) complete() bool { return s.held > 0 && s.held == s.found }

// covered counts the letters and digits of [start, end) that spans cover.
func covered(body string, start, end int, spans []phi.Span) share {
	var s share
	for i, r := range body[start:end] {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			continue
		}
		s.held++
		at := start + i
		if slices.ContainsFunc(spans, func(s phi.Span) bool { return s.Start <= at && at < s.End }) {
			s.found++
		}
	}
	return s
}

func find(t *testing.T, body string, g *record.Gazetteer) []phi.Span {
	t.Helper()
	spans, err := record.Find(t.Context(), text.NewView(body), g, nil)
	if err != nil {
		t.Fatal(err)
	}
	return spans
}

// around returns a span with what is next to it.
func around(body string, s phi.Span) string {
	const near = 25
	return strings.ToValidUTF8(body[max(0, s.Start-near):min(len(body), s.End+near)], "")
}
