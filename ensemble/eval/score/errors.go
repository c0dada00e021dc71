package score

import (
	"fmt"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// ErrorSentence is a sentence with misses or false alarms, in the JSON Lines format that
// [corpus.ReadMarkedLines] and the trainer read: a person corrects Spans if the gold is wrong,
// then it can be trained on. It is identified text.
type ErrorSentence struct {
	ID     string      `json:"id"`
	Text   string      `json:"text"`
	Spans  []ErrorSpan `json:"spans"`  // gold
	Found  []ErrorSpan `json:"found"`  // what was predicted
	Missed []ErrorSpan `json:"missed"` // gold with a word that is not covered
	False  []ErrorSpan `json:"false"`  // predictions with a word that is not gold
	Note   string      `json:"note"`   // the document's id
	Offset int         `json:"offset"` // of the sentence in it, in code points
}

// ErrorSpan is a range of a sentence in code points.
type ErrorSpan struct {
	Start int      `json:"start"`
	End   int      `json:"end"`
	Type  string   `json:"type,omitempty"`  // one of ours
	Label string   `json:"label,omitempty"` // the source's label, if it is not one of ours
	Text  string   `json:"text"`
	By    []string `json:"by,omitempty"` // members that found it
	// InRecord is set for a miss whose words are in the patient's record.
	InRecord bool `json:"in_record,omitempty"`
}

// ErrorSentences returns the sentences of a document with misses or false alarms in group All.
// names, if not nil, returns the names of members.
func ErrorSentences(doc *Document, note *ensemble.Note, found []phi.Span, names func(phi.Votes) []string) []ErrorSentence {
	m := NewMarks(doc)
	var out []ErrorSentence
	points, bytes := 0, 0
	for _, sentence := range note.View().Sentences() {
		e := ErrorSentence{Note: doc.ID}
		cut := cutter{doc.Text, sentence}
		for _, gold := range doc.Spans {
			if span, ok := cut.gold(gold); ok {
				e.Spans = append(e.Spans, span)
				if !gold.Ignored() && cut.missed(gold, found) {
					span.InRecord = gold.Held
					e.Missed = append(e.Missed, span)
				}
			}
		}
		for _, s := range found {
			if span, ok := cut.span(s.Start, s.End); ok {
				if span.Type = s.Type.String(); names != nil {
					span.By = names(s.By)
				}
				e.Found = append(e.Found, span)
				if cut.wrong(s, m) {
					e.False = append(e.False, span)
				}
			}
		}
		points += utf8.RuneCountInString(doc.Text[bytes:sentence.Start])
		bytes = sentence.Start
		if len(e.Missed)+len(e.False) > 0 {
			e.ID, e.Offset = fmt.Sprintf("%s@%d", doc.ID, points), points
			e.Text = doc.Text[sentence.Start:sentence.End]
			out = append(out, e.filled())
		}
	}
	return out
}

// filled replaces nil lists by empty ones, as JSON shows nil as null.
func (e ErrorSentence) filled() ErrorSentence {
	for _, list := range []*[]ErrorSpan{&e.Spans, &e.Found, &e.Missed, &e.False} {
		if *list == nil {
			*list = []ErrorSpan{}
		}
	}
	return e
}

// cutter cuts spans of a text to one of its sentences.
type cutter struct {
	text     string
	sentence phi.Range
}

func (c cutter) span(start, end int) (ErrorSpan, bool) {
	start, end = max(start, c.sentence.Start), min(end, c.sentence.End)
	if start >= end {
		return ErrorSpan{}, false
	}
	from := utf8.RuneCountInString(c.text[c.sentence.Start:start])
	text := c.text[start:end]
	return ErrorSpan{Start: from, End: from + utf8.RuneCountInString(text), Text: text}, true
}

func (c cutter) gold(g GoldSpan) (ErrorSpan, bool) {
	s, ok := c.span(g.Start, g.End)
	if g.Exact {
		s.Type = g.Label
	} else {
		s.Label = g.Label
	}
	return s, ok
}

// missed reports whether a word of a gold span in the sentence is not covered.
func (c cutter) missed(g GoldSpan, found []phi.Span) bool {
	for _, w := range Words(c.text, max(g.Start, c.sentence.Start), min(g.End, c.sentence.End)) {
		if covered, _ := Coverage(c.text, w, found, All, g.Types); !covered {
			return true
		}
	}
	return false
}

// wrong reports whether a word of a prediction in the sentence overlaps no gold.
func (c cutter) wrong(s phi.Span, m *Marks) bool {
	if !All.Has(s.Type, "") {
		return false
	}
	for _, w := range Words(c.text, max(s.Start, c.sentence.Start), min(s.End, c.sentence.End)) {
		if !m.touched(c.text, w) {
			return true
		}
	}
	return false
}
