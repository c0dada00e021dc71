package queue

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/cluster"
)

// hospital is a Source of notes by number: those divisible by ten are of another kind, and those by seven not in the replica.
type hospital struct{ notes int }

func (h hospital) Frame(_ context.Context, _, _ string, by []string, each func(review.Candidate) error) error {
	for i := range h.notes {
		c := review.Candidate{Key: []string{fmt.Sprint(i)}}
		for range by {
			c.Strata = append(c.Strata, map[bool]string{true: "letter", false: "progress"}[i%10 == 0])
		}
		if err := each(c); err != nil {
			return err
		}
	}
	return nil
}

func number(key []string) (n int) {
	_, _ = fmt.Sscan(key[0], &n)
	return n
}

func (hospital) Locate(_ context.Context, table, column string, keys [][]string, absent bool) (list []review.Item, err error) {
	for _, k := range keys {
		if n := number(k); n%7 != 0 || absent {
			list = append(list, review.Item{Key: k, Patient: fmt.Sprint("p", n), Note: review.Note{Table: table, Column: column, Row: fmt.Sprint("row ", n)}})
		}
	}
	return list, nil
}

func (hospital) Doubts(_ context.Context, _, _ string, keys [][]string) (list []review.Doubts, err error) {
	for _, k := range keys {
		n := number(k)
		list = append(list, review.Doubts{
			Key: k, Alone: n % 5, Unsure: n % 3, Nearly: n % 2, Layout: []uint64{1, uint64(100 + n%9), uint64(200 + n/250)},
		})
	}
	return list, nil
}

func (hospital) Sketches(_ context.Context, _, _ string, keys [][]string) (list []cluster.Note, err error) {
	for _, k := range keys {
		n := number(k)
		text := fmt.Sprintf("Came with nephew %c%c to the ward on day %d.", 'A'+n%20, 'a'+n%7, n)
		if n%2 == 0 {
			text = fmt.Sprintf("Nothing of note %d happened, number %d said so.", n, n*n)
		}
		list = append(list, cluster.Note{Key: k, Sentences: cluster.Sketches(text, nil, func(w string) []byte {
			sum := sha256.Sum256([]byte(w))
			return sum[:8]
		})})
	}
	return list, nil
}

// Clusters are led by a note, and have each sentence once; notes that the replica does not have are in none.
func TestDrawClusters(t *testing.T) {
	t.Parallel()
	s := draw(t, Spec{Kind: review.Clusters, Notes: 5, Among: 60, Seed: "s"})
	if len(s.items) != 2 {
		t.Fatalf("%d clusters", len(s.items))
	}
	seen := map[string]bool{}
	for _, it := range s.items {
		if len(it.Alike) < leastAlike || it.Alike[0].Item.Key[0] != it.Key[0] {
			t.Errorf("%v has %d sentences", it, len(it.Alike))
		}
		for _, a := range it.Alike {
			k, n := a.Item.Key[0], number(a.Item.Key)
			if seen[k] || n%7 == 0 || n%2 != number(it.Key)%2 || a.End <= a.Start || len(a.Words) == 0 {
				t.Errorf("%v", a)
			}
			seen[k] = true
		}
	}
}

func (h hospital) SetAside(context.Context) ([]review.Item, error) {
	return h.Locate(context.Background(), "ehr.note", "body", [][]string{{"7"}, {"14"}, {"21"}}, true)
}

// shelf is a Store.
type shelf struct {
	round review.Round
	items []review.Item
}

func (s *shelf) Draw(_ context.Context, r review.Round, items []review.Item) (int64, error) {
	s.round, s.items = r, items
	return 5, nil
}

func draw(t *testing.T, spec Spec) *shelf {
	t.Helper()
	s := &shelf{}
	spec.Table, spec.Column, spec.Name, spec.DrawnBy, spec.Readers = "ehr.note", "body", "r", "lee", 1
	id, n, err := Draw(t.Context(), hospital{1000}, s, spec)
	if err != nil || id != 5 || n != len(s.items) {
		t.Fatal(id, n, err)
	}
	return s
}

