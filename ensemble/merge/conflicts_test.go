package merge

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// Of two types for one range the one that explains the other stays, whoever votes first.
func TestTypesInConflict(t *testing.T) {
	t.Parallel()
	const s = "Rose Mercy 555 0100"
	for _, tt := range []struct{ wins, loses phi.Type }{
		{phi.Email, phi.Patient},
		{phi.URL, phi.Username},
		{phi.IPAddr, phi.IDNum},
		{phi.SSN, phi.Phone},
		{phi.Street, phi.City},
		{phi.Phone, phi.Date},
		{phi.MedicalRecord, phi.Date},
		{phi.Zip, phi.Age},
		{phi.Date, phi.Patient},
		{phi.Date, phi.Age},
		{phi.Date, phi.Time},
		{phi.Patient, phi.City},
		{phi.Doctor, phi.Hospital},
		{phi.Username, phi.Organization},
		{phi.City, phi.Organization},
		{phi.Hospital, phi.Organization},
		{phi.Country, phi.Profession},
		{phi.Age, phi.Time},
		{phi.Organization, phi.Profession},
		{phi.Time, phi.Profession},
		{phi.Fax, phi.Age},
		{phi.Account, phi.Zip},
		{phi.Device, phi.Organization},
		{phi.LocationOther, phi.Time},
	} {
		winner, loser := phi.Span{Start: 5, End: 10, Type: tt.wins, By: 1}, phi.Span{Start: 5, End: 10, Type: tt.loses, By: 2}
		for _, votes := range [][]phi.Span{{winner, loser}, {loser, winner}} {
			got := new(Voters).Unite(s, votes)
			if len(got) != 1 || got[0].Type != tt.wins || got[0].By != 3 {
				t.Errorf("%s and %s: %+v", tt.wins, tt.loses, got)
			}
		}
		loser.Sure = true
		if got := new(Voters).Unite(s, []phi.Span{winner, loser}); mayStay(tt.loses) == mayStay(tt.wins) && (len(got) != 1 || got[0].Type != tt.loses) {
			t.Errorf("%s, and %s for sure: %+v", tt.wins, tt.loses, got)
		}
	}
}

// What often stays in the text does not hide what would be replaced, however long it is.
func TestWhatMayStayHidesNothing(t *testing.T) {
	t.Parallel()
	const s = "teacher Rose Moss at 10 o'clock"
	name := phi.Span{Start: 8, End: 17, Type: phi.Patient, By: 1}
	for _, typ := range phi.Types() {
		whole := phi.Span{Start: 0, End: len(s), Type: typ, By: 2}
		var types []phi.Type
		for _, got := range new(Voters).Unite(s, []phi.Span{whole, name}) {
			if got.Start <= name.Start && name.End <= got.End {
				types = append(types, got.Type)
			}
		}
		want := typ
		if mayStay(typ) {
			want = phi.Patient
		}
		if !slices.Equal(types, []phi.Type{want}) {
			t.Errorf("a name within %s is %v, want %s", typ, types, want)
		}
	}
}

// randomVotes are votes of three members on a text.
func randomVotes(rng *rand.Rand, s string) []phi.Span {
	types := []phi.Type{phi.Patient, phi.Doctor, phi.City, phi.Date, phi.Profession, phi.Phone}
	var votes []phi.Span
	for range 1 + rng.IntN(12) {
		start := rng.IntN(len(s))
		votes = append(votes, phi.Span{
			Start: start, End: min(len(s), start+1+rng.IntN(14)), Type: types[rng.IntN(len(types))], By: 1 << rng.IntN(3),
			Sure: rng.IntN(6) == 0, Tentative: rng.IntN(4) == 0, Score: rng.Float32(),
		})
	}
	return votes
}

