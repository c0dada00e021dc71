package onnx

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"hash"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// key identifies the content of a segment. It is an HMAC under a key that is drawn when
// the model is loaded, so that the memory of a program doesn't give a sentence away, not
// even to a reader who guesses it; 128 bits make a collision of two sentences of a corpus
// of billions less likely than a fault of the memory.
type key [16]byte

// Caches are cut into shards so that goroutines seldom wait for one another.
const cacheShards = 16

// leastCacheBytes bounds the memory of a small cache. A larger one has entryBytes for each of its entries, which
// is what a sentence takes on average.
const (
	leastCacheBytes = 32 << 20
	entryBytes      = leastCacheBytes / DefaultCache
)

// cacheEntry is about how much an entry takes besides its scores.
const cacheEntry = 160

// cache keeps the scores of segments, those longest unused go first. A nil cache
// keeps nothing.
type cache struct {
	secret [sha256.Size]byte
	shards [cacheShards]cacheShard
	most   int // bytes of a shard
}

type cacheShard struct {
	mu    sync.Mutex
	kept  *simplelru.LRU[key, *scores]
	bytes int
}

// newCache returns a cache of so many segments.
func newCache(entries int) (*cache, error) {
	c := &cache{most: max(leastCacheBytes, entries*entryBytes) / cacheShards}
	if _, err := rand.Read(c.secret[:]); err != nil {
		return nil, err
	}
	for i := range c.shards {
		s := &c.shards[i]
		var err error
		s.kept, err = simplelru.NewLRU(max(entries/cacheShards, 1), func(_ key, v *scores) { s.bytes -= v.bytes() + cacheEntry })
		if err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *cache) hash() hash.Hash { return hmac.New(sha256.New, c.secret[:]) }

func (c *cache) get(k key) (*scores, bool) {
	s := &c.shards[k[0]%cacheShards]
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept.Get(k)
}

func (c *cache) put(k key, v *scores) {
	s := &c.shards[k[0]%cacheShards]
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept.Contains(k) {
		return // another goroutine had the same sentence: the same scores
	}
	s.bytes += v.bytes() + cacheEntry
	s.kept.Add(k, v)
	for s.bytes > c.most && s.kept.Len() > 1 {
		s.kept.RemoveOldest()
	}
}

func (c *cache) len() int {
	n := 0
	for i := range c.shards {
		s := &c.shards[i]
		s.mu.Lock()
		n += s.kept.Len()
		s.mu.Unlock()
	}
	return n
}
