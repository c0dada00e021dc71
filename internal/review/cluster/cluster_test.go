package cluster

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

func plainHash(words string) []byte {
	sum := sha256.Sum256([]byte("k" + words))
	return sum[:]
}

// noteOf sketches a text in which names in brackets are found.
func noteOf(key, marked string) Note {
	var body strings.Builder
	var spans []phi.Span
	for rest := marked; rest != ""; {
		before, behind, ok := strings.Cut(rest, "[")
		body.WriteString(before)
		if !ok {
			break
		}
		name, after, _ := strings.Cut(behind, "]")
		start := body.Len()
		body.WriteString(name)
		spans = append(spans, phi.Span{Start: start, End: body.Len(), Type: phi.Patient})
		rest = after
	}
	return Note{Key: []string{key}, Sentences: Sketches(body.String(), spans, plainHash)}
}

// Sentences of one form are found among others, whatever names and numbers are in them, one of each note.
func TestFind(t *testing.T) {
	t.Parallel()
	var notes []Note
	others := strings.Fields("lungs heart liver spleen kidney bowel brain joint skin bone eye ear nose hand foot knee hip back neck chest")
	for i := range 20 {
		notes = append(notes, noteOf(fmt.Sprint(i), fmt.Sprintf(
			"The %s and the %s were seen again by nobody on day %d.\nCame to the clinic with her nephew %s on day %d and left with [Ann Lee] again.\n",
			others[i], others[(i*7+3)%20], i, strings.ToUpper(others[i]), i)))
	}
	list := Find(notes, 5, 10)
	if len(list) == 0 || len(list[0]) != 20 {
		t.Fatalf("%d clusters: %v", len(list), list)
	}
	seen := map[int]bool{}
	for _, r := range list[0] {
		s := notes[r.Note].Sentences[r.Sentence]
		if seen[r.Note] || s.End <= s.Start || !s.found {
			t.Errorf("note %d: %d to %d", r.Note, s.Start, s.End)
		}
		seen[r.Note] = true
	}
	taken := map[Ref]bool{}
	for _, c := range list {
		for _, r := range c {
			if taken[r] {
				t.Errorf("%v is in two clusters", r)
			}
			taken[r] = true
		}
	}
	if got := Find(notes, 21, 10); len(got) != 0 {
		t.Errorf("%d clusters of more notes than there are", len(got))
	}
	if got := Find(nil, 2, 10); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

func TestSketches(t *testing.T) {
	t.Parallel()
	a := noteOf("a", "Seen with her nephew on the ward today.").Sentences
	b := noteOf("b", "Żółć.\nSEEN with her nephew on the ward today!").Sentences
	c := noteOf("c", "Potassium was repleted and the patient tolerated it.").Sentences
	if len(a) != 1 || len(b) != 1 || len(c) != 1 {
		t.Fatalf("%d, %d, %d", len(a), len(b), len(c))
	}
	if a[0].like(&b[0]) != 1 || a[0].whole != b[0].whole || a[0].like(&c[0]) > .2 || b[0].Start < 5 || b[0].Start > 6 {
		t.Errorf("%v, %v, starts at %d", a[0].like(&b[0]), a[0].like(&c[0]), b[0].Start)
	}
	if got := noteOf("d", "Too short."+strings.Repeat(" word", 100)).Sentences; len(got) != 0 {
		t.Errorf("%d sentences that are too short or too long", len(got))
	}
	other := Sketches("Seen with her nephew on the ward today.", nil, func(w string) []byte { return plainHash("other key" + w) })
	if a[0].like(&other[0]) > .1 {
		t.Error("sketches of another key are alike")
	}
}

func TestAlign(t *testing.T) {
	t.Parallel()
	const lead = "Né: came with nephew Grizzlewood Vexterly to the ward."
	for name, tt := range map[string]struct{ words, other, want string }{
		"another name":           {"Grizzlewood Vexterly", "Né: came with nephew Żółć Quill to the ward.", "Żółć Quill"},
		"a shorter one":          {"Grizzlewood Vexterly", "Came with nephew Quill to the ward.", "Quill"},
		"a longer one":           {"Grizzlewood Vexterly", "Came with nephew Ann Bea Quill to the ward.", "Ann Bea Quill"},
		"the same":               {"Grizzlewood Vexterly", lead, "Grizzlewood Vexterly"},
		"more before":            {"Grizzlewood Vexterly", "Today she came with nephew Quill to the ward.", "Quill"},
		"nothing there":          {"Grizzlewood Vexterly", "Came with nephew to the ward.", ""},
		"too much there":         {"Grizzlewood Vexterly", "Came with nephew a b c d e f g to the ward.", ""},
		"another word before":    {"Grizzlewood Vexterly", "Came with niece Quill to the ward.", ""},
		"another word behind":    {"Grizzlewood Vexterly", "Came with nephew Quill from the ward.", ""},
		"another sentence":       {"Grizzlewood Vexterly", "Potassium was repleted.", ""},
		"a part of the name":     {"Vexterly", "Came with nephew Grizzlewood Quill to the ward.", "Quill"},
		"at the end":             {"ward", "Came with nephew Quill to the clinic.", "clinic"},
		"no words":               {":", "Came with nephew Quill to the ward.", ""},
		"nothing":                {"Grizzlewood", "", ""},
		"a word in the nephew's": {"nephew", "Came with niece Grizzlewood to the ward.", "niece"},
	} {
		i := strings.Index(lead, tt.words)
		start := len([]rune(lead[:i]))
		from, to, ok := Align(lead, tt.other, start, start+len([]rune(tt.words)))
		got := ""
		if ok {
			got = string([]rune(tt.other)[from:to])
		}
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
