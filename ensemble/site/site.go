// Package site holds phrases of one site: those that are always PHI there, such as a ward's nickname or a local
// employer, and those that never are, such as the name of a local protocol.
package site

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"unicode"

	"github.com/pgdeid/pgdeid/ensemble/inclusion"
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// Phrase is what a site says of some words, whatever their case and the marks between them. It prints itself redacted.
type Phrase struct {
	Text string
	Type phi.Type // of what is always PHI; None: it never is
}

// Never reports whether the phrase is one that is no PHI.
func (p Phrase) Never() bool { return p.Type == phi.None }

// Format prints the type alone.
func (p Phrase) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "phrase[%s]", p.Type) }

// LogValue keeps the words out of logs.
func (p Phrase) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(p)) }

// longest is how many words a phrase may have: what a match costs at each word of a text.
const longest = 8

// What makes a phrase unfit. The errors quote nothing.
var (
	errLength = fmt.Errorf("a phrase has 1 to %d words", longest)
	errShort  = errors.New("a phrase has a word of three letters or more")
	errName   = errors.New("a single word that is also a name is never without PHI: add the word that it stands with")
	errKind   = errors.New("times are kept, so they can't be listed")
	errBoth   = errors.New("a phrase is always PHI, or never is, and has one type")
)

// Check returns why a phrase can't be listed.
func Check(p Phrase) error {
	words := Words(p.Text)
	letters := func(w string) bool { return strings.IndexFunc(w, unicode.IsLetter) >= 0 && len([]rune(w)) >= 3 }
	switch {
	case len(words) == 0 || len(words) > longest:
		return errLength
	case !slices.ContainsFunc(words, letters):
		return errShort
	case p.Type == phi.Time:
		return errKind
	case p.Never() && len(words) == 1 && isName(words[0]):
		return errName
	}
	return nil
}

func isName(word string) bool {
	entry, _ := lexicon.Lookup(word)
	return entry.Surname > 0 || entry.First > 0
}

// Words returns the folded words of a phrase, by which two phrases are the same.
func Words(phrase string) []string {
	var words []string
	for _, t := range text.Tokenize(phrase) {
		if t.Kind != text.Punct {
			words = append(words, lexicon.Fold(phrase[t.Start:t.End]))
		}
	}
	return words
}

// List is the phrases of a site. It is immutable and safe for concurrent use; nil is an empty list.
type List struct {
	always, never *node
	count         int
	digest        string
}

// Format prints how many phrases there are and none of them.
func (l *List) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "phrases[%d]", l.Len()) }

// LogValue keeps the words out of logs.
func (l *List) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(l)) }

// node is a beginning of phrases.
type node struct {
	phi.Redacted

	next map[string]*node
	ends bool
	typ  phi.Type
}

// NewList returns a list of phrases, or the first error of [Check], with the number of its phrase.
func NewList(phrases []Phrase) (*List, error) {
	l := &List{always: &node{}, never: &node{}, count: len(phrases)}
	var all []string
	seen := map[string]phi.Type{}
	for i, p := range phrases {
		words := Words(p.Text)
		key := strings.Join(words, " ")
		typ, twice := seen[key]
		err := Check(p)
		if err == nil && twice && typ != p.Type {
			err = errBoth
		}
		if err != nil {
			return nil, fmt.Errorf("phrase %d: %w", i+1, err)
		}
		seen[key] = p.Type
		root := l.always
		if p.Never() {
			root = l.never
		}
		root.add(words, p.Type)
		all = append(all, p.Type.String()+" "+key)
	}
	if len(all) > 0 {
		slices.SortFunc(all, cmp.Compare[string])
		sum := sha256.Sum256([]byte(strings.Join(slices.Compact(all), "\n")))
		l.digest = hex.EncodeToString(sum[:16])
	}
	return l, nil
}

func (n *node) add(words []string, typ phi.Type) {
	for _, w := range words {
		if n.next == nil {
			n.next = map[string]*node{}
		}
		if n.next[w] == nil {
			n.next[w] = &node{}
		}
		n = n.next[w]
	}
	n.ends, n.typ = true, typ
}

// Len returns how many phrases are on the list.
func (l *List) Len() int {
	if l == nil {
		return 0
	}
	return l.count
}

// HasAlways reports whether a phrase is always PHI.
func (l *List) HasAlways() bool { return l != nil && l.always.next != nil }

// HasNever reports whether a phrase never is PHI.
func (l *List) HasNever() bool { return l != nil && l.never.next != nil }

// Digest returns 32 hexadecimal digits that two lists share only if they say the same; "" for an empty list.
func (l *List) Digest() string {
	if l == nil {
		return ""
	}
	return l.digest
}

// Find appends what is always PHI. The spans are sure: nothing takes them away.
func (l *List) Find(ctx context.Context, v *text.View, dst []phi.Span) ([]phi.Span, error) {
	if !l.HasAlways() {
		return dst, ctx.Err()
	}
	for _, m := range l.always.all(v) {
		dst = append(dst, phi.Span{Start: m.Start, End: m.End, Type: m.typ, Sure: true})
	}
	return dst, ctx.Err()
}

// Apply returns spans, which are sorted and disjoint, without those within a phrase that never is PHI. It reuses their
// slice. It keeps what [inclusion.Drop] keeps, spans that are sure, and those in a phrase with one of hits: where the
// records match, the words are not the phrase.
func (l *List) Apply(v *text.View, spans []phi.Span, hits []phi.Range) []phi.Span {
	if !l.HasNever() || len(spans) == 0 {
		return spans
	}
	phrases := slices.DeleteFunc(l.never.all(v), func(m match) bool {
		return slices.ContainsFunc(hits, func(h phi.Range) bool { return h.Start < m.End && m.Start < h.End })
	})
	return inclusion.Drop(v.Text, spans, func(s phi.Span) bool {
		at, _ := slices.BinarySearchFunc(phrases, s.End, func(m match, end int) int { return cmp.Compare(m.End, end) })
		return !s.Sure && at < len(phrases) && phrases[at].Start <= s.Start
	})
}

// match is where a phrase is in a text.
type match struct {
	phi.Range

	typ phi.Type
}

// all returns the phrases in a text, the longest where several begin, in order and disjoint.
func (n *node) all(v *text.View) []match {
	var out []match
	for i := 0; i < len(v.Tokens); {
		end, typ := n.at(v, i)
		if end == 0 {
			i++
			continue
		}
		out = append(out, match{phi.Range{Start: v.Tokens[i].Start, End: v.Tokens[end-1].End}, typ})
		i = end
	}
	return out
}

// at returns the token behind the longest phrase that begins at a token; 0 if none does.
func (n *node) at(v *text.View, first int) (end int, typ phi.Type) {
	words := 0
	for i := first; i < len(v.Tokens) && words < longest; i++ {
		t := v.Tokens[i]
		word := v.Text[t.Start:t.End]
		if t.Kind == text.Punct {
			if i == first || !within(word) {
				return end, typ
			}
			continue
		}
		n = n.next[lexicon.Fold(word)]
		if n == nil {
			return end, typ
		}
		words++
		if n.ends {
			end, typ = i+1, n.typ
		}
	}
	return end, typ
}

// within reports whether a mark may be between the words of a phrase.
func within(mark string) bool {
	switch mark {
	case "'", "’", "-", "–", "/", "&", ".", "_":
		return true
	}
	return false
}
