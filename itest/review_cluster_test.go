package itest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/cluster"
	"github.com/pgdeid/pgdeid/internal/review/queue"
	"github.com/pgdeid/pgdeid/internal/review/store"
)

// Sentences that are alike are drawn as one note with ranges and hashes of the others, and one decision is repaired in all.
func TestClustersOfSentences(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t)).exactly(t)
	do(t, r.src, patients)
	names := []string{"Grizzlewood", "Vexterly", "Quillhampton", "Zornfeld", "Hobblethwaite", "Pumblechook"}
	for i, name := range names {
		do(t, r.src, fmt.Sprintf(`insert into ehr.note values (%d, %d, null, 'new', 'Day %d.
Zebulon came to the ward with his nephew %s and went home again.')`, i+1, 1+i%2, i, name))
	}
	do(t, r.src, "insert into ehr.note values (9, 1, null, 'new', 'Potassium was repleted overnight without any event at all.')")
	running := r.run(t, exactDetector(t))
	r.caughtUp(t)
	running.stop(t)
	role := r.sourceRole(t, "reader", "grant select on ehr.note to READER")
	d, s := r.deskWith(t, exactDetector(t)), r.reviewStore(t)
	id, n, err := queue.Draw(t.Context(), d, s, queue.Spec{
		Name: "alike", Kind: review.Clusters, Table: "ehr.note", Column: "body", Notes: 5, Among: 100, Readers: 1, Seed: "s", DrawnBy: "lee",
	})
	if err != nil || n != 1 {
		t.Fatalf("%d clusters, %v", n, err)
	}
	list, err := s.Alike(t.Context(), id, 1)
	if err != nil || len(list) != len(names) {
		t.Fatalf("%d sentences, %v", len(list), err)
	}
	lead := ""
	for i, a := range list {
		text, err := d.Original(t.Context(), role, a.Item)
		if err != nil {
			t.Fatal(err)
		}
		sentence := string([]rune(text)[a.Start:a.End])
		if string(s.SentenceHash(sentence)) != string(a.Words) || a.Item.Member != i {
			t.Fatalf("sentence %d is %q", i, sentence)
		}
		if i == 0 {
			lead = sentence
		}
		start := len([]rune(lead[:strings.Index(lead, "nephew ")+len("nephew ")]))
		from, to, ok := cluster.Align(lead, sentence, start, start+strings.Index(string([]rune(lead)[start:]), " "))
		if !ok {
			t.Fatalf("%q", sentence)
		}
		m := review.Mark{Start: a.Start + from, End: a.Start + to, Type: "PATIENT", Verdict: review.Missed}
		if _, err := s.Viewed(t.Context(), "ann", &a.Item, store.Shown); err != nil {
			t.Fatal(err)
		}
		if _, err := d.RepairHere(t.Context(), role, review.Repair{By: "ann", Mark: m}, a.Item, text); err != nil {
			t.Fatal(err)
		}
	}
	r.reprocessed(t)
	for i, name := range names {
		if got := r.body(t, int64(i+1)); strings.Contains(got, name) || !strings.Contains(got, "nephew") {
			t.Errorf("%q", got)
		}
	}
	views, err := s.Views(t.Context(), 10)
	seen := map[review.Note]bool{}
	for _, v := range views {
		seen[v.Note] = true
	}
	if err != nil || len(views) != len(names) || len(seen) != len(names) {
		t.Errorf("%d views of %d notes, %v", len(views), len(seen), err)
	}
	if found := marksInVault(t, r, names); len(found) > 0 {
		t.Errorf("words of sentences stand in %v", found)
	}
}
