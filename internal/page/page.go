// Package page writes reports as single HTML files that refer to nothing outside of themselves, for screens, in light and dark, and
// for paper.
package page

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/eval/chart"
)

//go:embed page.html
var frame string

// Section executes the template of a part of a page. Values are escaped as html/template does.
func Section(name, text string, functions template.FuncMap, data any) (template.HTML, error) {
	t, err := template.New(name).Funcs(functions).Funcs(template.FuncMap{"percent": percent}).Parse(text)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	if err := t.Execute(&b, data); err != nil {
		return "", err
	}
	return template.HTML(b.String()), nil //nolint:gosec // html/template escaped every value
}

// Write writes a page of parts.
func Write(w io.Writer, title string, parts ...template.HTML) error {
	t, err := template.New("page").Parse(frame)
	if err != nil {
		return err
	}
	return t.Execute(w, struct {
		Title string
		Style template.CSS
		Parts []template.HTML
	}{title, chart.Style(), parts})
}

func percent(x float64) string { return fmt.Sprintf("%.1f%%", 100*x) }
