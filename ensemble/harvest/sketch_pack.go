package harvest

import "errors"

// packedSketch is the stored form of a sketch.
type packedSketch struct {
	Limit         int
	Offset, Added uint64
	Keys          []uint64
	Counts        []uint32
}

func (s *Sketch) pack() packedSketch {
	p := packedSketch{Limit: s.limit, Offset: s.offset, Added: s.added, Keys: make([]uint64, 0, s.used), Counts: make([]uint32, 0, s.used)}
	s.Keys(func(key uint64, least uint32) {
		p.Keys, p.Counts = append(p.Keys, key), append(p.Counts, least)
	})
	return p
}

var errSketch = errors.New("its counters do not fit one another")

func (p *packedSketch) unpack() (*Sketch, error) {
	s, err := NewSketch(p.Limit)
	if err != nil {
		return nil, err
	}
	if len(p.Keys) != len(p.Counts) || len(p.Keys) > p.Limit {
		return nil, errSketch
	}
	s.clear(len(p.Keys))
	for i, key := range p.Keys {
		if p.Counts[i] == 0 || s.counts[s.place(key)] != 0 {
			return nil, errSketch
		}
		s.put(key, p.Counts[i])
	}
	s.offset, s.added = p.Offset, p.Added
	return s, nil
}
