package itest

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/desk"
)

func (r *replication) desk(t testing.TB) *desk.Desk {
	t.Helper()
	return r.deskWith(t, nil)
}

// deskWith is desk with another detector.
func (r *replication) deskWith(t testing.TB, detector deid.Detector) *desk.Desk {
	t.Helper()
	o, _ := r.options(t, detector)
	d, err := desk.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

func ask(t *testing.T, d *desk.Desk, asked ...desk.Question) []desk.Answer {
	t.Helper()
	got, err := d.Ask(t.Context(), asked)
	if err != nil || len(got) != len(asked) {
		t.Fatalf("%d answers, %v", len(got), err)
	}
	return got
}

// What the desk answers is what the stream writes, whoever comes first.
func TestDeskAnswersAsTheStream(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"foreign", "direct"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			testDesk(t, newReplication(t, newPair(t), "gazetteers: "+how+"\n"))
		})
	}
}

func testDesk(t *testing.T, r *replication) {
	t.Helper()
	do(t, r.src, patients)
	do(t, r.src, "insert into ehr.staff values (1, 'Hildegard Ostermann')")
	notes := []string{"Zebulon Quarkstein, MRN MR-4711, born 2/3/1950, met Dr. Ostermann and Ms. Fenwick on 3/4/2021.", "Quarkstein and Fenwick again, call 617-230-4571."}
	d := r.desk(t)
	before := ask(t, d, desk.Question{Patient: "1", Text: notes[1]}, desk.Question{Patient: " 01", Text: notes[0]})
	for i, id := range []int64{1, 2} {
		if _, err := r.src.Exec(t.Context(), "insert into ehr.note values ($1, 1, null, 'new', $2)", id, notes[i]); err != nil {
			t.Fatal(err)
		}
	}
	do(t, r.src, "insert into ehr.note values (3, 2, null, 'new', 'Ottilie met Fenwick.'), (4, 2, null, 'new', null); insert into ehr.line values (7, 1, 'Zebulon slept')")
	r.run(t, nil)
	r.caughtUp(t)
	for i, id := range []int64{1, 2} {
		if got, want := before[1-i].Text, r.body(t, id); got != want || strings.Contains(got, "Quarkstein") || strings.Contains(got, "Ostermann") || strings.Contains(got, "4711") {
			t.Errorf("note %d: the desk says\n%s\nthe stream says\n%s", id, got, want)
		}
	}
	after := ask(t, d, desk.Question{Patient: "2", Text: "Ottilie met Fenwick."})
	if got, want := after[0].Text, r.body(t, 3); got != want {
		t.Errorf("the desk says %q, the stream says %q", got, want)
	}
	pulled, err := d.Pull(t.Context(), desk.NoteKeys{Table: "ehr.note", Keys: []string{"2", "4", "77", "no number", "3"}})
	if err != nil || len(pulled) != 3 {
		t.Fatalf("%d notes, %v", len(pulled), err)
	}
	for _, p := range pulled {
		if p.Key == "4" && !p.Null || p.Key != "4" && p.Text != r.body(t, map[string]int64{"2": 2, "3": 3}[p.Key]) || p.Column != "body" {
			t.Errorf("note %s: %+v", p.Key, p)
		}
	}
	pulled, err = d.Pull(t.Context(), desk.NoteKeys{Table: "ehr.line", Keys: []string{`["7","1"]`, "7"}})
	if err != nil || len(pulled) != 1 || pulled[0].Text != one(t, r.dst, "select body from ehr.line") || pulled[0].Key != `["7","1"]` {
		t.Errorf("a key of two columns: %+v, %v", pulled, err)
	}
	if _, err := d.Pull(t.Context(), desk.NoteKeys{Keys: []string{"1"}}); !errors.As(err, new(*desk.Refusal)) {
		t.Errorf("one of two tables: %v", err)
	}
}

