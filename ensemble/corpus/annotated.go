package corpus

import (
	"fmt"
	"iter"
	"log/slog"
	"slices"
	"strings"
	"unicode"

	"github.com/pgdeid/pgdeid/ensemble/record"
)

// Annotated is a document with annotated PHI. It prints itself redacted.
type Annotated struct {
	ID        string // within its source; "" if it has none
	PatientID string
	Text      string // valid UTF-8 without NUL
	Marks     []Mark // sorted by start; they may overlap
	Patient   record.Record
	Kind      string // kind of note, "" if unknown
	Group     string // of the patient's name, "" if unknown
	Gender    string // of the patient, "" if unknown
	// PassedOver counts annotations that are not marks, such as relations and events.
	PassedOver int
}

// Mark is a half-open range of bytes of a text with the label of its source, which [Labels]
// resolves.
type Mark struct {
	Start, End int
	Label      string
	// Exact is set if the label is the name of one of our types and has exactly its meaning.
	Exact bool
}

// Format prints the length of the text and the number of marks.
func (a Annotated) Format(f fmt.State, _ rune) {
	fmt.Fprintf(f, "annotated[%d bytes, %d marks]", len(a.Text), len(a.Marks))
}

// LogValue keeps the text out of logs.
func (a Annotated) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(a)) }

// DocumentError is an error in one document of a file. It quotes no text.
type DocumentError struct {
	File string
	Err  error
}

// Error returns "notes/7.xml: …".
func (e *DocumentError) Error() string { return e.File + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *DocumentError) Unwrap() error { return e.Err }

// Typed returns the document with each label replaced by its main type, and without marks whose
// label is ignored.
func (a Annotated) Typed(labels Labels) (Annotated, error) {
	marks := make([]Mark, 0, len(a.Marks))
	for _, m := range a.Marks {
		meaning, err := labels.Resolve(m)
		if err != nil {
			return a, err
		}
		if meaning.Types != 0 {
			marks = append(marks, Mark{Start: m.Start, End: m.End, Label: meaning.Main.String(), Exact: true})
		}
	}
	a.Marks = marks
	return a, nil
}

// TypedAll is [Annotated.Typed] for a sequence. An unknown label is an error of its document only.
func TypedAll(docs iter.Seq2[Annotated, error], labels Labels) iter.Seq2[Annotated, error] {
	return func(yield func(Annotated, error) bool) {
		for doc, err := range docs {
			if err == nil {
				if doc, err = doc.Typed(labels); err != nil {
					err = &DocumentError{doc.ID, err}
				}
			}
			if !yield(doc, err) {
				return
			}
		}
	}
}

func sortMarks(marks []Mark) {
	slices.SortStableFunc(marks, func(a, b Mark) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		return b.End - a.End
	})
}

// pointsToBytes converts a range of code points to bytes; at has the byte offset of each code
// point.
func pointsToBytes(at []int, start, end int) (Mark, error) {
	if start < 0 || end >= len(at) || start >= end {
		return Mark{}, fmt.Errorf("[%d,%d) is not a range of a text of %d code points", start, end, len(at)-1)
	}
	return Mark{Start: at[start], End: at[end]}, nil
}

// byteOffsets returns the byte offset of each code point of s, and len(s) last.
func byteOffsets(s string) []int {
	at := make([]int, 0, len(s)+1)
	for i := range s {
		at = append(at, i)
	}
	return append(at, len(s))
}

// codePointsOf returns the marks' ranges in code points. Marks are sorted by start but may
// overlap.
func codePointsOf(text string, marks []Mark) [][2]int {
	offsets := make([]int, 0, 2*len(marks))
	for _, m := range marks {
		offsets = append(offsets, m.Start, m.End)
	}
	slices.Sort(offsets)
	points, at := make(map[int]int, len(offsets)), NewCodePoints(text)
	for _, o := range offsets {
		points[o] = at.Of(o)
	}
	out := make([][2]int, len(marks))
	for i, m := range marks {
		out[i] = [2]int{points[m.Start], points[m.End]}
	}
	return out
}

// sameText compares the text quoted by an annotation with the text at its offsets, ignoring white
// space, on which writers and parsers of attributes disagree.
func sameText(quoted, text string) bool {
	return quoted == text || squeeze(quoted) == squeeze(text)
}

func squeeze(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

var errOtherText = fmt.Errorf("its text differs from the text at its offsets")
