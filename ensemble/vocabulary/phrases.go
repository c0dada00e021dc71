package vocabulary

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// Words are clinical terms of two words or more, most of which contain the name of a person or
// place, and single words that only look like names.
type Words struct {
	root  *phraseNode
	words map[string]bool
	count int
}

// phraseNode is a prefix of phrases.
type phraseNode struct {
	next map[string]*phraseNode
	ends bool        // a phrase ends here
	head []*headWord // sets of words that complete a phrase with this prefix
}

// headWord is the set of words that complete the phrases of one section.
type headWord struct{ words map[string]bool }

// parse adds the entries of a file, separated by commas or line ends. A line "[sign test]" opens a
// section: each of its entries is a name that forms a phrase with each of these words after it. In
// a section "[]" entries are whole phrases, in "[=]" single words. "#" begins a comment.
func (p *Words) parse(text string) error {
	var head *headWord
	single := false
	for number, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if inner, ok := strings.CutPrefix(line, "["); ok {
			inner, ok = strings.CutSuffix(inner, "]")
			if !ok {
				return fmt.Errorf("line %d: a section lacks its closing bracket", number+1)
			}
			head, single = newHead(inner), inner == "="
			continue
		}
		for entry := range strings.SplitSeq(line, ",") {
			if err := p.add(entry, head, single); err != nil {
				return fmt.Errorf("line %d: %w", number+1, err)
			}
		}
	}
	return nil
}

func newHead(words string) *headWord {
	if words == "" || words == "=" {
		return nil
	}
	h := &headWord{words: make(map[string]bool)}
	for w := range strings.FieldsSeq(words) {
		h.words[w] = true
	}
	return h
}

func (p *Words) add(entry string, head *headWord, single bool) error {
	words := phraseWords(entry)
	switch {
	case len(words) == 0:
		return nil
	case single:
		if len(words) != 1 {
			return fmt.Errorf("%q among single words", strings.TrimSpace(entry))
		}
		p.words[words[0]] = true
		p.count++
		return nil
	case head == nil && len(words) == 1:
		return fmt.Errorf("%q is no phrase of two words", strings.TrimSpace(entry))
	case len(words) > longestPhrase-1:
		return fmt.Errorf("%q is longer than %d words", strings.TrimSpace(entry), longestPhrase-1)
	}
	n := p.root
	for _, w := range words {
		n = n.step(w)
	}
	p.count++
	if head == nil {
		n.ends = true
	} else if !slices.Contains(n.head, head) {
		n.head = append(n.head, head)
	}
	return nil
}

func (n *phraseNode) step(word string) *phraseNode {
	if n.next == nil {
		n.next = make(map[string]*phraseNode, 1)
	}
	to := n.next[word]
	if to == nil {
		to = &phraseNode{}
		n.next[word] = to
	}
	return to
}

// longestPhrase is the maximum number of words in a phrase.
const longestPhrase = 7

// phraseWords returns the folded words and numbers of a phrase. Possessives, hyphens and other
// marks between words are dropped; "&" is "and".
func phraseWords(s string) []string {
	s = strings.ReplaceAll(lexicon.Fold(s), "&", " and ")
	words := strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '’' })
	kept := words[:0]
	for _, w := range words {
		w = strings.Trim(strings.ReplaceAll(w, "’", "'"), "'")
		w = strings.TrimSuffix(w, "'s")
		for part := range strings.SplitSeq(w, "'") {
			if part != "" {
				kept = append(kept, part)
			}
		}
	}
	return kept
}

// Count returns the number of entries, each name of a section counted once.
func (p *Words) Count() int { return p.count }

// word reports whether a single folded word is a trade name or an abbreviation.
func (p *Words) word(folded string) bool {
	return p.words[folded] || len(folded) > 4 && p.words[strings.TrimSuffix(folded, "s")]
}

// match returns the number of words of the longest phrase at the beginning of words, folded as by
// [phraseWords], or 0. Plurals match too.
func (p *Words) match(words []string) int { return p.root.match(words, 0) }

func (n *phraseNode) match(words []string, depth int) int {
	longest := 0
	if n.ends {
		longest = depth
	}
	if depth == len(words) {
		return longest
	}
	for _, w := range singulars(words[depth]) {
		if w == "" {
			break
		}
		for _, h := range n.head {
			if h.words[w] {
				longest = max(longest, depth+1)
			}
		}
		if to := n.next[w]; to != nil {
			longest = max(longest, to.match(words, depth+1))
		}
	}
	return longest
}

// singulars returns the word and its possible singulars.
func singulars(w string) [3]string {
	forms := [3]string{w}
	if len(w) > 3 && w[len(w)-1] == 's' {
		forms[1] = w[:len(w)-1]
		if w[len(w)-2] == 'e' {
			forms[2] = w[:len(w)-2]
		}
	}
	return forms
}
