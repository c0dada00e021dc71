package harvest

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
)

// session runs a review with these keys and returns what it printed.
func session(t *testing.T, path string, list []Proposal, keys string, again bool) (string, Tally) {
	t.Helper()
	j, err := OpenJournal(path)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	var out bytes.Buffer
	r := Reviewer{Keys: strings.NewReader(keys), Out: &out, Journal: j, Name: "jlee", Now: func() time.Time { return when }, Again: again}
	tally, err := r.Run(t.Context(), list)
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), tally
}

func TestReview(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p")
	list := proposalsOf("a b", "c d", "e f", "g h", "i j")
	if _, tally := session(t, path, list, "y\nN?sbn q", false); tally != (Tally{Yes: 1, No: 2, Left: 2}) {
		t.Errorf("first: %+v", tally)
	}
	decided := func() (out []string) {
		verdicts, err := ReadVerdicts(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range list {
			out = append(out, string(verdicts[p.ID].Decision))
		}
		return out
	}
	if got := decided(); !slices.Equal(got, []string{"yes", "no", "no", "", ""}) {
		t.Errorf("decided: %q", got)
	}
	// The next session asks about the rest; the end of the keys ends it.
	text, tally := session(t, path, list, "y", false)
	if tally != (Tally{Yes: 1, Left: 1}) || strings.Contains(text, "a b") || !strings.Contains(text, "1 of 2: in 97 notes") {
		t.Errorf("second: %+v\n%s", tally, text)
	}
	// Skipping a decided proposal leaves the decision.
	if text, tally = session(t, path, list, "sybbnq", true); !strings.Contains(text, "decided: yes, by jlee") {
		t.Errorf("again: %+v\n%s", tally, text)
	}
	if got := decided(); !slices.Equal(got, []string{"no", "yes", "no", "yes", ""}) {
		t.Errorf("decided again: %q", got)
	}
	if _, tally = session(t, path, list, "\x03", false); tally != (Tally{Left: 1}) {
		t.Errorf("Ctrl-C: %+v", tally)
	}
}

func TestReviewShows(t *testing.T) {
	list := proposalsOf("Smith\tsaid \x1b[2J\u202eno.", "No fever.")
	list[0].Suspect = true
	text, _ := session(t, filepath.Join(t.TempDir(), "p"), list, "q", false)
	for _, want := range []string{
		"1 of 2: in 100 notes, of 11 patients and by 5 authors at least, clinical", "a detector sees PHI",
		"names too: Smith", "Smith → said <U+001B>[2J<U+202E>no.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %q", want, text)
		}
	}
	if strings.ContainsAny(text, "\x1b\u202e") {
		t.Error("the terminal gets what it would obey")
	}
}

func TestReviewEndsWithItsContext(t *testing.T) {
	j, err := OpenJournal(filepath.Join(t.TempDir(), "p"))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := Reviewer{Keys: strings.NewReader("yy"), Out: &bytes.Buffer{}, Journal: j, Name: "jlee"}
	if _, err := r.Run(ctx, proposalsOf("a b")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestFromMarked(t *testing.T) {
	docs := func(yield func(corpus.Annotated, error) bool) {
		for _, d := range []corpus.Annotated{
			{Text: "Rose is the colour.\nNo fever.\nSeen by Rose.", Marks: []corpus.Mark{{Start: 38, End: 42, Label: "DOCTOR"}}},
			{Text: "No fever.\nRose", Marks: []corpus.Mark{{Start: 10, End: 14, Label: "PATIENT"}}},
			{Text: "Rose\nNo  fever.\n12 / 3"},
		} {
			if !yield(d, nil) {
				return
			}
		}
	}
	list, err := FromMarked(docs, "jlee", when, 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range list {
		got = append(got, v.Text)
		if v.Origin != Marked || v.Reviewer != "jlee" || v.check() != nil {
			t.Errorf("%+v", v)
		}
	}
	if !slices.Equal(got, []string{"No fever.", "Rose is the colour."}) || list[0].Notes != 3 {
		t.Errorf("%q", got)
	}
	if _, err := FromMarked(docs, "", when, 0); err == nil {
		t.Error("they are not marked")
	}
	broken := errors.New("broken")
	if _, err := FromMarked(func(yield func(corpus.Annotated, error) bool) { yield(corpus.Annotated{}, broken) }, "jlee", when,
		0); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}
