package eval

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/eval/score"
)

// WriteTable prints a result. Up to show misses and false alarms, the most frequent first, are
// printed with their context: only for made-up data.
func (r Result) WriteTable(w io.Writer, show int) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	r.writeHead(tw)
	r.writeGroups(tw)
	r.writeClasses(tw)
	r.writeTypes(tw)
	writeRecord(tw, r.Record)
	writeSlices(tw, "names of", r.NameGroup, r.GroupSpread)
	writeSlices(tw, "names by gender", r.Genders, r.GenderSpread)
	writeAblation(tw, r.Ablation)
	r.Leakage.Write(tw)
	if err := tw.Flush(); err != nil {
		return err
	}
	if show > 0 {
		writeCases(w, "missed", r.Misses, show)
		writeCases(w, "false alarms", r.Alarms, show)
	}
	return nil
}

func (r Result) writeHead(w io.Writer) {
	fmt.Fprintf(w, "%d documents, %d words, %.1f MB; %d without a miss of group C; %.3f%% of ordinary words scrubbed\n",
		r.Docs, r.Words, float64(r.Bytes)/1e6, r.Perfect, 100*r.Overscrub)
	if e := r.Errors; e.Missed > 0 {
		fmt.Fprintf(w, "%d of %d instances of PII in group C missed whole or in part, in %d documents\n", e.Missed, e.Instances, e.Notes)
	}
	if r.Elapsed > 0 {
		perSecond := float64(r.Docs) / r.Elapsed.Seconds()
		fmt.Fprintf(w, "detection: %.0f documents and %.2f MB per second per core (%s)\n",
			perSecond, float64(r.Bytes)/1e6/r.Elapsed.Seconds(), r.Elapsed.Round(time.Millisecond))
	}
	for _, remark := range r.Remarks {
		fmt.Fprintln(w, remark)
	}
	if len(r.Unmarked) > 0 {
		fmt.Fprintf(w, "not marked in this gold, so predictions of them are not judged: %s\n", strings.Join(r.Unmarked, ", "))
	}
}

func (r Result) writeGroups(w io.Writer) {
	fmt.Fprintf(w, "\ngroup\tprecision\t95%%\trecall\t95%%\tF1\twords\tmissed\tfalse\t\n")
	for g := score.A; g < score.NumGroups; g++ {
		s := r.Groups[g.String()]
		fmt.Fprintf(w, "%s\t%.4f\t%s\t%.4f\t%s\t%.4f\t%d\t%d\t%d\t\n", g, s.Precision, ci(s.PrecisionCI), s.Recall, ci(s.RecallCI),
			s.F1, s.Gold, s.Gold-s.Found, s.False)
	}
	for _, e := range []struct {
		name string
		score.Rates
	}{
		{"strict entities", r.Strict},
		{"relaxed entities", r.Relaxed},
		{"overlap of entities", r.Overlap},
		{"HIPAA tokens", r.I2B2[score.HIPAA.String()][score.BinaryTokens.String()]},
	} {
		fmt.Fprintf(w, "%s\t%.4f\t%s\t%.4f\t%s\t%.4f\t%d\t%d\t%d\t\n", e.name, e.Precision, ci(e.PrecisionCI), e.Recall, ci(e.RecallCI),
			e.F1, e.Gold, e.Missed(), e.False)
	}
}

// ci prints an interval, or nothing if there is none.
func ci(limits [2]float64) string {
	if limits == [2]float64{} {
		return ""
	}
	return fmt.Sprintf("%.3f-%.3f", limits[0], limits[1])
}

func (r Result) writeClasses(w io.Writer) {
	fmt.Fprintf(w, "\nclass\tprecision\trecall\tF1\twords\tmissed\tfalse\tstrict F1\t\n")
	for c := score.Class(0); c < score.NumClasses; c++ {
		s, ok := r.Classes[c.String()]
		if !ok {
			continue
		}
		fmt.Fprintf(w, "%s\t%.4f\t%.4f\t%.4f\t%d\t%d\t%d\t%.4f\t\n", c, s.Precision, s.Recall, s.F1, s.Gold, s.Gold-s.Found, s.False,
			r.Entities[c.String()].F1)
	}
}

