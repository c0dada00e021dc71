package itest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/acceptance"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/export"
	"github.com/pgdeid/pgdeid/internal/review/report"
	"github.com/pgdeid/pgdeid/internal/review/store"
	"github.com/pgdeid/pgdeid/replicator/admin"
	"github.com/pgdeid/pgdeid/replicator/desk"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// roleTexts reads originals as the export does.
type roleTexts struct {
	desk *desk.Desk
	role string
}

func (r roleTexts) Text(ctx context.Context, it review.Item) (string, store.Outcome, error) {
	text, err := r.desk.Original(ctx, r.role, it)
	if errors.Is(err, review.ErrGone) {
		return "", store.Gone, nil
	}
	return text, store.Shown, err
}

// A round is read by a person who finds what was missed: the report counts it, and the export has the original with the mark.
func TestReviewReportAndExport(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t)).exactly(t)
	do(t, r.src, patients)
	do(t, r.src, `insert into ehr.note values (1, 1, null, 'new', 'Her nephew Grizzlewood drove.'), (2, 2, null, 'new', 'Zebulon slept.'),
		(3, 2, null, 'new', 'Dr. Vexterly came.')`)
	r.run(t, exactDetector(t))
	r.caughtUp(t)
	d := r.deskWith(t, exactDetector(t))
	located, err := d.Locate(t.Context(), "ehr.note", "body", [][]string{{"1"}, {"2"}, {"3"}}, false)
	if err != nil || len(located) != 3 {
		t.Fatalf("%v, %v", located, err)
	}
	var items []review.Item
	for _, l := range located {
		items = append(items, review.Item{Note: review.Note{Table: "ehr.note", Column: "body", Row: l.Note.Row}, Patient: l.Patient, Key: l.Key})
	}
	rounds := r.reviewStore(t)
	id, err := rounds.Draw(t.Context(), review.Round{Name: "spring", Kind: review.Acceptance, DrawnBy: "lee"}, items)
	if err != nil {
		t.Fatal(err)
	}
	finish := func(place int, text string, marks ...review.Mark) {
		t.Helper()
		if got, err := rounds.Next(t.Context(), id, "ann"); err != nil || got != place {
			t.Fatalf("note %d, %v", got, err)
		}
		err := rounds.Save(t.Context(), review.Reading{Round: id, Place: place, Reader: "ann", Text: rounds.TextHash(text), Marks: marks}, true)
		if err != nil {
			t.Fatal(err)
		}
	}
	finish(1, "Her nephew Grizzlewood drove.", review.Mark{Start: 11, End: 22, Type: "PATIENT", Verdict: review.Missed, Bearer: "hm"})
	finish(2, "Zebulon slept.")
	finish(3, "as it was before")
	testReviewReport(t, r)
	testReviewExport(t, r, d)
}

func testReviewReport(t *testing.T, r *replication) {
	t.Helper()
	in, err := admin.ReadRound(t.Context(), r.cfg, r.key, "spring")
	if err != nil {
		t.Fatal(err)
	}
	in.At = time.Now()
	rep, err := report.New(in)
	if err != nil || rep.Round.Read != 3 || rep.Estimate.Patients != 2 || rep.Estimate.Groups[0].Recall.Bad != 1 || len(rep.Published) != 1 ||
		rep.Published[0].Notes != 3 || rep.Published[0].Config == "" {
		t.Errorf("%+v, %v", rep, err)
	}
	for _, row := range slices.Concat(rep.Estimate.Origins, rep.Estimate.Sexes) {
		if missed := row.Name == "Hispanic" || row.Name == "men"; missed != (row.Recall.Bad == 1) || row.Recall.Items > 1 || !row.Few() {
			t.Errorf("%+v", row)
		}
	}
	if found := marksInVault(t, r, []string{"Hispanic", `"n":"hm"`}); len(found) > 0 || len(rep.Estimate.Origins) != len(review.Origins()) {
		t.Errorf("the group of a name is readable in %v; groups %+v", found, rep.Estimate.Origins)
	}
	err = admin.OpenVault(t.Context(), r.cfg, r.key, func(v *vault.Reader) error {
		_, _, texts, err := admin.IdentifiersPerNote(t.Context(), v, review.Note{Table: "ehr.note", Column: "body"}, acceptance.Class(phi.ClassName), 100)
		if texts != 3 {
			t.Errorf("identifiers were counted in %d notes, want 3", texts)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if _, err := admin.ReadRound(t.Context(), r.cfg, r.key, "autumn"); !errors.Is(err, store.ErrNoRound) {
		t.Errorf("no such round: %v", err)
	}
}

func testReviewExport(t *testing.T, r *replication, d *desk.Desk) {
	t.Helper()
	role := r.sourceRole(t, "exporter", "grant select on ehr.note to READER; alter table ehr.note enable row level security; create policy own on ehr.note using (note_id <> 2)")
	in, err := admin.ReadRound(t.Context(), r.cfg, r.key, "spring")
	if err != nil {
		t.Fatal(err)
	}
	e := &export.Export{Texts: roleTexts{d, role}, Vault: r.reviewStore(t), By: "kim"}
	var counts export.Counts
	var got []string
	for doc, err := range e.Documents(t.Context(), in, &counts) {
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range doc.Marks {
			got = append(got, fmt.Sprint(doc.ID, " ", m.Label, " ", doc.Text[m.Start:m.End]))
		}
	}
	if want := "spring-1 PATIENT Grizzlewood"; strings.Join(got, "; ") != want || counts != (export.Counts{Notes: 1, Patients: 1, Marks: 1, Changed: 1, Absent: 1}) {
		t.Errorf("%q, %+v", got, counts)
	}
	want(t, r.dst, "kim 1 shown, kim 2 gone, kim 3 shown", "select string_agg(reader || ' ' || place || ' ' || outcome, ', ' order by place) from deid.review_view")
}
