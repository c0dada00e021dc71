package eval

import (
	"fmt"
	"io"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/eval/chart"
)

// comparisonPage is the data of a comparison's HTML page.
type comparisonPage struct {
	Comparison
	Title               string
	Rose, Fell          []string
	GroupChart          drawn
	TypeChart           drawn
	RowsShown           []changeRow
	Cases               []casePart
	CasesWanted, NoText bool
}

// changeRow is a row with marks for what rose and fell.
type changeRow struct {
	Change
	Paired           bool
	RecallMark, Mark string // "rose", "fell" or ""
}

// WriteHTML writes a comparison as one self-contained HTML file. If cases is not nil, up to show
// changed cases of each kind are quoted.
func (c Comparison) WriteHTML(w io.Writer, title string, cases *CaseChanges, show int) error {
	p := comparisonPage{Comparison: c, Title: title, Rose: c.rose(), Fell: c.Fell(), CasesWanted: show > 0, NoText: cases == nil}
	var wide, types []Change
	for _, r := range c.Rows {
		p.RowsShown = append(p.RowsShown, changeRow{r, c.Paired, c.sign(r.Recall), c.sign(r.Precision)})
		if isType(r.Name) {
			types = append(types, r)
		} else {
			wide = append(wide, r)
		}
	}
	var err error
	if p.GroupChart, err = changeDots(c, "groups", "Groups and classes", wide); err != nil {
		return err
	}
	if p.TypeChart, err = changeDots(c, "types", "Types", types); err != nil {
		return err
	}
	if cases != nil && show > 0 {
		for _, part := range cases.parts() {
			p.Cases = append(p.Cases, casePart{part.caption, len(part.cases), mostFrequent(part.cases, show)})
		}
	}
	return writePage(w, "report_compare.html", p)
}

func (c Comparison) sign(d Delta) string {
	switch {
	case c.Paired && d.Rose():
		return "rose"
	case c.Paired && d.Fell(c.Tolerance):
		return "fell"
	}
	return ""
}

// isType reports whether a row is of a type, not of a group, class or score.
func isType(row string) bool {
	for _, prefix := range []string{groupPrefix, classPrefix, scorePrefix} {
		if strings.HasPrefix(row, prefix) {
			return false
		}
	}
	return true
}

// changeDots draws the differences of recall and precision.
func changeDots(c Comparison, id, caption string, rows []Change) (drawn, error) {
	d := chart.Dots{
		Heading: chart.Heading{
			ID: id, Title: caption + ": change of recall and precision",
			Desc: fmt.Sprintf("%d rows, each with the change of recall as a disc and of precision as a square, in points of a hundred: "+
				"right of 0 the later run is better. The table has the numbers.", len(rows)),
		},
		Axis: "change in points of a hundred; right of 0: the later run is better", Floor: -100, Ceil: 100, Zero: true,
		Series: []chart.Series{{Name: "recall"}, {Name: "precision"}},
	}
	for _, r := range rows {
		d.Labels = append(d.Labels, r.Name)
		d.Series[0].Points = append(d.Series[0].Points, c.point(r.Recall))
		d.Series[1].Points = append(d.Series[1].Points, c.point(r.Precision))
	}
	return drawChart(d, caption)
}

func (c Comparison) point(d Delta) chart.Point {
	switch {
	case !d.Measured:
		return chart.Missing()
	case !c.Paired:
		return chart.At(100 * d.By)
	}
	return chart.Within(100*d.By, [2]float64{100 * d.CI[0], 100 * d.CI[1]})
}
