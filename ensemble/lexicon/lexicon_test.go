package lexicon

import (
	"slices"
	"strings"
	"testing"
)

func TestLookup(t *testing.T) {
	tests := []struct {
		word  string
		check func(e Entry) bool
		says  string
	}{
		{"Smith", func(e Entry) bool { return e.Surname > 120 && e.First < e.Surname }, "a frequent surname"},
		{"MARY", func(e Entry) bool { return e.First > 120 && e.Female > 98 }, "a woman's first name"},
		{"william", func(e Entry) bool { return e.First > 120 && e.Female < 2 }, "a man's first name"},
		{"Parkinson", func(e Entry) bool { return e.Is(Eponym) && e.Surname > 40 }, "an eponym and a surname"},
		{"Rice", func(e Entry) bool { return e.Common > 30 && e.Surname > 60 }, "a word and a surname"},
		{"the", func(e Entry) bool { return e.Common > 140 }, "a frequent word"},
		{"Foley", func(e Entry) bool { return e.Capital > 50 }, "written with a capital"},
		{"metoprolol", func(e Entry) bool { return e.Is(Clinical) }, "a drug"},
		{"boston", func(e Entry) bool { return e.Is(City) && e.Is(BigCity) }, "a big city"},
		{"TX", func(e Entry) bool { return e.Is(State) }, "a state"},
		{"Haitian", func(e Entry) bool { return e.Is(Country) }, "of a country"},
		{"Hospital", func(e Entry) bool { return e.Is(Org) }, "ends organisations' names"},
		{"glazier", func(e Entry) bool { return e.Is(Job) }, "an occupation"},
		{"Bill", func(e Entry) bool { return e.Is(Nickname) }, "a short form"},
		{"May", func(e Entry) bool { return e.Is(Month) }, "a month"},
		{"San", func(e Entry) bool { return e.Is(PlaceTop) }, "begins places"},
		{"García", func(e Entry) bool { return e.Surname > 100 && e.Group == Hispanic }, "a Hispanic surname"},
		{"Nguyen", func(e Entry) bool { return e.Surname > 90 && e.Group == Asian }, "an Asian surname"},
		{"Begay", func(e Entry) bool { return e.Group == Native }, "a Native surname"},
		{"new york", func(e Entry) bool { return e.Is(City) && e.Is(State) }, "a city and a state"},
	}
	for _, tt := range tests {
		e, ok := Lookup(tt.word)
		if !ok || !tt.check(e) {
			t.Errorf("Lookup(%q) = %+v, %v: want %s", tt.word, e, ok, tt.says)
		}
	}
}

func TestLookupUnknown(t *testing.T) {
	for _, w := range []string{"", "xqzzyk", strings.Repeat("a", 100), "7", "\x00", "日本"} {
		if e, ok := Lookup(w); ok {
			t.Errorf("Lookup(%q) = %+v", w, e)
		}
	}
}

func TestLookupFormsAgree(t *testing.T) {
	for _, w := range []string{"Müller", "O\u200bwen", "SMITH", "Ｊｏｈｎ"} {
		a, okA := Lookup(w)
		b, okB := LookupFolded(Fold(w))
		c, okC := LookupKey([]byte(Fold(w)))
		if a != b || a != c || okA != okB || okA != okC || !okA {
			t.Errorf("%q: %v %v %v", w, a, b, c)
		}
	}
}

func TestFold(t *testing.T) {
	tests := map[string]string{
		"Smith": "smith", "smith": "smith", "": "", "GARCÍA": "garcia", "Núñez": "nunez", "Jo\u0308rg": "jorg",
		"Strauß": "strauss", "Ångström": "angstrom", "Ｓｍｉｔｈ": "smith", "Sm\u200bith": "smith", "Sm\u00adith": "smith",
		"Ѕmith": "smith", "Nguyễn": "nguyen", "Łukasz": "lukasz", "иванов": "иванов", "Δημήτρης": "δημήτρης",
		"İstanbul": "istanbul",
	}
	for in, want := range tests {
		if got := Fold(in); got != want {
			t.Errorf("Fold(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzFold(f *testing.F) {
	for _, s := range []string{"Smith", "Ångström", "Ѕmith", "\xff", "ǅ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := Fold(s)
		if twice := Fold(once); twice != once {
			t.Errorf("Fold(%q) = %q, folded again %q", s, once, twice)
		}
		Lookup(s)
	})
}

func TestNicknames(t *testing.T) {
	if got := Nicknames("William"); !slices.Contains(got, "bill") || !slices.Contains(got, "will") {
		t.Errorf("short forms of William: %v", got)
	}
	if got := Nicknames("Peggy"); !slices.Contains(got, "margaret") {
		t.Errorf("Peggy is short for %v", got)
	}
	if got := Nicknames("xyzzy"); got != nil {
		t.Errorf("xyzzy: %v", got)
	}
}

func TestPools(t *testing.T) {
	for g := range NumGroups {
		checkPool(t, Surnames(g), 200)
		checkPool(t, FirstNames(g, true), 60)
		checkPool(t, FirstNames(g, false), 60)
	}
	if Surnames(NumGroups) != nil || FirstNames(NumGroups, true) != nil {
		t.Error("names of a group that is none")
	}
}

func checkPool(t *testing.T, names []string, least int) {
	t.Helper()
	if len(names) < least {
		t.Errorf("%d names, want at least %d", len(names), least)
	}
	seen := map[string]bool{}
	for _, n := range names {
		if seen[n] || len(n) < 3 || n[0] < 'A' || n[0] > 'Z' {
			t.Errorf("name %q", n)
		}
		seen[n] = true
		if e, ok := Lookup(n); !ok || e.Is(Clinical|Eponym|Month|State) {
			t.Errorf("name %q is something else too: %+v", n, e)
		}
	}
}

func TestPlaces(t *testing.T) {
	got := Places()
	if len(got) < 1000 {
		t.Fatalf("%d places", len(got))
	}
	for _, p := range got {
		if p.City == "" || len(p.State) != 2 || len(p.Zip3) != 3 {
			t.Errorf("place %+v", p)
		}
	}
	if got[0].City != "Los Angeles" {
		t.Errorf("the largest town is %+v", got[0])
	}
}

func TestDecodeRefusesDamage(t *testing.T) {
	if err := Load(); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 10, 1000, len(packed) / 2, len(packed) - 1} {
		if _, err := decode(packed[:n]); err == nil {
			t.Errorf("a table cut at %d of %d bytes was read", n, len(packed))
		}
	}
}

func TestLookupDoesNotAllocate(t *testing.T) {
	Lookup("warm")
	for _, w := range []string{"smith", "SMITH", "Metoprolol", "unknownword"} {
		if n := testing.AllocsPerRun(100, func() { Lookup(w) }); n != 0 {
			t.Errorf("Lookup(%q) allocates %v times", w, n)
		}
	}
}

func BenchmarkLookup(b *testing.B) {
	words := []string{"smith", "the", "Johnson", "hypertension", "qwertz"}
	Lookup("warm")
	for i := 0; b.Loop(); i++ {
		Lookup(words[i%len(words)])
	}
}

func BenchmarkDecode(b *testing.B) {
	for b.Loop() {
		if _, err := decode(packed); err != nil {
			b.Fatal(err)
		}
	}
}
