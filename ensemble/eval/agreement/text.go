package agreement

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
)

// WriteTable prints an agreement: the four cells, the observed and expected agreement, and kappa,
// of all words and of each type.
func (r Report) WriteTable(w io.Writer) error {
	fmt.Fprintf(w, "%d documents, %d words; Cohen's kappa %.4f (observed %.4f, by chance %.4f)\n\n",
		r.Docs, r.Words.words(), r.Words.Kappa(), r.Words.Observed(), r.Words.Expected())
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(tw, "words\tkappa\tagreement on marked\tboth\tonly first\tonly second\tneither\t\n")
	row := func(name string, a Agreement) {
		fmt.Fprintf(tw, "%s\t%.4f\t%.4f\t%d\t%d\t%d\t%d\t\n", name, a.Kappa(), a.Marked(), a.Both, a.OnlyA, a.OnlyB, a.Neither)
	}
	row("PHI", r.Words)
	names := slices.SortedFunc(maps.Keys(r.Types), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.Types[a].Kappa(), r.Types[b].Kappa()), cmp.Compare(a, b))
	})
	for _, name := range names {
		row(name, r.Types[name])
	}
	return tw.Flush()
}
