package record

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// A made-up patient with a value in nearly every role.
var mirela = NewGazetteer(Record{
	NameFirst: {"Mirela"}, NameMiddle: {"Quill"}, NameLast: {"Zorvakian"}, RelativeName: {"Catharine Whitting"},
	Street: {"6460 E Blairdale Ave"}, City: {"Morton Grovely", "Kelsova"}, Employer: {"Duneding Steelworks"},
	Phone: {"617-555-0142"}, MRN: {"E8277165"}, SSN: {"178-52-8495"}, Plan: {"1EG4-TE4-MK45"},
	Email: {"mirela.zorva57@example.com"}, BirthDate: {"1954-03-12"}, Zip: {"78135-0042"},
})

func findIn(t testing.TB, g *Gazetteer, body string) []phi.Span {
	t.Helper()
	spans, err := Find(t.Context(), text.NewView(body), g, nil)
	if err != nil {
		t.Fatal(err)
	}
	return spans
}

// What is between the brackets is found from its first to its last letter, in each way of
// writing.
func TestFindInEveryWriting(t *testing.T) {
	t.Parallel()
	for way, notes := range map[string][]string{
		"plain": {
			"Seen: [Mirela Zorvakian] today", "[Zorvakian, Mirela Q] today", "call [617-555-0142] now", "MRN [E8277165].",
			"born [3/12/1954]", "born [March 12, 1954]", "at [6460 E Blairdale Ave]", "mail [mirela.zorva57@example.com] now",
		},
		"misspelt": {
			"Seen: [Mirela Zorvakain] today", "[Zorvakiann] reports pain", "with [Catharine Whiting] today", "in [Morton Grvoely] now",
			"at [6460 E Blairdlae Ave] now", "works for [Dunedding Steelworks] now", "born [12 Marhc 1954] here",
			"mail [mirela.zorva57@exanple.com] now", "in [Kelsovaa] now",
		},
		"scanned": {
			"Seen: [Mire1a Zorvaklan] today", "[ZORVAK1AN] reports pain", "call [617-55S-0l42] now", "MRN [E8277I65]. was", "SSN [i78-52-849S] here",
			"born [3/l2/19S4] here", "at [646O E B1airdale Ave] now", "[Mireia Zorvakian] here", "with [Catharine Whittirig] now", "in [Ke1sova] now",
			"plan [1EG4-TE4-MK4s] here", "[Zorvakian, M1rela] here", "ZIP [78l35-0042] here",
		},
		"spelled out": {
			"Seen: [M-i-r-e-l-a Z-o-r-v-a-k-i-a-n] today", "[Z o r v a k i a n] here", "[Z. o. r. v. a. k. i. a. n] here",
			"call [six one seven five five five zero one four two] now", "in [K-e-l-s-o-v-a] now", "SSN [one seven eight, five two, eight four nine five] ok",
			"works for [D-u-n-e-d-i-n-g S-t-e-e-l-w-o-r-k-s] now",
		},
		"lower case": {"[mirela zorvakian] here", "the [zorvakian] case", "at [6460 e blairdale ave] now", "in [kelsova] now", "mrn [e8277165] here"},
		"capitals":   {"[MIRELA ZORVAKIAN] HERE", "IN [MORTON GROVELY] NOW", "AT [6460 E BLAIRDALE AVE] NOW", "[MIRELA.ZORVA57@EXAMPLE.COM] NOW"},
		"glued": {
			"[MirelaZorvakian] here", "[mirelazorvakian] here", "[CATHARINEWHITTING] here", "[Zorvakian]was here", "at [6460EBlairdaleAve] now",
			"in [MortonGrovely] now", "in [mortongrovely] now", "works for [DunedingSteelworks] now", "[E8277165]was here", "[Zorvakian617-555-0142] here",
		},
		"over a line's end": {
			"Seen: [Mirela\nZorvakian] today", "[Zorva-\nkian] here", "[Zorva\nkian] here", "in [Morton\nGrovely] now", "in [Kel-\nsova] now",
			"at [6460 E Blair-\ndale Ave] now", "born [3/12/\n1954] here", "born [March 12,\n1954] here", "mail [mirela.zorva57@exam-\nple.com] now",
			"call [617-555-\n0142] now", "works for [Duneding\nSteelworks] now",
		},
	} {
		for _, marked := range notes {
			from, to := strings.IndexByte(marked, '['), strings.IndexByte(marked, ']')-1
			body := strings.NewReplacer("[", "", "]", "").Replace(marked)
			spans := findIn(t, mirela, body)
			for i := from; i < to; i++ {
				if class, _ := text.ClassOf(body[i:]); class == text.PunctRune || class == text.SpaceRune || class == text.LineRune {
					continue
				}
				if !slices.ContainsFunc(spans, func(s phi.Span) bool { return s.Start <= i && i < s.End }) {
					t.Errorf("%s: %q: found %q", way, marked, written(body, spans))
					break
				}
			}
		}
	}
}

func written(body string, spans []phi.Span) []string {
	var out []string
	for _, s := range spans {
		out = append(out, body[s.Start:s.End])
	}
	return out
}

// A made-up patient whose names and address are easily damaged beyond their letters.
var damagedNames = NewGazetteer(Record{
	NameFirst: {"Mason", "Patience"}, NameLast: {"O'Burrell", "Phạm"}, RelativeName: {"Tomeka Hirose", "Rich Rivas", "Lex Blood", "June Courtney"},
	Employer: {"Hexmoline"}, Street: {"9400 River Place Unit 59", "P.O. Box 7055"}, State: {"OH", "TX"}, BirthDate: {"1988-05-01"},
	Phone: {"+1 805 946 6281"},
})