func keysOf(items []review.Item) string {
	var list []string
	for _, it := range items {
		list = append(list, it.Key[0])
	}
	return strings.Join(list, " ")
}

func TestAcceptance(t *testing.T) {
	t.Parallel()
	spec := Spec{Kind: review.Acceptance, By: []string{"kind"}, Notes: 100, Seed: "seed"}
	s := draw(t, spec)
	d := s.round.Design
	if len(d.Strata) != 2 || d.Strata[0].Label != "letter" || d.Strata[0].Notes != 100 || d.Strata[1].Notes != 900 || d.Seed != "seed" {
		t.Errorf("%+v", d)
	}
	letters := 0
	for _, it := range s.items {
		n := number(it.Key)
		if n%7 == 0 || (it.Stratum == 0) != (n%10 == 0) {
			t.Errorf("note %d in stratum %d", n, it.Stratum)
		}
		if it.Stratum == 0 {
			letters++
		}
	}
	if letters != d.Strata[0].Drawn || len(s.items)-letters != d.Strata[1].Drawn || len(s.items) >= 100 ||
		!strings.Contains(d.Note, "not in the replica") {
		t.Errorf("%d letters, %d notes, %+v", letters, len(s.items), d)
	}
	if slices.IsSortedFunc(s.items, func(a, b review.Item) int { return a.Stratum - b.Stratum }) {
		t.Error("readers see one stratum after the other")
	}
	if again := draw(t, spec); keysOf(again.items) != keysOf(s.items) {
		t.Error("one seed, two draws")
	}
	spec.Seed = "another"
	if other := draw(t, spec); keysOf(other.items) == keysOf(s.items) {
		t.Error("two seeds, one draw")
	}
}

func TestDoubtful(t *testing.T) {
	t.Parallel()
	for kind, weight := range map[review.Kind]func(n int) int{
		review.Disagreement: func(n int) int { return n % 5 },
		review.Doubt:        func(n int) int { return n%3 + n%2 },
	} {
		s := draw(t, Spec{Kind: kind, Notes: 20, Among: 200, Seed: "seed"})
		last := 99
		for _, it := range s.items {
			w := weight(number(it.Key))
			if w > last || w == 0 {
				t.Errorf("%s: note %s says %d after %d", kind, it.Key[0], w, last)
			}
			last = w
		}
		if len(s.items) == 0 || len(s.items) > 20 || !strings.Contains(s.round.Design.Note, "no figures about all notes") ||
			len(s.round.Design.Strata) > 0 {
			t.Errorf("%s: %d notes, %+v", kind, len(s.items), s.round.Design)
		}
	}
}

// A form that one note alone has makes it rarer than forms that many have.
func TestRarity(t *testing.T) {
	t.Parallel()
	list := []review.Doubts{{Layout: []uint64{1}}, {Layout: []uint64{1, 2}}, {Layout: []uint64{1, 2}}, {Layout: []uint64{1, 7}}, {}}
	weight := rarity(list)
	if a, b, c, d := weight(list[0]), weight(list[1]), weight(list[3]), weight(list[4]); a >= b || b >= c || d != 0 {
		t.Error(a, b, c, d)
	}
	s := draw(t, Spec{Kind: review.Rare, Notes: 20, Among: 200, Seed: "seed"})
	if len(s.items) == 0 || !strings.Contains(s.round.Design.Note, "no figures about all notes") {
		t.Errorf("%+v", s.round.Design)
	}
}

func TestQuarantine(t *testing.T) {
	t.Parallel()
	if s := draw(t, Spec{Kind: review.Quarantine, Notes: 2}); keysOf(s.items) != "7 14" {
		t.Errorf("%s", keysOf(s.items))
	}
}

func TestNothingToDraw(t *testing.T) {
	t.Parallel()
	s := &shelf{}
	if _, _, err := Draw(t.Context(), hospital{0}, s, Spec{Kind: review.Acceptance, Notes: 5}); !errors.Is(err, ErrEmpty) ||
		s.round.Name != "" {
		t.Error(err)
	}
}
