package eval

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble"
)

// Document is a text with what is gold in it.
type Document struct {
	ID      string
	Text    string
	Spans   []GoldSpan // sorted by start
	Patient ensemble.Record
	Kind    string // kind of note, "" if not told
	Group   string // group of the patient's name, "" if not told
}

// GoldSpan is a range of bytes of a text with what its label stands for.
type GoldSpan struct {
	Start, End int
	Label      string
	Meaning
}

// goldLine is the JSON form: offsets count Unicode code points.
type goldLine struct {
	ID    json.RawMessage `json:"id"`
	Text  string          `json:"text"`
	Spans []struct {
		Start int    `json:"start"`
		End   int    `json:"end"`
		Label string `json:"label"`
		Type  string `json:"type"`
	} `json:"spans"`
	Patient ensemble.Record `json:"patient"`
	Kind    string          `json:"kind"`
	Group   string          `json:"group"`
}

// ReadGold reads JSON Lines of {"id","text","spans":[{"start","end","label"|"type"}],
// "patient"?,"kind"?,"group"?}. Offsets count code points. The first error ends the
// sequence and names its line, never a text.
func ReadGold(r io.Reader, labels Labels) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		in := bufio.NewReaderSize(r, 1<<20)
		for n := 1; ; n++ {
			line, err := in.ReadBytes('\n')
			if err != nil && !errors.Is(err, io.EOF) {
				yield(Document{}, fmt.Errorf("line %d: %w", n, err))
				return
			}
			if len(strings.TrimSpace(string(line))) > 0 {
				doc, perr := parseGold(line, labels)
				if perr != nil {
					yield(Document{}, fmt.Errorf("line %d: %w", n, perr))
					return
				}
				if !yield(doc, nil) {
					return
				}
			}
			if err != nil {
				return
			}
		}
	}
}

func parseGold(line []byte, labels Labels) (Document, error) {
	var g goldLine
	if err := json.Unmarshal(line, &g); err != nil {
		return Document{}, jsonError(err)
	}
	if err := ensemble.CheckText(g.Text); err != nil {
		return Document{}, err
	}
	doc := Document{
		ID: strings.Trim(string(g.ID), `"`), Text: g.Text, Patient: g.Patient, Kind: g.Kind, Group: g.Group,
	}
	at := byteOffsets(g.Text)
	for i, s := range g.Spans {
		if s.Start < 0 || s.End >= len(at) || s.Start >= s.End {
			return Document{}, fmt.Errorf("span %d: [%d,%d) is not a range of a text of %d code points", i, s.Start, s.End, len(at)-1)
		}
		label, m, err := labels.resolve(s.Label, s.Type)
		if err != nil {
			return Document{}, fmt.Errorf("span %d: %w", i, err)
		}
		doc.Spans = append(doc.Spans, GoldSpan{Start: at[s.Start], End: at[s.End], Label: label, Meaning: m})
	}
	slices.SortStableFunc(doc.Spans, func(a, b GoldSpan) int { return a.Start - b.Start })
	return doc, nil
}

// resolve returns what a span's label or, where it has none, its type stands for. A
// type is one of ours and means just that.
func (l Labels) resolve(label, typ string) (string, Meaning, error) {
	if label == "" {
		t, err := ensemble.ParseType(typ)
		if err != nil {
			return "", Meaning{}, err
		}
		return t.String(), meaningOf(t), nil
	}
	m, ok := l.Meaning(label)
	if !ok {
		return "", m, fmt.Errorf("unknown label %q: give its meaning in a label map", label)
	}
	return strings.ToUpper(label), m, nil
}

// jsonError keeps what encoding/json says of a place and drops what it may quote.
func jsonError(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("not valid JSON at byte %d", syntax.Offset)
	}
	var typ *json.UnmarshalTypeError
	if errors.As(err, &typ) {
		return fmt.Errorf("field %q: want a %s", typ.Field, typ.Type)
	}
	return err
}

// byteOffsets returns the byte offset of each code point of s, and len(s) last.
func byteOffsets(s string) []int {
	at := make([]int, 0, utf8.RuneCountInString(s)+1)
	for i := range s {
		at = append(at, i)
	}
	return append(at, len(s))
}
