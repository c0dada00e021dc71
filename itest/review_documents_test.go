package itest

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/document"
	"github.com/pgdeid/pgdeid/internal/review"
)

// shownSurrogates returns what of a published note is shown as surrogates.
func shownSurrogates(v *review.View) []string {
	var list []string
	for _, s := range v.Shown {
		list = append(list, string([]rune(v.Published)[s.Start:s.End]))
	}
	return list
}

// Documents are shown as a person reads them, their surrogates are marked, and what is decided about a place of the text is
// repaired in the document.
func TestReviewOfDocuments(t *testing.T) {
	t.Parallel()
	r := newReplicationOf(t, newPair(t), ward+letterTable, wardTables+letterMapping).exactly(t)
	do(t, r.src, patients)
	docs := letter(t, "Zebulon", "Quarkstein")
	for column, doc := range docs {
		docs[column] = strings.Replace(doc, "ate", "Grizzlewood", 1) // in all that are not encoded
	}
	docs["rtf"] = strings.Replace(docs["rtf"], "Grizzlewood", `Grizzle{\b wo}od`, 1)
	r.writeLetter(t, 1, 1, docs)
	running := r.run(t, exactDetector(t))
	r.caughtUp(t)
	running.stop(t)
	role := r.sourceRole(t, "reader", "grant select on ehr.letter to READER")
	d := r.deskWith(t, exactDetector(t))
	family := one(t, r.dst, "select family from ehr.patient where patient_id = $1::text::int", r.patient(1))
	before := map[string]string{}
	for _, column := range slices.Sorted(maps.Keys(docs)) {
		at := review.Item{Note: review.Note{Table: "ehr.letter", Column: column, Row: `["1"]`}, Key: []string{"1"}}
		v, err := d.View(t.Context(), role, at)
		if err != nil || v.Absent || v.Aside != "" {
			t.Fatalf("%s: %v, %v", column, v, err)
		}
		for _, markup := range []string{"</", `\par`, "|ORU", `"mrn"`, "&#"} {
			if strings.Contains(v.Text+v.Published, markup) && (markup != "</" || letterForms[column].Format != document.JSON) { // a text of JSON is as it is
				t.Errorf("%s: %q is shown", column, markup)
			}
		}
		if got := strings.Join(shownSurrogates(&v), " "); !strings.Contains(got, family) || len(marksInText(v.Published, letterNames)) > 0 {
			t.Errorf("%s: surrogates %q in %q", column, got, v.Published)
		}
		if !strings.Contains(v.Text, "Grizzlewood") {
			continue
		}
		before[column] = r.letter(t, 1, column)
		person := &repairing{d, t, role, at}
		if _, err := person.repair("ann", v.Text, "Grizzlewood", "PATIENT", review.Missed, ""); err != nil {
			t.Fatalf("%s: %v", column, err)
		}
	}
	if len(before) < 5 {
		t.Fatalf("%d documents have the word", len(before))
	}
	r.reprocessed(t)
	for column, was := range before {
		got := r.letter(t, 1, column)
		if column == "rtf" {
			was = strings.Replace(was, `Grizzle{\b wo}od`, "Grizzlewood", 1)
		}
		head, tail, _ := strings.Cut(was, "Grizzlewood")
		if strings.Contains(got, "Grizzle") || !strings.HasPrefix(got, head) || column != "rtf" && !strings.HasSuffix(got, tail) {
			t.Errorf("%s: %s\nbefore: %s", column, got, was)
		}
	}
	want(t, r.dst, "0", "select count(*) from deid.review_repair where void")
}

// A note of many rows is shown as one text, and a word that goes over the end of a row is repaired in both.
func TestReviewOfLines(t *testing.T) {
	t.Parallel()
	r := newLines(t)
	do(t, r.src, `insert into ehr.line values (1, 1, '2021-02-03', 'Seen by Thebulon'), (1, 2, null, 'Marksman and Grizzlewood'), (1, 10, null, null),
			(1, 9.5, null, 'Vexterly today'), (2, 1, null, 'Grizzlewood');
		insert into ehr.piece values ('1', 'a', 1, 1, 'Mr. Marksman'), ('2', 'a', 1, 1, ' saw Grizzle'), ('3', 'a', 1, 1, 'wood today')`)
	running := r.run(t, exactDetector(t))
	r.caughtUp(t)
	running.stop(t)
	role := r.sourceRole(t, "reader", "grant select on ehr.line, ehr.piece to READER")
	d := r.deskWith(t, exactDetector(t))
	for table, tt := range map[string]struct {
		key          []string
		text, missed string
	}{
		"ehr.line":  {[]string{"1"}, "Seen by Thebulon\nMarksman and Grizzlewood\nVexterly today", "Grizzlewood\nVexterly"},
		"ehr.piece": {[]string{"a", "1"}, "Mr. Marksman saw Grizzlewood today", "Grizzlewood"},
	} {
		at := review.Item{Note: review.Note{Table: table, Column: "body", Row: `["` + table + `"]`}, Key: tt.key}
		v, err := d.View(t.Context(), role, at)
		shown := strings.Fields(strings.Join(shownSurrogates(&v), " "))
		if err != nil || v.Text != tt.text || len(shown) == 0 || slices.ContainsFunc(shown, func(word string) bool {
			return slices.Contains([]string{"Seen", "by", "and", "saw", "today"}, word)
		}) {
			t.Fatalf("%s: %q, %q, %v", table, v.Text, shown, err)
		}
		person := &repairing{d, t, role, at}
		if _, err := person.repair("ann", v.Text, tt.missed, "PATIENT", review.Missed, ""); err != nil {
			t.Fatalf("%s: %v", table, err)
		}
		was := len(v.Shown)
		r.reprocessed(t)
		v, err = d.View(t.Context(), role, at)
		if err != nil || strings.Contains(v.Published, "Grizzle") || strings.Contains(v.Published, "Vexterly") ||
			!strings.HasSuffix(v.Published, "today") || len(v.Shown) <= was {
			t.Errorf("%s: %q, %q, %v", table, v.Published, shownSurrogates(&v), err)
		}
	}
	if other := strings.Join(r.lineNote(t, 2), ""); other != "Grizzlewood" {
		t.Errorf("another note: %q", other)
	}
}
