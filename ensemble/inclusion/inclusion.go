// Package inclusion holds sentences that a person has verified to hold no PHI, and takes back
// what was found in them (main paper, "Sentence-based inclusion list").
package inclusion

import (
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"maps"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/text"
)

// List is a set of sentences, in the form of [text.AppendSentence]. It is immutable and safe
// for concurrent use; nil is an empty list.
type List struct {
	sentences map[string]struct{}
	digest    string
}

// New returns a list of sentences without those that are empty.
func New(sentences iter.Seq[string]) *List {
	l := &List{sentences: map[string]struct{}{}}
	var key []byte
	for s := range sentences {
		key = text.AppendSentence(key[:0], s)
		if len(key) > 0 {
			l.sentences[string(key)] = struct{}{}
		}
	}
	if len(l.sentences) == 0 {
		return l
	}
	h := sha256.New()
	for _, s := range slices.Sorted(maps.Keys(l.sentences)) {
		_, _ = h.Write(append([]byte(s), 0)) // a hash takes everything
	}
	l.digest = hex.EncodeToString(h.Sum(nil)[:16])
	return l
}

// Len returns how many sentences are on the list.
func (l *List) Len() int {
	if l == nil {
		return 0
	}
	return len(l.sentences)
}

// Digest returns 32 hexadecimal digits that two lists share only if they hold the same
// sentences; "" for an empty list.
func (l *List) Digest() string {
	if l == nil {
		return ""
	}
	return l.digest
}

// Holds reports whether a sentence is on the list.
func (l *List) Holds(sentence string) bool {
	if l.Len() == 0 {
		return false
	}
	var buf [512]byte
	_, ok := l.sentences[string(text.AppendSentence(buf[:0], sentence))]
	return ok
}
