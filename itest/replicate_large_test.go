package itest

import (
	"strings"
	"testing"
	"time"
)

// One transaction with 15,000 notes of 3 KB, and one note of 10 MB, pass through bounded memory. What
// is found in them is of no concern, so that exact rules have to do.
func TestLargeTransactionInBoundedMemory(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes a minute")
	}
	r := newReplication(t, newPair(t)).exactly(t)
	do(t, r.src, "insert into ehr.patient select n, 'Zebulon', 'Quark' || n, 'MR-' || 40000 + n, '1950-02-03' from generate_series(1, 5000) n")
	d := startPgdeid(t, nil, "run", "--config", r.cfg.Path)
	r.streaming(t)
	start := time.Now()
	_, err := r.src.Exec(t.Context(), `insert into ehr.note
		select n, 1 + n % 5000, '2021-03-04', 'new', 'Mr. Quark' || 1 + n % 5000 || ' was seen on 3/4/2021. ' || $1 from generate_series(1, 15000) n`,
		strings.Repeat("Lungs clear, heart regular, no edema. ", 79))
	if err != nil {
		t.Fatal(err)
	}
	written := time.Since(start)
	r.caughtUp(t)
	t.Logf("15,000 notes written in %s, applied after %s", written, time.Since(start))
	want(t, r.dst, "15000", "select count(*)::text from ehr.note")
	_, err = r.src.Exec(t.Context(), "insert into ehr.note values (60000, 1, null, 'new', repeat($1, 260000) || ' Call 617-555-0188.')", "Lungs clear, heart regular, no edema. ")
	if err != nil {
		t.Fatal(err)
	}
	r.caughtUp(t)
	want(t, r.dst, "0", "select count(*)::text from deid.quarantine")
	if text := r.body(t, 60000); len(text) < 9_000_000 || strings.Contains(text, "617-555-0188") {
		t.Errorf("the long note has %d bytes", len(text))
	}
	peak := d.peakMemory(t)
	t.Logf("peak resident memory %d MB", peak>>20)
	if peak > 1<<30 {
		t.Errorf("peak resident memory is %d MB", peak>>20)
	}
	if code := d.terminate(t); code != 0 {
		t.Errorf("exit status %d", code)
	}
}
