package eval

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
)

//go:embed report.html
var reportHTML string

// page is what the HTML report shows.
type page struct {
	Report
	Title     string
	GroupRows []namedRates
	ClassRows []namedRates
	TypeRows  []typeRow
	Slices    []slicePart
	Cases     []casePart

	RecordRows []recordRow
	Ablation   []trialRow
	Heads      []string // classes of the ablation
}

type recordRow struct {
	Label string
	RecordType
}

// trialRow is a part of the ensemble: group C, and the recall of each class.
type trialRow struct {
	Name string
	Counts
	Recalls []float64
}

type namedRates struct {
	Name string
	Rates
}

// Missed is Gold less Found.
func (c Counts) Missed() int { return c.Gold - c.Found }

type typeRow struct {
	Label string
	TypeCounts
}

// Width is the length of a bar in pixels.
func (t typeRow) Width() int { return int(120 * t.Recall()) }

type slicePart struct {
	Caption string
	Rows    []Slice
}

type casePart struct {
	Caption string
	Rows    []countedCase
}

// WriteHTML writes a result as one HTML file that needs no other. Up to show misses
// and false alarms are quoted: only for made-up data.
func (r Result) WriteHTML(w io.Writer, title string, show int) error {
	t, err := template.New("report").Funcs(template.FuncMap{
		"percent": func(x float64) string { return fmt.Sprintf("%.2f%%", 100*x) },
		"limits":  func(ci [2]float64) string { return fmt.Sprintf("%.1f–%.1f", 100*ci[0], 100*ci[1]) },
	}).Parse(reportHTML)
	if err != nil {
		return err
	}
	return t.Execute(w, r.page(title, show))
}

func (r Result) page(title string, show int) page {
	p := page{Report: r.Report, Title: title}
	for g := A; g < numGroups; g++ {
		p.GroupRows = append(p.GroupRows, namedRates{g.String(), r.Groups[g.String()]})
	}
	for c := Class(0); c < numClasses; c++ {
		if rates, ok := r.Classes[c.String()]; ok {
			p.ClassRows = append(p.ClassRows, namedRates{c.String(), rates})
		}
	}
	for _, l := range r.labels() {
		p.TypeRows = append(p.TypeRows, typeRow{l, r.Types[l]})
	}
	for _, s := range []slicePart{{"Names, by the group of the patient's name", r.NameGroup}, {"Group C, by kind of note", r.Kinds}} {
		if len(s.Rows) > 0 {
			p.Slices = append(p.Slices, s)
		}
	}
	p.addRecord()
	p.addAblation(r.Ablation)
	if show > 0 {
		p.Cases = []casePart{{"Missed", mostFrequent(r.Misses, show)}, {"False alarms", mostFrequent(r.Alarms, show)}}
	}
	return p
}

func (p *page) addRecord() {
	if p.Record == nil {
		return
	}
	for _, l := range p.Record.labels() {
		p.RecordRows = append(p.RecordRows, recordRow{l, p.Record.Types[l]})
	}
	p.RecordRows = append(p.RecordRows, recordRow{"all", RecordType{In: p.Record.In, Out: p.Record.Out}})
}

func (p *page) addAblation(trials []Trial) {
	for i, t := range trials {
		row := trialRow{Name: t.Name, Counts: t.Groups[C.String()]}
		for c := Class(0); c < numClasses; c++ {
			counts, ok := t.Classes[c.String()]
			if !ok {
				continue
			}
			row.Recalls = append(row.Recalls, counts.Recall())
			if i == 0 {
				p.Heads = append(p.Heads, c.String())
			}
		}
		p.Ablation = append(p.Ablation, row)
	}
}

// labels lists the gold's types or labels, class by class.
func (r Report) labels() []string {
	return slices.SortedFunc(maps.Keys(r.Types), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.Types[a].Class, r.Types[b].Class), cmp.Compare(a, b))
	})
}
