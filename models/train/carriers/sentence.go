package main

import (
	"hash/maphash"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/synth"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// sentence is one line of output: words with what stands before each (0 nothing,
// 1 blanks, 2 a line break) and its tag.
type sentence struct {
	Source string   `json:"source"`
	Words  []string `json:"words"`
	Gaps   []int    `json:"gaps"`
	Tags   []string `json:"tags"`
	Covers []string `json:"covers"`
	Group  string   `json:"group,omitempty"`
}

// mark is a range of a text with its tag: a fine type, a coarse class, or unknown.
type mark struct {
	start, end int
	tag        string
}

// unknown tags what may be PHI of any type, or none.
const unknown = "*"

// The classes that a source may mark everywhere.
var (
	allClasses    = []string{"NAME", "LOCATION", "AGE", "ORG", "DATE", "ID", "CONTACT", "PROFESSION"}
	coarseClasses = []string{"NAME", "LOCATION", "ORG"}
)

// maxWords is where longer sentences are cut.
const maxWords = 200

// fineTag is the tag of a type, "" for what is no PHI in training.
func fineTag(t phi.Type) string {
	switch t.Class() {
	case phi.ClassNone:
		return unknown
	case phi.ClassTime:
		return ""
	case phi.ClassContact:
		return "CONTACT"
	case phi.ClassID:
		return "ID"
	}
	switch t {
	case phi.Username:
		return "ID"
	case phi.County:
		return "CITY"
	}
	return t.String()
}

// marksOf turns spans into marks.
func marksOf(spans []phi.Span) []mark {
	out := make([]mark, 0, len(spans))
	for _, s := range spans {
		if tag := fineTag(s.Type); tag != "" {
			out = append(out, mark{s.Start, s.End, tag})
		}
	}
	return out
}

// ofSnippet cuts a snippet into sentences. A sentence bears the group of the
// patient's name if it names a patient.
func ofSnippet(source string, s synth.Snippet) []sentence {
	out := cut(source, s.Text, marksOf(s.Spans), allClasses)
	for i := range out {
		for _, tag := range out[i].Tags {
			if tag == "B-PATIENT" {
				out[i].Group = strings.ToLower(synth.GroupName(s.Group))
				break
			}
		}
	}
	return out
}

// cut splits a text into sentences and words as the ensemble does and tags the
// words. Marks are in order and free of overlap; a word that a mark touches in
// part is tagged whole.
func cut(source, text string, marks []mark, covers []string) []sentence {
	note := &ensemble.Note{Text: text}
	toks := note.View().Tokens
	var out []sentence
	m, i := 0, 0 // the mark and the word at hand
	for _, r := range note.View().Sentences() {
		s := sentence{Source: source, Covers: covers}
		before := -1 // the mark of the word before
		for ; i < len(toks) && toks[i].Start < r.End; i++ {
			t := toks[i]
			for m < len(marks) && marks[m].end <= t.Start {
				m++
			}
			tag := "O"
			if m < len(marks) && marks[m].start < t.End {
				tag = bio(marks[m].tag, before == m)
				before = m
			} else {
				if len(s.Words) >= maxWords {
					out, s = append(out, s), sentence{Source: source, Covers: covers}
				}
				before = -1
			}
			s.Words = append(s.Words, text[t.Start:t.End])
			s.Gaps = append(s.Gaps, gap(t))
			s.Tags = append(s.Tags, tag)
		}
		if len(s.Words) > 0 {
			out = append(out, s)
		}
	}
	return out
}

func bio(tag string, goesOn bool) string {
	switch {
	case tag == unknown:
		return unknown
	case goesOn:
		return "I-" + tag
	default:
		return "B-" + tag
	}
}

func gap(t text.Token) int {
	switch {
	case t.Line:
		return 2
	case t.Space:
		return 1
	default:
		return 0
	}
}

// seen counts sentences, so that none stands too often in one file.
type seen struct {
	seed   maphash.Seed
	counts map[uint64]int
	most   int
}

func newSeen(most int) *seen {
	return &seen{seed: maphash.MakeSeed(), counts: map[uint64]int{}, most: most}
}

// enough reports whether the sentence was written often enough already, and counts
// it otherwise.
func (s *seen) enough(x sentence) bool {
	var h maphash.Hash
	h.SetSeed(s.seed)
	for _, w := range x.Words {
		_, _ = h.WriteString(w) // never fails
		_ = h.WriteByte(0)
	}
	key := h.Sum64()
	if s.counts[key] >= s.most {
		return true
	}
	s.counts[key]++
	return false
}
