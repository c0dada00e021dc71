package itest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/cluster"
	"github.com/pgdeid/pgdeid/internal/review/queue"
	"github.com/pgdeid/pgdeid/replicator/desk"
)

// Sentences that are alike are drawn as one note with ranges and hashes of the others, and one decision is repaired in all.
func TestClustersOfSentences(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t)).exactly(t)
	do(t, r.src, patients)
	names := []string{"Grizzlewood", "Vexterly", "Quillhampton", "Zornfeld", "Hobblethwaite", "Pumblechook"}
	for i, name := range names {
		do(t, r.src, fmt.Sprintf(`insert into ehr.note values (%d, %d, null, 'new', 'Day %d.
The patient came to the ward with his nephew %s and went home again with him late in the evening, as there was no reason to stay for the night.')`, i+1, 1+i%2, i, name))
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
	var marked []review.Mark
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
		if i >= 2 { // the decision was cut off after the first two
			continue
		}
		start := len([]rune(lead[:strings.Index(lead, "nephew ")+len("nephew ")]))
		from, to, ok := cluster.Align(lead, sentence, start, start+strings.Index(string([]rune(lead)[start:]), " "))
		if !ok {
			t.Fatalf("%q", sentence)
		}
		marked = append(marked, review.Mark{Start: a.Start + from, End: a.Start + to, Type: "PATIENT", Verdict: review.Missed})
		if _, err := d.RepairHere(t.Context(), role, review.Repair{By: "dee", Mark: marked[i]}, a.Item, text); err != nil {
			t.Fatal(err)
		}
	}
	r.decideAlike(t, d, role, marked[0], len(list))
	if n, err := s.AlikeRepaired(t.Context(), id, 1, "dee"); err != nil || n != len(names) {
		t.Errorf("repaired in %d notes, %v", n, err)
	}
	want(t, r.dst, fmt.Sprint(len(names), " 0"), "select count(*) || ' ' || count(taken_by) from deid.review_repair") // none again
	r.reprocessed(t)
	for i, name := range names {
		if got := r.body(t, int64(i+1)); strings.Contains(got, name) || !strings.Contains(got, "nephew") {
			t.Errorf("%q", got)
		}
	}
	views, err := s.Views(t.Context(), 100)
	seen := map[review.Note]bool{}
	for _, v := range views {
		seen[v.Note] = true
	}
	if err != nil || len(seen) != len(names) {
		t.Errorf("%d views of %d notes, %v", len(views), len(seen), err)
	}
	if found := marksInVault(t, r, names); len(found) > 0 {
		t.Errorf("words of sentences stand in %v", found)
	}
}

// decideAlike has dee decide about the first round's cluster at the station.
func (r *replication) decideAlike(t *testing.T, d *desk.Desk, role string, m review.Mark, sentences int) {
	t.Helper()
	address, _ := r.reviewStation(t, d, role)
	dee := logIn(t, address, "dee")
	at, _ := dee.post("/rounds/1/next", nil)
	if page := dee.get(at); !strings.Contains(page, "repaired something in 2 of the notes") {
		t.Errorf("the page does not say what was repaired before: %.3000s", page)
	}
	body := fmt.Sprintf(`{"s":%d,"e":%d,"t":"PATIENT","v":"missed"}`, m.Start, m.End)
	if answer := dee.send(at+"/alike", body); strings.Count(answer, `"state":"repaired"`) != sentences {
		t.Errorf("%s", answer)
	}
}
