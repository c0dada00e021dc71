package surrogate

import (
	"strings"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
	"github.com/pgdeid/pgdeid/surrogate/letter"
	"github.com/pgdeid/pgdeid/surrogate/words"
)

// wordClass is the treatment of a word in a name span.
type wordClass uint8

const (
	nameToken  wordClass = iota // gets a surrogate
	initials                    // letters that abbreviate names: "J", "JCS", "J.C.S"
	keptWord                    // title, credential, suffix, particle, "and"
	digitsWord                  // a number inside a name span
)

// nameWord is a word of a name span: bytes [start, end), without a possessive.
type nameWord struct {
	phi.Redacted

	start, end int
	plain      string
	class      wordClass
	role       nameRole
	joined     bool     // by a hyphen to the word before
	comma      bool     // follows a comma
	names      []string // the names that initials abbreviate, if known
	sure       bool     // the record says so
}

var titles = words.Set("known/titles")

var credentials = words.Set("known/credentials")

var suffixes = words.Set("known/name-suffixes")

var particles = words.Set("known/name-particles")

var connectives = words.Set("known/name-connectives")

// splitName splits a name span into words and classifies them. known says which words and initials
// belong to the patient's record.
func splitName(text string, known *roster) []nameWord {
	words := scanName(text)
	for i := range words {
		if words[i].class != digitsWord {
			words[i].class = classify(text, words, i, known)
		}
	}
	if !hasName(words) {
		// "Do" and "Van" alone are names; "MD" alone is a person's initials.
		for i := range words {
			if words[i].class == keptWord && !connectives[words[i].plain] && !titles[words[i].plain] {
				words[i].class = aloneClass(text[words[i].start:words[i].end])
			}
		}
	}
	assignRoles(words, known)
	return words
}

func aloneClass(word string) wordClass {
	if letter.Case(word) == text.Upper && len(word) <= 3 && !knownName(word, 60) {
		return initials
	}
	return nameToken
}

func hasName(words []nameWord) bool {
	for _, w := range words {
		if w.class == nameToken || w.class == initials {
			return true
		}
	}
	return false
}

// scanName finds the words: letters with apostrophes inside, and short words joined by full stops
// ("J.C.S", "Ph.D") as one.
func scanName(s string) []nameWord {
	tokens := text.Tokenize(s)
	out := make([]nameWord, 0, (len(tokens)+1)/2)
	hyphen, comma := false, false
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if t.Kind == text.Punct {
			hyphen = !t.Space && s[t.Start] == '-' && len(out) > 0
			comma = comma || s[t.Start] == ','
			continue
		}
		w := nameWord{start: t.Start, joined: hyphen && !t.Space, comma: comma}
		hyphen, comma = false, false
		if t.Kind == text.Number {
			w.class = digitsWord
		} else {
			i = joinWord(s, tokens, i)
		}
		w.end = tokens[i].End
		w.plain = strings.ReplaceAll(letter.Plain(s[w.start:w.end]), ".", "")
		if w.plain != "" || w.class == digitsWord { // invisible joiners alone are not a word
			out = append(out, w)
		}
		i = skipPossessive(s, tokens, i)
	}
	return out
}

// joinWord returns the last token of the word that starts at token i.
func joinWord(s string, tokens []text.Token, i int) int {
	for i+2 < len(tokens) {
		p, next := tokens[i+1], tokens[i+2]
		if p.Kind != text.Punct || p.Space || next.Kind != text.Word || next.Space {
			break
		}
		r, _ := utf8.DecodeRuneInString(s[p.Start:])
		short := tokens[i].End-tokens[i].Start <= 2 && next.End-next.Start <= 2
		if !(letter.IsApostrophe(r) && !isPossessive(s, tokens, i)) && !(r == '.' && short) {
			break
		}
		i += 2
	}
	return i
}

// isPossessive reports whether an apostrophe and a final s follow token i.
func isPossessive(text string, tokens []text.Token, i int) bool {
	if i+2 >= len(tokens) || tokens[i+1].Space || tokens[i+2].Space {
		return false
	}
	r, _ := utf8.DecodeRuneInString(text[tokens[i+1].Start:])
	return letter.IsApostrophe(r) && strings.EqualFold(text[tokens[i+2].Start:tokens[i+2].End], "s")
}

func skipPossessive(text string, tokens []text.Token, i int) int {
	if isPossessive(text, tokens, i) {
		return i + 2
	}
	return i
}

func classify(s string, words []nameWord, i int, known *roster) wordClass {
	w := words[i]
	word := s[w.start:w.end]
	switch {
	case known.role(w.plain) != anyName:
		return nameToken
	case utf8.RuneCountInString(w.plain) == 1:
		return initials
	case i+1 < len(words) && titles[w.plain] && (i == 0 || words[i-1].class == keptWord):
		return keptWord
	case i > 0 && (suffixes[w.plain] || credentials[w.plain] && isCredential(word, w)):
		return keptWord
	case isParticle(words, i, word):
		return keptWord
	case connectives[w.plain] && letter.Case(word) == text.Lower && len(words) > 1:
		return keptWord
	case isInitials(word, w.plain, len(words) == 1, known):
		return initials
	default:
		return nameToken
	}
}

// isCredential distinguishes credentials after a name from surnames spelt alike ("Do", "Ma"):
// credentials are in capitals or follow a comma.
func isCredential(word string, w nameWord) bool {
	return w.comma || strings.Contains(word, ".") || letter.IsUpperASCII(word[len(word)-1])
}

// isParticle recognises "de la" before a surname. In capitals it is a name if the neighbouring
// names say so ("Van Nguyen", "Nguyen Van Anh").
func isParticle(words []nameWord, i int, word string) bool {
	if !particles[words[i].plain] || i+1 >= len(words) || words[i+1].comma {
		return false
	}
	if letter.Case(word) == text.Lower || particles[words[i+1].plain] || i > 0 && particles[words[i-1].plain] {
		return true
	}
	neighbour := words[max(0, i-1)]
	if i == 0 {
		neighbour = words[1]
	}
	e, _ := lexicon.LookupFolded(neighbour.plain)
	return e.Group != lexicon.Asian
}

// isInitials distinguishes "JCS" from "LEE": capitals that the record has as initials, or that are
// no known name.
func isInitials(word, folded string, alone bool, known *roster) bool {
	if strings.Contains(word, ".") {
		return true
	}
	if letter.Case(word) != text.Upper || len(folded) > 4 {
		return false
	}
	if known.persons.byInitials(folded) != nil || known.met.byInitials(folded) != nil {
		return true
	}
	vowel := strings.ContainsAny(folded, "aeiouy")
	switch len(folded) {
	case 2:
		return folded != "ng" && (!vowel || !knownName(folded, 60))
	case 3:
		return !knownName(folded, 48) && (!vowel || alone)
	default:
		return !vowel && !knownName(folded, 48)
	}
}

func knownName(word string, least uint8) bool {
	e, _ := lexicon.Lookup(word)
	return max(e.Surname, e.First) >= least
}
