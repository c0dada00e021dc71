package crf

import "github.com/pgdeid/pgdeid/ensemble/features"

// scorer adds up the weights of a sentence's features. Its slices are used again.
type scorer struct {
	sums   []int32
	scores []float32
}

// score returns the scores of rows' tokens, by token and label, in natural logarithms.
func (s *scorer) score(m *Model, rows []features.Row) []float32 {
	labels, n := m.labels.size(), len(rows)
	// Entries reach up to four tokens over both ends: there they fall into a margin.
	s.sums = grown(s.sums, (n+2*reach)*labels)
	clear(s.sums)
	for i := range rows {
		// The weight for offset o belongs to token i - o.
		sums := s.sums[i*labels : (i+2*reach+1)*labels]
		for k := range m.templates.list {
			key := m.templates.list[k].key(rows, i)
			if key == 0 {
				continue
			}
			for _, e := range m.table.find(stored(key)) {
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

// codeOf is the code of an entry: a feature at an offset from the token that it says
// something of lies at place reach-offset, counted from four tokens before itself.
func codeOf(offset, label, labels int) uint16 { return uint16((reach-offset)*labels + label) }
