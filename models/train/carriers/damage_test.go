package main

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/pgdeid/pgdeid/ensemble/text"
)

const tornNote = "Pt: [PATIENT Zoë O'Dell], DOB [DATE 03/14/1951]\nMRN [ID 00123456] & <seen> by Dr. [DOCTOR Al-Amin], [AGE 93] y/o.\n" +
	"[CITY Lynn] [STATE MA]; says \"it's a (dull) ache\" - call [CONTACT 555-0142] at 5 pm; ask [* Quill Mott]."

// damageNames are what tests call the kinds of damage.
var damageNames = [...]string{"scanned", "dictated", "joined lines", "glued words", "mistyped", "marked up", "misdecoded", "one case"}

// windowOf makes one window of a text with marks in brackets.
func windowOf(t *testing.T, marked string) sentence {
	t.Helper()
	text, marks := marksIn(t, marked)
	return whole("test", text, marks, allClasses)
}

// checkJoined checks that all that is left of marked pieces lies in a mark of their tag,
// of one mark for each entity, and nothing of the others in any.
func checkJoined(t *testing.T, before, after []piece) {
	t.Helper()
	body, marks := joined(after)
	if text.Check(body) != nil {
		t.Fatalf("%q is no text", body)
	}
	for i, m := range marks {
		if m.start >= m.end || i > 0 && m.start < marks[i-1].end {
			t.Fatalf("marks %v overlap or are out of order", marks)
		}
	}
	of := map[int]mark{}
	at := 0
	for i, p := range after {
		if p.mark != before[i].mark || p.tag != before[i].tag {
			t.Fatalf("piece %d was of %d %q and is of %d %q", i, before[i].mark, before[i].tag, p.mark, p.tag)
		}
		start := at + len(p.gap)
		at = start + len(p.text)
		if p.text == "" {
			continue
		}
		hit := slices.IndexFunc(marks, func(m mark) bool { return m.start < at && start < m.end })
		switch {
		case p.mark < 0 && hit >= 0:
			t.Fatalf("mark %v grew over %q in %q", marks[hit], p.text, body)
		case p.mark < 0:
		case hit < 0 || marks[hit].start > start || marks[hit].end < at || marks[hit].tag != p.tag:
			t.Fatalf("%q of %q is not whole in one of the marks %v of %q", p.text, p.tag, marks, body)
		default:
			if m, seen := of[p.mark]; seen && m != marks[hit] {
				t.Fatalf("entity %d is in two marks of %q", p.mark, body)
			}
			of[p.mark] = marks[hit]
		}
	}
	if at != len(body) || len(of) != len(marks) {
		t.Fatalf("%d bytes of %d, %d entities in %d marks", at, len(body), len(of), len(marks))
	}
}

func TestDamagesKeepMarks(t *testing.T) {
	t.Parallel()
	if len(damages) != len(damageNames) {
		t.Fatalf("%d kinds of damage, %d names", len(damages), len(damageNames))
	}
	s := windowOf(t, tornNote)
	for kind, name := range damageNames {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			changed := false
			for seed := range uint64(100) {
				before := piecesOf(s)
				after := slices.Clone(before)
				damages[kind](rand.New(rand.NewPCG(seed, 1)), after)
				checkJoined(t, before, after)
				changed = changed || !slices.Equal(before, after)
			}
			if !changed {
				t.Error("nothing is ever changed")
			}
		})
	}
}

