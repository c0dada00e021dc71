package itest

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/harvest"
)

// epochOfTests is a moment.
var epochOfTests = time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)

// harvestNotes is how many notes are counted; "make harvest-bench" sets 100,000.
func harvestNotes(t *testing.T) int {
	t.Helper()
	text, ok := os.LookupEnv("PGDEID_HARVEST_NOTES")
	if !ok {
		return 6000
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// tally is what a generated sentence comes to.
type tally struct {
	notes             int
	patients, authors map[int]bool
	barred            bool
}

// writeHarvest writes n notes as JSON Lines and returns how often each of their
// sentences was written: a thousand of known prevalence, some by few authors or of few
// patients, two that hold PHI, and in each note one that is nowhere else.
func writeHarvest(t *testing.T, path string, n int) map[string]*tally {
	t.Helper()
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	out := bufio.NewWriter(file)
	enc := json.NewEncoder(out)
	rng, truth := rand.New(rand.NewPCG(11, 7)), map[string]*tally{}
	for i := range n {
		g := harvestNote{rng: rng, truth: truth, patient: rng.IntN(max(n/12, 50)), author: rng.IntN(60)}
		line := map[string]any{"id": i, "patient_id": g.patient, "author": fmt.Sprint("login", g.author), "text": g.write(i)}
		if g.patient == 3 {
			line["patient"] = map[string]string{"name.last": "Quarkstein"}
		}
		if err := enc.Encode(line); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	return truth
}

// harvestNote writes one note and counts what it writes.
type harvestNote struct {
	rng             *rand.Rand
	truth           map[string]*tally
	patient, author int
	text            strings.Builder
	seen            map[string]bool
}

var (
	harvestSubjects = strings.Fields("appetite sleep mood gait cough nausea swelling rash dizziness fatigue hearing vision")
	harvestVerbs    = strings.Fields("improved worsened returned resolved persisted started stopped varied continued recurred")
	harvestManners  = strings.Fields("slowly quickly overnight partially completely gradually suddenly again mostly slightly")
)

func (g *harvestNote) write(i int) string {
	g.seen = map[string]bool{}
	for range 10 + g.rng.IntN(25) {
		k := int(1200 * g.rng.Float64() * g.rng.Float64() * g.rng.Float64())
		if k%7 == 3 && g.author > 3 || k%11 == 5 && g.patient > 9 {
			continue
		}
		g.add(fmt.Sprintf("The %s %s %s.", harvestSubjects[k%12], harvestVerbs[k/12%10], harvestManners[k/120]), false)
	}
	for range 3 {
		word := make([]byte, 12)
		for j := range word {
			word[j] = byte('a' + g.rng.IntN(26))
		}
		g.text.WriteString("Noise of " + string(word) + " was heard.\n")
	}
	if i%9 == 0 {
		g.add("Call Dr. Jane Rosewood with questions.", true)
	}
	if i%8 == 0 {
		g.add("Quarkstein exercises were shown.", true)
	}
	return g.text.String()
}

func (g *harvestNote) add(s string, barred bool) {
	g.text.WriteString(s + "\n")
	c := g.truth[s]
	if c == nil {
		c = &tally{patients: map[int]bool{}, authors: map[int]bool{}, barred: barred}
		g.truth[s] = c
	}
	if !g.seen[s] {
		c.notes++
	}
	g.seen[s], c.patients[g.patient], c.authors[g.author] = true, true, true
}

// prevalent lists the sentences over the default thresholds, those in most notes first.
func prevalent(truth map[string]*tally) []string {
	var list []string
	for s, c := range truth {
		if c.notes >= 20 && len(c.patients) >= 11 && len(c.authors) >= 5 && !c.barred {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b string) int {
		return cmp.Or(cmp.Compare(truth[b].notes, truth[a].notes), strings.Compare(a, b))
	})
	return list
}

// The real program, killed again and again: it finds exactly the sentences over the
// thresholds, in less than 1 GB, and writes the same bytes as one that nobody killed.
func TestHarvestSurvivesKill(t *testing.T) {
	t.Parallel()
	dir, n := t.TempDir(), harvestNotes(t)
	notes := filepath.Join(dir, "notes.jsonl")
	truth := writeHarvest(t, notes, n)
	// So few counters that most sentences lose theirs.
	args := func(out string) []string {
		return []string{
			"harvest", "sentences", "--from", notes, "--models", "fast", "-o", out, "--checkpoint", "50ms", "--top", "5000",
			"--counters", strconv.Itoa(max(3*n, 3000)),
		}
	}
	whole, killed := filepath.Join(dir, "whole"), filepath.Join(dir, "killed")
	cmd := prepare(t, nil, args(whole))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		t.Fatal("the system tells no usage")
	}
	if usage.Maxrss > 1<<20 {
		t.Errorf("%d MB of memory", usage.Maxrss>>10)
	}
	t.Logf("%d notes in %s, %d MB\n%s", n, time.Since(start).Round(time.Second), usage.Maxrss>>10, stderr.String())

	kills := killUntilDone(t, args(killed), killed)
	if kills < 2 {
		t.Errorf("killed %d times only", kills)
	}
	one, err1 := os.ReadFile(whole)
	two, err2 := os.ReadFile(killed)
	if err1 != nil || err2 != nil || !bytes.Equal(one, two) {
		t.Errorf("after %d kills the result differs: %v, %v", kills, err1, err2)
	}
	list, err := harvest.ReadProposals(killed)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range list {
		got = append(got, p.Text)
		if int(p.Notes) != truth[p.Text].notes {
			t.Errorf("a sentence in %d notes counts %d", truth[p.Text].notes, p.Notes)
		}
	}
	if want := prevalent(truth); len(want) < 100 || !slices.Equal(got, want) {
		t.Errorf("%d sentences, want %d", len(got), len(want))
	}
}

// killUntilDone runs a harvest and kills it up to six times, each a stretch further; it
// returns how often.
func killUntilDone(t *testing.T, args []string, out string) int {
	t.Helper()
	kills := 0
	for !exists(out) {
		d := startPgdeid(t, nil, args...)
		for states, last := 0, modified(out+".state"); d.running() && states <= 2*kills; time.Sleep(2 * time.Millisecond) {
			if now := modified(out + ".state"); now != last { // each a stretch further: in both passes
				states, last = states+1, now
			}
		}
		if d.running() && kills < 6 {
			d.kill()
			kills++
			continue
		}
		if code := d.wait(t); code != 0 {
			t.Fatalf("exit %d: %s", code, d.output(t))
		}
	}
	return kills
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// modified returns when a file was written, in nanoseconds; 0: it is not there.
func modified(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.ModTime().UnixNano()
}
