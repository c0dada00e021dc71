package risk

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// WriteText writes the report for a terminal.
func (r *Report) WriteText(w io.Writer) error {
	p := &printer{w: tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)}
	p.together(r)
	p.columns(r)
	p.sets(r)
	p.codes(r)
	p.visits(r.Visits)
	p.changes("What single changes would come to", r.Changes, r)
	p.changes("Proposed, one after the other", r.Plan, r)
	if p.err != nil {
		return p.err
	}
	return p.w.Flush()
}

// printer keeps the first error.
type printer struct {
	w   *tabwriter.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

func (p *printer) head(title string) { p.line("\n%s", title) }

func percent(x float64) string { return fmt.Sprintf("%.1f%%", 100*x) }

func (p *printer) together(r *Report) {
	a := r.Together
	p.line("%d patients, %d quasi-identifiers, %d classes", r.Patients, len(r.Columns), a.Classes)
	for _, f := range r.Headline() {
		p.line("%s\t%s\t%s", f.Name, f.Value, f.More)
	}
	p.head("Patients by the size of their class")
	for _, b := range r.Bins {
		p.line("  %s\t%d\t%s", b.Label(), b.Records, percent(share(b.Records, r.Patients)))
	}
	for _, d := range r.Sensitive {
		p.line("sensitive: %s\tl = %d\tt = %.3f\t%d patients in classes with one value", d.Column, d.L, d.T, d.Uniform)
	}
}

// Label writes the range.
func (b Bin) Label() string {
	switch b.To {
	case 0:
		return fmt.Sprintf("> %d", b.From-1)
	case b.From:
		return fmt.Sprint(b.From)
	}
	return fmt.Sprintf("%d–%d", b.From, b.To)
}

// Figure is a number of the headline.
type Figure struct{ Name, Value, More string }

// Headline returns the figures that a reader wants first.
func (r *Report) Headline() []Figure {
	a := r.Together
	list := []Figure{
		{"unique patients", fmt.Sprintf("%d (%s)", a.Unique, percent(a.Share(a.Unique))), fmt.Sprintf("k = %d", a.K)},
		{
			fmt.Sprintf("in classes below %d", r.Smallest), fmt.Sprintf("%d (%s)", a.AtRisk, percent(a.Share(a.AtRisk))),
			fmt.Sprintf("risk above %.3f", 1/float64(r.Smallest)),
		},
		{"prosecutor risk", fmt.Sprintf("%.3f", a.Highest), "highest: of a person known to be among the patients"},
		{"marketer risk", percent(a.Average), "expected share identified, if all are tried"},
	}
	if j := r.Journalist; j != nil {
		what := "counted"
		if j.Estimated {
			what = "estimated"
		}
		list = append(list,
			Figure{"journalist risk", fmt.Sprintf("%.3f", j.Highest), fmt.Sprintf("highest, %s in a population of %d", what, j.Population)},
			Figure{"journalist risk, average", percent(j.Average), fmt.Sprintf("%d patients above the threshold", j.AtRisk)},
			Figure{"unique in the population", fmt.Sprintf("%.0f", j.PopulationUnique), strings.TrimSpace("patients " + bracket(j.Model))})
	}
	return list
}

func bracket(s string) string {
	if s == "" {
		return ""
	}
	return "(" + s + ")"
}

func (p *printer) columns(r *Report) {
	p.head("Quasi-identifiers")
	p.line("  column\tpolicy\tcategories\tbelow %d\tpatients in these\talone\tpart of what makes unique", r.Smallest)
	for _, c := range r.Columns {
		p.line("  %s\t%s\t%d\t%d\t%d\t%d\t%d", c.Column, c.Policy, c.Categories, c.Small, c.InSmall, c.Unique, c.Involved)
	}
}

func (p *printer) sets(r *Report) {
	if len(r.Sets) == 0 {
		return
	}
	p.head(fmt.Sprintf("Sets of up to %d columns that make patients unique", r.Depth))
	p.line("  unique\tby no fewer columns\tcolumns")
	for _, s := range r.Sets[:min(10, len(r.Sets))] {
		p.line("  %d\t%d\t%s", s.Unique, s.Minimal, strings.Join(s.Columns, ", "))
	}
}

func (p *printer) codes(r *Report) {
	if len(r.Codes) == 0 {
		return
	}
	p.head("Values of which patients have many")
	p.line("  column\tvalues\tof fewer than %d patients\tpatients with one of these\tpatients with one of their own", r.Smallest)
	for _, c := range r.Codes {
		p.line("  %s\t%d\t%d\t%d\t%d", c.Column, c.Codes, c.Rare, c.Patients, c.Alone)
	}
}

func (p *printer) visits(v *Visits) {
	if v == nil {
		return
	}
	p.head(fmt.Sprintf("Visits: %d of %d patients (%s)", v.Visits, v.Patients, v.Column))
	p.line("  known to an attacker\tpatients singled out\t95%%\tof")
	for _, u := range v.Unicity {
		if u.Visits == 1 && u.Unique == 0 {
			continue
		}
		p.line("  %d visits, dates %s\t%s\t%s–%s\t%d", u.Visits, u.Grain, percent(u.Share), percent(u.Within[0]), percent(u.Within[1]), u.Drawn)
	}
	if v.Shifts == 0 {
		return
	}
	p.line("  %d shifts are possible; shown days leave of them", v.Shifts)
	p.line("  if\tmedian\tfewest\tpatients with one\twith 7 or fewer\tagainst the rule")
	for _, l := range v.Left {
		p.line("  %s\t%d\t%d\t%d\t%d\t%s", l.Rule, l.Median, l.Fewest, l.Known, l.Week, percent(share(l.Contradicted, l.Contradicted+l.Patients)))
	}
	for _, text := range v.Advice() {
		p.line("  %s", text)
	}
}

func (p *printer) changes(title string, list []Effect, r *Report) {
	if len(list) == 0 {
		return
	}
	p.head(title)
	p.line("  unique\tbelow %d\tmarketer\tlost of the column\tchange", r.Smallest)
	p.line("  %d\t%s\t%s\t\tas it is", r.Together.Unique, percent(r.Together.Share(r.Together.AtRisk)), percent(r.Together.Average))
	for _, e := range list {
		p.line("  %d\t%s\t%s\t%s\t%s", e.After.Unique, percent(e.After.Share(e.After.AtRisk)), percent(e.After.Average), percent(e.Loss), e.Change)
	}
}
