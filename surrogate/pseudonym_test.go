package surrogate

import (
	"math"
	"math/rand/v2"
	"regexp"
	"testing"
)

func TestPermutationIsOne(t *testing.T) {
	p, err := newPermutation(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	for n := uint64(1); n < 300; n++ {
		seen := make([]bool, n)
		for x := range n {
			y := p.at(n, n, x)
			if y >= n || seen[y] {
				t.Fatalf("at: %d of [0, %d) gives %d, out of range or twice", x, n, y)
			}
			seen[y] = true
			if back := p.inverse(n, n, y); back != x {
				t.Fatalf("inverse of %d is %d, want %d", y, back, x)
			}
		}
	}
}

func TestRotationHasNoFixedPoint(t *testing.T) {
	p, _ := newPermutation(make([]byte, 32))
	for n := uint64(2); n < 300; n++ {
		seen := make([]bool, n)
		for x := range n {
			y := p.rotate(5, n, x, 0)
			if y == x || y >= n || seen[y] {
				t.Fatalf("%d of [0, %d) gives %d: itself, out of range or twice", x, n, y)
			}
			seen[y] = true
		}
		tries := make([]bool, n)
		for try := range n {
			tries[p.rotate(5, n, 0, try)] = true
		}
		for y, reached := range tries {
			if !reached {
				t.Fatalf("no try of [0, %d) reaches %d", n, y)
			}
		}
	}
}

func TestPseudonymIntRanges(t *testing.T) {
	k := testKey(t)
	rng := rand.New(rand.NewPCG(1, 2))
	values := []int64{0, 1, math.MaxInt32, math.MaxInt32 + 1, math.MaxInt64, -1, math.MinInt32, math.MinInt32 - 1, math.MinInt64}
	for range 2000 {
		values = append(values, rng.Int64(), -rng.Int64(), rng.Int64N(1<<31), rng.Int64N(1<<33))
	}
	class := func(v int64) int {
		switch {
		case v < math.MinInt32:
			return 0
		case v < 0:
			return 1
		case v <= math.MaxInt32:
			return 2
		default:
			return 3
		}
	}
	seen := map[int64]int64{}
	for _, v := range values {
		p := k.PseudonymInt("patient", v)
		if class(p) != class(v) {
			t.Errorf("%d leaves its range: %d", v, p)
		}
		if was, dup := seen[p]; dup && was != v {
			t.Errorf("%d and %d have one pseudonym", was, v)
		}
		seen[p] = v
		if k.PseudonymInt("patient", v) != p {
			t.Errorf("the pseudonym of %d changes", v)
		}
	}
}

func TestPseudonymIntIsInjective(t *testing.T) {
	k := testKey(t)
	seen := make(map[int64]bool, 50000)
	same := 0
	for v := range int64(50000) {
		p := k.PseudonymInt("encounter", v)
		if seen[p] {
			t.Fatalf("%d shares its pseudonym", v)
		}
		seen[p] = true
		if p == k.PseudonymInt("patient", v) {
			same++
		}
	}
	if same > 3 {
		t.Errorf("%d values have one pseudonym in two domains", same)
	}
}

func TestPseudonymText(t *testing.T) {
	k := testKey(t)
	form := regexp.MustCompile(`^[0-9a-z]{26}$`)
	seen := map[string]bool{}
	for _, domain := range []string{"patient", "provider"} {
		for _, v := range []string{"", "a", "A", "a ", "42", "ä"} {
			p := k.PseudonymText(domain, v)
			if !form.MatchString(p) || seen[p] {
				t.Errorf("%s %q: %q is of the wrong form or not new", domain, v, p)
			}
			seen[p] = true
		}
	}
}

func TestPseudonymUUID(t *testing.T) {
	k := testKey(t)
	u := k.PseudonymUUID("patient", [16]byte{1})
	if u[6]>>4 != 8 || u[8]>>6 != 2 {
		t.Errorf("%x is not of version 8", u)
	}
	if u == k.PseudonymUUID("patient", [16]byte{2}) || u == k.PseudonymUUID("visit", [16]byte{1}) {
		t.Error("two values or domains share a pseudonym")
	}
}

func TestPatientPseudonym(t *testing.T) {
	k := testKey(t)
	for key, form := range map[string]string{
		"42": `^\d{1,10}$`, "-3": `^-\d+$`, "007": `^[0-9a-z]{26}$`, "P-9": `^[0-9a-z]{26}$`,
		"6f1c1b1e-0000-4000-8000-000000000001": `^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`,
	} {
		if p := k.PatientPseudonym(key); !regexp.MustCompile(form).MatchString(p) {
			t.Errorf("%s becomes %q, want %s", key, p, form)
		}
	}
}
