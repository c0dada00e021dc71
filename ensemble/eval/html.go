package eval

import (
	"fmt"
	"html/template"
	"io"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/eval/leakage"
	"github.com/pgdeid/pgdeid/ensemble/eval/score"
)

// page is the data of the HTML report.
type page struct {
	score.Report
	Title   string
	Members []string
	Sums    []sum // the headline figures
	Remarks []string

	GroupRows []namedRates
	ClassRows []namedRates
	TypeRows  []typeRow
	Tracks    []i2b2Row
	TrackRows []i2b2TypeRow
	Leaks     []leakRow
	Leakage   *leakage.Report
	Slices    []slicePart
	Cases     []casePart

	GroupChart, ClassChart, TypeChart, NoteChart, TrialChart drawn

	RecordRows []recordRow
	Ablation   []trialRow
	Heads      []string // classes of the ablation
}

// sum is a figure with its name and an explanation.
type sum struct{ Name, Value, More string }

type recordRow struct {
	Label string
	score.RecordType
}

// trialRow is a part of the ensemble: group C, and the recall of each class.
type trialRow struct {
	Name string
	score.Counts
	Recalls []float64
}

type namedRates struct {
	Name string
	score.Rates
}

type typeRow struct {
	Label string
	score.TypeCounts
}

type slicePart struct {
	Caption string
	Chart   drawn
	Rows    []score.Slice
}

type casePart struct {
	Caption string
	Count   int
	Rows    []countedCase
}

// WriteHTML writes a result as one self-contained HTML file. Up to show misses and false alarms
// are quoted: use it only for made-up data.
func (r Result) WriteHTML(w io.Writer, title string, show int) error {
	p := r.page(title, show)
	if err := p.draw(r.Notes); err != nil {
		return err
	}
	return writePage(w, "report.html", p)
}

func (r Result) page(title string, show int) *page {
	p := &page{Report: r.Report, Title: title, Members: r.Members, Sums: r.headline(), Remarks: r.Remarks}
	for g := score.A; g < score.NumGroups; g++ {
		p.GroupRows = append(p.GroupRows, namedRates{g.String(), r.Groups[g.String()]})
	}
	for c := score.Class(0); c < score.NumClasses; c++ {
		if rates, ok := r.Classes[c.String()]; ok {
			p.ClassRows = append(p.ClassRows, namedRates{c.String(), rates})
		}
	}
	for _, l := range r.Labels() {
		p.TypeRows = append(p.TypeRows, typeRow{l, r.Types[l]})
	}
	p.Tracks, p.TrackRows = i2b2Rows(r.Report), i2b2TypeRows(r.Report)
	p.Leakage, p.Leaks = r.Leakage, leakRows(r.Leakage)
	p.addRecord()
	p.addAblation(r.Ablation)
	if show > 0 {
		p.Cases = []casePart{
			{"Missed", len(r.Misses), mostFrequent(r.Misses, show)},
			{"False alarms", len(r.Alarms), mostFrequent(r.Alarms, show)},
		}
	}
	return p
}

// headline returns the headline figures.
func (r Result) headline() []sum {
	c := r.Groups[score.C.String()]
	sums := []sum{
		{"recall, group C", percent(c.Recall), "95%: " + between(c.RecallCI)},
		{"precision, group C", percent(c.Precision), "95%: " + between(c.PrecisionCI)},
		{"documents without a miss", percent(score.Ratio(r.Perfect, r.Docs)), fmt.Sprintf("%d of %d", r.Perfect, r.Docs)},
		{"ordinary words scrubbed", percent(r.Overscrub), "by group C"},
	}
	if r.Elapsed > 0 {
		sums = append(sums, sum{
			"detection, per core", fmt.Sprintf("%.2f MB/s", float64(r.Bytes)/1e6/r.Elapsed.Seconds()),
			fmt.Sprintf("%.0f documents a second; %s in all", float64(r.Docs)/r.Elapsed.Seconds(), r.Elapsed.Round(time.Millisecond)),
		})
	}
	return sums
}

// draw adds the charts.
func (p *page) draw(notes []score.Note) (err error) {
	intervals := intervalsOf(notes)
	draw := func(d drawing, caption string) drawn {
		var out drawn
		if err == nil {
			out, err = drawChart(d, caption)
		}
		return out
	}
	p.GroupChart = draw(groupChart(p.GroupRows), "Groups of identifiers, 95% intervals")
	p.ClassChart = draw(classChart(p.ClassRows), "Classes, 95% intervals")
	p.TypeChart = draw(typeChart(p.TypeRows, intervals), "Types, 95% intervals")
	p.NoteChart = draw(notesChart(p.Errors.PerNote), "Notes by missed instances of group C")
	p.TrialChart = draw(trialChart(p.Ablation), "Each member alone, each left out: group C")
	for _, s := range []struct {
		id, caption string
		rows        []score.Slice
	}{
		{"name-groups", "Names, by the group of the patient's name", p.NameGroup},
		{"genders", "Names, by gender", p.Genders},
		{"kinds", "Group C, by kind of note", p.Kinds},
	} {
		if len(s.rows) > 0 {
			p.Slices = append(p.Slices, slicePart{s.caption, draw(sliceChart(s.id, s.caption, s.rows), s.caption), s.rows})
		}
	}
	return err
}

func (p *page) addRecord() {
	if p.Record == nil {
		return
	}
	for _, l := range p.Record.Labels() {
		p.RecordRows = append(p.RecordRows, recordRow{l, p.Record.Types[l]})
	}
	p.RecordRows = append(p.RecordRows, recordRow{"all", score.RecordType{In: p.Record.In, Out: p.Record.Out}})
}

func (p *page) addAblation(trials []Trial) {
	for i, t := range trials {
		row := trialRow{Name: t.Name, Counts: t.Groups[score.C.String()]}
		for c := score.Class(0); c < score.NumClasses; c++ {
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

// drawn is a chart's markup with its caption; the page omits empty ones.
type drawn struct {
	Caption string
	SVG     template.HTML
}

// drawChart draws a chart, unless it is empty.
func drawChart(d drawing, caption string) (drawn, error) {
	if d.Marks() == 0 {
		return drawn{}, nil
	}
	svg, err := d.SVG()
	return drawn{caption, svg}, err
}
