package corpus

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"os"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// Labelled is a note or a single sentence with a tag for each token, for training detectors. It
// prints itself redacted.
type Labelled struct {
	// Source is the source of a training sentence, otherwise the document's ID.
	Source string
	Note   *ensemble.Note
	// Tags has a tag for each of Note.View().Tokens: "O", B- or I- with a name known to [TagTypes], or
	// "*" if the token may be PHI of any type, or none.
	Tags []string
	// Covers are the classes that the source marks completely: for others an "O" means nothing. Nil
	// means all.
	Covers []string
	// Group is the group of the names in it, "" if unknown.
	Group string
}

// Unknown is the tag of a token that may or may not be PHI.
const Unknown = "*"

// Outside is the tag of a token that is not PHI of the covered classes.
const Outside = "O"

// Format prints the number of tokens.
func (l Labelled) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "labelled[%d tokens]", len(l.Tags)) }

// LogValue keeps the text out of logs.
func (l Labelled) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(l)) }

// ReadLabelled yields the content of a file or folder: everything that [ReadAnnotated] reads, with
// the built-in meaning of labels, or, from JSON Lines, training sentences as models/train writes
// them: {"words","gaps","tags","covers","source"?,"group"?}. A token that a mark covers in part is
// tagged. Both kinds of lines may be in one file.
//
// A [*DocumentError] concerns one document or line, and reading continues; any other error is the
// last.
func ReadLabelled(path string) iter.Seq2[Labelled, error] {
	if info, err := os.Stat(path); err != nil || info.IsDir() || formatOfName(path) != JSONLines {
		return labelledDocuments(ReadAnnotated(path), path)
	}
	return func(yield func(Labelled, error) bool) {
		file, err := openAnnotated(path)
		if err != nil {
			yield(Labelled{}, err)
			return
		}
		defer file.Close()
		for l, err := range ReadLabelledLines(file) {
			var line *LineError
			if errors.As(err, &line) {
				err = &DocumentError{path, err}
			}
			if !yield(l, err) {
				return
			}
		}
	}
}

// ReadLabelledLines is [ReadLabelled] for a stream of JSON Lines. An error in a line is a
// [*LineError].
func ReadLabelledLines(r io.Reader) iter.Seq2[Labelled, error] {
	labels := BuiltinLabels()
	return eachLine(r, func(_ int, raw []byte, err error) (Labelled, error) {
		if err != nil {
			return Labelled{}, err
		}
		if l, ok, err := parseWords(raw); ok || err != nil {
			return l, err
		}
		doc, err := parseAnnotated(raw)
		if err != nil {
			return Labelled{}, err
		}
		return doc.Labelled(labels)
	})
}

func labelledDocuments(docs iter.Seq2[Annotated, error], path string) iter.Seq2[Labelled, error] {
	labels := BuiltinLabels()
	return func(yield func(Labelled, error) bool) {
		for doc, err := range docs {
			var l Labelled
			if err == nil {
				if l, err = doc.Labelled(labels); err != nil {
					err = &DocumentError{path, err}
				}
			}
			if !yield(l, err) {
				return
			}
		}
	}
}

// Labelled tags the tokens of a document's text. Its patient's record becomes the note's
// gazetteer.
func (a Annotated) Labelled(labels Labels) (Labelled, error) {
	marks := make([]taggedRange, 0, len(a.Marks))
	for _, m := range a.Marks {
		meaning, err := labels.Resolve(m)
		if err != nil {
			return Labelled{}, err
		}
		marks = append(marks, taggedRange{m.Start, m.End, meaning.tag()})
	}
	note := &ensemble.Note{Text: a.Text}
	if len(a.Patient) > 0 {
		note.Patient = record.NewGazetteer(a.Patient)
	}
	return Labelled{Source: a.ID, Note: note, Tags: tagTokens(note.View().Tokens, marks), Group: strings.ToLower(a.Group)}, nil
}

// TagSpans returns a tag for each token of a text: "B-" and "I-" with the name of its span's type,
// or [Outside]. Spans are sorted and do not overlap.
func TagSpans(toks []text.Token, spans []phi.Span) []string {
	marks := make([]taggedRange, len(spans))
	for i, s := range spans {
		marks[i] = taggedRange{s.Start, s.End, s.Type.String()}
	}
	return tagTokens(toks, marks)
}

// taggedRange is a range of bytes with the name of its tag.
type taggedRange struct {
	start, end int
	name       string
}

// tagTokens tags tokens by marks sorted by start; where marks overlap, the first wins.
func tagTokens(toks []text.Token, marks []taggedRange) []string {
	tags := make([]string, len(toks))
	m, before := 0, -1
	for i, t := range toks {
		for m < len(marks) && marks[m].end <= t.Start {
			m++
		}
		switch {
		case m == len(marks) || marks[m].start >= t.End:
			tags[i], before = Outside, -1
		case marks[m].name == Unknown:
			tags[i], before = Unknown, m
		case before == m:
			tags[i] = "I-" + marks[m].name
		default:
			tags[i], before = "B-"+marks[m].name, m
		}
	}
	return tags
}
