package eval

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/pgdeid/pgdeid/ensemble/eval/score"
)

// WriteDetails prints what [Result.WriteTable] omits: Supplementary Table 4, all of i2b2's scores,
// kinds of note, and errors by category, note and kind of note. It quotes no text.
func (r Result) WriteDetails(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	writeTableS4(tw, r.TableS4)
	r.writeI2B2(tw)
	r.writeCategories(tw)
	r.writeI2B2Types(tw)
	writeSlices(tw, "kind (group C)", r.Kinds, nil)
	writeErrors(tw, r.Errors)
	return tw.Flush()
}

func writeTableS4(w io.Writer, t score.TableS4) {
	fmt.Fprintf(w, "\nwords (Supplementary Table 4)\ttype\tsupport\tprecision\tfalse positives\trecall\tfalse negatives\t\n")
	row := func(r score.RowS4) {
		fmt.Fprintf(w, "%s\t\t%d\t%.3f\t%d\t%.3f\t%d\t\n", r.Class, r.Support, r.Precision(), r.FalsePositives, r.Recall(), r.FalseNegatives)
	}
	row(t.All)
	for _, c := range t.Classes {
		row(c)
		for _, typ := range c.Types {
			fmt.Fprintf(w, "\t%s\t%d\t\t\t%.3f\t%d\t\n", typ.Type, typ.Support, typ.Recall(), typ.FalseNegatives)
		}
	}
}

func (r Result) writeI2B2(w io.Writer) {
	fmt.Fprintf(w, "\ni2b2 2014\tcompared\tprecision\trecall\tF1\tF1 95%%\tgold\tmissed\tfalse\t\n")
	for _, k := range score.Tracks() {
		for _, way := range score.Ways() {
			s := r.I2B2[k.String()][way.String()]
			fmt.Fprintf(w, "%s\t%s\t%.4f\t%.4f\t%.4f\t%s\t%d\t%d\t%d\t\n", k, way, s.Precision, s.Recall, s.F1, ci(s.F1CI), s.Gold, s.Missed(),
				s.False)
		}
	}
}

func (r Result) writeCategories(w io.Writer) {
	fmt.Fprintf(w, "\ni2b2 category\tprecision\trecall\tF1\ttokens\t\n")
	for _, name := range slices.Sorted(maps.Keys(r.Categories)) {
		s := r.Categories[name]
		fmt.Fprintf(w, "%s\t%.4f\t%.4f\t%.4f\t%d\t\n", name, s.Precision, s.Recall, s.F1, s.Gold)
	}
}

func (r Result) writeI2B2Types(w io.Writer) {
	fmt.Fprintf(w, "\ni2b2 type\tstrict precision\trecall\tF1\trelaxed F1\toverlap F1\ttokens F1\tbinary tokens recall\tgold\t\n")
	names := slices.SortedFunc(maps.Keys(r.I2B2Types), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.I2B2Types[b][score.Strict.String()].Gold, r.I2B2Types[a][score.Strict.String()].Gold), cmp.Compare(a, b))
	})
	for _, name := range names {
		of := func(w score.Way) score.Counts { return r.I2B2Types[name][w.String()] }
		s := of(score.Strict)
		fmt.Fprintf(w, "%s\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%d\t\n", name, s.Precision(), s.Recall(), s.F1(),
			of(score.Relaxed).F1(), of(score.Overlap).F1(), of(score.Tokens).F1(), of(score.BinaryTokens).Recall(), s.Gold)
	}
}

// mostKinds is the number of kinds of note in the main paper's Table 6.
const mostKinds = 14

func writeErrors(w io.Writer, e score.ErrorReport) {
	fmt.Fprintf(w, "\ncategory of error (Table 4)\terrors\tunique\tpartly found\tcontribution\tforms\t\n")
	for _, c := range e.Categories {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%.4f%%\t%s\t\n", c.Name, c.Errors, c.Unique, c.Partly, 100*c.Contribution, formsOf(c.Forms))
	}
	fmt.Fprintf(w, "\nerrors per note (Table 5)\tnotes\ttotal\tcumulative\tPII coverage\tcategories\t\n")
	for _, n := range e.PerNote {
		fmt.Fprintf(w, "%d\t%d\t%d\t%d\t%.4f\t%.2f\t\n", n.Errors, n.Notes, n.Total, n.Cumulative, n.Coverage, n.Types)
	}
	if len(e.Kinds) == 0 {
		return
	}
	fmt.Fprintf(w, "\nkind of note (Table 6)\terrors\tPII\tnotes with errors\tnotes\tfraction\t\n")
	for _, k := range e.Kinds[:min(len(e.Kinds), mostKinds)] {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%.2f\t\n", k.Name, k.Errors, k.Instances, k.WithErrors, k.Notes, k.Fraction)
	}
}

// formsOf lists forms by falling frequency: "5 capitalized, 1 initials".
func formsOf(forms map[string]int) string {
	names := slices.SortedFunc(maps.Keys(forms), func(a, b string) int {
		return cmp.Or(cmp.Compare(forms[b], forms[a]), cmp.Compare(a, b))
	})
	for i, name := range names {
		names[i] = fmt.Sprintf("%d %s", forms[name], name)
	}
	return strings.Join(names, ", ")
}
