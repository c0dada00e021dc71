package patient

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// A patient who marries or moves has notes with the old name, and the record has
// only the new one. The vault therefore keeps, among the patient's surrogates and
// like these as keyed hashes only, every word that ever stood in the record as a
// name or an identifier. A note whose words meet one of them is searched as if
// the record still had it.

// recalled lists the roles whose words are kept: those that identify a person by
// themselves. Old addresses, dates and phone numbers have a form of their own,
// which the detectors find without a record.
var recalled = []record.Role{
	record.NameFirst, record.NameMiddle, record.NameLast, record.NameAlias, record.NameFull, record.RelativeName,
	record.Username, record.MRN, record.SSN, record.Account, record.Plan, record.License, record.ID,
}

// words passes the words of a value or a text that are long enough to be kept:
// names of three letters, numbers of four digits.
func words(v string, each func(word string)) {
	for _, w := range strings.FieldsFunc(v, notWord) {
		if n := utf8.RuneCountInString(w); n > 3 || n == 3 && !hasDigit(w) {
			each(w)
		}
	}
}

func hasDigit(w string) bool { return strings.ContainsFunc(w, unicode.IsDigit) }

func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }

// recordEntry returns the entry that keeps a word of a patient's record.
func (r *Register) recordEntry(pseudonym, word string) surrogate.Entry {
	// A hash, without a surrogate.
	return surrogate.Entry{Kind: vault.RecordKind, Hash: wordHash(r.Key, pseudonym, word)}
}

// recordEntries returns the entries of a record, none twice.
func (r *Register) recordEntries(pseudonym string, rec record.Record) []surrogate.Entry {
	seen := map[string]bool{}
	var entries []surrogate.Entry
	for _, role := range recalled {
		for _, v := range rec[role] {
			words(v, func(word string) {
				if word = lexicon.Fold(word); !seen[word] {
					seen[word] = true
					entries = append(entries, r.recordEntry(pseudonym, word))
				}
			})
		}
	}
	return entries
}

// Memorable returns entries that make the words of texts known as words of a patient's record, and which of the texts have
// a word that is too short to be kept: they stay unknown.
func (r *Register) Memorable(pseudonym string, texts ...string) (entries []surrogate.Entry, short []string) {
	for _, t := range texts {
		all, kept := len(strings.FieldsFunc(t, notWord)), 0
		words(t, func(word string) {
			kept++
			entries = append(entries, r.recordEntry(pseudonym, word))
		})
		if kept < all || all == 0 {
			short = append(short, t)
		}
	}
	return entries, short
}

// Memory is what of a patient's former record may still be in notes.
type Memory struct {
	former map[string]bool // hashes of words that left the record
	now    map[string]bool // hashes of words that are in it
	fresh  []surrogate.Entry
	others []memberLedger // of ids that stand for the patient
	Record string         // a hash of the record and of former
}

// Remember compares what the vault has with the record at hand.
func (p *Patient) Remember(r *Register) *Memory {
	p.memoryOnce.Do(func() {
		m := Memory{Record: p.record}
		now := map[string]bool{}
		m.now = now
		var known map[string]bool
		all := p.Ledger.with(p.stored)
		known = make(map[string]bool, len(all))
		for _, e := range all {
			if e.Kind == vault.RecordKind {
				known[string(e.Hash)] = true
			}
		}
		mine := p.mine(r)
		for _, e := range r.recordEntries(p.Pseudonym, p.Gazetteer.Record()) {
			now[string(e.Hash)] = true
			if !known[string(e.Hash)] && mine(e) {
				m.fresh = append(m.fresh, e)
			}
		}
		for hash := range known {
			if !now[hash] {
				if m.former == nil {
					m.former = map[string]bool{}
				}
				m.former[hash] = true
			}
		}
		for _, e := range r.recordEntries(p.Pseudonym, p.rest) {
			if now[string(e.Hash)] {
				continue
			}
			if m.former == nil {
				m.former = map[string]bool{}
			}
			m.former[string(e.Hash)] = true
			if !known[string(e.Hash)] && mine(e) {
				m.fresh = append(m.fresh, e)
			}
		}
		if m.former != nil || len(p.formers) > 0 {
			all := append(append([]string{p.record}, slices.Sorted(maps.Keys(m.former))...), p.takenOver()...)
			m.Record = string(r.Key.HMAC("record and memory", all...))
		}
		p.Ledger.Add(m.fresh)
		m.others = p.rememberMembers(r)
		p.memory = m
	})
	return &p.memory
}

// Forget has this object of a patient not know words, by their hashes in the vault, that are not in the record any more, or never were.
func (p *Patient) Forget(r *Register, words map[string]bool) {
	former := p.Remember(r).former
	maps.DeleteFunc(former, func(hash string, _ bool) bool { return words[hash] })
}

// mine returns a function that reports whether an entry is of the patient's own record: those of ids that stand for the patient
// are kept with these, so that they stay theirs when they don't any more.
func (p *Patient) mine(r *Register) func(surrogate.Entry) bool {
	if p.members == nil {
		return func(surrogate.Entry) bool { return true }
	}
	own := map[string]bool{}
	for i := range p.members {
		if m := &p.members[i]; m.key == p.Key {
			for _, e := range m.entries(r) {
				own[string(e.Hash)] = true
			}
		}
	}
	return func(e surrogate.Entry) bool { return own[string(e.Hash)] }
}

// GazetteerFor returns the patient's gazetteer for one text: with the former
// identifiers that are in it, of the patient, of those whose rows the patient has
// taken over, and of the site's staff.
func (r *Register) GazetteerFor(p *Patient, site *Directory, text string) *record.Gazetteer {
	former := p.Remember(r).former
	if len(former) == 0 && len(p.formers) == 0 && len(site.former) == 0 && !r.Before.knows(p) {
		return p.Gazetteer
	}
	met := record.Record{}
	words(text, func(w string) {
		switch {
		case len(former) > 0 && former[string(r.recordEntry(p.Pseudonym, w).Hash)], r.tookOver(p, w):
			role := record.NameAlias
			if hasDigit(w) {
				role = record.ID
			}
			met.Add(role, w)
		case len(site.former) > 0 && site.former[siteWord(r.Key, w)]:
			met.Add(record.ProviderName, w)
		case r.Before.met(r, p, site, w):
			r.carryOver(p, w)
			role := record.NameAlias
			if hasDigit(w) {
				role = record.ID
			}
			met.Add(role, w)
		}
	})
	if len(met) == 0 {
		return p.Gazetteer
	}
	for role, values := range p.Gazetteer.Record() {
		met[role] = append(slices.Clone(values), met[role]...)
	}
	return record.NewGazetteer(met)
}

// RowEntries returns the entries of what a row itself tells of its patient: values
// that a later change may have replaced before anybody read them.
func (r *Register) RowEntries(c *schema.Change, pseudonym string) []surrogate.Entry {
	if c.Row == nil || !c.Table.TellsPatient() {
		return nil
	}
	rec := record.Record{}
	for _, i := range c.Table.Telling {
		if v := c.Row[i]; v.State == schema.Present {
			c.Table.Columns[i].EachRole(v.Text, rec.Add)
		}
	}
	return r.recordEntries(pseudonym, rec)
}
