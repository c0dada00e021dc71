package date_test

import (
	"os"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/rules/date"
	"github.com/pgdeid/pgdeid/ensemble/rules/rulestest"
)

func TestCases(t *testing.T) {
	t.Parallel()
	rulestest.Cases(t, date.Find)
}

func TestWords(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("words.txt")
	if err != nil {
		t.Fatal(err)
	}
	rulestest.Words(t, string(file))
}

func FuzzFind(f *testing.F) { rulestest.Fuzz(f, date.Find, phi.Date) }

func TestLong(t *testing.T) {
	t.Parallel()
	rulestest.Repeats(t, date.Find, "seen 3/5/2014 and on Monday, in 1998 and `98 or '07")
}

func TestOddTexts(t *testing.T) {
	t.Parallel()
	rulestest.Odd(t, date.Find, phi.Date)
}
