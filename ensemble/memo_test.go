package ensemble

import "testing"

type (
	firstKey  struct{}
	secondKey struct{ part int }
)

func TestMemoComputesOnce(t *testing.T) {
	t.Parallel()
	note, other, calls := &Note{Text: "a"}, &Note{Text: "b"}, 0
	compute := func() int { calls++; return calls }
	for _, c := range []struct {
		note *Note
		key  any
		want int
	}{
		{note, firstKey{}, 1},
		{note, firstKey{}, 1},
		{note, secondKey{1}, 2},
		{note, secondKey{2}, 3},
		{note, secondKey{1}, 2},
		{other, firstKey{}, 4},
		{note, firstKey{}, 1},
	} {
		if got := Memo(c.note, c.key, compute); got != c.want {
			t.Errorf("key %T: %d, want %d", c.key, got, c.want)
		}
	}
}
