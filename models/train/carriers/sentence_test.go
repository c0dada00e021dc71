package main

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/features"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/synth"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// marksIn reads a text whose marks are in brackets, "by [DOCTOR Ann Moss].".
func marksIn(t *testing.T, marked string) (string, []mark) {
	t.Helper()
	var b strings.Builder
	var marks []mark
	for {
		before, rest, ok := strings.Cut(marked, "[")
		b.WriteString(before)
		if !ok {
			return b.String(), marks
		}
		inside, after, closed := strings.Cut(rest, "]")
		tag, text, parted := strings.Cut(inside, " ")
		if !closed || !parted {
			t.Fatalf("bad mark in %q", marked)
		}
		marks = append(marks, mark{b.Len(), b.Len() + len(text), tag})
		b.WriteString(text)
		marked = after
	}
}

func TestCut(t *testing.T) {
	for _, test := range []struct {
		in    string
		words []string // of all sentences
		tags  []string
		gaps  []int
	}{
		{
			"Seen by Dr. [DOCTOR Ann Moss].",
			[]string{"Seen", "by", "Dr", ".", "Ann", "Moss", "."},
			[]string{"O", "O", "O", "O", "B-DOCTOR", "I-DOCTOR", "O"},
			[]int{2, 1, 1, 0, 1, 1, 0},
		},
		{ // neighbours of one type are two
			"[CITY Boston] [CITY Lynn]",
			[]string{"Boston", "Lynn"},
			[]string{"B-CITY", "B-CITY"},
			[]int{2, 1},
		},
		{ // a word that is marked in part is tagged whole
			"[DATE 3/4]/15x, [* XYZ Y]",
			[]string{"3", "/", "4", "/", "15", "x", ",", "XYZ", "Y"},
			[]string{"B-DATE", "I-DATE", "I-DATE", "O", "O", "O", "O", "*", "*"},
			[]int{2, 0, 0, 0, 0, 0, 0, 1, 1},
		},
		{
			"[PATIENT Fo]ssil\n[PATIENT Lee]",
			[]string{"Fossil", "Lee"},
			[]string{"B-PATIENT", "B-PATIENT"},
			[]int{2, 2},
		},
	} {
		text, marks := marksIn(t, test.in)
		var words, tags []string
		var gaps []int
		for _, s := range cut("test", text, marks, allClasses) {
			words, tags, gaps = append(words, s.Words...), append(tags, s.Tags...), append(gaps, s.Gaps...)
		}
		if diff := cmp.Diff([]any{test.words, test.tags, test.gaps}, []any{words, tags, gaps}); diff != "" {
			t.Errorf("%s: -want +got\n%s", test.in, diff)
		}
	}
}

// TestCutBeginsAnew checks that a mark over the border of two sentences begins in
// both, and that no sentence is longer than allowed.
func TestCutBeginsAnew(t *testing.T) {
	text := "Plan:\n\nAddress:\n12 Oak St\n\nBoston"
	from := strings.Index(text, "12")
	for _, s := range cut("test", text, []mark{{from, len(text), "STREET"}}, nil) {
		if strings.HasPrefix(s.Tags[0], "I-") {
			t.Errorf("a sentence begins with %s", s.Tags[0])
		}
	}
	long := strings.Repeat("word ", 3*maxWindow)
	for _, s := range cut("test", long, nil, nil) {
		if len(s.Words) > maxWindow || len(s.Words) != len(s.Tags) || len(s.Words) != len(s.Gaps) {
			t.Errorf("%d words, %d tags, %d gaps", len(s.Words), len(s.Tags), len(s.Gaps))
		}
	}
}

