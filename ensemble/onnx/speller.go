package onnx

import (
	"errors"
	"fmt"
	"sync"
	"unicode/utf8"
)

// piecesConfig is how a network with a character front wants the wordpieces of its words.
type piecesConfig struct {
	Most    int   `json:"most"`    // pieces of a word at most
	CLS     int64 `json:"cls"`     // the piece before the first word
	SEP     int64 `json:"sep"`     // the piece after the last word
	Unknown int64 `json:"unknown"` // what a word without pieces gets
}

func (c *piecesConfig) validate() error {
	if c.Most < 1 || c.Most > 64 {
		return fmt.Errorf("config.json: pieces.most is %d, want 1 to 64", c.Most)
	}
	for _, id := range []int64{c.CLS, c.SEP, c.Unknown} {
		if id < 0 || id > 1<<31-1 {
			return fmt.Errorf("config.json: pieces has the id %d, want those of the tokenizer", id)
		}
	}
	return nil
}

// spelledWords is how many words a speller keeps in each of its two halves, and
// spelledBytes how long they may be.
const (
	spelledWords = 1 << 15
	spelledBytes = 40
)

// speller cuts words into wordpieces, each for itself, and knows those of frequent words:
// the same few thousand make up most of all texts. It is safe for several goroutines.
//
// Words are kept in two halves. A word that is asked again moves from the old half to the
// young one; when that is full it becomes the old one, and what was in the old one is
// forgotten. So memory is bounded, and no word stays that is not used.
type speller struct {
	piecesConfig
	positions int // pieces of a window at most, special ones included
	encode    func(word string) ([]uint32, error)

	mu         sync.Mutex
	young, old map[string][]uint32
}

func newSpeller(c *piecesConfig, positions int, encode func(string) ([]uint32, error)) *speller {
	return &speller{piecesConfig: *c, positions: positions, encode: encode, young: map[string][]uint32{}}
}

// word returns the pieces of a word, one at least; read only.
func (s *speller) word(word string) ([]uint32, error) {
	if len(word) > spelledBytes {
		return s.spell(word)
	}
	if pieces, ok := s.recall(word); ok {
		return pieces, nil
	}
	pieces, err := s.spell(word)
	if err == nil {
		s.keep(word, pieces)
	}
	return pieces, err
}

// recall looks a word up in both halves.
func (s *speller) recall(word string) ([]uint32, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	pieces, ok := s.young[word]
	if ok {
		return pieces, true
	}
	pieces, ok = s.old[word]
	if ok {
		s.put(word, pieces)
	}
	return pieces, ok
}

// keep keeps a copy of a word: a part of a note would hold all of it in memory.
func (s *speller) keep(word string, pieces []uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(string(append([]byte(nil), word...)), pieces)
}

func (s *speller) put(word string, pieces []uint32) {
	if len(s.young) >= spelledWords {
		s.young, s.old = map[string][]uint32{}, s.young
	}
	s.young[word] = pieces
}

// spell asks the tokenizer. A word that is longer than any of a vocabulary is not read to
// its end: the time of some tokenizers grows faster than the length.
func (s *speller) spell(word string) ([]uint32, error) {
	if len(word) > maxUnit {
		cut := maxUnit
		for !utf8.RuneStart(word[cut]) {
			cut--
		}
		word = word[:cut]
	}
	pieces, err := s.encode(word)
	if err != nil {
		return nil, err
	}
	if len(pieces) == 0 {
		return []uint32{uint32(s.Unknown)}, nil // #nosec G115 -- validated
	}
	return pieces[:min(len(pieces), s.Most):min(len(pieces), s.Most)], nil
}

var errPieces = errors.New("more words than the network can be given the wordpieces of")

// window returns the pieces of words with the special ones around them, and where in them
// each word begins. Where they are too many for the network all words are cut to fewer.
func (s *speller) window(units []unit) (ids []uint32, begins []int32, err error) {
	words := make([][]uint32, len(units))
	for i, u := range units {
		if words[i], err = s.word(u.text); err != nil {
			return nil, nil, err
		}
	}
	most, total := s.Most, 0
	for ; most > 0; most-- {
		total = 2
		for _, pieces := range words {
			total += min(len(pieces), most)
		}
		if total <= s.positions {
			break
		}
	}
	if most == 0 {
		return nil, nil, errPieces
	}
	ids, begins = make([]uint32, 0, total), make([]int32, 0, len(units))
	ids = append(ids, uint32(s.CLS)) // #nosec G115 -- validated
	for _, pieces := range words {
		begins = append(begins, int32(len(ids))) // #nosec G115 -- of positions at most
		ids = append(ids, pieces[:min(len(pieces), most)]...)
	}
	return append(ids, uint32(s.SEP)), begins, nil // #nosec G115 -- validated
}
