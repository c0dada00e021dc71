package features

import (
	"context"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// Options choose the detectors whose hits are attributes.
type Options struct {
	Rules   bool // run the detector patterns
	Records bool // run record and directory
}

// Row holds the keys of a token, by attribute.
type Row [NumAttributes]Key

// Sheet computes the attributes of a note's tokens. It belongs to one goroutine at a time, like
// its note.
type Sheet struct {
	note    *ensemble.Note
	tokens  []text.Token
	entries []lexicon.Entry
	hits    [numHits][]tagAt
	marks   []mark // by token
	folded  []byte // the folded word of token foldedAt
	at      int
}

// mark is the position of a token.
type mark struct {
	lineStart, lineEnd         int32 // tokens [lineStart, lineEnd) are its line
	sentenceStart, sentenceEnd int32
	chunkStart, chunkEnd       int32 // the text between blanks, without marks at its end
	section, field             label
	place                      uint8 // 1: begins a place of several words, 2: goes on with it
}

// New returns the sheet of a note. It fails if a detector fails, and soon after ctx is done.
func New(ctx context.Context, note *ensemble.Note, opts Options) (*Sheet, error) {
	s := &Sheet{note: note, tokens: note.View().Tokens, entries: note.View().Entries(), at: -1}
	if err := s.runDetectors(ctx, opts); err != nil {
		return nil, err
	}
	s.marks = make([]mark, len(s.tokens))
	s.markLines()
	s.markSentences()
	s.markLabels()
	s.markPlaces()
	return s, ctx.Err()
}

// Value returns an attribute's value for token i, "" if it has none.
func (s *Sheet) Value(a Attribute, i int) string {
	if a >= NumAttributes || i < 0 || i >= len(s.tokens) {
		return ""
	}
	var buf [64]byte
	return string(writers[a](s, buf[:0], i))
}

// Rows appends the rows of tokens [from, to) to dst.
func (s *Sheet) Rows(dst []Row, from, to int) []Row {
	var buf [64]byte
	for i := from; i < to; i++ {
		dst = append(dst, Row{})
		row := &dst[len(dst)-1]
		for a, write := range writers {
			row[a] = hash(uint64(a), write(s, buf[:0], i))
		}
	}
	return dst
}

// Note returns the sheet's note.
func (s *Sheet) Note() *ensemble.Note { return s.note }

func (s *Sheet) text(i int) string { return s.note.Text[s.tokens[i].Start:s.tokens[i].End] }

// markLines finds the lines and the chunks between blanks.
func (s *Sheet) markLines() {
	line, chunk := 0, 0
	for i := 1; i <= len(s.tokens); i++ {
		if i == len(s.tokens) || s.tokens[i].Line {
			for j := line; j < i; j++ {
				s.marks[j].lineStart, s.marks[j].lineEnd = int32(line), int32(i)
			}
			line = i
		}
		if i == len(s.tokens) || s.tokens[i].Space {
			end := i
			for end > chunk && s.tokens[end-1].Kind == text.Punct {
				end--
			}
			for j := chunk; j < i; j++ {
				s.marks[j].chunkStart, s.marks[j].chunkEnd = int32(chunk), int32(end)
			}
			chunk = i
		}
	}
}

func (s *Sheet) markSentences() {
	i := 0
	for _, r := range s.note.View().Sentences() {
		first := i
		for i < len(s.tokens) && s.tokens[i].Start < r.End {
			i++
		}
		for j := first; j < i; j++ {
			s.marks[j].sentenceStart, s.marks[j].sentenceEnd = int32(first), int32(i)
		}
	}
}
