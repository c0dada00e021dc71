package itest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/store"
	"github.com/pgdeid/pgdeid/replicator/admin"
)

// reviewStore returns a store that works as the service's role does.
func (r *replication) reviewStore(t testing.TB) *store.Store {
	t.Helper()
	cc, err := r.cfg.ReplicaConn(config.Service)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.ConnectConfig(t.Context(), cc)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return store.New(conn, r.key)
}

func reviewItems(r *replication, n int) []review.Item {
	var items []review.Item
	for i := range n {
		items = append(items, review.Item{
			Note:    review.Note{Table: "ehr.note", Column: "body", Row: fmt.Sprintf(`["%d"]`, i)},
			Patient: r.patient(int64(1 + i%2)), Stratum: i % 2, Key: []string{fmt.Sprint("source-", i)},
		})
	}
	return items
}

func TestReviewStore(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	s := r.reviewStore(t)
	ctx := t.Context()
	design := review.Design{Strata: []review.Stratum{{Label: "letters of 2024", Notes: 10, Drawn: 2}}, Seed: "seven"}
	id, err := s.Draw(ctx, review.Round{Name: "first", Kind: review.Acceptance, Readers: 2, Design: design, DrawnBy: "lee"}, reviewItems(r, 3))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Draw(ctx, review.Round{Name: "first", Kind: review.Rare, DrawnBy: "lee"}, nil); !errors.Is(err, store.ErrName) {
		t.Errorf("a second round of one name: %v", err)
	}
	round, err := s.Round(ctx, id)
	if err != nil || cmp.Diff(round.Design, design) != "" || round.Readers != 2 || !round.ClosedAt.IsZero() {
		t.Errorf("%+v, %v", round, err)
	}
	if found, err := s.Named(ctx, "first"); err != nil || found != id {
		t.Errorf("%d, %v", found, err)
	}
	if it, err := s.Item(ctx, id, 2); err != nil || cmp.Diff(it, reviewItems(r, 3)[1], cmp.FilterPath(func(p cmp.Path) bool {
		return p.String() == "Round" || p.String() == "Place"
	}, cmp.Ignore())) != "" {
		t.Errorf("%v, %v", it.Key, err)
	}
	if _, err := s.Item(ctx, id, 4); !errors.Is(err, store.ErrNone) {
		t.Errorf("no such item: %v", err)
	}
	testReviewTurns(t, s, id)
	for _, secret := range []string{"letters of 2024", "source-1", "missed", "PATIENT"} {
		for _, table := range []string{"round", "item", "reading"} {
			if got := one(t, r.dst, "select string_agg(x::text || encode(x.sealed, 'escape'), ' ') from deid.review_"+table+" x"); strings.Contains(got, secret) {
				t.Errorf("%s stands open in the table of each %s", secret, table)
			}
		}
	}
}

// testReviewTurns has three people read a round that two are to read.
func testReviewTurns(t *testing.T, s *store.Store, id int64) {
	t.Helper()
	ctx := t.Context()
	next := func(reader string, want int) {
		t.Helper()
		got, err := s.Next(ctx, id, reader)
		if want == 0 && errors.Is(err, store.ErrDone) {
			return
		}
		if err != nil || got != want {
			t.Errorf("%s: note %d, %v, want %d", reader, got, err, want)
		}
	}
	marks := []review.Mark{{Start: 3, End: 9, Type: "PATIENT", Verdict: review.Missed, Words: s.WordsHash("5", " Ann  Lee")}}
	finish := func(reader string, place int) error {
		return s.Save(ctx, review.Reading{Round: id, Place: place, Reader: reader, Text: s.TextHash("x"), Marks: marks}, true)
	}
	next("ann", 1)
	next("ben", 1)
	next("cy", 2)
	next("ann", 1) // what was begun comes first
	if err := errors.Join(finish("ann", 1), finish("ben", 1), finish("cy", 2)); err != nil {
		t.Fatal(err)
	}
	next("ann", 2)
	next("ben", 3)
	next("cy", 3)
	if err := finish("ann", 1); !errors.Is(err, store.ErrFinished) {
		t.Errorf("finished twice: %v", err)
	}
	if err := finish("dee", 1); !errors.Is(err, store.ErrNone) {
		t.Errorf("never begun: %v", err)
	}
	if err := errors.Join(finish("ann", 2), finish("ben", 3)); err != nil {
		t.Fatal(err)
	}
	next("ann", 0)
	list, err := s.Readings(ctx, id)
	if err != nil || len(list) != 5 || list[1].Reader != "ben" || cmp.Diff(list[0].Marks, marks) != "" || list[0].FinishedAt.IsZero() {
		t.Errorf("%+v, %v", list, err)
	}
	rounds, err := s.Rounds(ctx, "cy")
	if err != nil || len(rounds) != 1 || rounds[0].Items != 3 || rounds[0].Finished != 2 || rounds[0].Mine != 1 || rounds[0].Begun != 1 || rounds[0].Left != 1 {
		t.Errorf("%+v, %v", rounds, err)
	}
	if err := s.Close(ctx, id); err != nil {
		t.Error(err)
	}
	next("cy", 0)
	if err := finish("cy", 3); !errors.Is(err, store.ErrDone) {
		t.Errorf("a round that was closed: %v", err)
	}
}

