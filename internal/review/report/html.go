package report

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"text/tabwriter"
	"time"

	"github.com/pgdeid/pgdeid/internal/acceptance"
)

//go:embed report.html
var pages embed.FS

// WriteHTML writes the report as one page that needs nothing else, and prints well.
func (r *Report) WriteHTML(w io.Writer) error {
	t, err := template.New("report.html").Funcs(template.FuncMap{
		"percent": percent,
		"atLeast": atLeast,
		"between": between,
		"moment":  func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") },
		"parts":   partsOf,
	}).ParseFS(pages, "report.html")
	if err != nil {
		return err
	}
	return t.Execute(w, r)
}

// part is a table of the page.
type part struct {
	Caption string
	Rows    []acceptance.Row
	Names   bool // groups of names
}

// Label names a row, and says where it has too few names to say anything.
func (p part) Label(row acceptance.Row) string {
	if p.Names && row.Few() {
		return row.Name + " (few)"
	}
	return row.Name
}

func partsOf(e acceptance.Estimate) []part {
	return []part{
		{"Groups: A, B and C as in the evaluation of pgdeid, all types", e.Groups, false},
		{"Classes", e.Classes, false},
		{"Types", e.Types, false},
		{"Names by likely origin, of those who bear such names", e.Origins, true},
		{"Names by likely sex, of those who bear such names", e.Sexes, true},
	}
}

func percent(share float64) string { return fmt.Sprintf("%.2f%%", 100*share) }

// digits are what percent shows of a share.
const digits = 1e4

// atLeast rounds downwards: 98.999% is less than 99%.
func atLeast(share float64) string { return percent(math.Floor(share*digits) / digits) }

// between rounds both bounds of an interval outwards.
func between(i acceptance.Interval) string {
	return atLeast(i.Low) + " – " + percent(math.Ceil(i.High*digits)/digits)
}

// WriteText writes what a terminal shows of the report.
func (r *Report) WriteText(w io.Writer) error {
	_, _ = fmt.Fprintf(w, "round %q: %d of %d notes read, %d patients\n\n", r.Round.Name, r.Round.Read, r.Round.Items, r.Estimate.Patients)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintf(tw, "identifiers\tpresent\tmissed\trecall\tif independent\tbounded, 95%%\n")
	for _, p := range partsOf(r.Estimate) {
		if p.Names && len(p.Rows) > 0 {
			_, _ = fmt.Fprintf(tw, "%s\t\t\t\t\t\n", p.Caption)
		}
		for _, row := range p.Rows {
			s := row.Recall
			if s.Items == 0 {
				_, _ = fmt.Fprintf(tw, "%s\t0\t0\t\t\t\n", p.Label(row))
				continue
			}
			_, _ = fmt.Fprintf(tw, "%s\t%d\t%d\t%s\t%s\t%s\n", p.Label(row), s.Items, s.Bad, percent(s.Point), between(s.Exact), between(s.Bounded))
		}
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	for _, v := range r.Verdicts {
		word := "not proven"
		if v.Proven {
			word = "proven"
		}
		later := ""
		if !v.Before {
			later = "; named after the draw"
		}
		_, _ = fmt.Fprintf(w, "\nrecall of %s at least %v with %v confidence: %s (it is at least %s%s)", v.Types, v.Claim.Recall,
			v.Claim.Confidence, word, atLeast(v.Low), later)
	}
	if p := r.Pair; p != nil {
		_, _ = fmt.Fprintf(w, "\n%d notes had two readers: kappa %.2f by note (was anything missed), %.2f by span (is it PHI; F1 %.3f); the same type in %d of %d; %s",
			p.Notes, p.Kappa, p.KappaSpans, p.Marked, p.Typed, p.Identifiers.Both, p.unseen())
	}
	_, err := fmt.Fprintln(w)
	for _, remark := range r.Remarks {
		_, err = fmt.Fprintf(w, "\n* %s", remark)
	}
	_, _ = fmt.Fprintln(w)
	return err
}

// unseen says how much neither of two readers saw.
func (p *Pair) unseen() string {
	if p.Recapture.Both == 0 && p.Recapture.Found() > 0 {
		return "what neither saw can't be estimated, since nothing that was missed was found by both"
	}
	return fmt.Sprintf("about %.1f misses that neither saw", p.Unseen)
}
