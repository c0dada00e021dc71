// Package evaltest makes marked documents for tests of what is built on scores.
package evaltest

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/eval/score"
)

// Gold builds a document from text in which each ⟦words|TYPE⟧ is a span.
func Gold(t testing.TB, marked string) score.Document {
	t.Helper()
	text, spans := ensembletest.Unmark(t, marked)
	return score.Document{ID: "d", Text: text, Spans: score.Gold(spans)}
}

// PeerGold is "Ann Lee saw Dr. May in Salem." with id a: what the predictions of other tools in tests are for.
func PeerGold(t testing.TB) score.Document {
	t.Helper()
	doc := Gold(t, "⟦Ann Lee|PATIENT⟧ saw Dr. ⟦May|DOCTOR⟧ in ⟦Salem|CITY⟧.")
	doc.ID = "a"
	return doc
}
