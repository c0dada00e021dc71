package patient

import (
	"container/list"
	"slices"
	"sync"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Cache is the cache of patients, bounded in bytes. A patient with rows in the
// pipeline is pinned: what was chosen for those rows is not in the vault yet.
type Cache struct {
	phi.Redacted

	mu    sync.Mutex
	limit int64
	bytes int64
	byKey map[string]*list.Element // of *slotOf
	lru   *list.List               // most recently used in front
	gen   uint64                   // counts invalidations
	floor uint64                   // the last invalidation of any patient that was evicted
}

// slotOf is a patient's place in the cache.
type slotOf struct {
	phi.Redacted

	key     string
	name    string   // pseudonym, once it is known
	current *Patient // nil: must be loaded
	ledger  *Ledger
	gen     uint64 // of the last invalidation
	dropped uint64 // the one after which the vault had nothing of the patient
	pins    int
	held    []*HeldWords // of rows on their way
	members []*slotOf    // of ids that stand for the patient, pinned as long as the patient is
	size    int64
}

// HeldWords are words of a patient's record that a row on its way has. The cache keeps them until the row is committed.
type HeldWords struct {
	phi.Redacted

	key     string // of the patient
	entries []surrogate.Entry
}

// NewCache returns an empty cache for about limit bytes.
func NewCache(limit int64) *Cache {
	return &Cache{limit: limit, byKey: map[string]*list.Element{}, lru: list.New()}
}

func (c *Cache) slot(key string) *slotOf {
	if e, ok := c.byKey[key]; ok {
		c.lru.MoveToFront(e)
		return e.Value.(*slotOf)
	}
	s := &slotOf{key: key, ledger: &Ledger{}}
	c.byKey[key] = c.lru.PushFront(s)
	return s
}

// pin returns a patient and keeps it in the cache until unpin, or nil if it must
// be loaded first.
func (c *Cache) pin(key string) *Patient {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.byKey[key]; !ok || e.Value.(*slotOf).current == nil {
		return nil
	}
	s := c.slot(key)
	s.pins++
	return s.current
}

// Unpin lets a patient leave the cache again, once for each time it was pinned.
func (c *Cache) Unpin(p *Patient) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.byKey[p.Key]; ok {
		e.Value.(*slotOf).unpin()
	}
	c.evict()
}

// Generation is the state of the cache, to be passed to put with what is
// loaded from now on.
func (c *Cache) Generation() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.gen
}

// put takes in a patient that was loaded since generation gen and pins it. A
// patient that was invalidated in between is returned for this one use only: the
// next one loads it again.
func (c *Cache) put(p *Patient, gen uint64) *Patient {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.slot(p.Key)
	s.pins++
	if s.current != nil {
		return s.current
	}
	p.Ledger, s.name = s.ledger, p.Pseudonym
	if s.dropped > gen { // p has what the vault had before
		p.Ledger = &Ledger{}
		p.Ledger.Invalidate()
		return p
	}
	if s.gen <= gen && c.floor <= gen {
		s.current = p
		c.resize(s, p.size())
		c.evict()
	}
	return p
}

// Forget makes the next use load a patient anew.
func (c *Cache) Forget(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gen++
	s := c.slot(key)
	s.current, s.gen = nil, c.gen
	c.resize(s, 0)
	c.evict()
}

// Drop forgets a patient of whom the vault has nothing any more, with all that was chosen.
// Items that hold the patient find it void. The words of rows on their way stay known, since the patient may be back before
// these rows are committed: whether they are stored is decided with their rows.
func (c *Cache) Drop(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gen++
	s := c.slot(key)
	s.ledger.Invalidate()
	s.current, s.ledger, s.gen, s.dropped = nil, &Ledger{}, c.gen, c.gen
	for _, h := range s.held {
		s.ledger.know(h.entries)
	}
	c.resize(s, 0)
	c.evict()
}

// Clear forgets everything. Nothing may be in hand.
func (c *Cache) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gen++
	c.floor = c.gen
	c.byKey, c.bytes = map[string]*list.Element{}, 0
	c.lru.Init()
}

// ForgetAll does so for all of them.
func (c *Cache) ForgetAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gen++
	for e := c.lru.Front(); e != nil; e = e.Next() {
		s := e.Value.(*slotOf)
		s.current, s.gen = nil, c.gen
		c.resize(s, 0)
	}
	c.evict()
}

// slotCost is what a place in the cache costs by itself.
const slotCost = 256

func (c *Cache) resize(s *slotOf, size int64) {
	c.bytes += size - s.size
	s.size = size
}

// evictSteps bounds the work of one call: the next ones go on.
const evictSteps = 64

// evict drops what was not used for the longest time. Of a pinned patient the
// ledger stays: with it and the vault the rest can be loaded again.
func (c *Cache) evict() {
	for range evictSteps {
		e := c.lru.Back()
		if e == nil || c.bytes+int64(len(c.byKey))*slotCost <= c.limit {
			return
		}
		s := e.Value.(*slotOf)
		s.current = nil
		c.resize(s, 0)
		if s.pins > 0 {
			c.lru.MoveToFront(e)
			continue
		}
		c.floor = max(c.floor, s.gen)
		c.lru.Remove(e)
		delete(c.byKey, s.key)
	}
}

// Hold pins a patient once more.
func (c *Cache) Hold(p *Patient) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.slot(p.Key).pins++
}

// AddWords adds entries to the ledger of a patient with a pseudonym, loaded or not, and keeps it in the
// cache until WordsStored.
func (c *Cache) AddWords(key, name string, entries []surrogate.Entry) *HeldWords {
	c.mu.Lock()
	defer c.mu.Unlock()
	h := &HeldWords{key: key, entries: entries}
	s := c.slot(key)
	s.name = name
	s.pins++
	s.held = append(s.held, h)
	s.ledger.Add(entries)
	return h
}

// WordsStored says that the row with these words is committed, or on its way no more.
func (c *Cache) WordsStored(h *HeldWords) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.byKey[h.key]; ok {
		s := e.Value.(*slotOf)
		s.unpin()
		s.held = slices.DeleteFunc(s.held, func(other *HeldWords) bool { return other == h })
	}
	c.evict()
}

// fresh returns the words of a patient's record, by pseudonym, that the vault may not have
// yet.
func (c *Cache) fresh(name string) []surrogate.Entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	for e := c.lru.Front(); e != nil; e = e.Next() {
		if s := e.Value.(*slotOf); s.name == name {
			return slices.DeleteFunc(s.ledger.with(nil), func(e surrogate.Entry) bool { return e.Kind != vault.RecordKind })
		}
	}
	return nil
}
