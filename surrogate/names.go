package surrogate

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/surrogate/letter"
)

// people returns the persons of the record and the text.
func (w *work) people() *roster {
	if w.roster == nil {
		w.roster = newRoster(w.who.Record())
	}
	if w.cast == nil {
		w.cast = w.roster.forText()
	}
	return w.cast
}

// name replaces a name span. Titles, credentials, particles, order, punctuation, possessives and
// case stay; each word has one surrogate for the patient.
func (w *work) name(text string) string { return w.nameOf(text, splitName(text, w.people())) }

// nameOf is name for a text that was already split.
func (w *work) nameOf(text string, words []nameWord) string {
	family := familyOf(words)
	w.spellOut(words)
	var out strings.Builder
	at := 0
	for _, word := range words {
		out.WriteString(text[at:word.start])
		original := text[word.start:word.end]
		switch word.class {
		case keptWord:
			out.WriteString(original)
		case digitsWord:
			out.WriteString(w.number(original))
		case initials:
			out.WriteString(w.initials(original, word, family))
		default:
			out.WriteString(letter.InCase(w.nameToken(word.plain, word.role), letter.CaseOfWord(original)))
		}
		at = word.end
	}
	out.WriteString(text[at:])
	return out.String()
}

func familyOf(words []nameWord) string {
	for _, w := range words {
		if w.class == nameToken && w.role == familyName {
			return w.plain
		}
	}
	return ""
}

// nameToken returns the surrogate, in title case, of a folded word of a name.
func (w *work) nameToken(word string, role nameRole) string {
	if role == anyName {
		role = likelyRole(word, anyName)
	}
	p := w.proposer(word, role)
	return w.find(kindName, word, func(c *choices, try int) string { return p.propose(c, try) })
}

// proposer proposes surrogates for one word of a name.
type proposer struct {
	phi.Redacted

	w       *work
	ref     nameRef
	inPool  bool
	id      poolID
	score   uint8
	linked  []string // nicknames, or edits of a surrogate; tried first
	stratum *stratum
	ready   bool
	word    string
	role    nameRole
}

func (w *work) proposer(word string, role nameRole) *proposer {
	return &proposer{w: w, word: word, role: role}
}

// prepare looks up the word in lexicon and record. It is called only if the word has no surrogate
// yet.
func (p *proposer) prepare(c *choices) {
	p.ready = true
	p.linked = p.w.linkedNames(p.word, p.role)
	pools := names()
	p.ref, p.inPool = pools.index(p.role)[p.word]
	if !p.inPool {
		p.id, p.score = p.w.profile(p.word, p.role, c)
		at, ok := pools.stratumFor(p.id, p.score)
		if !ok {
			return
		}
		p.ref.stratum = at
	}
	p.stratum = &pools.strata[p.ref.stratum]
}

// propose returns a candidate: first linked names; for a name of the pools, the keyed rotation of
// its stratum, which is no other name's first candidate; then a keyed choice from the stratum;
// then a made-up name.
func (p *proposer) propose(c *choices, try int) string {
	if !p.ready {
		p.prepare(c)
	}
	if try < len(p.linked) {
		return p.linked[try]
	}
	try -= len(p.linked)
	switch {
	case p.stratum == nil || try >= len(p.stratum.names):
		return coin(c)
	case p.inPool && len(p.stratum.names) > 1:
		n := uint64(len(p.stratum.names))
		return p.stratum.names[p.w.source.perm.rotate(uint64(p.ref.stratum), n, uint64(p.ref.index), uint64(try))]
	default:
		return p.stratum.names[c.below(len(p.stratum.names))]
	}
}

// profile returns the pool to use for a word that is in none, and how frequent the word is.
func (w *work) profile(word string, role nameRole, c *choices) (poolID, uint8) {
	e, _ := lexicon.LookupFolded(word)
	id := poolID{role: role, group: e.Group}
	if role == givenName {
		id.female = e.Female >= 50
		if e.First == 0 {
			id.female = strings.HasSuffix(word, "a") || c.below(2) == 0
		}
	}
	if e.Surname == 0 && e.First == 0 {
		id.group = w.likelyGroup(word, c)
	}
	if role == givenName {
		return id, e.First
	}
	return id, e.Surname
}

// likelyGroup returns the group of the other names of the person with this name, or of the
// patient's names; otherwise it draws one with the shares of the US population (2020 Census, in
// hundredths).
func (w *work) likelyGroup(word string, c *choices) lexicon.Group {
	people := w.people()
	for _, named := range []*index{people.persons, people.met} {
		if group, ok := named.groups[word]; ok {
			return group
		}
	}
	if p := people; p.grouped {
		return p.group
	}
	switch n := c.below(100); {
	case n < 60:
		return lexicon.White
	case n < 79:
		return lexicon.Hispanic
	case n < 92:
		return lexicon.Black
	case n < 98:
		return lexicon.Asian
	default:
		return lexicon.Native
	}
}
