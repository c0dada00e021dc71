package stacking

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
)

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

const small = `{"format":1,"members":["patterns"],"threshold":0.5,"admit":0.9,"recall_floor":0.9,
"curve":[{"threshold":0,"kept":1,"dropped":0},{"threshold":0.5,"kept":0.9,"dropped":0.8}],"bias":0.5,
"trees":[{"if":"word length","below":4,"then":{"add":-1},"else":{"if":"by patterns","below":0.5,"then":{"add":-2},"else":{"add":3}}}]}`

func TestParseRefuses(t *testing.T) {
	if _, err := parse([]byte(small)); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ old, with, want string }{
		{`"format":1`, `"format":2`, "format is 2"},
		{`["patterns"]`, `[]`, "members"},
		{`"threshold":0.5,"admit`, `"threshold":1.5,"admit`, "threshold"},
		{`"admit":0.9`, `"admit":0`, "admit"},
		{`{"threshold":0.5,"kept"`, `{"threshold":0,"kept"`, "curve[1]"},
		{`"by patterns"`, `"by unknown"`, `unknown column "by unknown"`},
		{`"then":{"add":-2},`, ``, "want then and else"},
		{`{"add":-1}`, `{"add":-1,"then":{"add":1}}`, "no column"},
		{`"bias"`, `"vias"`, "unknown field"},
	} {
		_, err := parse([]byte(strings.Replace(small, tt.old, tt.with, 1)))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.with, err, tt.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(small))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := parse(data)
		if err != nil {
			return
		}
		e, err := ensemble.New(ensemble.Options{Detectors: []string{"patterns"}})
		if err != nil {
			t.Fatal(err)
		}
		b, err := e.Vote(t.Context(), &ensemble.Note{Text: "Seen on 4/27/2004."})
		if err != nil {
			t.Fatal(err)
		}
		s := stacker{model: m, threshold: m.data.Threshold}
		if got := s.Keep(b.Candidates()); len(got) != len(b.Candidates().Spans) {
			t.Errorf("%d answers", len(got))
		}
	})
}

// Every column has a unique name, and every row a value for each.
func TestColumns(t *testing.T) {
	e, err := ensemble.New(ensemble.Options{})
	if err != nil {
		t.Fatal(err)
	}
	names := columns(e.Names(e.Members()))
	seen := map[string]bool{}
	for _, n := range names {
		if seen[n] {
			t.Errorf("column %q is there twice", n)
		}
		seen[n] = true
	}
	b, err := e.Vote(t.Context(), &ensemble.Note{Text: "Seen by Dr. Ann Lee in Flint, MI. Lee agrees."})
	if err != nil {
		t.Fatal(err)
	}
	c := b.Candidates()
	d := newDescriber(c, slots(c.Members, c.Members), len(c.Members))
	for _, s := range c.Spans {
		from, to := tokensOf(c.View, s)
		for i := from; i < to; i++ {
			row := d.describe(s, votesOn(c, s), from, to, i)
			if len(row) != len(names) {
				t.Fatalf("%d values for %d columns", len(row), len(names))
			}
			for k, v := range row {
				if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
					t.Errorf("%s is %v", names[k], v)
				}
			}
		}
	}
}

// Boosting learns what no single split can: exclusive or.
func TestBoost(t *testing.T) {
	var rows [][]float32
	var y []float32
	for i := range 400 {
		a, b := float32(i%2), float32(i/2%2)
		rows = append(rows, []float32{a, b, float32(i % 7)})
		want := float32(0)
		if a != b || i%100 == 0 {
			want = 1
		}
		y = append(y, want)
	}
	names := []string{"a", "b", "c"}
	use := make([]int32, len(rows))
	for i := range use {
		use[i] = int32(i)
	}
	trees, bias, err := boost(t.Context(), bin(rows, y), use, names, BoostOptions{Trees: 40, Columns: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	f, err := plant(trees, map[string]int{"a": 0, "b": 1, "c": 2})
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range rows {
		if p := probability(bias + f.score(r)); (p > 0.5) != (r[0] != r[1]) {
			t.Fatalf("row %d: %.3f", i, p)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := boost(ctx, bin(rows, y), use, names, BoostOptions{}, nil); err == nil {
		t.Error("a cancelled training goes on")
	}
}

// Values on either side of a cut are in different bins.
func TestBins(t *testing.T) {
	var rows [][]float32
	for i := range 1000 {
		rows = append(rows, []float32{float32(i%3) - 1, float32(i) / 7, float32(math.Sqrt(float64(i)))})
	}
	table := bin(rows, make([]float32, len(rows)))
	for c, cuts := range table.cuts {
		if len(cuts) == 0 || len(cuts) >= maxBins {
			t.Errorf("column %d has %d cuts", c, len(cuts))
		}
		for i, r := range rows {
			for b, cut := range cuts {
				if (r[c] < cut) != (int(table.bins[c][i]) <= b) {
					t.Fatalf("value %v is in bin %d, cut %d is %v", r[c], table.bins[c][i], b, cut)
				}
			}
		}
	}
}

func TestCurve(t *testing.T) {
	got := curve([]float64{0.01, 0.4, 0.6, 0.95, 0}, []float32{0, 1, 0, 1, 1}, []bool{true, true, true, true, false})
	for _, p := range got {
		wantKept, wantDropped := 1.0, 0.0
		if p.Threshold > 0.4 {
			wantKept = 0.5
		}
		if p.Threshold > 0.01 {
			wantDropped = 0.5
		}
		if p.Threshold > 0.6 {
			wantDropped = 1
		}
		if p.Kept != wantKept || p.Dropped != wantDropped {
			t.Errorf("%+v", p)
		}
	}
}
