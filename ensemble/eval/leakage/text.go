package leakage

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/eval/score"
)

// Write prints what is left after replacement: groups, then the labels of group C by falling leak
// rate.
func (r *Report) Write(w io.Writer) {
	if r == nil {
		return
	}
	fmt.Fprintf(w, "\nafter replacement: in %d of %d documents a word of group C is left; %d were withheld by the check\n", r.Leaking,
		r.Docs, r.Withheld)
	fmt.Fprintf(w, "words of\tleft\t%%\tof\talso a surrogate\talso elsewhere\tentities left\tpartly left\tof\treadable elsewhere\t\n")
	row := func(name string, l Leaks) {
		fmt.Fprintf(w, "%s\t%d\t%.3f\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", name, l.Survived, 100*l.Rate(), l.Words, l.AsSurrogate, l.Elsewhere,
			l.Whole, l.Partly, l.Entities, l.Read)
	}
	for g := score.A; g <= score.C; g++ {
		row("group "+g.String(), r.Groups[g.String()])
	}
	labels := slices.SortedFunc(maps.Keys(r.Types), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.Types[b].Survived, r.Types[a].Survived), cmp.Compare(a, b))
	})
	for _, label := range labels {
		row(label, r.Types[label])
	}
}
