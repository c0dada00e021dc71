package itest

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/store"
	"github.com/pgdeid/pgdeid/replicator/admin"
	"github.com/pgdeid/pgdeid/surrogate"
)

// decided is what people decided about notes before the key is changed: a round with a reading, a repair, a remembered
// word, a phrase.
type decided struct {
	*replication

	round int64
	marks []review.Mark
}

// decidedText has a name that no record has twice: one is repaired at its place, and one is remembered.
const decidedText = "Zebulon saw Grizzlewood near the Vexterly house."

const (
	decidedNote  = 9001 // with a repair and a reading
	decidedGone  = 9002 // that the source deletes
	decidedMoved = 9003 // that changes after it was read
)

func (d *decided) decide(t *testing.T) {
	t.Helper()
	role := d.sourceRole(t, "reader", "grant select on ehr.note to READER")
	item := func(id int64) review.Item {
		return review.Item{
			Note: review.Note{Table: "ehr.note", Column: "body", Row: fmt.Sprintf(`["%s"]`, d.note(id))}, Patient: d.patient(1), Key: []string{fmt.Sprint(id)},
		}
	}
	person := &repairing{d.deskWith(t, exactDetector(t)), t, role, item(decidedNote)}
	if _, err := person.repair("ann", decidedText, "Grizzlewood", "PATIENT", review.Missed, ""); err != nil {
		t.Fatal(err)
	}
	at := strings.Index(decidedText, "Vexterly")
	if _, err := person.Remember(t.Context(), role, "ann", person.at, decidedText, [2]int{at, at + len("Vexterly")}); err != nil {
		t.Fatal(err)
	}
	s := store.New(d.dst, d.key)
	if _, err := s.ChangePhrases(t.Context(), store.PhraseChange{By: "ann", Add: []review.Phrase{{Text: "Blauhaus", Type: "HOSPITAL"}, {Text: "Rot", Type: "never"}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ChangePhrases(t.Context(), store.PhraseChange{By: "ann", Retire: []string{"Rot"}}); err != nil {
		t.Fatal(err)
	}
	items := []review.Item{item(decidedNote), item(decidedGone), item(decidedMoved)}
	words, later := s.SentenceHash("Zebulon saw Grizzlewood"), item(decidedMoved)
	items[0].Alike = []review.Alike{{Item: items[0], Start: 0, End: 23, Words: words}, {Item: later, Start: 0, End: 23, Words: words}}
	var err error
	if d.round, err = s.Draw(t.Context(), review.Round{Name: "spring", Kind: review.Acceptance, DrawnBy: "ann", Design: review.Design{Seed: "7"}}, items); err != nil {
		t.Fatal(err)
	}
	for range items {
		place, err := s.Next(t.Context(), d.round, "ann")
		if err != nil {
			t.Fatal(err)
		}
		d.marks = []review.Mark{{Start: 12, End: 23, Type: "PATIENT", Verdict: review.Missed, Words: s.WordsHash(d.patient(1), "Grizzlewood")}}
		if err := s.Save(t.Context(), review.Reading{Round: d.round, Place: place, Reader: "ann", Text: s.TextHash(decidedText), Marks: d.marks}, true); err != nil {
			t.Fatal(err)
		}
	}
}

// holds looks at all of it under the key of now.
func (d *decided) holds(t *testing.T) {
	t.Helper()
	s := store.New(d.dst, d.key)
	list, version, err := s.Phrases(t.Context())
	if err != nil || version != 2 || len(list) != 1 || list[0].Text != "Blauhaus" {
		t.Errorf("phrases %v, version %d, %v", list, version, err)
	}
	if _, err := s.ChangePhrases(t.Context(), store.PhraseChange{By: "ann", Retire: []string{"Blauhaus"}}); err != nil {
		t.Error(err)
	}
	round, err := s.Round(t.Context(), d.round)
	if err != nil || round.Design.Seed != "7" {
		t.Errorf("round %+v, %v", round, err)
	}
	readings, err := s.Readings(t.Context(), d.round)
	if err != nil || len(readings) != 3 {
		t.Fatalf("%d readings, %v", len(readings), err)
	}
	for i, r := range readings {
		it, err := s.Item(t.Context(), d.round, i+1)
		if err != nil || it.Patient != d.patient(1) {
			t.Errorf("note %d: %+v, %v", i+1, it, err)
		}
		here := it.Key[0] == fmt.Sprint(decidedNote)
		if same := bytes.Equal(r.Text, s.TextHash(decidedText)); same != here || len(r.Text) != len(s.TextHash("")) {
			t.Errorf("note %s: the text is the one that was read: %t", it.Key[0], same)
		}
		if len(r.Marks) != 1 || r.Marks[0].Verdict != review.Missed {
			t.Errorf("note %s: marks %+v", it.Key[0], r.Marks)
		}
		if same := bytes.Equal(r.Marks[0].Words, s.WordsHash(d.patient(1), "Grizzlewood")); same != here {
			t.Errorf("note %s: the words are there: %t", it.Key[0], same)
		}
		if shown := one(t, d.dst, "select count(*)::text from ehr.note where format('[\"%s\"]', note_id) = $1", it.Note.Row); shown == "1" != (it.Key[0] != fmt.Sprint(decidedGone)) {
			t.Errorf("note %s: %s rows have its key", it.Key[0], shown)
		}
	}
	alike, err := s.Alike(t.Context(), d.round, 1)
	words := s.SentenceHash("Zebulon saw Grizzlewood")
	if err != nil || len(alike) != 2 || !bytes.Equal(alike[0].Words, words) || bytes.Equal(alike[1].Words, words) || alike[1].Item.Patient != d.patient(1) {
		t.Errorf("sentences %v, %v", alike, err)
	}
	repairs, err := s.Repairs(t.Context(), false, 10)
	if err != nil || len(repairs) != 2 || repairs[0].Void || repairs[1].Void || repairs[0].Patient != d.patient(1) || len(repairs[1].Words)+len(repairs[0].Words) != 1 {
		t.Errorf("repairs %v, %v", repairs, err)
	}
	if text := d.body(t, decidedNote); strings.Contains(text, "Grizzlewood") || strings.Contains(text, "Vexterly") {
		t.Errorf("what people had repaired is published: %q", text)
	}
}

// What people decided outlives the key: repairs hold in what several processes copy with the next one, a remembered word is
// known, and rounds, readings and phrases open.
func TestKeyRotationByWorkersKeepsWhatPeopleDecided(t *testing.T) {
	t.Parallel()
	d := &decided{replication: newReplication(t, newPair(t)).exactly(t)}
	do(t, d.src, patients)
	do(t, d.src, `insert into ehr.patient select n, 'Given', 'Family' || n, 'M-' || n, null from generate_series(10, 40) n;
		insert into ehr.note select n, 10 + n % 31, '2021-03-04', 'new', 'Family' || 10 + n % 31 || ' was seen' from generate_series(1, 4100) n`)
	for _, id := range []int{decidedNote, decidedGone, decidedMoved} {
		do(t, d.src, fmt.Sprintf("insert into ehr.note values (%d, 1, null, 'new', '%s')", id, decidedText))
	}
	first := d.run(t, exactDetector(t))
	d.caughtUp(t)
	first.stop(t)
	d.decide(t)
	do(t, d.src, fmt.Sprintf("delete from ehr.note where note_id = %d; update ehr.note set body = 'Seen. ' || body where note_id = %d", decidedGone, decidedMoved))
	old := d.key
	if err := surrogate.NextKeyFile(filepath.Join(filepath.Dir(d.cfg.KeyFile), "key-2"), old); err != nil {
		t.Fatal(err)
	}
	d.withKeys(t, "key_file: key-2\nold_key_file: key\n")
	report := d.rotate(t)
	if report.Phase != admin.RotationBegun || report.Carried == nil || *report.Carried != (store.Rekeyed{Rounds: 1, Readings: 3, Repairs: 2, Phrases: 2}) {
		t.Fatalf("%+v", report)
	}
	b := &backfill{replication: d.replication}
	b.start(t, 0)
	eventually(t, "parts are planned", func() bool { return count(t, d.dst, "deid.copy_chunk where table_name = 'ehr.note'") != "0" })
	// A process took the jobs and died before it took the parts.
	do(t, d.dst, "update deid_jobs.river_job set state = 'running', attempt = 1, attempted_by = '{nobody}', attempted_at = now() - interval '2 minutes'")
	b.work(t)
	b.work(t)
	b.control(t, "--rate", "1000") // so that the kill finds something to do
	b.busy(t).kill()
	b.control(t, "--rate", "0")
	if code := b.plan.ends(); code != 0 {
		t.Fatalf("exit status %d: %s", code, b.plan.output(t))
	}
	for _, w := range b.workers {
		if w.running() {
			w.terminate(t)
		}
	}
	again := d.runWith(t, d.rotating(t))
	d.caughtUp(t)

	// What the next key does not open is found.
	do(t, d.dst, "create temporary table kept as select * from deid.review_reading where place = 1")
	do(t, d.dst, "update deid.review_reading set sealed = '\\x00' where place = 1")
	if report := d.rotate(t); report.Phase != admin.RotationUnproven || report.Foreign() != 1 {
		t.Errorf("%+v", report)
	}
	do(t, d.dst, "update deid.review_reading r set sealed = k.sealed from kept k where r.place = 1")
	if report := d.rotate(t); report.Phase != admin.RotationDone {
		t.Fatalf("%+v", report)
	}
	do(t, d.src, "insert into ehr.note values (9100, 1, null, 'new', 'Vexterly came again')")
	d.caughtUp(t)
	if text := d.body(t, 9100); strings.Contains(text, "Vexterly") {
		t.Errorf("a remembered word is published: %q", text)
	}
	d.holds(t)
	again.stop(t)
}
