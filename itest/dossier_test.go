package itest

import (
	"log/slog"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/replicator/leaks"
)

// A name that is in a published text is found by the search of the whole replica; dates that are like it and what is made up are not
// taken for it. The dossier has what was found, is the same for the same state, and has no value of a row.
func TestDossier(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t)).exactly(t)
	do(t, r.src, `
		insert into ehr.patient values (1, 'Ottoline', 'Zebulonmark', 'M-44711', '1950-03-04'), (2, 'June', 'Quillfeather', 'M-88123', '1961-07-08');
		insert into ehr.visit values (10, 1, '2024-02-01 10:00'), (20, 2, '2024-03-01 11:00');
		insert into ehr.note values (100, 1, '2024-02-01', 'final', 'Ms. Ottoline Zebulonmark (M-44711) was seen.'),
			(200, 2, '2024-03-01', 'final', 'June Quillfeather was seen on June 24, 2023.')`)
	run := r.run(t, exactDetector(t))
	r.caughtUp(t)
	run.stop(t)
	if res := r.leaks(t); res.Leaks() != 0 || res.Patients != 2 || res.Rows != 6 || res.Unknown != 0 {
		t.Errorf("before anything was planted: %+v", res)
	}
	paths := []string{r.dir + "/a.html", r.dir + "/b.html"}
	var pages []string
	for _, path := range paths {
		got := runPgdeid(t, nil, "dossier", "-c", r.cfg.Path, "-o", path)
		if got.code != 3 { // no process streams from the slot
			t.Fatalf("%+v", got)
		}
		page, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, regexp.MustCompile(`<time>[^<]*</time>`).ReplaceAllString(string(page), ""))
	}
	if pages[0] != pages[1] {
		t.Error("two dossiers of the same state differ")
	}
	for _, want := range []string{"None shows one", r.cfg.Hash(), "ehr.note", "No acceptance report", "patients, 2 quasi-identifiers"} {
		if !strings.Contains(pages[0], want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	marks := []string{"ottoline", "zebulonmark", "44711", "quillfeather"}
	if found := marksInText(pages[0], marks); len(found) > 0 {
		t.Errorf("%v in the dossier", found)
	}

	do(t, r.dst, `update deid_rows."ehr.note" set body = body || ' Zebulon'||'mark came back.' where body like 'Ms.%'`)
	res := r.leaks(t)
	if res.Leaks() != 1 || len(res.Found) == 0 || res.Found[0].Column != "ehr.note.body" || res.Found[0].Leaks != 1 {
		t.Errorf("after a name was planted: %+v", res)
	}
	if got := runPgdeid(t, nil, "dossier", "-c", r.cfg.Path, "-o", paths[0]); got.code != 2 || !strings.Contains(got.stderr, "exists") {
		t.Errorf("over a dossier that is there: %+v", got)
	}
}

// A name that begins in one row of a note and ends in the next is found, too.
func TestLeakScanOverLines(t *testing.T) {
	t.Parallel()
	r := newLines(t)
	do(t, r.src, `
		insert into ehr.line values (1, 1, '2024-01-01', 'Thebulon Marksman was seen.'), (1, 2, '2024-01-01', 'and went home'), (2, 1, '2024-01-02', 'nobody');
		insert into ehr.piece values ('9', 'a', 1, 2, 'was seen by'), ('10', 'a', 1, 2, ' Marksman.')`)
	run := r.run(t, exactDetector(t))
	r.caughtUp(t)
	run.stop(t)
	if res := r.leaks(t); res.Leaks() != 0 || res.Rows != 12 {
		t.Errorf("before anything was planted: %+v", res)
	}
	do(t, r.dst, `update deid_rows."ehr.piece" set body = case seq when '9' then 'by Mr. Marks' else 'man.' end`)
	if res := r.leaks(t); res.Leaks() != 1 || res.Found[0].Column != "ehr.piece.body" {
		t.Errorf("after a name was planted over two rows: %+v", res)
	}
}

// leaks searches the replica.
func (r *replication) leaks(t *testing.T) *leaks.Result {
	t.Helper()
	res, err := leaks.Scan(t.Context(), r.cfg, r.key, slog.New(slog.DiscardHandler), func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	return res
}
