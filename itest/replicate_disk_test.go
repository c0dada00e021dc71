package itest

import (
	"os"
	"os/exec"
	"os/user"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/replicator/sandbox"
)

// A full disk of the replica holds the stream up, with a word of what to do, until
// there is room again. Nothing is lost and nothing is set aside.
func TestFullDiskIsWaitedFor(t *testing.T) {
	dir, err := sandbox.MkdirTemp("pgdeid-itest-disk-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	account, err := user.Lookup("postgres") // that servers run as, where we are root
	if err != nil {
		t.Skipf("a small disk can't be made here: %v", err)
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=8m,uid="+account.Uid, "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("a small disk can't be made here: %s", out)
	}
	p := newOwnPair(t)
	r := newReplication(t, p)
	t.Cleanup(func() { _ = exec.Command("umount", "--lazy", dir).Run() })
	do(t, r.dst, "create tablespace small location '"+dir+"'")
	do(t, r.dst, "alter table ehr.note set tablespace small")
	do(t, r.src, patients)
	run := r.run(t, nil)
	r.streaming(t)
	// Letters that don't compress.
	do(t, r.src, `insert into ehr.note select n, 1, null, 'new', 'Quarkstein ' || (
		select string_agg(translate(md5(i || 'x'), '0123456789', 'ghijklmnop'), ' ') from generate_series(n, n + 299) i) from generate_series(1, 1500) n`)
	eventually(t, "the disk is full", func() bool { return strings.Contains(run.log.String(), "make room") })
	if out, err := exec.Command("mount", "-o", "remount,size=500m", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	r.caughtUp(t)
	want(t, r.dst, "1500", "select count(*)::text from ehr.note")
	want(t, r.dst, "0", "select count(*)::text from deid.quarantine")
}