// FuzzCut checks that sentences hold every word of the text once, in order.
func FuzzCut(f *testing.F) {
	f.Add("Seen by Dr. Moss.\nFoo, 3/4/15", 8, 17)
	f.Add("é\u200b1x", 0, 2)
	f.Fuzz(func(t *testing.T, body string, start, end int) {
		if text.Check(body) != nil || start < 0 || end <= start || end > len(body) {
			return
		}
		var words []string
		for _, s := range cut("test", body, []mark{{start, end, "ID"}}, nil) {
			if len(s.Rules) != len(s.Words) || len(s.Words) > maxWindow {
				t.Fatalf("%d hits of rules for %d words", len(s.Rules), len(s.Words))
			}
			for i, tag := range s.Tags {
				if tag == "I-ID" && (i == 0 || s.Tags[i-1] == "O") {
					t.Fatalf("I-ID follows no ID at word %d", i)
				}
			}
			words = append(words, s.Words...)
		}
		var want []string
		for _, tok := range text.Tokenize(body) {
			want = append(want, body[tok.Start:tok.End])
		}
		if !slices.Equal(words, want) {
			t.Fatalf("words %q, want %q", words, want)
		}
	})
}

// windowTexts are of very different lengths, most with several sentences.
func windowTexts() []string {
	out := []string{"", " \n", "x"}
	for i := range 60 {
		out = append(out, strings.Repeat("Seen today. No pain in the left knee\n\nPlan: rest, ice "+strings.Repeat("word ", i)+".\n", 1+i%9))
	}
	return append(out, strings.Repeat("word ", 3*maxWindow), strings.Repeat("word ", maxWindow))
}

// TestWindowsHoldAllWordsOnce checks that windows are sentences, which may be of any length up
// to the longest, or have a length between the limits, the last one of a text excepted.
func TestWindowsHoldAllWordsOnce(t *testing.T) {
	t.Parallel()
	alone, across := 0, 0
	for _, body := range windowTexts() {
		note := &ensemble.Note{Text: body}
		windows := windowsOf(body, note)
		if again := windowsOf(body, note); !slices.Equal(again, windows) {
			t.Fatal("where a text is cut does not follow from it")
		}
		at, long := 0, true
		for i, w := range windows {
			if w.from != at || w.to <= w.from || w.to-w.from > maxWindow {
				t.Fatalf("window %v follows word %d of %q", w, at, body)
			}
			at = w.to
			long = long && (w.to-w.from >= minWindow || i == len(windows)-1)
		}
		if n := len(note.View().Tokens); at != n {
			t.Fatalf("windows hold %d words of %d", at, n)
		}
		switch {
		case slices.Equal(windows, sentenceWindows(note)):
			alone++
		case long:
			across++
		default:
			t.Fatalf("windows %v of %q", windows, body)
		}
	}
	if alone < 10 || across < 20 {
		t.Errorf("%d texts were cut into sentences, %d into longer windows", alone, across)
	}
}

// sentenceWindows returns the sentences of a note, cut where they are too long.
func sentenceWindows(note *ensemble.Note) []window {
	toks := note.View().Tokens
	var out []window
	for _, r := range note.View().Sentences() {
		first := slices.IndexFunc(toks, func(tok text.Token) bool { return tok.Start >= r.Start })
		end := first
		for end < len(toks) && toks[end].Start < r.End {
			end++
		}
		for ; end-first > maxWindow; first += maxWindow {
			out = append(out, window{first, first + maxWindow})
		}
		out = append(out, window{first, end})
	}
	return out
}

func TestRuleHits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ body, word, hit string }{
		{"Seen on 02/20/2087 for pain", "2087", "5"},
		{"Seen on 02/20/2087 for pain", "02", "5"},
		{"call 617-555-0142 now", "0142", "7"},
		{"SSN 123-45-6789", "6789", "6"},
		{"write to a.moss@lynn.example today", "lynn", ":"},
		{"Seen on 02/20/2087 for pain", "Seen", "0"},
		{"Seen on 02/20/2087 for pain", "pain", "0"},
	} {
		s := whole("test", c.body, nil, nil)
		if at := slices.Index(s.Words, c.word); len(s.Rules) != len(s.Words) || s.Rules[at:at+1] != c.hit {
			t.Errorf("%q: hits %q of the words %q, want %s at %q", c.body, s.Rules, s.Words, c.hit, c.word)
		}
	}
}

