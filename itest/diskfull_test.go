package itest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/replicator/sandbox"
)

// The replica's disk fills while the stream runs: pgdeid waits and says why, and once
// there is room again everything arrives.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	disk := smallDisk(t)
	r := newReplication(t, p).exactly(t)
	do(t, r.src, patients)
	do(t, r.dst, "create tablespace small location '"+disk+"'")
	t.Cleanup(func() {
		// The test's database goes later; its table has to leave the disk before.
		for _, statement := range []string{`alter table deid_rows."ehr.note" set tablespace pg_default`, "drop tablespace small"} {
			if _, err := r.dst.Exec(context.Background(), statement); err != nil {
				t.Error(err)
			}
		}
	})
	do(t, r.dst, `alter table deid_rows."ehr.note" set tablespace small`)
	d := startPgdeid(t, nil, "run", "--config", r.cfg.Path)
	r.streaming(t)

	// What fills it belongs to somebody else, and a part of it goes away later.
	ballast := filepath.Join(disk, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 8<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	do(t, r.src, `insert into ehr.note select n, 1, '2021-03-04', 'new', 'Zebulon Quarkstein slept well. ' ||
		(select string_agg(md5((n * 50 + i)::text), ' ') from generate_series(1, 40) i) from generate_series(1, 3000) n`)
	eventually(t, "the full disk is logged", func() bool {
		return strings.Contains(d.output(t), "53100") && strings.Contains(d.output(t), "make room")
	})
	do(t, r.src, "update ehr.note set status = 'later' where note_id % 10 = 0")
	if !d.running() {
		t.Fatal("it ended instead of waiting")
	}
	if got := runPgdeid(t, nil, "status", "--config", r.cfg.Path); got.code != 0 && got.code != 3 {
		t.Errorf("status while the disk is full: %d\n%s", got.code, got.stderr)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	r.caughtUp(t)
	if code := d.terminate(t); code != 0 {
		t.Errorf("exit status %d", code)
	}
	want(t, r.dst, count(t, r.src, "ehr.note"), "select count(*)::text from ehr.note")
	want(t, r.dst, "300", "select count(*)::text from ehr.note where status = 'later'")
	want(t, r.dst, "0", "select count(*)::text from deid.quarantine")
	marks := []string{"Zebulon", "Quarkstein"}
	if found := append(marksInDatabase(t, r.dst, marks), marksInText(d.output(t), marks)...); len(found) > 0 {
		t.Errorf("found marks in %v", found)
	}
}

// smallDisk mounts a file system of 12 MB that the replica's server may write to.
func smallDisk(t *testing.T) string {
	t.Helper()
	dir, err := sandbox.MkdirTemp("pgdeid-disk-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if os.Geteuid() != 0 {
		t.Skip("a small disk can only be mounted as root")
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", dir).CombinedOutput(); err != nil { // #nosec G204 -- a folder of our own
		t.Skipf("a small disk can't be mounted here: %v %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", "-l", dir).CombinedOutput(); err != nil { // #nosec G204 -- as above
			t.Errorf("umount: %v %s", err, out)
		}
	})
	space := filepath.Join(dir, "space")
	if err := os.Mkdir(space, 0o700); err != nil {
		t.Fatal(err)
	}
	// PostgreSQL's own account runs the server where the tests run as root.
	if out, err := exec.Command("chown", "postgres", dir, space).CombinedOutput(); err != nil { // #nosec G204 -- as above
		t.Fatalf("chown: %v %s", err, out)
	}
	return space
}