func TestPiecesJoinToTheirText(t *testing.T) {
	t.Parallel()
	body, marks := marksIn(t, tornNote)
	s := whole("test", body, marks, allClasses)
	got, found := joined(piecesOf(s))
	if got != "\n"+body { // the first word of a text counts as that of a line
		t.Errorf("%q, want %q", got, body)
	}
	var want []string // words of unknown kind are marked one by one
	for _, m := range marks[:len(marks)-1] {
		want = append(want, m.tag+" "+body[m.start:m.end])
	}
	want = append(want, "* Quill", "* Mott")
	var have []string
	for _, m := range found {
		have = append(have, m.tag+" "+got[m.start:m.end])
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestJoinedSkipsWhatIsLost(t *testing.T) {
	t.Parallel()
	body, marks := joined([]piece{
		{"a", "", -1, ""},
		{"", " ", 0, "DATE"},
		{"3", "", 0, "DATE"},
		{"", "", 0, "DATE"},
		{"4", " ", 0, "DATE"},
		{"", "", 0, "DATE"},
		{"", " ", 1, "AGE"},
		{"b", " ", -1, ""},
		{"x", "", 2, "ID"},
		{"y", "", 3, "ID"},
	})
	if want := "a 3 4  bxy"; body != want {
		t.Errorf("%q, want %q", body, want)
	}
	if want := []mark{{2, 5, "DATE"}, {8, 9, "ID"}, {9, 10, "ID"}}; !slices.Equal(marks, want) {
		t.Errorf("marks %v, want %v", marks, want)
	}
}

// TestWhatDamagesDo has for each kind of damage a text and what some draws make of it.
func TestWhatDamagesDo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		damage   func(*rand.Rand, []piece)
		in       string
		possible []string // each of them comes
		only     bool     // and nothing else
	}{
		{"scanned digits", scanned, "0", []string{"0", "O", "o"}, true},
		{"scanned pairs", scanned, "mu", []string{"mu", "rnu", "mii"}, false},
		{"scanned words break", scanned, "vivid", []string{"viv id"}, false},
		{"dictated", dictated, "See DR. 42", []string{"see dr 42", "see dr. four two", "see dr period 42"}, false},
		{"dictated marks between words", dictated, "A,b", []string{"a b", "a,b", "a comma b"}, true},
		{"dictated digits of others", dictated, "٣٤", []string{"٣٤"}, true},
		{"joined lines", joinedLines, "one\ntwo three", []string{"onetwo three", "one two three"}, true},
		{"glued words", gluedWords, "at 5 pM On", []string{"at 5 pM On", "at5 pM On", "at 5pM On", "at 5 pMOn"}, false},
		{"mistyped", mistyped, "knee", []string{"knee", "kee", "kne", "knnee", "kneee", "kene"}, true},
		{"short words are not mistyped", mistyped, "arm", []string{"arm"}, true},
		{"marked up", markedUp, "a\n& b", []string{"a<br>&amp; b", "a | &amp; b", "a\\.br\\&amp; b", "a&#10;&amp; b"}, false},
		{"marked up quotes", markedUp, "\"<'", []string{"&quot;&lt;&#39;"}, true},
		{"misdecoded", misdecoded, "é-'", []string{"Ã©-'", "Ã©â€“'", "Ã©-â€™", "Ã©â€“â€™"}, true},
		{"one case", oneCase, "Ann moss", []string{"ann moss", "ANN MOSS"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			seen := map[string]bool{}
			for seed := range uint64(3000) {
				pieces := piecesOf(windowOf(t, c.in))
				c.damage(rand.New(rand.NewPCG(seed, 7)), pieces)
				got, _ := joined(pieces)
				seen[strings.TrimSpace(got)] = true
			}
			for _, want := range c.possible {
				if !seen[want] {
					t.Errorf("%q never comes", want)
				}
				delete(seen, want)
			}
			if c.only && len(seen) > 0 {
				t.Errorf("%v come too", seen)
			}
		})
	}
}

func TestDamagedKeepsWhatTheWindowIs(t *testing.T) {
	t.Parallel()
	s := windowOf(t, tornNote)
	s.Group = "asian"
	for seed := range uint64(200) {
		out := damaged(rand.New(rand.NewPCG(seed, 2)), s)
		if out.Source != "test" || out.Group != "asian" || !slices.Equal(out.Covers, s.Covers) {
			t.Fatalf("source %q, group %q, covers %q", out.Source, out.Group, out.Covers)
		}
		checkSentence(t, out)
		if len(out.Rules) != len(out.Words) {
			t.Fatalf("%d hits of rules for %d words", len(out.Rules), len(out.Words))
		}
		// A word that holds two entities after blanks are lost has the tag of one.
		for _, tag := range []string{"PATIENT", "DATE", "ID", "DOCTOR", "AGE", "CITY", "CONTACT"} {
			if !slices.Contains(out.Tags, "B-"+tag) && !slices.Contains(out.Tags, "I-"+tag) && len(out.Words) >= len(s.Words) {
				t.Fatalf("seed %d: no %s in %q", seed, tag, out.Words)
			}
		}
		if again := damaged(rand.New(rand.NewPCG(seed, 2)), s); !cmp.Equal(again, out) {
			t.Fatal("two draws with one seed differ")
		}
	}
}

func FuzzDamaged(f *testing.F) {
	f.Add("Seen by Dr. Moss.\nFoo, 3/4/15 & 'é'", 8, 17, uint64(1))
	f.Add("é\u200b1x ٣٤ \"<\u00a0à\u0085>", 0, 2, uint64(5))
	f.Add("İSTANBUL ǅ ß \U0001f600 0123456789", 0, 9, uint64(3))
	f.Add("(((a)))\r\n\r\n--- 12", 2, 5, uint64(9))
	f.Fuzz(func(t *testing.T, body string, start, end int, seed uint64) {
		if text.Check(body) != nil || start < 0 || end <= start || end > len(body) || len(body) > 4000 ||
			!utf8.RuneStart(body[start]) || end < len(body) && !utf8.RuneStart(body[end]) {
			return
		}
		s := whole("test", body, []mark{{start, end, "ID"}}, allClasses)
		for _, damage := range damages {
			before := piecesOf(s)
			after := slices.Clone(before)
			damage(rand.New(rand.NewPCG(seed, 1)), after)
			checkJoined(t, before, after)
		}
		out := damaged(rand.New(rand.NewPCG(seed, 2)), s)
		if len(out.Words) != len(out.Tags) || len(out.Words) != len(out.Gaps) || len(out.Words) != len(out.Rules) {
			t.Fatalf("%d words, %d tags, %d gaps, %d hits of rules", len(out.Words), len(out.Tags), len(out.Gaps), len(out.Rules))
		}
	})
}
