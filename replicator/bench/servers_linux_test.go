package bench

import (
	"testing"
	"time"
)

func TestParseStat(t *testing.T) {
	t.Parallel()
	const numbers = " S 41 42 42 0 -1 4194560 1 2 3 4 150 50 7 3 20 0 1 0 100 200 300"
	for _, name := range []string{"(postgres)", "(a) b)", "(()", "(postgres: note 1)"} {
		got, ok := parseStat("42 " + name + numbers)
		if want := (stat{42, 41, 2 * time.Second, 100 * time.Millisecond}); !ok || got != want {
			t.Errorf("%s: %+v, %t", name, got, ok)
		}
	}
	for _, line := range []string{"", "42", "42 (x", "42 (x) S 1", "x (x)" + numbers, "42 (x) S y 1 1 1 1 1 1 1 1 1 1 1 1 1"} {
		if got, ok := parseStat(line); ok {
			t.Errorf("%q: %+v", line, got)
		}
	}
}
