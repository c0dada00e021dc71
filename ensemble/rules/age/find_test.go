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
	for _, s := range []string{
		"", " ", "\n", "3", "/", "3/", "/5", "3/5/", "'", "'9", "May", "May ", "67-", "at", "12:", "12:3", "\u200b3/5", "3\u200b/5/2014", "Q", "Q1",
		"١٢/١٢/٢٠١٢", "１２：３０", "67\n-year\n-old", "the", "New Year'", "St.", "d\u0301ec 5", "5 of", "day of", "0s", "1980's", "12 p.", "nineteen", "-", "--",
	} {
		rulestest.Invariants(t, age.Find, s, phi.Age)
	}
}
