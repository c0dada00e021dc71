package harvest

import (
	"slices"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// sentence is a sentence that may be counted.
type sentence struct {
	key   []byte // normalised text; valid until the next sentence
	hash  uint64
	where phi.Range
}

// splitter splits notes into sentences. It belongs to one goroutine.
type splitter struct {
	longest int
	key     []byte
	hashes  []uint64
}

// each passes on the sentences of a text that are short enough and have a word.
func (s *splitter) each(note *ensemble.Note, do func(sentence)) {
	toks, at := note.View().Tokens, 0
	for _, r := range note.View().Sentences() {
		word := false
		for ; at < len(toks) && toks[at].Start < r.End; at++ {
			word = word || toks[at].Kind == text.Word
		}
		if !word || r.End-r.Start > 4*s.longest { // a rough limit, as white space is not normalised yet
			continue
		}
		s.key = text.AppendSentence(s.key[:0], note.Text[r.Start:r.End])
		if len(s.key) <= s.longest {
			do(sentence{s.key, hashText(s.key), r})
		}
	}
}

// hashesOf returns the hashes of a note's sentences, sorted, without duplicates. The slice is
// valid until the next call.
func (s *splitter) hashesOf(n *Note) []uint64 {
	s.hashes = s.hashes[:0]
	for _, body := range n.Texts {
		if text.Check(body) == nil {
			s.each(&ensemble.Note{Text: body}, func(found sentence) { s.hashes = append(s.hashes, found.hash) })
		}
	}
	slices.Sort(s.hashes)
	s.hashes = slices.Compact(s.hashes)
	return s.hashes
}
