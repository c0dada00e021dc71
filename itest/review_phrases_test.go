package itest

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/store"
	"github.com/pgdeid/pgdeid/replicator/admin"
)

// The site's phrases are sealed and versioned, and reprocess brings notes up to date with them: what is always PHI goes, what
// never is stays, but for what the patient's record knows.
func TestSitePhrases(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t)).exactly(t)
	do(t, r.src, patients)
	do(t, r.src, `insert into ehr.note values (1, 2, null, 'new', 'Back on the Rookery.'), (2, 1, null, 'new', 'By the Quarkstein protocol.')`)
	plain, err := ensemble.Default()
	if err != nil {
		t.Fatal(err)
	}
	stop := r.run(t, plain)
	r.caughtUp(t)
	stop.stop(t)
	if got := r.body(t, 1); !strings.Contains(got, "Rookery") {
		t.Fatalf("%q: the ward was found without help", got)
	}
	testStoredPhrases(t, r)
	phrases, _, err := admin.ReadPhrases(t.Context(), r.cfg, r.key)
	if err != nil {
		t.Fatal(err)
	}
	list, err := review.SiteList(phrases)
	if err != nil {
		t.Fatal(err)
	}
	with, err := plain.WithSite(list)
	if err != nil {
		t.Fatal(err)
	}
	o, _ := r.options(t, with)
	o.Models += " site " + list.Digest()
	res, err := admin.Reprocess{}.Run(t.Context(), o, nil)
	if err != nil || res.Read != 2 || res.Changed != 1 {
		t.Errorf("%+v, %v", res, err)
	}
	if got := r.body(t, 1); strings.Contains(got, "Rookery") {
		t.Errorf("%q after reprocess", got)
	}
	if got := r.body(t, 2); strings.Contains(got, "Quarkstein") {
		t.Errorf("%q: a phrase took away what the record knows", got)
	}
}

func testStoredPhrases(t *testing.T, r *replication) {
	t.Helper()
	change := func(c store.PhraseChange) store.PhraseResult {
		t.Helper()
		c.By = "kim"
		res, err := admin.ChangePhrases(t.Context(), r.cfg, r.key, c)
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	rookery := review.Phrase{Text: "The Rookery", Type: "HOSPITAL", By: "kim", Sample: review.Measured{Found: 3, PHI: 3, Rounds: []string{"spring"}}}
	protocol := review.Phrase{Text: "Quarkstein protocol", Type: review.Never, By: "kim"}
	change(store.PhraseChange{Add: []review.Phrase{rookery, {Text: "Mill Row", Type: "CITY"}}})
	rookery.Text = "the rookery" // the same phrase
	if res := change(store.PhraseChange{Add: []review.Phrase{rookery, protocol}, Retire: []string{"mill-row"}}); res != (store.PhraseResult{Version: 2, Added: 2, Retired: 1}) {
		t.Errorf("%+v", res)
	}
	got, version, err := admin.ReadPhrases(t.Context(), r.cfg, r.key)
	if err != nil || version != 2 || len(got) != 2 {
		t.Fatalf("%d phrases, version %d, %v", len(got), version, err)
	}
	if got[0].Type == review.Never {
		got[0], got[1] = got[1], got[0]
	}
	if diff := cmp.Diff([]review.Phrase{rookery, protocol}, got); diff != "" {
		t.Error(diff)
	}
	if _, err := admin.ChangePhrases(t.Context(), r.cfg, r.key, store.PhraseChange{Retire: []string{"Mill Row"}, By: "kim"}); !errors.Is(err, store.ErrNoPhrase) {
		t.Errorf("taken off twice: %v", err)
	}
	want(t, r.dst, "2 4 2", `select concat_ws(' ', (select max(version) from deid.site_version), count(*), count(*) filter (where retired is not null)) from deid.site_phrase`)
	all := one(t, r.dst, "select string_agg(x::text || encode(sealed, 'escape'), ' ') from deid.site_phrase x")
	if strings.Contains(strings.ToLower(all), "rookery") || strings.Contains(all, "HOSPITAL") {
		t.Error("a phrase is open in the vault")
	}
}