// What is between the brackets is found, and nothing else.
func TestFindWhatIsDamagedInOddPlaces(t *testing.T) {
	t.Parallel()
	for _, marked := range []string{
		"niece (Felicia [O'Burell]) reports", "sister [O'Burrel1] healthy", "don't, it's, o'clock", // the mark of a name
		"home [+I 805 946 6281] now", "home [+l 805 946 6281] now", "I may 3 times", "DOB [l May 1988] here", // a letter for a number
		"care of [Mas0n]. Test", "rooms with Tomeka [Hiro5e]. Work", "at [Hexmol1ne]. FH", // a compass point at the end
		"at [9400 River PI Unit 59] now", "at [9400 River Place Uriit 59] now", "at [P.O. Box 7O55] now", "at 12 S. Main St.",
		"[Ph-\nạm] lives here", "confirmed as [rich\ny. rivas], dob", "<<[LEX A\nBLOOD]>>", "[COURTNEY,\nJune] seen", "confirmed as [COURTNEY\nJUNE], F",
		"aunt [patience] in town", "LM with [lex].", "a lex", "the patience of", // names that are rare as words
		"Millville, [tx] 77527.", "Albany, [OH]28807.", "Albany, [OH] 28807.", "oh 28 times", "tx given, 12 oh 4",
	} {
		body := strings.NewReplacer("[", "", "]", "").Replace(marked)
		got := body
		for _, s := range slices.Backward(findIn(t, damagedNames, body)) {
			got = got[:s.Start] + "[" + got[s.Start:s.End] + "]" + got[s.End:]
		}
		// A name in full may be found with a given name that the record does not have next to it.
		if got = strings.ReplaceAll(got, "[Tomeka Hiro5e]", "Tomeka [Hiro5e]"); got != marked {
			t.Errorf("found %q, want %q", got, marked)
		}
	}
}

// Ordinary words, short values and other people's numbers are left alone however they are
// written.
func TestFindNothing(t *testing.T) {
	t.Parallel()
	g := NewGazetteer(Record{
		NameFirst: {"Will", "May"}, NameLast: {"Long"}, MRN: {"12345678"}, City: {"Reading"}, Street: {"12 Head Street"},
		Phone: {"617-555-0142"}, BirthDate: {"1954-03-12"}, Employer: {"Target"}, Zip: {"02134"},
	})
	for _, body := range []string{
		"He will walk a long way and may read.", "A long-standing wish.", "long\nwill", "reading glasses, target weight", "l0ng QT",
		"12345679", "1234567", "617-555-0143", "617-55S-0143", "3/13/1954", "3/1Z/1955", "six one seven five five five zero one four three",
		"L4-L5 and S1, 5mg, 2L NC, T2DM, B12, 10am", "along, belong, longer", "head injury at 12", "willpower", "longitudinal",
	} {
		if spans := findIn(t, g, body); len(spans) > 0 {
			t.Errorf("%q: found %q", body, written(body, spans))
		}
	}
}

// A value that only fills its column is not searched for, in a column of names only if it is
// long enough to be no name.
func TestBlankValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		role  Role
		value string
		blank bool
	}{
		{Employer, "N/A", true},
		{Employer, "self", true},
		{NameLast, "Self", false},
		{City, "Same", false},
		{NameLast, "Unknown", true},
		{Employer, "Unknown 2", false},
		{Street, "Homeless", true},
		{Employer, "Selfridge", false},
		{Phone, "not on file", true},
	} {
		if got := blank(c.role, c.value); got != c.blank {
			t.Errorf("%s %q: blank is %v", c.role, c.value, got)
		}
	}
}

// A long text with damaged words everywhere takes steps in proportion to its length.
func TestRepairsGrowWithTheText(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{"Zorvakain ", "Zorva-\nkian ", "M1rela ", "6460EBlairdaleAve ", "Zorvakianwas ", "3/l2/19S4 ", "a@exanple.com "} {
		steps := func(repeat int) int {
			_, steps, err := mirela.find(t.Context(), text.NewView(strings.Repeat(unit, repeat)), everything)
			if err != nil {
				t.Fatal(err)
			}
			return steps
		}
		if few, many := steps(200), steps(1600); many > 10*few {
			t.Errorf("%q: %d steps, and %d for eight times the text", unit, few, many)
		}
	}
}

// FuzzFind builds a gazetteer of arbitrary values and searches arbitrary texts: spans are in order,
// disjoint, and begin and end between characters.
func FuzzFind(f *testing.F) {
	f.Add("Mirela", "Zorvakian", "6460 E Blairdale Ave", "E8277165", "Mire1a Zorva-\nkian, 6460EBlairdaleAve, E8277I65")
	f.Add("é", "李", "1", "a@b", "é1李 a@b\n@")
	f.Add("ll", "1l", "0O 1I", "S5-B8", "1l O0 ll S5-88 \u202eab")
	f.Fuzz(func(t *testing.T, given, family, street, number, body string) {
		if !utf8.ValidString(given+family+street+number) || text.Check(body) != nil {
			t.Skip()
		}
		g := NewGazetteer(Record{
			NameFirst: {given}, NameLast: {family}, RelativeName: {street}, Street: {street}, City: {family}, Employer: {street}, MRN: {number},
			Email: {number}, Phone: {number}, Zip: {number}, BirthDate: {number}, License: {number},
		})
		end := 0
		for _, s := range findIn(t, g, body) {
			if s.Start < end || s.End <= s.Start || s.End > len(body) {
				t.Fatalf("span [%d, %d) after %d in %d bytes", s.Start, s.End, end, len(body))
			}
			if !utf8.RuneStart(body[s.Start]) || s.End < len(body) && !utf8.RuneStart(body[s.End]) {
				t.Fatalf("span [%d, %d) cuts a character", s.Start, s.End)
			}
			end = s.End
		}
	})
}
