package template_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/template"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// madeTemplates returns n templates that begin, go on and end as signatures, headings and
// phrases do, all of them different.
func madeTemplates(b *testing.B, n int) []*template.Template {
	b.Helper()
	rng := rand.New(rand.NewPCG(3, 4))
	words := strings.Fields(`seen by signed with the for on at from called Dr. Patient Ordering provider note copy to in He takes
		lives Return a history of was Since March temperature labs Sodium ASSESSMENT AND PLAN`)
	slots := strings.Fields("<DOCTOR_W> <DOCTOR_W,_W> <PATIENT_W_W> <DATE_N/N/N> <PHONE_N-N-N> <IDNUM_A> <CITY_W>")
	var list []*template.Template
	seen := map[string]bool{}
	for len(list) < n {
		var parts []string
		for range 2 + rng.IntN(6) {
			if rng.IntN(3) == 0 {
				parts = append(parts, strings.ReplaceAll(slots[rng.IntN(len(slots))], "_", " "))
			} else {
				parts = append(parts, words[rng.IntN(len(words))])
			}
		}
		parts = append(parts, "when", "<DATE N/N>")
		s := strings.Join(parts, " ")
		if seen[s] {
			continue
		}
		seen[s] = true
		tm, err := template.Parse(s)
		if err != nil {
			b.Fatal(err)
		}
		list = append(list, tm)
	}
	return list
}

// The cost of the templates on a note whose tokens and sentences are known already, as
// they are among the members of an ensemble.
func BenchmarkFind(b *testing.B) {
	for _, n := range []int{10, 1000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			set := template.NewSet(madeTemplates(b, n))
			v := text.NewView(ensembletest.BenchNote)
			v.Sentences()
			b.SetBytes(int64(len(ensembletest.BenchNote)))
			b.ReportAllocs()
			var dst []phi.Span
			for b.Loop() {
				spans, err := set.Find(b.Context(), v, dst[:0])
				if err != nil {
					b.Fatal(err)
				}
				dst = spans
			}
		})
	}
}

func BenchmarkNewSet(b *testing.B) {
	const n = 10_000
	list := madeTemplates(b, n)
	for b.Loop() {
		if set := template.NewSet(list); set.Len() < n*9/10 {
			b.Fatalf("%d templates", set.Len())
		}
	}
}
