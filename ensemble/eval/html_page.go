package eval

import (
	"embed"
	"fmt"
	"html/template"
	"io"

	"github.com/pgdeid/pgdeid/ensemble/eval/chart"
)

// The pages and their shared parts.
//
//go:embed report*.html
var pages embed.FS

// writePage executes the template of a page.
func writePage(w io.Writer, name string, data any) error {
	t, err := template.New(name).Funcs(template.FuncMap{
		"style":   chart.Style,
		"percent": percent,
		"between": between,
		"forms":   formsOf,
		"points":  func(x float64) string { return fmt.Sprintf("%+.2f", 100*x) },
	}).ParseFS(pages, "report*.html")
	if err != nil {
		return err
	}
	return t.Execute(w, data)
}

func percent(x float64) string { return fmt.Sprintf("%.2f%%", 100*x) }

// between prints an interval, or nothing if there is none.
func between(ci [2]float64) string {
	if ci == [2]float64{} {
		return ""
	}
	return fmt.Sprintf("%.1f–%.1f", 100*ci[0], 100*ci[1])
}
