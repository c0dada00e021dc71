package crf

import "github.com/pgdeid/pgdeid/ensemble/features"

// scorer adds up the weights of a sentence's features. Its slices are reused.
type scorer struct {
	keys   []uint64 // keys of the current token that may be in the table
	sums   []int32
	scores []float32
}

// score returns the scores of rows' tokens, by token and label, in natural logarithms.
func (s *scorer) score(m *Model, rows []features.Row) []float32 {
	labels, n := m.labels.size(), len(rows)
	// Entries reach up to four tokens beyond both ends, into a margin.
	s.sums = grown(s.sums, (n+2*reach)*labels)
	clear(s.sums)
	for i := range rows {
		// The weight for offset o belongs to token i - o.
		sums := s.sums[i*labels : (i+2*reach+1)*labels]
		for _, key := range s.candidates(m, rows, i) {
			for _, e := range m.table.find(key) {
				sums[e.code] += int32(e.weight)
			}
		}
	}
	s.scores = grown(s.scores, n*labels)
	body := s.sums[reach*labels:]
	for i := range s.scores {
		s.scores[i] = float32(body[i]) * quantum
	}
	return s.scores
}

// candidates returns the stored keys of token i whose slot in the table is occupied. Testing all
// slots before reading any entry lets the processor overlap the cache misses.
func (s *scorer) candidates(m *Model, rows []features.Row, i int) []uint64 {
	s.keys = grown(s.keys, len(m.templates.list))
	n := 0
	for k := range m.templates.list {
		s.keys[n] = stored(m.templates.list[k].key(rows, i))
		if s.keys[n] != 0 {
			n++
		}
	}
	found := 0
	for _, key := range s.keys[:n] {
		s.keys[found] = key
		if m.table.tags[m.table.home(key)] != 0 {
			found++
		}
	}
	return s.keys[:found]
}

// codeOf returns the code of an entry: a feature at an offset from the token that it describes is
// at place reach-offset, counted from four tokens before itself.
func codeOf(offset, label, labels int) uint16 { return uint16((reach-offset)*labels + label) }
