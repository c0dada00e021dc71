package main

import (
	"bytes"
	"context"
	"hash/fnv"
	"hash/maphash"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/features"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/synth"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// sentence is one line of output: words with what is before each (0 nothing,
// 1 blanks, 2 a line break) and its tag.
type sentence struct {
	Source string   `json:"source"`
	Words  []string `json:"words"`
	Gaps   []int    `json:"gaps"`
	Tags   []string `json:"tags"`
	Covers []string `json:"covers"`
	Group  string   `json:"group,omitempty"`
	// Rules has a byte for each word: what the exact rules found there, '0' and
	// [features.RulesKind].
	Rules string `json:"rules"`
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

// The windows that texts are cut into: a third are single sentences, the others run
// over sentences and lines and have up to so many words.
const (
	minWindow = 24
	maxWindow = 96
)

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

// cut splits a text into windows of words as the ensemble reads them and tags the
// words. Marks are in order and free of overlap; a word that a mark touches in part is
// tagged whole. Where a text is cut follows from the text.
func cut(source, text string, marks []mark, covers []string) []sentence {
	note := &ensemble.Note{Text: text}
	toks := note.View().Tokens
	tags := tagWords(toks, marks)
	rules := ruleHits(note)
	var out []sentence
	for _, w := range windowsOf(text, note) {
		s := sentence{Source: source, Covers: covers, Tags: slices.Clone(tags[w.from:w.to]), Rules: rules[w.from:w.to]}
		if rest, inside := strings.CutPrefix(s.Tags[0], "I-"); inside {
			s.Tags[0] = "B-" + rest
		}
		for _, t := range toks[w.from:w.to] {
			s.Words = append(s.Words, text[t.Start:t.End])
			s.Gaps = append(s.Gaps, gap(t))
		}
		out = append(out, s)
	}
	return out
}

// tagWords returns a tag for each word.
func tagWords(toks []text.Token, marks []mark) []string {
	tags := make([]string, len(toks))
	m, before := 0, -1 // the mark at hand, and that of the word before
	for i, t := range toks {
		for m < len(marks) && marks[m].end <= t.Start {
			m++
		}
		if m == len(marks) || marks[m].start >= t.End {
			tags[i], before = "O", -1
			continue
		}
		tags[i] = bio(marks[m].tag, before == m)
		before = m
	}
	return tags
}

// window is a range of words.
type window struct{ from, to int }

// windowsOf cuts a text into sentences, or into windows of a length of chance.
func windowsOf(text string, note *ensemble.Note) []window {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text)) // never fails
	rng := rand.New(rand.NewPCG(h.Sum64(), 0))
	toks := note.View().Tokens
	var out []window
	if rng.IntN(3) == 0 {
		i := 0
		for _, r := range note.View().Sentences() {
			first := i
			for i < len(toks) && toks[i].Start < r.End {
				i++
			}
			for ; i-first > maxWindow; first += maxWindow {
				out = append(out, window{first, first + maxWindow})
			}
			if i > first {
				out = append(out, window{first, i})
			}
		}
		return out
	}
	for i := 0; i < len(toks); {
		end := min(len(toks), i+minWindow+rng.IntN(maxWindow-minWindow+1))
		out = append(out, window{i, end})
		i = end
	}
	return out
}

var exactRules = ensemble.NewPatterns()

// ruleHits returns a byte for each word, '0' and what the rules found there.
func ruleHits(note *ensemble.Note) string {
	toks := note.View().Tokens
	hits := bytes.Repeat([]byte{'0'}, len(toks))
	spans, err := exactRules.Detect(context.Background(), note, nil)
	if err != nil {
		panic(err) //nolint:forbidigo // it fails only when the context is done, and this one never is
	}
	i := 0
	for _, s := range spans {
		for i < len(toks) && toks[i].End <= s.Start {
			i++
		}
		for ; i < len(toks) && toks[i].Start < s.End; i++ {
			hits[i] = '0' + features.RulesKind(s.Type)
		}
	}
	return string(hits)
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

// seen counts sentences, so that none occurs too often in one file.
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
