package itest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/replicator/admin"

	"github.com/pgdeid/pgdeid/ensemble/harvest"
)

// wardNotes are 640 notes of 31 patients by 6 authors (column status), read in two
// pages: sentences that all of them share, one that names a patient's family, one that
// few write, a false alarm of the rules, and something of their own.
const wardNotes = `
insert into ehr.patient select n, 'Given' || chr(96 + n % 26) || 'ab', 'Quarkstein' || chr(97 + n % 26) || 'x', 'M' || 7000 + n, '1950-02-03' from generate_series(1, 30) n;
insert into ehr.patient values (31, 'Ida', 'Lumbarfield', 'M9999', '1951-02-03');
insert into ehr.note select n, 1 + n % 31, '2021-03-04', 'author ' || n % 6, 'No known drug allergies.' || E'\n'
	|| 'Mr. Coffee machine was used.' || E'\n'
	|| 'Lumbarfield exercises were shown.' || E'\n'
	|| case when n % 6 < 2 then 'Written by few of us.' || E'\n' else '' end
	|| 'The visit was of interest' || repeat(chr(97 + n % 26), 1 + n / 26) || '.' from generate_series(1, 640) n`

// harvestEnv points the program at a configuration.
func (r *replication) harvestEnv() []string { return []string{"PGDEID_CONFIG=" + r.cfg.Path} }

// harvest runs a harvest command that must work.
func (r *replication) harvest(t *testing.T, args ...string) result {
	t.Helper()
	got := runPgdeid(t, r.harvestEnv(), append([]string{"harvest"}, args...)...)
	if got.code != 0 {
		t.Fatalf("harvest %s: exit %d\n%s", args[0], got.code, got.stderr)
	}
	return got
}

// From the source's notes to what the replica shows, and back to what it showed when a
// sentence is taken off the list.
func TestHarvestFromSourceToReplica(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, wardNotes)
	folder := t.TempDir()
	proposals, list := filepath.Join(folder, "proposals.jsonl"), filepath.Join(folder, "list.jsonl")
	// in runs a command and tells in how many published notes the false alarm stands. The
	// family name is replaced where it is the patient's, and stays where it is a word.
	in := func(command string) string {
		t.Helper()
		if got := runPgdeid(t, r.harvestEnv(), command); got.code != 0 {
			t.Fatalf("%s: %s", command, got.stderr)
		}
		if n := count(t, r.dst, "ehr.note where body like '%Lumbarfield%'"); n != "620" {
			t.Errorf("after %s the family's name is in %s notes", command, n)
		}
		return count(t, r.dst, "ehr.note where body like '%Mr. Coffee machine was used.%'")
	}
	const sentence = "Mr. Coffee machine was used."
	if n := in("snapshot"); n != "0" {
		t.Fatalf("the rules leave the false alarm alone in %s notes", n)
	}

	got := r.harvest(t, "sentences", "-o", proposals, "--author", "status", "--suspects")
	if strings.Contains(got.stderr+got.stdout, "Coffee") {
		t.Error("the harvest prints what it found")
	}
	found, err := harvest.ReadProposals(proposals)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range found {
		names = append(names, fmt.Sprintf("%s %d %v", p.Text, p.Notes, p.Suspect))
	}
	if want := []string{sentence + " 640 true", "No known drug allergies. 640 false"}; !slices.Equal(names, want) {
		t.Fatalf("proposed %q, want %q", names, want)
	}
	if _, err := os.Stat(proposals + ".state"); err == nil {
		t.Error("the state is left")
	}
	if marks := marksInDatabase(t, r.dst, []string{"Coffee"}); len(marks) > 0 {
		t.Errorf("before a person said yes, the replica has it in %v", marks)
	}

	// A person says yes to all, in a table.
	table := filepath.Join(folder, "table.csv")
	r.harvest(t, "review", proposals, "--export", table)
	data, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	for i := 1; i < len(lines); i++ {
		lines[i] = strings.Replace(lines[i], ",,", ",yes,", 1)
	}
	if err := os.WriteFile(table, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	r.harvest(t, "review", proposals, "--import", table, "--reviewer", "jlee")
	if got := r.harvest(t, "import", proposals); got.stdout != "version 1: 2 added, 0 taken off, 2 on the list\n" {
		t.Errorf("import: %q", got.stdout)
	}
	if got := r.harvest(t, "import", proposals); got.stdout != "version 1: 0 added, 0 taken off, 2 on the list\n" {
		t.Errorf("import again: %q", got.stdout)
	}
	if got := texts(t, r.dst, "select reviewer || origin || notes || added from deid.verified order by body"); !slices.Equal(got, []string{"jleeharvest6401", "jleeharvest6401"}) {
		t.Errorf("vault: %q", got)
	}

	// The next run uses it, and reprocess brings the notes up to date.
	if n := in("reprocess"); n != "640" {
		t.Errorf("after the import it is in %s notes", n)
	}
	r.harvest(t, "export", list)
	if entries, err := harvest.ReadList(list); err != nil || len(entries) != 2 {
		t.Errorf("exported %d, %v", len(entries), err)
	}

	// The second thought: no.
	if got := runPgdeid(t, r.harvestEnv(), "harvest", "review", proposals, "--again", "--reviewer", "other"); got.code != 0 {
		t.Errorf("review without keys: %s", got.stderr)
	}
	review := prepare(t, r.harvestEnv(), []string{"harvest", "review", proposals, "--again", "--reviewer", "other"})
	review.Stdin = strings.NewReader("n\ns\n")
	if out, err := review.Output(); err != nil || !strings.Contains(string(out), "2 of 2") {
		t.Fatalf("review: %v\n%s", err, out)
	}
	if got := r.harvest(t, "import", proposals); got.stdout != "version 2: 0 added, 1 taken off, 1 on the list\n" {
		t.Errorf("import of a no: %q", got.stdout)
	}
	if n := in("reprocess"); n != "0" {
		t.Errorf("after it was taken off it is in %s notes", n)
	}
	if got := texts(t, r.dst, "select added || '-' || coalesce(retired, 0) from deid.verified order by body"); !slices.Equal(got, []string{"1-2", "1-0"}) {
		t.Errorf("history: %q", got)
	}
	if got := r.harvest(t, "import", list, "--replace"); got.stdout != "version 3: 1 added, 0 taken off, 2 on the list\n" {
		t.Errorf("import of a list: %q", got.stdout)
	}
}

