package chart

import (
	"errors"
	"fmt"
	"html/template"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Columns shows counts: a column from 0 for each label, with the count above it.
type Columns struct {
	Heading
	Axis   string   // what the labels are
	Values string   // what the counts are
	Labels []string // from the left
	Counts []int
}

// Marks counts the columns that are drawn; a count of 0 has none.
func (c Columns) Marks() int {
	n := 0
	for _, count := range c.Counts {
		if count > 0 {
			n++
		}
	}
	return n
}

// SVG draws the chart.
func (c Columns) SVG() (template.HTML, error) {
	switch {
	case len(c.Labels) == 0 || len(c.Labels) != len(c.Counts):
		return "", fmt.Errorf("chart %s: %d labels for %d counts", c.ID, len(c.Labels), len(c.Counts))
	case c.Marks() == 0:
		return "", errors.New("chart " + c.ID + ": nothing was counted")
	}
	p, err := c.plot()
	if err != nil {
		return "", fmt.Errorf("chart %s: %w", c.ID, err)
	}
	return c.render(vg.Points(230), func(canvas draw.Canvas) {
		p.Draw(draw.Crop(canvas, vg.Points(2), -vg.Points(6), vg.Points(2), -vg.Points(6)))
	})
}

func (c Columns) plot() (*plot.Plot, error) {
	p := plot.New()
	p.BackgroundColor = nil
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		setText(&axis.Label.TextStyle, 10)
		setText(&axis.Tick.Label, 10)
		axis.Color, axis.Tick.Color = ink, ink
	}
	p.X.Label.Text, p.Y.Label.Text = c.Axis, c.Values
	heights, labels := plotter.Values{}, plotter.XYLabels{}
	highest := 0
	for i, count := range c.Counts {
		heights = append(heights, float64(count))
		labels.XYs = append(labels.XYs, plotter.XY{X: float64(i), Y: float64(count)})
		labels.Labels = append(labels.Labels, fmt.Sprint(count))
		highest = max(highest, count)
	}
	bars, err := plotter.NewBarChart(heights, min(vg.Points(34), width*0.6/vg.Length(len(heights))))
	if err != nil {
		return nil, err
	}
	bars.Color, bars.LineStyle = markColors[0], draw.LineStyle{}
	text, err := plotter.NewLabels(labels)
	if err != nil {
		return nil, err
	}
	for i := range text.TextStyle {
		setText(&text.TextStyle[i], 9)
		text.TextStyle[i].XAlign = draw.XCenter
		text.TextStyle[i].YAlign = draw.YBottom
	}
	text.Offset = vg.Point{Y: vg.Points(2)}
	p.Add(bars, text)
	p.NominalX(c.Labels...)
	p.Y.Min, p.Y.Max = 0, float64(highest)*1.12
	p.Y.Tick.Marker = wholeTicks(highest)
	return p, nil
}

// wholeTicks labels whole numbers only.
func wholeTicks(highest int) plot.ConstantTicks {
	step := max(1, stepOf(float64(highest)))
	return ticks(0, float64(highest), step)
}
