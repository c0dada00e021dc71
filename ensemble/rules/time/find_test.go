package time_test

import (
	"os"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/rules/rulestest"
	"github.com/pgdeid/pgdeid/ensemble/rules/time"
)

func TestCases(t *testing.T) {
	t.Parallel()
	rulestest.Cases(t, time.Find)
}

func TestWords(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("words.txt")
	if err != nil {
		t.Fatal(err)
	}
	rulestest.Words(t, string(file))
}

func FuzzFind(f *testing.F) { rulestest.Fuzz(f, time.Find, phi.Time) }

func TestLong(t *testing.T) {
	t.Parallel()
	rulestest.Repeats(t, time.Find, "at 10:30 and by 0600")
}

func TestOddTexts(t *testing.T) {
	t.Parallel()
	rulestest.Odd(t, time.Find, phi.Time)
}
