package itest

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/harvest"
)

// rideNotes are 300 notes of 30 patients by 6 authors with a phrase of one form, in which
// the rules know all names but that of one note.
const rideNotes = `
insert into ehr.patient select n, 'Given' || chr(96 + n % 26) || 'ab', 'Quarkstein' || chr(97 + n % 26) || 'x', 'M' || 7000 + n, '1950-02-03' from generate_series(1, 30) n;
insert into ehr.note select n, 1 + n % 30, '2021-03-04', 'author ' || n % 6, 'No fever.' || E'\n'
	|| 'Ride home arranged with ' || case when n = 77 then 'Ochoa' else (array['Nguyen', 'Robert', 'Linda', 'James'])[1 + n % 4] end || ' of the family.' || E'\n'
	from generate_series(1, 300) n`

// A template goes from the source to the replica: proposed there, verified, in the vault,
// and a name that the rules miss is gone.
func TestTemplatesFromSourceToReplica(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, rideNotes)
	proposals := filepath.Join(t.TempDir(), "proposals.jsonl")
	missed := func(command string) string {
		t.Helper()
		if got := runPgdeid(t, r.harvestEnv(), command); got.code != 0 {
			t.Fatalf("%s: %s", command, got.stderr)
		}
		return count(t, r.dst, "ehr.note where body like '%Ochoa%'")
	}
	if n := missed("snapshot"); n != "1" {
		t.Fatalf("the rules miss the name in %s notes", n)
	}
	r.harvest(t, "templates", "-o", proposals, "--author", "status")
	found, err := harvest.ReadProposals(proposals)
	if err != nil {
		t.Fatal(err)
	}
	const form = "Ride home arranged with <PATIENT W> of the family."
	if len(found) != 1 || found[0].Text != form || found[0].Notes != 299 {
		t.Fatalf("%d proposals, the first in %d notes: %s", len(found), found[0].Notes, found[0].Text)
	}
	review := prepare(t, r.harvestEnv(), []string{"harvest", "review", proposals, "--reviewer", "jlee"})
	review.Stdin = strings.NewReader("y\n")
	if out, err := review.Output(); err != nil || !strings.Contains(string(out), form) {
		t.Fatalf("review: %v\n%s", err, out)
	}
	if got := r.harvest(t, "import", proposals); got.stdout != "version 1: 1 added, 0 taken off, 1 on the list\n" {
		t.Errorf("import: %q", got.stdout)
	}
	if got := texts(t, r.dst, "select kind || ' ' || body from deid.verified"); !slices.Equal(got, []string{"template " + form}) {
		t.Errorf("vault: %q", got)
	}
	if n := missed("reprocess"); n != "0" {
		t.Errorf("with the template the name is in %s notes", n)
	}
}

// The real program, killed again and again, proposes the same templates, to the byte.
func TestHarvestOfTemplatesSurvivesKill(t *testing.T) {
	t.Parallel()
	dir, n := t.TempDir(), harvestNotes(t)/3
	notes := filepath.Join(dir, "notes.jsonl")
	writeHarvest(t, notes, n)
	args := func(out string) []string {
		return []string{
			"harvest", "templates", "--from", notes, "--models", "fast", "-o", out, "--checkpoint", "5ms", "--workers", "1", "--counters", strconv.Itoa(max(n, 1000)),
		}
	}
	whole, killed := filepath.Join(dir, "whole"), filepath.Join(dir, "killed")
	if got := runPgdeid(t, nil, args(whole)...); got.code != 0 {
		t.Fatalf("exit %d: %s", got.code, got.stderr)
	}
	if kills := killUntilDone(t, args(killed), killed); kills < 1 {
		t.Error("it was never killed")
	}
	one, err1 := os.ReadFile(whole)
	two, err2 := os.ReadFile(killed)
	if err1 != nil || err2 != nil || !bytes.Equal(one, two) || !bytes.Contains(one, []byte(`"Call Dr. <DOCTOR W W> with questions."`)) {
		t.Errorf("the result differs: %v, %v", err1, err2)
	}
}
