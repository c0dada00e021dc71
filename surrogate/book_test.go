package surrogate

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/record"
)

// Very long values and values that do not fit their role get a surrogate or an error, without
// exhausting the search.
func TestLongValues(t *testing.T) {
	roles := []record.Role{
		record.NameFirst, record.NameFull, record.MRN, record.Phone, record.Email, "street", "city", "zip", "facility",
		record.Username,
	}
	for _, value := range []string{
		"write to " + strings.Repeat("abcdefgh", 1000) + "@" + strings.Repeat("hgfedcba", 1000) + ".com today", strings.Repeat("31415", 3000),
		strings.Repeat("12345 ", 600), strings.Repeat("z", 9000),
	} {
		for _, role := range roles {
			b := testMaker(t, Options{}).Patient("1", record.NewGazetteer(record.Record{role: {value}}), nil, -100)
			out, entries, err := b.Value(role, value)
			if err == nil && (out == value || len(entries) == 0) {
				t.Errorf("%s of %d bytes stays", role, len(value))
			}
		}
	}
}

func TestTriesAreBoundedByTheirCost(t *testing.T) {
	for length, want := range map[int]int{0: maxTries, 1000: maxTries, 16 << 10: 255, 1 << 20: minTries} {
		if got := triesFor(strings.Repeat("x", length)); got != want {
			t.Errorf("%d bytes: %d tries, want %d", length, got, want)
		}
	}
}

// A panic during replacement leaves the book unchanged.
func TestPanicLeavesTheBook(t *testing.T) {
	b := testMaker(t, Options{}).Patient("1", nil, nil, -100)
	func() {
		defer func() { _ = recover() }()
		w := &work{Book: b}
		defer w.discard()
		w.find(kindName, "smith", func(*choices, int) string { return "Hamilton" })
		panic("broken")
	}()
	if len(b.known) != 0 || len(b.taken) != 0 {
		t.Errorf("%d surrogates are known, %d taken", len(b.known), len(b.taken))
	}
}
