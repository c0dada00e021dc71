package patient

import (
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Words of a record are kept with the id whose record has them, also while the id stands for another patient. Those that rows of the
// stream have are kept with these rows (deid.Resolver). Those that only the source has told, as of an id that stayed out of the
// replica until it came to stand for a patient who does not, are kept with the first row that is searched for them: a
// note of that patient is older than the next change of the record, and is made again after it.

// member is what a patient's record has of one id, of the patient or of one that stands for the patient.
type member struct {
	phi.Redacted

	key       string
	pseudonym string
	tally     *Tally
}

// memberLedger has the words of an id that may not be committed yet.
type memberLedger struct {
	phi.Redacted

	key       string
	pseudonym string
	ledger    *Ledger
}

// entries returns the entries of the id's words.
func (m *member) entries(r *Register) []surrogate.Entry {
	return slices.Concat(r.recordEntries(m.pseudonym, m.tally.Record), r.recordEntries(m.pseudonym, m.tally.rest))
}

// rememberMembers has the words of ids that stand for the patient stored with the next row of the patient.
func (p *Patient) rememberMembers(r *Register) []memberLedger {
	var list []memberLedger
	for i := range p.members {
		m := &p.members[i]
		if m.key == p.Key {
			continue
		}
		fresh := slices.DeleteFunc(m.entries(r), func(e surrogate.Entry) bool { return p.formerHas(m.pseudonym, e) })
		list = append(list, memberLedger{key: m.key, pseudonym: m.pseudonym, ledger: r.Cache.addMember(p.Key, m, fresh)})
	}
	return list
}

// formerHas reports whether the vault, or the cache, had a word of another patient or id when the patient was loaded.
func (p *Patient) formerHas(pseudonym string, e surrogate.Entry) bool {
	return slices.ContainsFunc(p.formers, func(f former) bool { return f.pseudonym == pseudonym && f.words[string(e.Hash)] })
}

// addMember adds words of an id to its ledger. The id stays in the cache while rows of the patient are in hand for whom it stands.
func (c *Cache) addMember(patient string, m *member, words []surrogate.Entry) *Ledger {
	c.mu.Lock()
	defer c.mu.Unlock()
	p, s := c.slot(patient), c.slot(m.key)
	if p.pins > 0 && !slices.Contains(p.members, s) {
		s.pins++
		p.members = append(p.members, s)
	}
	s.name = m.pseudonym
	s.ledger.Add(words)
	return s.ledger
}

// unpin takes a pin off a patient, and with the last one those off the ids that stand for the patient.
func (s *slotOf) unpin() {
	if s.pins--; s.pins > 0 {
		return
	}
	for _, m := range s.members {
		m.pins--
	}
	s.members = nil
}

// HandOverMembers adds words of other ids to choices, once, and returns the source keys of these ids, by pseudonym.
func (p *Patient) HandOverMembers(to *vault.Choices) map[string]string {
	var ids map[string]string
	for _, m := range p.memory.others {
		words := m.ledger.takeUnstored()
		if len(words) == 0 {
			continue
		}
		if ids == nil {
			ids = map[string]string{}
		}
		ids[m.pseudonym] = m.key
		to.AddEntries(m.pseudonym, words)
	}
	return ids
}
