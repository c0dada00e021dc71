package chart

import (
	"image/color"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Placeholder colours, one for each CSS variable; [themed] replaces them. None is black, which
// vgsvg omits as the default.
var (
	ink  = color.RGBA{R: 1, G: 1, B: 1, A: 255}
	grid = color.RGBA{R: 2, G: 2, B: 2, A: 255}

	markColors = []color.RGBA{{R: 3, G: 3, B: 3, A: 255}, {R: 4, G: 4, B: 4, A: 255}, {R: 5, G: 5, B: 5, A: 255}}
	markShapes = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}}
)

// maxSeries is the number of distinguishable series.
const maxSeries = 3

// themed replaces each colour by its variable, and the font by ones that a reader's machine may
// have.
func themed(svg string) string {
	return strings.NewReplacer(
		"#010101", "var(--ink)",
		"#020202", "var(--grid)",
		"#030303", "var(--mark-a)",
		"#040404", "var(--mark-b)",
		"#050505", "var(--mark-c)",
		"font-family:Liberation Sans;", "font-family:Arial,'Liberation Sans',Helvetica,sans-serif;",
	).Replace(svg)
}

// sans is the font with which text is measured.
func sans(size vg.Length) font.Font {
	return font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, size)
}

// setText sets the style of a text.
func setText(style *text.Style, size vg.Length) {
	style.Font = sans(size)
	style.Color = ink
}

func glyph(series int) draw.GlyphStyle {
	return draw.GlyphStyle{Color: markColors[series], Radius: vg.Points(3.4), Shape: markShapes[series]}
}

func thin(c color.Color, width float64) draw.LineStyle {
	return draw.LineStyle{Color: c, Width: vg.Points(width)}
}