// Votes on texts far apart do not meet: two texts together are decided as each alone.
func TestUniteIsLocal(t *testing.T) {
	t.Parallel()
	const first, between, second = "Ann Moss, 12 Elm", " .... ", "Zoe 555-0100 Flint"
	rng := rand.New(rand.NewPCG(8, 1))
	for range 500 {
		a, b := randomVotes(rng, first), randomVotes(rng, second)
		var both []phi.Span
		both = append(both, a...)
		for _, v := range b {
			v.Start, v.End = v.Start+len(first+between), v.End+len(first+between)
			both = append(both, v)
		}
		want := new(Voters).Unite(first, a)
		for _, s := range new(Voters).Unite(second, b) {
			s.Start, s.End = s.Start+len(first+between), s.End+len(first+between)
			want = append(want, s)
		}
		if got := new(Voters).Unite(first+between+second, both); !slices.Equal(got, want) {
			t.Fatalf("%+v, want %+v", got, want)
		}
	}
}

// A list that is sorted and disjoint stays as it is, but for neighbours that are one name.
func TestUniteOfUnited(t *testing.T) {
	t.Parallel()
	const s = "Ann Moss, 12 Elm St, Flint 555-0100 Zoe"
	rng := rand.New(rand.NewPCG(8, 2))
	for range 1000 {
		once := new(Voters).Unite(s, randomVotes(rng, s))
		if again := new(Voters).Unite(s, slices.Clone(once)); !slices.Equal(again, once) {
			t.Fatalf("%+v becomes %+v", once, again)
		}
	}
}

// Of each span someone voted for its type, every voter overlaps it, and it is sure if a sure vote made it.
func TestSpansHaveTheirVotes(t *testing.T) {
	t.Parallel()
	const s = "Ann Moss, 12 Elm St, Flint 555-0100 Zoe"
	rng := rand.New(rand.NewPCG(8, 3))
	for range 1000 {
		votes := randomVotes(rng, s)
		for _, span := range new(Voters).Unite(s, slices.Clone(votes)) {
			var by phi.Votes
			typed, sure := false, false
			for _, v := range votes {
				if v.Overlaps(span) {
					by |= v.By
					typed, sure = typed || v.Type == span.Type, sure || v.Sure
				}
			}
			if !typed || span.By&^by != 0 || span.Sure && !sure || span.By == 0 {
				t.Fatalf("%+v of %+v", span, votes)
			}
		}
	}
}

// anything answers by chance.
type anything struct{ rng *rand.Rand }

func (a anything) Keep(c *Candidates) []phi.Range {
	var out []phi.Range
	for range c.Spans[:a.rng.IntN(len(c.Spans)+1)] {
		out = append(out, phi.Range{Start: a.rng.IntN(50) - 5, End: a.rng.IntN(50) - 5})
	}
	return out
}

// Whatever a stacker answers: spans stay sorted and disjoint, within candidates, and what is sure stays.
func TestKeptOfAnyAnswer(t *testing.T) {
	t.Parallel()
	const s = "Ann Moss, 12 Elm St, Flint 555-0100 Zoe"
	view := text.NewView(s)
	rng := rand.New(rand.NewPCG(8, 4))
	for range 1000 {
		c := new(Voters).Candidates(view, randomVotes(rng, s))
		if len(c.Counted) != len(c.Spans) {
			t.Fatalf("%d candidates, %d of them decided", len(c.Spans), len(c.Counted))
		}
		kept, end := c.Kept(anything{rng}), 0
		for _, k := range kept {
			inside := slices.ContainsFunc(c.Spans, func(s phi.Span) bool { return s.Start <= k.Start && k.End <= s.End && s.Type == k.Type })
			if k.Start < end || k.End <= k.Start || !inside {
				t.Fatalf("%+v after %d", k, end)
			}
			end = k.End
		}
		for _, v := range c.Votes {
			if v.Sure {
				checkCovered(t, s, v, kept)
			}
		}
	}
}

// checkCovered reports an error if a letter or digit of a vote is in no span.
func checkCovered(t *testing.T, s string, v phi.Span, spans []phi.Span) {
	t.Helper()
	for i := v.Start; i < v.End; i++ {
		if isWordRune(rune(s[i])) && !slices.ContainsFunc(spans, func(s phi.Span) bool { return s.Start <= i && i < s.End }) {
			t.Fatalf("byte %d of a sure vote is lost", i)
		}
	}
}
