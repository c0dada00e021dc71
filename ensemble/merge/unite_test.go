package merge

import (
	"slices"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

func TestUnite(t *testing.T) {
	t.Parallel()
	//       0123456789012345678901234567890
	text := "Mr. John Smith, Boston General Hospital"
	tests := []struct {
		name  string
		votes []phi.Span
		want  []phi.Span
	}{
		{"nothing", nil, nil},
		{
			"the longer reading explains the shorter",
			[]phi.Span{{Start: 16, End: 22, Type: phi.City, By: 1}, {Start: 16, End: 39, Type: phi.Hospital, By: 2}},
			[]phi.Span{{Start: 16, End: 39, Type: phi.Hospital, By: 3}},
		},
		{
			"parts of one class make a whole",
			[]phi.Span{{Start: 4, End: 10, Type: phi.Patient, By: 1}, {Start: 9, End: 14, Type: phi.Doctor, By: 2}},
			[]phi.Span{{Start: 4, End: 14, Type: phi.Patient, By: 3}},
		},
		{
			"a name beats a place for the same range",
			[]phi.Span{{Start: 9, End: 14, Type: phi.City, By: 1}, {Start: 9, End: 14, Type: phi.Patient, By: 2}},
			[]phi.Span{{Start: 9, End: 14, Type: phi.Patient, By: 3}},
		},
		{
			"what is left of a weaker one stays",
			[]phi.Span{{Start: 4, End: 14, Type: phi.Patient, By: 1}, {Start: 9, End: 22, Type: phi.City, By: 2}},
			[]phi.Span{{Start: 4, End: 14, Type: phi.Patient, By: 3}, {Start: 16, End: 22, Type: phi.City, By: 2}},
		},
		{
			"an exact pattern wins over what is in it",
			[]phi.Span{{Start: 4, End: 14, Type: phi.Email, By: 1}, {Start: 9, End: 14, Type: phi.Patient, By: 2}},
			[]phi.Span{{Start: 4, End: 14, Type: phi.Email, By: 3}},
		},
		{
			"neighbours of one name are one span",
			[]phi.Span{{Start: 4, End: 8, Type: phi.Patient, By: 1}, {Start: 9, End: 14, Type: phi.Patient, By: 2}},
			[]phi.Span{{Start: 4, End: 14, Type: phi.Patient, By: 3}},
		},
		{
			"what is sure comes first",
			[]phi.Span{{Start: 4, End: 14, Type: phi.Patient, By: 1}, {Start: 9, End: 22, Type: phi.City, By: 2, Sure: true}},
			[]phi.Span{{Start: 4, End: 8, Type: phi.Patient, By: 1}, {Start: 9, End: 22, Type: phi.City, By: 3, Sure: true}},
		},
	}
	for _, tt := range tests {
		if got := new(Voters).Unite(text, tt.votes); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

// Supplementary Table 1 of the main paper: the name, then the normalised name.
func TestUniteByMembersPriority(t *testing.T) {
	t.Parallel()
	first, second := phi.Span{Start: 4, End: 14, Type: phi.Doctor, By: 1}, phi.Span{Start: 4, End: 14, Type: phi.Patient, By: 2}
	place := phi.Span{Start: 4, End: 14, Type: phi.City, By: 4}
	for _, tt := range []struct {
		name string
		by   [MaxVoters]int
		want phi.Type
	}{
		{"the lower number decides", [MaxVoters]int{1, 2, 3}, phi.Doctor},
		{"in whatever order they vote", [MaxVoters]int{2, 1, 3}, phi.Patient},
		{"a member without a number comes first", [MaxVoters]int{1, 0, 3}, phi.Patient},
		{"types come before members", [MaxVoters]int{1, 2, 0}, phi.Doctor},
	} {
		got := (&Voters{Ranks: tt.by}).Unite("Mr. John Smith", []phi.Span{first, second, place})
		if want := (phi.Span{Start: 4, End: 14, Type: tt.want, By: 7}); len(got) != 1 || got[0] != want {
			t.Errorf("%s: got %+v, want %+v", tt.name, got, want)
		}
	}
	longer := phi.Span{Start: 0, End: 14, Type: phi.Patient, By: 2}
	got := (&Voters{Ranks: [MaxVoters]int{1, 2}}).Unite("Mr. John Smith", []phi.Span{first, longer})
	if len(got) != 1 || got[0].Type != phi.Patient {
		t.Errorf("length comes before members: got %+v", got)
	}
}

// FuzzUnite throws arbitrary votes together: every byte that a vote covers
// with a letter or digit stays covered, and the result is sorted and disjoint.
func FuzzUnite(f *testing.F) {
	f.Add([]byte{0, 5, 1, 3, 9, 12, 4, 4, 20})
	f.Add([]byte{0, 30, 13, 2, 3, 1, 5, 5, 30, 7, 4, 14})
	text := "Abcdefghijklmnopqrstuvwxyz0123456789"
	f.Fuzz(func(t *testing.T, data []byte) {
		var votes []phi.Span
		covered := make([]bool, len(text))
		for ; len(data) >= 3; data = data[3:] {
			start := int(data[0]) % len(text)
			end := min(len(text), start+1+int(data[1])%12)
			votes = append(votes, phi.Span{Start: start, End: end, Type: phi.Types()[int(data[2])%len(phi.Types())], By: 1, Sure: data[2] > 200})
			for i := start; i < end; i++ {
				covered[i] = true
			}
		}
		end := 0
		for _, s := range new(Voters).Unite(text, votes) {
			if s.Start < end || s.End <= s.Start {
				t.Fatalf("span %+v after %d", s, end)
			}
			for i := s.Start; i < s.End; i++ {
				covered[i] = false
			}
			end = s.End
		}
		if i := slices.Index(covered, true); i >= 0 {
			t.Errorf("byte %d is lost", i)
		}
	})
}

func TestOccupationsDoNotSwallowNames(t *testing.T) {
	t.Parallel()
	text := "grandson Annie Stacker, age 14"
	spans := new(Voters).Unite(text, []phi.Span{
		{Start: 0, End: 22, Type: phi.Profession, By: 1}, {Start: 9, End: 22, Type: phi.Patient, By: 2, Sure: true},
	})
	for _, s := range spans {
		if s.Start == 9 && s.End == 22 && s.Type == phi.Patient {
			return
		}
	}
	t.Errorf("the name is gone: %v", spans)
}

func TestCounts(t *testing.T) {
	t.Parallel()
	voters := &Voters{Sources: [MaxVoters]phi.Votes{0b011, 0b011, 0b100}} // two members of one model, and another
	for _, tt := range []struct {
		name      string
		span      phi.Span
		threshold int
		want      bool
	}{
		{"one vote of one", phi.Span{By: 0b001}, 1, true},
		{"one vote of two", phi.Span{By: 0b001}, 2, false},
		{"two votes of two", phi.Span{By: 0b101}, 2, true},
		{"sure", phi.Span{By: 0b001, Sure: true}, 2, true},
		{"tentative, one source", phi.Span{By: 0b011, Tentative: true}, 1, false},
		{"tentative, two sources", phi.Span{By: 0b110, Tentative: true}, 1, true},
		{"tentative, and one vote counts", phi.Span{By: 0b001, Tentative: true}, 0, true},
		{"tentative and sure", phi.Span{By: 0b001, Tentative: true, Sure: true}, 1, true},
	} {
		if got := voters.Counts(tt.span, tt.threshold); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