// TestRuleHitsAreAColumn checks that a network is given the same when it runs.
func TestRuleHitsAreAColumn(t *testing.T) {
	t.Parallel()
	for _, sample := range ensembletest.Texts() {
		spans, err := exactRules.Detect(t.Context(), &ensemble.Note{Text: sample.Text}, nil)
		if err != nil {
			t.Fatal(err)
		}
		note := &ensemble.Note{Text: sample.Text, Known: &ensemble.Known{Rules: spans}}
		hits, columns := ruleHits(note), features.Columns(note)
		for i := range note.View().Tokens {
			if want := columns[i*features.NumColumns+features.ColumnRules]; hits[i]-'0' != want {
				t.Fatalf("%s: word %d has %c, want %d", sample.Name, i, hits[i], want)
			}
		}
	}
}

// TestCutKeepsHitsAligned checks that windows have the hits that the text has.
func TestCutKeepsHitsAligned(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("Seen on 02/20/2087 by phone 617-555-0142, no pain. ", 30)
	rules := ""
	for _, s := range cut("test", body, nil, nil) {
		if len(s.Rules) != len(s.Words) {
			t.Fatalf("%d hits for %d words", len(s.Rules), len(s.Words))
		}
		rules += s.Rules
	}
	if want := ruleHits(&ensemble.Note{Text: body}); rules != want {
		t.Errorf("hits %s, want %s", rules, want)
	}
}

func TestFineTag(t *testing.T) {
	known := []string{
		"", "PATIENT", "DOCTOR", "HOSPITAL", "ORGANIZATION", "STREET", "CITY", "STATE", "COUNTRY", "ZIP", "LOCATION-OTHER",
		"AGE", "DATE", "ID", "CONTACT", "PROFESSION",
	}
	for _, typ := range phi.Types() {
		if tag := fineTag(typ); !slices.Contains(known, tag) {
			t.Errorf("%s has the tag %q, which no label has", typ, tag)
		}
	}
	for typ, want := range map[phi.Type]string{
		phi.None: "*", phi.Time: "", phi.Username: "ID", phi.SSN: "ID", phi.County: "CITY", phi.Fax: "CONTACT", phi.URL: "CONTACT",
		phi.Doctor: "DOCTOR",
	} {
		if got := fineTag(typ); got != want {
			t.Errorf("%s has the tag %q, want %q", typ, got, want)
		}
	}
}

func TestOfSnippetHasTheGroupOfItsPatient(t *testing.T) {
	h, err := synth.NewHospital(1, synth.Options{Patients: 30, Notes: 1})
	if err != nil {
		t.Fatal(err)
	}
	for text, named := range map[string]bool{"{pt.full} came.": true, "Seen by {dr}.": false} {
		tpl, err := synth.ParseTemplate(text)
		if err != nil {
			t.Fatal(err)
		}
		s := h.Fill(rand.New(rand.NewPCG(3, 3)), nil, synth.Setting{Plain: true}, tpl)
		want := ""
		if named {
			want = strings.ToLower(synth.GroupName(s.Group))
		}
		all := ofSnippet("test", s)
		if len(all) != 1 || all[0].Group != want {
			t.Fatalf("%s: %d windows of groups %v", text, len(all), all)
		}
		line, err := encode(all[0])
		if err != nil {
			t.Fatal(err)
		}
		var fields map[string]any
		if err := json.Unmarshal(line, &fields); err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"source", "words", "gaps", "tags", "covers", "rules"} {
			if fields[key] == nil {
				t.Errorf("a line has no %q", key)
			}
		}
		if _, there := fields["group"]; there != named {
			t.Errorf("%s: group %v", text, fields["group"])
		}
	}
}
