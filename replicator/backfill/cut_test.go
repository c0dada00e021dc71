package backfill

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestPatientsAreGatheredIntoParts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		rows  [][3]any // id, patient, rows
		alone int64
		want  string
	}{
		{"nobody", nil, 0, ""},
		{"nobody, and rows of nobody", nil, 3, "alone 3"},
		{"one", [][3]any{{"1", "1", 4}}, 0, "1: 4"},
		{"few in one part", [][3]any{{"1", "1", 4}, {"2", "2", 5}}, 0, "1 2: 9"},
		{"a part is full", [][3]any{{"1", "1", 4}, {"2", "2", 6}, {"3", "3", 1}}, 2, "1 2: 10; 3: 1; alone 2"},
		{"a patient with many rows is not divided", [][3]any{{"1", "1", 400}, {"2", "2", 400}}, 0, "1: 400; 2: 400"},
		{"ids of one patient stay together", [][3]any{{"1", "9", 9}, {"2", "2", 9}, {"9", "9", 1}}, 0, "1 9: 10; 2: 9"},
		{"ids in two forms", [][3]any{{"7", "7", 9}, {"8", "8", 2}, {"007", "7", 2}}, 0, "7 007: 11; 8: 2"},
		{"ids of nobody in particular", [][3]any{{"x", "", 10}, {"y", "", 10}}, 0, "x: 10; y: 10"},
		{"an id that is named as another patient", [][3]any{{"x", "", 10}, {"1", "x", 10}}, 0, "x: 10; 1: 10"},
	} {
		var p Patients
		for _, row := range c.rows {
			p.Add(row[0].(string), row[1].(string), int64(row[2].(int)))
		}
		var got []string
		for _, part := range p.Parts(10, c.alone) {
			if part.Alone {
				got = append(got, fmt.Sprint("alone ", part.Rows))
				continue
			}
			got = append(got, fmt.Sprintf("%s: %d", strings.Join(part.Patients, " "), part.Rows))
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s: %q, want %q", c.name, text, c.want)
		}
	}
}

// Each id is in one part, with the others that stand for the same patient, and no row is lost.
func TestPartsHaveEachPatientOnce(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(1, 2)) // #nosec G404 -- a test
	for range 200 {
		var p Patients
		owner, total := map[string]string{}, int64(0)
		for n := range rnd.IntN(300) {
			id, patient, rows := fmt.Sprint(n), fmt.Sprint(rnd.IntN(1+n)), int64(rnd.IntN(40))
			owner[id] = patient
			total += rows
			p.Add(id, patient, rows)
		}
		size := int64(1 + rnd.IntN(100))
		parts := p.Parts(size, 0)
		at := map[string]int{}
		for i, part := range parts {
			if part.Rows < size && i < len(parts)-1 {
				t.Fatalf("part %d of %d has %d rows, want %d", i, len(parts), part.Rows, size)
			}
			total -= part.Rows
			for _, id := range part.Patients {
				if before, ok := at[owner[id]]; ok && before != i {
					t.Fatalf("patient %s is in parts %d and %d", owner[id], before, i)
				}
				at[owner[id]] = i
			}
		}
		var ids []string
		for _, part := range parts {
			ids = append(ids, part.Patients...)
		}
		slices.Sort(ids)
		if len(slices.Compact(ids)) != len(owner) || total != 0 {
			t.Fatalf("%d of %d ids, %d rows are lost", len(ids), len(owner), total)
		}
	}
}

func TestPartsBetweenKeys(t *testing.T) {
	t.Parallel()
	if got := Between(nil, 10); len(got) != 1 || got[0].After != nil || got[0].Until != nil {
		t.Errorf("a small table: %d parts", len(got))
	}
	got := Between([][]string{{"a", "1"}, {"b", "2"}}, 10)
	if len(got) != 3 || got[0].After != nil || !slices.Equal(got[0].Until, []string{"a", "1"}) || !slices.Equal(got[1].After, []string{"a", "1"}) ||
		!slices.Equal(got[1].Until, []string{"b", "2"}) || !slices.Equal(got[2].After, []string{"b", "2"}) || got[2].Until != nil {
		t.Errorf("%d parts, which do not follow each other", len(got))
	}
	if got[0].Rows != 10 || got[2].Rows != 0 {
		t.Error("rows that were counted, or not, are not said")
	}
}

// What holds keys of the source prints itself redacted.
func TestPartsPrintRedacted(t *testing.T) {
	t.Parallel()
	const secret = "Zorvakian"
	var p Patients
	p.Add(secret, secret, 3)
	for _, v := range []any{&p, p.Parts(1, 0)[0], &Chunk{Part: p.Parts(1, 0)[0].Part, After: []string{secret}}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
			if text := fmt.Sprintf(verb, v); strings.Contains(text, secret) {
				t.Errorf("%T with %s: %s", v, verb, text)
			}
		}
		var b strings.Builder
		slog.New(slog.NewJSONHandler(&b, nil)).Info("x", "v", v)
		if strings.Contains(b.String(), secret) {
			t.Errorf("%T in a log: %s", v, b.String())
		}
	}
}
