package chart

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Heading describes a chart. ID must be unique in the page: letters, digits and hyphens.
type Heading struct {
	ID    string
	Title string
	Desc  string // a sentence or two for screen readers
}

// width of each chart; browsers scale it.
const width = 560 * vg.Length(1)

// render draws on a canvas and returns its SVG under its own head element: vgsvg writes that of an
// XML document with a fixed size.
func (h Heading) render(height vg.Length, paint func(draw.Canvas)) (template.HTML, error) {
	canvas := vgsvg.NewWith(vgsvg.UseWH(width, height), vgsvg.EmbedFonts(false))
	paint(draw.New(canvas))
	var raw bytes.Buffer
	if _, err := canvas.WriteTo(&raw); err != nil {
		return "", fmt.Errorf("chart %s: %w", h.ID, err)
	}
	_, body, ok := strings.Cut(raw.String(), "<svg")
	if ok {
		_, body, ok = strings.Cut(body, ">")
	}
	if !ok {
		return "", errors.New("chart " + h.ID + ": the drawing has no head")
	}
	var out strings.Builder
	id := template.HTMLEscapeString(h.ID)
	fmt.Fprintf(&out, `<svg class="chart" viewBox="0 0 %g %g" role="img" aria-labelledby="%s-title %s-desc">`,
		width.Points(), height.Points(), id, id)
	fmt.Fprintf(&out, `<title id="%s-title">%s</title><desc id="%s-desc">%s</desc>`,
		id, template.HTMLEscapeString(h.Title), id, template.HTMLEscapeString(h.Desc))
	out.WriteString(themed(strings.TrimSpace(body)))
	return template.HTML(out.String()), nil //nolint:gosec // every text in it is escaped, here and by vgsvg
}
