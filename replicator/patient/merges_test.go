package patient

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// merged returns merges of pairs of ids, each from a row of its own.
func merged(pairs ...string) *Merges {
	m := &Merges{}
	for i, pair := range pairs {
		m.Set(map[MergeRow]Merge{{Filter: "f", Hash: fmt.Sprint(i)}: {From: pair[:1], Into: pair[1:]}})
	}
	return m
}

func TestIDsStandForOthers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		merges *Merges
		id     string
		want   string
		under  string
	}{
		{"none", &Merges{}, "a", "a", "[a]"},
		{"one", merged("ab"), "a", "b", "[a]"},
		{"of the survivor", merged("ab"), "b", "b", "[b a]"},
		{"a chain", merged("ab", "bc"), "a", "c", "[a]"},
		{"under a chain", merged("ab", "bc", "dc"), "c", "c", "[c b d a]"},
		{"said twice", merged("ab", "ab"), "a", "b", "[a]"},
		{"for two", merged("ab", "ac"), "a", "", "[a]"},
		{"beneath one for two", merged("ab", "ac", "da"), "d", "", "[d]"},
		{"a circle", merged("ab", "ba"), "a", "", "[a b]"},
		{"into a circle", merged("ab", "ba", "ca"), "c", "", "[c]"},
		{"for itself", merged("aa"), "a", "a", "[a]"},
		{"for nobody", merged("a"), "a", "a", "[a]"},
	} {
		if got := c.merges.Survivor(c.id); got != c.want {
			t.Errorf("%s: %s stands for %q, want %q", c.name, c.id, got, c.want)
		}
		if got := fmt.Sprint(c.merges.Under(c.id)); got != c.under {
			t.Errorf("%s: under %s are %s, want %s", c.name, c.id, got, c.under)
		}
	}
}

func TestMovesOfMerges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		merges *Merges
		row    string
		now    Merge
		want   []Move
	}{
		{"a merge", &Merges{}, "0", Merge{From: "a", Into: "b"}, []Move{{ID: "a", Was: "a", Now: "b"}}},
		{"the same again", merged("ab"), "0", Merge{From: "a", Into: "b"}, nil},
		{"another row says so", merged("ab"), "1", Merge{From: "a", Into: "b"}, nil},
		{"taken back", merged("ab"), "0", Merge{}, []Move{{ID: "a", Was: "b", Now: "a"}}},
		{"corrected", merged("ab"), "0", Merge{From: "a", Into: "c"}, []Move{{ID: "a", Was: "b", Now: "c"}}},
		{"of another id", merged("ab"), "0", Merge{From: "c", Into: "b"}, []Move{{ID: "a", Was: "b", Now: "a"}, {ID: "c", Was: "c", Now: "b"}}},
		{"contradicted", merged("ab"), "1", Merge{From: "a", Into: "c"}, []Move{{ID: "a", Was: "b", Now: ""}}},
		{"for itself", merged("ab"), "0", Merge{From: "a", Into: "a"}, []Move{{ID: "a", Was: "b", Now: "a"}}},
		{"for nobody", merged("ab"), "0", Merge{From: "a", Into: ""}, []Move{{ID: "a", Was: "b", Now: "a"}}},
	} {
		if got := c.merges.Set(map[MergeRow]Merge{{Filter: "f", Hash: c.row}: c.now}); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %d moves, want %d", c.name, len(got), len(c.want))
		}
	}
}

// Whatever rows come and go, each id that stands for another one than before is under an id that a
// move names, and moves say for whom it stood.
func TestMovesCoverAllThatChanges(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(5, 6))
	ids := []string{"a", "b", "c", "d", "e", "f"}
	for range 300 {
		m := &Merges{}
		for range 40 {
			before := map[string]string{}
			for _, id := range ids {
				before[id] = m.Survivor(id)
			}
			said := map[MergeRow]Merge{}
			for range 1 + rnd.IntN(3) {
				now := Merge{From: ids[rnd.IntN(len(ids))], Into: ids[rnd.IntN(len(ids))]}
				if rnd.IntN(3) == 0 {
					now = Merge{}
				}
				said[MergeRow{Filter: "f", Hash: fmt.Sprint(rnd.IntN(8))}] = now
			}
			moves := m.Set(said)
			var covered, left []string
			for _, move := range moves {
				covered, left = append(covered, m.Under(move.ID)...), append(left, move.Was)
			}
			for _, id := range ids {
				if now := m.Survivor(id); now != before[id] && (!slices.Contains(covered, id) || !slices.Contains(left, before[id])) {
					t.Fatalf("%s stood for %q and stands for %q, %d moves", id, before[id], now, len(moves))
				}
			}
		}
	}
}