// What two people decided differently is settled by one who was neither, once.
func TestReviewSettled(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	s := r.reviewStore(t)
	ctx := t.Context()
	id, err := s.Draw(ctx, review.Round{Name: "both", Kind: review.Acceptance, Readers: 2, DrawnBy: "lee"}, reviewItems(r, 3))
	if err != nil {
		t.Fatal(err)
	}
	mark := review.Mark{Start: 3, End: 9, Type: "PATIENT", Verdict: review.Missed}
	decide := func(reader string, marks ...[]review.Mark) {
		t.Helper()
		for _, m := range marks {
			place, err := s.Next(ctx, id, reader)
			if err == nil {
				err = s.Save(ctx, review.Reading{Round: id, Place: place, Reader: reader, Text: s.TextHash("x"), Marks: m}, true)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	decide("ann", []review.Mark{mark}, []review.Mark{mark}, nil)
	decide("ben", []review.Mark{mark}, nil)
	settle := func(who string, want int) {
		t.Helper()
		place, err := s.Settle(ctx, id, who)
		if want == 0 && errors.Is(err, store.ErrDone) {
			return
		}
		if err != nil || place != want {
			t.Errorf("%s settles note %d, %v, want %d", who, place, err, want)
		}
	}
	counted := func(who string, want int) { // of three notes, both agree on the first, and one has not read the last
		t.Helper()
		rounds, err := s.Rounds(ctx, who)
		if err != nil || len(rounds) != 1 || rounds[0].Differ != want {
			t.Errorf("%s sees %+v, %v, want %d notes to settle", who, rounds, err, want)
		}
	}
	counted("ann", 0)
	counted("ruth", 1)
	settle("ann", 0)
	settle("ruth", 2)
	counted("ruth", 1) // what was begun can be gone on with
	counted("dee", 0)
	settle("dee", 0) // ruth has it
	settle("ruth", 2)
	if list, err := s.Reviews(ctx, id, 2); err != nil || len(list) != 2 || list[0].Reader != "ann" {
		t.Errorf("%v, %v", list, err)
	}
	if err := s.Save(ctx, review.Reading{Round: id, Place: 2, Reader: "ruth", Text: s.TextHash("x")}, true); err != nil {
		t.Error(err)
	}
	settle("ruth", 0)
	counted("ruth", 0)
	if list, err := s.Readings(ctx, id); err != nil || len(list) != 6 || list[4].Part != review.Adjudicator {
		t.Errorf("%+v, %v", list, err)
	}
}

// Of a patient who is purged nothing is left of what people decided; that somebody looked at a note stays.
func TestPurgeTakesReviewsAway(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	s := r.reviewStore(t)
	items := reviewItems(r, 4)
	id, err := s.Draw(t.Context(), review.Round{Name: "first", Kind: review.Acceptance, DrawnBy: "lee"}, items)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Next(t.Context(), id, "ann"); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Viewed(t.Context(), "ann", &items[0], store.Shown); err != nil || s.StillViewed(t.Context(), "ann", n) != nil {
		t.Fatal(err)
	}
	o, _ := r.options(t, exactDetector(t))
	if _, err := admin.Purge(t.Context(), o, []string{"1"}, false); err != nil {
		t.Fatal(err)
	}
	want(t, r.dst, "2/0/1", `select concat_ws('/', (select count(*) from deid.review_item), (select count(*) from deid.review_reading),
		(select count(*) from deid.review_view))`)
}
