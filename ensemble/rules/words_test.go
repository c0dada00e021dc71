package rules_test

import (
	"os"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/rules/rulestest"
)

// Every package's words name their source and licence, and are sorted and unique.
func TestWords(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"address", "age", "date", "ident", "label", "net", "phone", "time"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file, err := os.ReadFile(name + "/words.txt")
			if err != nil {
				t.Fatal(err)
			}
			rulestest.Words(t, string(file))
		})
	}
}
