package harvest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// panelOf returns a panel over made-up proposals, and the path of their file.
func panelOf(t testing.TB, people int, texts ...string) (*Panel, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "proposals.jsonl")
	if err := WriteProposals(path, proposalsOf(texts...)); err != nil {
		t.Fatal(err)
	}
	p, err := OpenPanel(path, people)
	if err != nil {
		t.Fatal(err)
	}
	p.now = func() time.Time { return when }
	t.Cleanup(func() { _ = p.Close() })
	return p, path
}

// In a browser the same is stored as on a terminal, byte by byte.
func TestPanelStoresWhatAReviewerDoes(t *testing.T) {
	t.Parallel()
	p, path := panelOf(t, 1, "a b", "c d", "e f", "g h")
	for _, say := range []Decision{Yes, No, "skip", Yes} {
		asked, more := p.Next("jlee")
		if !more {
			t.Fatal("nothing is left")
		}
		var err error
		if say == "skip" {
			err = p.Skip("jlee", asked.Number)
		} else {
			err = p.Decide("jlee", asked.Number, say)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, more := p.Next("jlee"); more {
		t.Error("what was skipped is asked again")
	}
	if got := p.Standing("jlee"); got != (Standing{Proposals: 4, Decided: 3, Yes: 2, No: 1}) {
		t.Errorf("%+v", got)
	}
	terminal := filepath.Join(t.TempDir(), "p")
	session(t, terminal, p.list, "ynsy", false)
	a, errA := os.ReadFile(JournalPath(path))
	b, errB := os.ReadFile(JournalPath(terminal))
	if err := errors.Join(errA, errB); err != nil || string(a) != string(b) {
		t.Errorf("%v\n%s\n%s", err, a, b)
	}
	if strings.Contains(string(a), "a b") {
		t.Error("a text is stored")
	}
}

// A decision can be changed by who made it; nobody decides about what they were not asked.
func TestPanelAsksOneAtATime(t *testing.T) {
	t.Parallel()
	p, _ := panelOf(t, 1, "a b", "c d")
	now := when
	p.now = func() time.Time { return now }
	first, _ := p.Next("ann")
	second, _ := p.Next("ben")
	if _, more := p.Next("cy"); more || first.Number == second.Number {
		t.Errorf("two people are asked about one proposal: %d, %d", first.Number, second.Number)
	}
	for name, err := range map[string]error{
		"another's": p.Decide("ben", first.Number, Yes), "none": p.Decide("ben", 0, Yes), "behind the last": p.Decide("ben", 3, No),
		"to skip": p.Skip("cy", first.Number),
	} {
		if !errors.Is(err, ErrAsked) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := p.Decide("ann", first.Number, No); err != nil {
		t.Fatal(err)
	}
	if again, err := p.Again("ann", first.Number); err != nil || again.Said != No {
		t.Errorf("%v, %v", again, err)
	}
	if err := p.Decide("ann", first.Number, Yes); err != nil || p.Standing("ann").Yes != 1 {
		t.Errorf("a change of mind: %v", err)
	}
	if _, err := p.Again("ben", first.Number); !errors.Is(err, ErrAsked) {
		t.Errorf("another's decision: %v", err)
	}
	now = now.Add(inHand)
	if got, more := p.Next("cy"); !more || got.Number != second.Number {
		t.Error("what somebody left is kept from others for ever")
	}
}

// Of two people both have to say yes, neither seeing what the other one said; one no is a no, also by a terminal.
func TestPanelOfTwo(t *testing.T) {
	t.Parallel()
	p, path := panelOf(t, 2, "both", "one no", "one yes", "terminal")
	say := func(person string, d Decision) {
		t.Helper()
		asked, more := p.Next(person)
		if !more || asked.Said != "" {
			t.Fatalf("%s: %v, %v", person, asked, more)
		}
		if err := p.Decide(person, asked.Number, d); err != nil {
			t.Fatal(err)
		}
	}
	for range 4 {
		say("ann", Yes)
	}
	if got := p.Standing("ann"); got.Decided != 0 || got.Left != 0 {
		t.Errorf("one yes of two decides: %+v", got)
	}
	say("ben", Yes)
	say("ben", No)
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	j, err := OpenJournal(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Add(Verdict{ID: p.list[3].ID, Decision: Yes, Reviewer: "cy", At: when}); err != nil { // as harvest review does
		t.Fatal(err)
	}
	verdicts, err := ReadVerdicts(path)
	var got []string
	for _, one := range p.list {
		got = append(got, fmt.Sprint(verdicts[one.ID].Decision, " ", verdicts[one.ID].Reviewer))
	}
	if want := "yes ann, ben|no ben| |yes ann, cy"; err != nil || strings.Join(got, "|") != want {
		t.Errorf("%q, %v", got, err)
	}
	verified, refused := Judged(p.list, verdicts)
	if len(verified) != 2 || len(refused) != 1 || verified[0].Reviewer != "ann, ben" {
		t.Errorf("%d verified, %d refused", len(verified), len(refused))
	}
	if err := errors.Join(j.Close()); err != nil {
		t.Error(err)
	}
}

func TestPanelIsUsedByManyAtATime(t *testing.T) {
	t.Parallel()
	var texts []string
	for i := range 100 {
		texts = append(texts, fmt.Sprint("number ", i))
	}
	p, path := panelOf(t, 1, texts...)
	var all sync.WaitGroup
	for i := range 5 {
		all.Go(func() {
			person := fmt.Sprint("person ", i)
			for asked, more := p.Next(person); more; asked, more = p.Next(person) {
				if err := p.Decide(person, asked.Number, Yes); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	data, err := os.ReadFile(JournalPath(path))
	if err != nil || strings.Count(string(data), "\n") != 100 || p.Standing("").Yes != 100 {
		t.Errorf("%d verdicts, %v", strings.Count(string(data), "\n"), err)
	}
}

func TestPanelNeedsProposals(t *testing.T) {
	t.Parallel()
	if _, err := OpenPanel(filepath.Join(t.TempDir(), "none"), 1); err == nil {
		t.Error("a file that is not there")
	}
	p, _ := panelOf(t, 1, "secret words")
	asked, _ := p.Next("ann")
	if got := fmt.Sprintf("%v %+v %#v", p, asked, p); strings.Contains(got, "secret") {
		t.Errorf("%s", got)
	}
}
