package chart

import (
	"encoding/xml"
	"errors"
	"html/template"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"
)

// svgOf checks that a drawing is well-formed and has no outside references.
func svgOf(t *testing.T, svg template.HTML, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	dec := xml.NewDecoder(strings.NewReader(string(svg)))
	for {
		if _, err := dec.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
	}
	if found := regexp.MustCompile(`#[0-9A-Fa-f]{6}|https?:|href|<image|<script|NaN|Inf|\d,-?\+`).FindString(string(svg)); found != "" {
		t.Errorf("the drawing has %q", found)
	}
	return string(svg)
}

func TestDots(t *testing.T) {
	d := Dots{
		Heading: Heading{ID: "x", Title: "a < b", Desc: "it's & so"},
		Axis:    "percent", Labels: []string{"first <i>", "second", "third"}, Floor: 0, Ceil: 100,
		Series: []Series{
			{"recall", []Point{Within(97.5, [2]float64{96, 98.5}), At(100), Missing()}},
			{"precision", []Point{At(80), Missing(), Within(99, [2]float64{99, 99})}},
		},
	}
	raw, err := d.SVG()
	svg := svgOf(t, raw, err)
	if d.Marks() != 4 || strings.Count(svg, "fill:var(--mark-a)") != 2+1 || strings.Count(svg, "fill:var(--mark-b)") != 2+1 {
		t.Errorf("marks: %d, of them drawn %d and %d", d.Marks(), strings.Count(svg, "fill:var(--mark-a)"),
			strings.Count(svg, "fill:var(--mark-b)"))
	}
	if bars := strings.Count(svg, "stroke:var(--mark-a)"); bars != 3 { // the bar and its two ends
		t.Errorf("%d strokes of intervals", bars)
	}
	for _, want := range []string{`role="img"`, `<title id="x-title">a &lt; ` +
		`b</title>`, "first &lt;i&gt;", ">percent<", ">80<", ">100<", ">recall<", "var(--ink)", "var(--grid)"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s", want)
		}
	}
}

func TestZeroIsInSightOfDifferences(t *testing.T) {
	d := Dots{
		Heading: Heading{ID: "x"}, Axis: "points", Labels: []string{"a"}, Floor: -100, Ceil: 100, Zero: true,
		Series: []Series{{"recall", []Point{Within(3, [2]float64{2, 4})}}},
	}
	raw, err := d.SVG()
	if svg := svgOf(t, raw, err); !strings.Contains(svg, ">0.0<") && !strings.Contains(svg, ">0<") || strings.Contains(svg, ">-0") {
		t.Error("no tick at 0, or one at -0")
	}
}

func TestDotsRefuse(t *testing.T) {
	good := func() Dots {
		return Dots{Heading: Heading{ID: "x"}, Labels: []string{"a"}, Ceil: 100, Series: []Series{{"r", []Point{At(5)}}}}
	}
	for want, spoil := range map[string]func(*Dots){
		"no rows":      func(d *Dots) { d.Labels = nil },
		"0 series":     func(d *Dots) { d.Series = nil },
		"4 series":     func(d *Dots) { d.Series = append(d.Series, d.Series[0], d.Series[0], d.Series[0]) },
		"2 values":     func(d *Dots) { d.Series[0].Points = append(d.Series[0].Points, At(1)) },
		"was measured": func(d *Dots) { d.Series[0].Points[0] = Missing() },
		"no length":    func(d *Dots) { d.Ceil = 0 },
	} {
		d := good()
		spoil(&d)
		if _, err := d.SVG(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestLimits(t *testing.T) {
	for name, tt := range map[string]struct {
		values    []float64
		zero      bool
		low, high float64
	}{
		"near the top":  {[]float64{97.3, 99.9}, false, 97, 100},
		"wide":          {[]float64{12, 99}, false, 0, 100},
		"all there is":  {[]float64{100}, false, 99, 100},
		"differences":   {[]float64{-0.4, 1.1}, true, -0.4, 1.2},
		"one of 0":      {[]float64{0}, true, -1, 1},
		"past the edge": {[]float64{-99.5, 100}, true, -100, 100},
	} {
		d := Dots{Floor: -100, Ceil: 100, Zero: tt.zero, Series: []Series{{}}}
		for _, v := range tt.values {
			d.Series[0].Points = append(d.Series[0].Points, At(v))
		}
		low, high, step := d.limits()
		if math.Abs(low-tt.low) > 1e-9 || math.Abs(high-tt.high) > 1e-9 || !(step > 0) {
			t.Errorf("%s: %v to %v by %v, want %v to %v", name, low, high, step, tt.low, tt.high)
		}
		if n := len(ticks(low, high, step)); n < 2 || n > 11 {
			t.Errorf("%s: %d ticks", name, n)
		}
	}
}

func TestColumns(t *testing.T) {
	c := Columns{
		Heading: Heading{ID: "x", Title: "notes"}, Axis: "misses", Values: "notes", Labels: []string{"0", "1", "2"},
		Counts: []int{12, 0, 3},
	}
	raw, err := c.SVG()
	svg := svgOf(t, raw, err)
	if n := strings.Count(svg, "fill:var(--mark-a)"); c.Marks() != 2 || n < 2 {
		t.Errorf("%d columns of %d are drawn", n, c.Marks())
	}
	for _, want := range []string{">12<", ">3<", ">misses<", ">notes<"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s", want)
		}
	}
	for _, bad := range []Columns{{}, {Labels: []string{"a"}}, {Labels: []string{"a"}, Counts: []int{0}}} {
		if _, err := bad.SVG(); err == nil {
			t.Errorf("%+v is drawn", bad)
		}
	}
}
