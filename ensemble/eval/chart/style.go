package chart

import (
	_ "embed"
	"html/template"
)

//go:embed page.css
var pageCSS string

// Style returns the style of a page with charts and tables: the variables that charts name, in light, in dark and on paper, and
// what all such pages have in common. A page's own rules come after it.
func Style() template.CSS { return template.CSS(pageCSS) } //nolint:gosec // a file of this package