func (r Result) writeTypes(w io.Writer) {
	fmt.Fprintf(w, "\ntype\tclass\trecall\tright class\twords\tmissed\tprecision\tfalse\t\n")
	for _, l := range r.Labels() {
		t := r.Types[l]
		recall, precision := "\t\t\t\t", "\t\t"
		if t.Gold > 0 {
			recall = fmt.Sprintf("%.4f\t%.4f\t%d\t%d\t", t.Recall(), t.Right(), t.Gold, t.Missed())
		}
		if t.Predicted > 0 {
			precision = fmt.Sprintf("%.4f\t%d\t", t.Precision(), t.False)
		}
		fmt.Fprintf(w, "%s\t%s\t%s%s\n", l, t.Class, recall, precision)
	}
}

// write prints the scores of what is in the patients' records and of everything else.
func writeRecord(w io.Writer, r *score.RecordReport) {
	if r == nil {
		return
	}
	fmt.Fprintf(w, "\n%d documents with a record; identifiers of it that survive: %d, in %d documents\n", r.Docs, r.Survivors, r.SurvivorDocs)
	fmt.Fprintf(w, "type\tin the record\twords\tmissed\tnot in the record\twords\tmissed\t\n")
	for _, l := range r.Labels() {
		fmt.Fprintf(w, "%s\t%s%s\n", l, shareCells(r.Types[l].In), shareCells(r.Types[l].Out))
	}
	fmt.Fprintf(w, "all\t%s%s\n", shareCells(r.In), shareCells(r.Out))
}

func shareCells(s score.Share) string {
	if s.Gold == 0 {
		return "\t\t\t"
	}
	return fmt.Sprintf("%.4f\t%d\t%d\t", s.Recall(), s.Gold, s.Missed())
}

func writeSlices(w io.Writer, title string, list []score.Slice, spread *score.Spread) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\trecall\t95%%\tprecision\twords\tmissed\tdocuments\t\n", title)
	for _, s := range list {
		precision := ""
		if s.Predicted > 0 {
			precision = fmt.Sprintf("%.4f", s.Precision())
		}
		fmt.Fprintf(w, "%s\t%.4f\t%s\t%s\t%d\t%d\t%d\t\n", s.Name, s.Recall(), ci(s.RecallCI), precision, s.Gold, s.Missed(), s.Docs)
	}
	if spread != nil {
		fmt.Fprintf(w, "%s is found best and %s worst: recall %.2f points of a hundred apart\n", spread.Best, spread.Worst, spread.Points)
	}
}

type countedCase struct {
	score.Case
	Count int
}

// mostFrequent returns up to most cases, grouped by label and text, the most frequent first.
func mostFrequent(cases []score.Case, most int) []countedCase {
	at := map[[2]string]int{}
	var out []countedCase
	for _, c := range cases {
		key := [2]string{c.Label, strings.ToLower(c.Text)}
		i, seen := at[key]
		if !seen {
			i = len(out)
			at[key] = i
			out = append(out, countedCase{Case: c})
		}
		out[i].Count++
	}
	slices.SortStableFunc(out, func(a, b countedCase) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Label, b.Label), cmp.Compare(a.Text, b.Text))
	})
	return out[:min(most, len(out))]
}

func writeCases(w io.Writer, title string, cases []score.Case, show int) {
	fmt.Fprintf(w, "\n%s: %d words\n", title, len(cases))
	for _, c := range mostFrequent(cases, show) {
		where := c.Doc
		if c.InRecord {
			where += ", in the record"
		}
		fmt.Fprintf(w, "%5dx %-14s …%s⟦%s⟧%s…  (%s)\n", c.Count, c.Label, oneLine(c.Before), oneLine(c.Text), oneLine(c.After), where)
	}
}

func oneLine(s string) string {
	return strings.NewReplacer("\r", "", "\n", "⏎", "\t", "⇥").Replace(s)
}
