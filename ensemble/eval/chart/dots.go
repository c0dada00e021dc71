package chart

import (
	"errors"
	"fmt"
	"html/template"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Dots shows values with their intervals, a row for each label, as a dot with a bar through it.
// Unlike that of columns, the axis need not begin at 0.
type Dots struct {
	Heading
	Axis   string   // what the values are, such as "percent of words"
	Labels []string // rows, from the top
	Series []Series // one to three
	// Floor and Ceil are the limits that the axis never passes, such as 0 and 100.
	Floor, Ceil float64
	// Zero draws a line at 0, for differences.
	Zero bool
}

// Series is a value for each label.
type Series struct {
	Name   string
	Points []Point
}

// Point is a value with the limits of its interval, which are NaN if none was measured. If there
// is no value either, use [Missing].
type Point struct{ Value, Low, High float64 }

// Missing returns a point that is not drawn.
func Missing() Point { return Point{math.NaN(), math.NaN(), math.NaN()} }

// At returns a point without an interval.
func At(value float64) Point { return Point{value, math.NaN(), math.NaN()} }

// Within returns a point with an interval.
func Within(value float64, limits [2]float64) Point { return Point{value, limits[0], limits[1]} }

// Marks counts the points that are drawn.
func (d Dots) Marks() int {
	n := 0
	for _, s := range d.Series {
		for _, p := range s.Points {
			if !math.IsNaN(p.Value) {
				n++
			}
		}
	}
	return n
}

// SVG draws the chart.
func (d Dots) SVG() (template.HTML, error) {
	if err := d.check(); err != nil {
		return "", fmt.Errorf("chart %s: %w", d.ID, err)
	}
	p := d.plot()
	for i := range d.Series {
		if err := d.add(p, i); err != nil {
			return "", fmt.Errorf("chart %s: %w", d.ID, err)
		}
	}
	const row, legend, axis = 19, 22, 44
	height := vg.Points(float64(row*len(d.Labels) + axis + legend))
	return d.render(height, func(c draw.Canvas) {
		d.legend(draw.Crop(c, 0, 0, height-vg.Points(legend), 0))
		p.Draw(draw.Crop(c, vg.Points(2), -vg.Points(12), vg.Points(2), -vg.Points(legend)))
	})
}

func (d Dots) check() error {
	switch {
	case len(d.Labels) == 0:
		return errors.New("no rows")
	case len(d.Series) == 0 || len(d.Series) > maxSeries:
		return fmt.Errorf("%d series, want 1 to %d", len(d.Series), maxSeries)
	case d.Marks() == 0:
		return errors.New("nothing was measured")
	case !(d.Floor < d.Ceil):
		return errors.New("the axis has no length")
	}
	for _, s := range d.Series {
		if len(s.Points) != len(d.Labels) {
			return fmt.Errorf("series %s has %d values for %d rows", s.Name, len(s.Points), len(d.Labels))
		}
	}
	return nil
}

// plot makes the axes: rows from the top, values from the lowest shown.
func (d Dots) plot() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	setText(&p.X.Label.TextStyle, 10)
	setText(&p.X.Tick.Label, 10)
	setText(&p.Y.Tick.Label, 10)
	p.X.Color, p.X.Tick.Color, p.Y.Color = ink, ink, grid
	p.X.Label.Text = d.Axis
	n := len(d.Labels)
	names := make([]string, n)
	for i, label := range d.Labels {
		names[n-1-i] = label
	}
	p.NominalY(names...)
	p.X.Padding, p.Y.Padding = 0, vg.Points(7) // keeps dots at the edge away from labels
	p.Y.Min, p.Y.Max = -0.6, float64(n)-0.4
	low, high, step := d.limits()
	p.X.Min, p.X.Max = low, high
	p.X.Tick.Marker = ticks(low, high, step)
	lines := plotter.NewGrid()
	lines.Horizontal.Color, lines.Vertical = grid, thin(grid, 0.5)
	lines.Horizontal.Width = 0
	p.Add(lines)
	if d.Zero {
		zero := &plotter.Line{XYs: plotter.XYs{{X: 0, Y: p.Y.Min}, {X: 0, Y: p.Y.Max}}, LineStyle: thin(ink, 0.8)}
		p.Add(zero)
	}
	return p
}

// add draws a series; the series share the height of a row.
func (d Dots) add(p *plot.Plot, series int) error {
	n := len(d.Labels)
	shift := 0.0
	if len(d.Series) > 1 {
		shift = 0.36 * (0.5 - float64(series)/float64(len(d.Series)-1))
	}
	var points, barred intervals
	for i, point := range d.Series[series].Points {
		if math.IsNaN(point.Value) {
			continue
		}
		at := plotter.XY{X: point.Value, Y: float64(n-1-i) + shift}
		points.XYs = append(points.XYs, at)
		if !math.IsNaN(point.Low) && !math.IsNaN(point.High) {
			barred.XYs = append(barred.XYs, at)
			barred.XErrors = append(barred.XErrors, struct{ Low, High float64 }{point.Value - point.Low, point.High - point.Value})
		}
	}
	if len(barred.XYs) > 0 {
		bars, err := plotter.NewXErrorBars(barred)
		if err != nil {
			return err
		}
		bars.LineStyle, bars.CapWidth = thin(markColors[series], 1.2), vg.Points(5)
		p.Add(bars)
	}
	if len(points.XYs) == 0 {
		return nil
	}
	scatter, err := plotter.NewScatter(points)
	if err != nil {
		return err
	}
	scatter.GlyphStyle = glyph(series)
	p.Add(scatter)
	return nil
}

type intervals struct {
	plotter.XYs
	plotter.XErrors
}

// legend writes the names of the series along the upper edge.
func (d Dots) legend(c draw.Canvas) {
	style := draw.TextStyle{Font: sans(10), Color: ink, Handler: plot.DefaultTextHandler, YAlign: draw.YCenter}
	x, y := c.Min.X+vg.Points(8), c.Center().Y
	for i, s := range d.Series {
		c.DrawGlyph(glyph(i), vg.Point{X: x, Y: y})
		x += vg.Points(8)
		c.FillText(style, vg.Point{X: x, Y: y}, s.Name)
		x += style.Width(s.Name) + vg.Points(20)
	}
}
