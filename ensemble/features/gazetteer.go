package features

import (
	"strconv"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// odds writes the log-odds of a known word as a name against anything else.
func (s *Sheet) odds(buf []byte, i int) []byte {
	e := &s.entries[i]
	if *e == (lexicon.Entry{}) {
		return buf
	}
	odds := int(max(e.Surname, e.First)) - int(max(e.Common, e.Capital))
	return strconv.AppendInt(buf, int64(max(-8, min(8, odds/16))), 10)
}

// rate writes a frequency of the lexicon in factors of eight.
func rate(buf []byte, n uint8) []byte {
	if n == 0 {
		return buf
	}
	return strconv.AppendInt(buf, int64(n/24), 10)
}

func (s *Sheet) surname(buf []byte, i int) []byte { return rate(buf, s.entries[i].Surname) }

func (s *Sheet) first(buf []byte, i int) []byte { return rate(buf, s.entries[i].First) }

func (s *Sheet) common(buf []byte, i int) []byte { return rate(buf, s.entries[i].Common) }

func (s *Sheet) capital(buf []byte, i int) []byte { return rate(buf, s.entries[i].Capital) }

// flagNames are letters for the lexicon's flags, in their order: city, state, country,
// clinical, eponym, nickname, organisation, job, month, weekday, county, big city, first
// word of a place.
const flagNames = "csneEkojmwCBp"

func (s *Sheet) kinds(buf []byte, i int) []byte {
	flags := s.entries[i].Flags
	for j := range len(flagNames) {
		if flags&(1<<j) != 0 {
			buf = append(buf, flagNames[j])
		}
	}
	return buf
}

// markPlaces finds places of two and three words.
func (s *Sheet) markPlaces() {
	for i := 0; i+1 < len(s.tokens); i++ {
		if !s.entries[i].Is(lexicon.PlaceTop) || s.marks[i].place != 0 {
			continue
		}
		for n := 3; n >= 2; n-- {
			if s.knownPlace(i, n) {
				s.marks[i].place = 1
				for j := i + 1; j < i+n; j++ {
					s.marks[j].place = 2
				}
				break
			}
		}
	}
}

// knownPlace reports whether n words at token i are the name of a place.
func (s *Sheet) knownPlace(i, n int) bool {
	if i+n > len(s.tokens) {
		return false
	}
	var space [3*longest + 3]byte
	buf := space[:0]
	for j := i; j < i+n; j++ {
		if s.tokens[j].Kind != text.Word || j > i && s.gap(j) != '_' {
			return false
		}
		if j > i {
			buf = append(buf, ' ')
		}
		buf = append(buf, s.fold(j)...)
	}
	e, ok := lexicon.LookupKey(buf)
	return ok && e.Is(lexicon.City|lexicon.State|lexicon.Country|lexicon.County)
}

func (s *Sheet) inPlace(buf []byte, i int) []byte {
	switch s.marks[i].place {
	case 1:
		return append(buf, 'B')
	case 2:
		return append(buf, 'I')
	}
	return buf
}

// likeness scores the letters of an unknown word of at least three letters.
func (s *Sheet) likeness(buf []byte, i int) []byte {
	t := &s.tokens[i]
	if t.Kind != text.Word || t.End-t.Start < 3 || s.entries[i] != (lexicon.Entry{}) {
		return buf
	}
	return strconv.AppendInt(buf, int64(max(-6, min(6, lexicon.Likeness(clip(s.text(i)))/12))), 10)
}

// role writes the roles of a word: see [text.Roles].
func (s *Sheet) role(buf []byte, i int) []byte { return s.note.View().Roles(i).Append(buf) }
