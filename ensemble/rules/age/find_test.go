package age_test

import (
	"os"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/rules/age"
	"github.com/pgdeid/pgdeid/ensemble/rules/rulestest"
)

func TestCases(t *testing.T) {
	t.Parallel()
	rulestest.Cases(t, age.Find)
}

func TestWords(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("words.txt")
	if err != nil {
		t.Fatal(err)
	}
	rulestest.Words(t, string(file))
}

func FuzzFind(f *testing.F) { rulestest.Fuzz(f, age.Find, phi.Age) }

func TestLong(t *testing.T) {
	t.Parallel()
	rulestest.Repeats(t, age.Find, "a 67-year-old, aged 45")
}

func TestOddTexts(t *testing.T) {
	t.Parallel()
	rulestest.Odd(t, age.Find, phi.Age)
}
