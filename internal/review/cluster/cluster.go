// Package cluster finds sentences of notes that are alike, so that one decision serves many: by keyed sketches of their words,
// in which what was found is masked, and without keeping a text.
//
// A sketch is that of Broder (On the resemblance and containment of documents, 1997): the least of many hashes of all pairs of
// neighbouring words estimates the share of pairs that two sentences have in common. Sentences of the same two least hashes in one of
// some bands are compared (Indyk and Motwani, Approximate nearest neighbors, 1998).
package cluster

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

const (
	bands     = 16
	perBand   = 2
	alike     = .5 // share of pairs of words that sentences of one cluster have in common
	leastWord = 4  // words of a sentence
	mostWords = 80
)

// Sketch is what is known of a sentence: where it is, and hashes. It holds no text.
type Sketch struct {
	Start, End int    // in characters of the note's text
	Words      []byte // keyed hash of the sentence
	least      [bands * perBand]uint64
	whole      uint64 // of all words, with those that were found
	found      bool   // something was found in it
}

// Note is a note with the sketches of its sentences.
type Note struct {
	Key       []string // in the source
	Sentences []Sketch
}

// Hash is a keyed hash.
type Hash func(words string) []byte

// Sketches returns sketches of the sentences of a text that are long enough to be alike; found are in order.
func Sketches(body string, found []phi.Span, h Hash) []Sketch {
	var list []Sketch
	chars, at := 0, 0
	for _, r := range text.NewView(body).Sentences() {
		chars += utf8.RuneCountInString(body[at:r.Start])
		s := Sketch{Start: chars}
		chars += utf8.RuneCountInString(body[r.Start:r.End])
		s.End, at = chars, r.End
		if s.fill(body[r.Start:r.End], shifted(found, r), h) {
			list = append(list, s)
		}
	}
	return list
}

// shifted returns the spans that touch a range, with offsets from its start.
func shifted(found []phi.Span, r phi.Range) []phi.Span {
	var list []phi.Span
	for _, s := range found {
		if s.Start < r.End && r.Start < s.End {
			s.Start, s.End = max(s.Start-r.Start, 0), min(s.End, r.End)-r.Start
			list = append(list, s)
		}
	}
	return list
}

// fill makes the hashes of a sentence; false where it is too short or too long.
func (s *Sketch) fill(sentence string, found []phi.Span, h Hash) bool {
	s.found = len(found) > 0
	masked := mask(sentence, found)
	if len(masked) < leastWord || len(masked) > mostWords {
		return false
	}
	s.Words = h("sentence " + sentence)
	s.whole = binary.BigEndian.Uint64(h(strings.Join(mask(sentence, nil), " ")))
	for i := range s.least {
		s.least[i] = ^uint64(0)
	}
	before := "^"
	for _, w := range append(masked, "$") {
		pair := binary.BigEndian.Uint64(h(before + " " + w))
		for i := range s.least {
			s.least[i] = min(s.least[i], mix(pair+uint64(i)*0x9e3779b97f4a7c15))
		}
		before = w
	}
	return true
}

// mix is the last step of SplitMix64 (Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// mask returns the words of a sentence, folded: what was found as its type, numbers as one.
func mask(sentence string, found []phi.Span) []string {
	var words []string
	last := -1
	for _, t := range text.Tokenize(sentence) {
		in := slices.IndexFunc(found, func(s phi.Span) bool { return s.Start < t.End && t.Start < s.End })
		switch {
		case in >= 0 && in == last:
		case in >= 0:
			words = append(words, "<"+found[in].Type.String()+">")
		case t.Kind == text.Punct:
		case strings.ContainsAny(sentence[t.Start:t.End], "0123456789"):
			words = append(words, "0")
		default:
			words = append(words, lexicon.Fold(sentence[t.Start:t.End]))
		}
		last = in
	}
	return words
}

// like returns about which share of pairs of words two sentences have in common.
func (s *Sketch) like(o *Sketch) float64 {
	n := 0
	for i := range s.least {
		if s.least[i] == o.least[i] {
			n++
		}
	}
	return float64(n) / float64(len(s.least))
}

// Ref names a sentence of a list of notes.
type Ref struct{ Note, Sentence int }

// Cluster is sentences that are alike, each of another note, the lead first.
type Cluster []Ref

// Find returns the clusters of at least so many notes, those first in which one decision may serve most: by notes, and more where
// words differ or something was found. A sentence is in one cluster alone.
func Find(notes []Note, least, most int) []Cluster {
	x := newIndex(notes)
	var list []Cluster
	for _, lead := range x.order() {
		if c := x.around(lead); len(c) >= max(least, 2) {
			for _, r := range c {
				x.taken[r] = true
			}
			list = append(list, c)
		}
	}
	weights := make(map[Ref]int, len(list))
	for _, c := range list {
		weights[c[0]] = x.weight(c)
	}
	slices.SortStableFunc(list, func(a, b Cluster) int { return cmp.Compare(weights[b[0]], weights[a[0]]) })
	return list[:min(len(list), most)]
}

type bandKey struct {
	band int
	of   [perBand]uint64
}

// index finds sentences that may be alike.
type index struct {
	notes   []Note
	buckets map[bandKey][]Ref
	taken   map[Ref]bool
}

func newIndex(notes []Note) *index {
	x := &index{notes: notes, buckets: map[bandKey][]Ref{}, taken: map[Ref]bool{}}
	for n := range notes {
		for i := range notes[n].Sentences {
			for b := range bands {
				k := notes[n].Sentences[i].key(b)
				x.buckets[k] = append(x.buckets[k], Ref{n, i})
			}
		}
	}
	return x
}

func (s *Sketch) key(band int) bandKey {
	return bandKey{band, [perBand]uint64(s.least[band*perBand : (band+1)*perBand])}
}

func (x *index) at(r Ref) *Sketch { return &x.notes[r.Note].Sentences[r.Sentence] }

// order returns all sentences, those first that share most bands with others.
func (x *index) order() []Ref {
	var list []Ref
	company := map[Ref]int{}
	for n := range x.notes {
		for i := range x.notes[n].Sentences {
			r := Ref{n, i}
			list = append(list, r)
			for b := range bands {
				company[r] += len(x.buckets[x.at(r).key(b)])
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Ref) int { return cmp.Compare(company[b], company[a]) })
	return list
}

// around returns a sentence with those of other notes that are like it and in no cluster yet.
func (x *index) around(lead Ref) Cluster {
	if x.taken[lead] {
		return nil
	}
	c, notes := Cluster{lead}, map[int]bool{lead.Note: true}
	for b := range bands {
		for _, r := range x.buckets[x.at(lead).key(b)] {
			if !notes[r.Note] && !x.taken[r] && x.at(lead).like(x.at(r)) >= alike {
				c, notes[r.Note] = append(c, r), true
			}
		}
	}
	return c
}

// weight returns how much a decision about a cluster may serve.
func (x *index) weight(c Cluster) int {
	lead, weight := x.at(c[0]), 1
	if slices.ContainsFunc(c, func(r Ref) bool { return x.at(r).whole != lead.whole }) {
		weight++
	}
	if lead.found {
		weight++
	}
	return weight * len(c)
}
