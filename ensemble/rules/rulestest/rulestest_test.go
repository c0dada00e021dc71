package rulestest

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

func TestMarks(t *testing.T) {
	t.Parallel()
	const marked = "on ⟦3/5|DATE⟧ at ⟦9:00|TIME⟧"
	plain := unmark(marked)
	if plain != "on 3/5 at 9:00" {
		t.Fatal(plain)
	}
	if got := mark(plain, []phi.Span{{Start: 3, End: 6, Type: phi.Date}, {Start: 10, End: 14, Type: phi.Time}}); got != marked {
		t.Error(got)
	}
}