// The list in the vault is for the service alone, which can add to it and retire, and
// neither rewrite nor delete.
func TestVaultKeepsWhatWasVerified(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	verified := harvest.NewList([]harvest.Verified{
		{Kind: harvest.Sentence, Text: "No fever.", Reviewer: "jlee", At: epochOfTests, Origin: harvest.Marked},
		{Kind: harvest.Template, Text: "by <PATIENT W, W>", Detail: []byte(`{"b": 1, "a": [2]}`), Reviewer: "jlee", At: epochOfTests, Origin: harvest.Harvested},
	})
	res, err := admin.StoreVerified(t.Context(), r.cfg, admin.VerifiedChange{Add: verified, By: "test"})
	if err != nil || res != (admin.VerifiedResult{Version: 1, Added: 2, Listed: 2}) {
		t.Fatalf("%+v, %v", res, err)
	}
	back, version, err := admin.ReadVerified(t.Context(), r.cfg)
	if err != nil || version != 1 || back.Digest() != verified.Digest() || !back[0].At.Equal(epochOfTests) {
		t.Errorf("version %d, %d entries, %v", version, len(back), err)
	}
	verified[1].Detail = []byte(`{"b":1,"a":[3]}`)
	res, err = admin.StoreVerified(t.Context(), r.cfg, admin.VerifiedChange{Add: verified, By: "test"})
	if err != nil || res != (admin.VerifiedResult{Version: 2, Added: 1, Retired: 1, Listed: 2}) {
		t.Errorf("another detail: %+v, %v", res, err)
	}
	for _, statement := range []string{
		"update deid.verified set body = 'x'", "update deid.verified set reviewer = 'x'", "delete from deid.verified",
		"delete from deid.verified_version", "update deid.verified_version set imported_by = 'x'", "truncate deid.verified",
	} {
		do(t, r.dst, "set session authorization pgdeid_service")
		_, err := r.dst.Exec(t.Context(), statement)
		do(t, r.dst, "reset session authorization")
		if err == nil {
			t.Errorf("the service may: %s", statement)
		}
	}
	for _, statement := range []string{"select * from deid.verified", "select * from deid.verified_version"} {
		do(t, r.dst, "set session authorization pgdeid_analyst")
		_, err := r.dst.Exec(t.Context(), statement)
		do(t, r.dst, "reset session authorization")
		if err == nil {
			t.Errorf("analysts may: %s", statement)
		}
	}
}

// Nobody's authors are counted by accident.
func TestHarvestWantsToKnowTheAuthors(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, wardNotes)
	out := filepath.Join(t.TempDir(), "p")
	for name, tt := range map[string]struct {
		args []string
		want string
	}{
		"no column tells":   {nil, "--author COLUMN"},
		"an unknown column": {[]string{"--author", "nothing"}, "no column nothing"},
	} {
		got := runPgdeid(t, r.harvestEnv(), append([]string{"harvest", "sentences", "-o", out}, tt.args...)...)
		if got.code != 1 || !strings.Contains(got.stderr, tt.want) {
			t.Errorf("%s: exit %d, %s", name, got.code, got.stderr)
		}
	}
	r.harvest(t, "sentences", "-o", out, "--authors", "0")
	list, err := harvest.ReadProposals(out)
	if err != nil || len(list) != 2 || list[1].Text != "Written by few of us." {
		t.Errorf("without authors: %d, %v", len(list), err)
	}
}