// What is wrong with one question is told in its answer and does no harm to others.
func TestDeskRefusesOneByOne(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	d := r.desk(t)
	got := ask(t, d,
		desk.Question{Patient: "1", Text: "Zebulon slept"}, desk.Question{Patient: "99999999999999", Text: "x"}, desk.Question{Patient: "5", Text: "x"},
		desk.Question{Text: "x"}, desk.Question{Patient: "one", Text: "x"}, desk.Question{Patient: "1", Text: "a\x00b"},
		desk.Question{Patient: "1\x00", Text: "x"}, desk.Question{Patient: "1"}, desk.Question{Patient: "2", Text: "Ä Ottilie slept", SpansOnly: true})
	var reasons []string
	for _, a := range got {
		reasons = append(reasons, a.Reason)
	}
	if want := " no_patient no_patient no_patient no_patient bad_text no_patient  "; strings.Join(reasons, " ") != want {
		t.Errorf("reasons %q, want %q", reasons, want)
	}
	if got[0].Text == "" || strings.Contains(got[0].Text, "Zebulon") || got[7].Text != "" {
		t.Errorf("%q, %q", got[0].Text, got[7].Text)
	}
	if s := got[8].Spans; len(s) != 1 || s[0].Start != 2 || s[0].End != 9 || s[0].Type != "PATIENT" || len(s[0].By) == 0 {
		t.Errorf("spans %+v", s)
	}
}

// Callers that ask about one patient at a time get one surrogate for one name, and
// the desk outlives the loss of its connections.
func TestDeskTogether(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	d := r.desk(t)
	var wg sync.WaitGroup
	texts := make([]string, 16)
	for i := range texts {
		wg.Go(func() {
			if i == 8 {
				do(t, r.onReplica(t), "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and query not like '%terminate%'")
			}
			got, err := d.Ask(t.Context(), []desk.Question{{Patient: "1", Text: "Seen with Gwendolyn Ashcombe and Mr. Quarkstein."}})
			if err != nil {
				t.Error(err)
				return
			}
			texts[i] = got[0].Text
		})
	}
	wg.Wait()
	for i, text := range texts {
		if text != texts[0] || text == "" {
			t.Errorf("%d: %q, the first one %q", i, text, texts[0])
		}
	}
}

// Whoever copies a large transaction of the source holds the turn to write for long.
// Meanwhile the desk answers, but for what that transaction decides.
func TestDeskBesideLongTransaction(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	d := r.desk(t)
	first := desk.Question{Patient: "1", Text: "Seen with Gwendolyn Ashcombe."}
	want := ask(t, d, first)[0].Text
	do(t, r.dst, "create table public.chosen as select * from deid.surrogate; delete from deid.surrogate")
	long := r.onReplica(t)
	do(t, long, "begin; select pg_advisory_xact_lock(x'706764656964'::bigint); insert into deid.surrogate select * from public.chosen")
	got := ask(t, d, first, desk.Question{Patient: "2", Text: "Ottilie met Benedict Marlowe."}, desk.Question{Patient: "1", Text: "Slept well."},
		desk.Question{Patient: "1", Text: "Seen with Gwendolyn Ashcombe.", SpansOnly: true})
	if got[0].Reason != desk.Busy || got[0].Text != "" || got[1].Reason != "" || strings.Contains(got[1].Text, "Marlowe") || len(got[3].Spans) == 0 {
		t.Errorf("beside the transaction: %+v", got)
	}
	var waiting sync.WaitGroup
	waiting.Go(func() {
		answers, err := desk.Retry(t.Context(), []desk.Question{{Patient: "2", Text: "Ottilie left."}, first}, d.Ask)
		if err != nil || answers[1].Text != want || answers[0].Reason != "" {
			t.Errorf("after the transaction: %+v, %v", answers, err)
		}
	})
	eventually(t, "somebody waits for the transaction", func() bool {
		return count(t, r.dst, "pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'") != "0"
	})
	do(t, long, "commit")
	waiting.Wait()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := desk.Retry(ctx, []desk.Question{first}, func(context.Context, []desk.Question) ([]desk.Answer, error) {
		return []desk.Answer{{Reason: desk.Busy}}, nil
	}); !errors.Is(err, context.Canceled) {
		t.Errorf("patience without end: %v", err)
	}
}
