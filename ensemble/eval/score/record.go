package score

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

// RecordReport splits the scores of documents that come with a patient's record into what the
// record contains and everything else.
type RecordReport struct {
	Docs int `json:"docs"` // with a record
	// Survivors are identifiers of the record in the text that were not found as something that group
	// C replaces: what makes the leak check quarantine a note.
	Survivors    int                   `json:"survivors"`
	SurvivorDocs int                   `json:"survivor_docs"`
	In           Share                 `json:"in"`
	Out          Share                 `json:"out"`
	Types        map[string]RecordType `json:"types"` // by gold label
}

// RecordType are the gold words of a label in spans whose words are in the record and in other
// spans.
type RecordType struct {
	Class string `json:"class"`
	In    Share  `json:"in"`
	Out   Share  `json:"out"`
}

// Share is gold words, and those of them that were found.
type Share struct {
	Gold  int `json:"gold"`
	Found int `json:"found"`
}

// Recall is Found of Gold; 1 where nothing is gold.
func (s Share) Recall() float64 { return Ratio(s.Found, s.Gold) }

// Missed is Gold less Found.
func (s Share) Missed() int { return s.Gold - s.Found }

func (s *Share) add(o Share) {
	s.Gold += o.Gold
	s.Found += o.Found
}

func (r *RecordReport) add(o *RecordReport) {
	r.Docs += o.Docs
	r.Survivors += o.Survivors
	r.SurvivorDocs += o.SurvivorDocs
	r.In.add(o.In)
	r.Out.add(o.Out)
	for label, t := range o.Types {
		sum := r.Types[label]
		sum.Class = t.Class
		sum.In.add(t.In)
		sum.Out.add(t.Out)
		r.Types[label] = sum
	}
}

// Labels lists the types by class.
func (r *RecordReport) Labels() []string {
	return slices.SortedFunc(maps.Keys(r.Types), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.Types[a].Class, r.Types[b].Class), cmp.Compare(a, b))
	})
}

// known is what of a document is in its patient's record.
type known struct {
	record *record.Gazetteer
	spans  []phi.Span // found by the record detector alone
}

// MarkHeld marks the gold spans that are in a patient's record, in the document's own copy of its
// spans.
func MarkHeld(ctx context.Context, doc *Document, record *record.Gazetteer) error {
	spans, err := ensemble.NewRecord().Detect(ctx, &ensemble.Note{Text: doc.Text, Patient: record}, nil)
	if err != nil {
		return err
	}
	phi.SortSpans(spans)
	k := known{record, spans}
	doc.Spans = slices.Clone(doc.Spans)
	for i := range doc.Spans {
		doc.Spans[i].Held = k.holds(doc.Text, doc.Spans[i])
	}
	return nil
}

// AgainstRecord splits the gold words of a document whose spans were marked by markHeld.
func AgainstRecord(doc *Document, found []phi.Span, record *record.Gazetteer) *RecordReport {
	r := &RecordReport{Docs: 1, Types: map[string]RecordType{}}
	for _, gold := range doc.Spans {
		if !gold.Ignored() {
			r.count(doc, gold, found)
		}
	}
	for _, leak := range record.Leaks(doc.Text) {
		if covered, _ := Coverage(doc.Text, leak, found, C, 0); !covered {
			r.Survivors, r.SurvivorDocs = r.Survivors+1, 1
		}
	}
	return r
}

func (r *RecordReport) count(doc *Document, gold GoldSpan, found []phi.Span) {
	var s Share
	for _, w := range Words(doc.Text, gold.Start, gold.End) {
		s.Gold++
		if covered, _ := Coverage(doc.Text, w, found, All, gold.Types); covered {
			s.Found++
		}
	}
	t := r.Types[gold.Label]
	t.Class = gold.class(All, "").String()
	if gold.Held {
		t.In.add(s)
		r.In.add(s)
	} else {
		t.Out.add(s)
		r.Out.add(s)
	}
	r.Types[gold.Label] = t
}

// holds reports whether a gold span is in the record: the record's detector finds each of its
// words, or the record contains the word. Initials and particles ("de la") are ignored.
func (k known) holds(text string, gold GoldSpan) bool {
	if k.record.Holds(strings.TrimSpace(text[gold.Start:gold.End])) {
		return true
	}
	all := true
	some := false
	EachWord(text, gold.Start, gold.End, func(w phi.Range) {
		word := text[w.Start:w.End]
		byDetector, _ := Coverage(text, w, k.spans, All, corpus.SetOf(phi.Time))
		switch {
		case byDetector || k.record.Holds(word):
			some = true
		case utf8.RuneCountInString(word) == 1 || word == strings.ToLower(word) && len(word) <= 3 && !hasDigit(word):
		default:
			all = false
		}
	})
	return all && some
}

func hasDigit(s string) bool { return strings.ContainsFunc(s, unicode.IsDigit) }

// EachWord calls do for each run of letters, marks and digits in text[start:end].
func EachWord(text string, start, end int, do func(phi.Range)) {
	from := -1
	for at, r := range text[start:end] {
		inWord := unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
		switch {
		case inWord && from < 0:
			from = start + at
		case !inWord && from >= 0:
			do(phi.Range{Start: from, End: start + at})
			from = -1
		}
	}
	if from >= 0 {
		do(phi.Range{Start: from, End: end})
	}
}
