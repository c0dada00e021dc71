package dossier

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"time"

	"github.com/pgdeid/pgdeid/internal/page"
)

//go:embed dossier.html
var before string

//go:embed open.html
var after string

// WriteHTML writes the dossier as one page, which prints well.
func (d *Dossier) WriteHTML(w io.Writer) error {
	functions := template.FuncMap{
		"day":     func(t time.Time) string { return t.UTC().Format(time.DateOnly) },
		"short":   func(hash string) string { return hash[:min(16, len(hash))] },
		"digits":  func(x float64) string { return fmt.Sprintf("%.3f", x) },
		"mega":    func(bytes int64) string { return fmt.Sprintf("%.1f MB", float64(bytes)/1e6) },
		"others":  d.otherTexts,
		"summary": d.Summary,
	}
	first, err := page.Section("dossier", before, functions, d)
	if err != nil {
		return err
	}
	parts := []template.HTML{first}
	if d.Risk != nil {
		section, err := d.Risk.Section()
		if err != nil {
			return err
		}
		parts = append(parts, `<h2 id="risk">Risk in the tables</h2>`, section)
	} else {
		parts = append(parts, `<h2 id="risk">Risk in the tables</h2><p class="bad">Not measured.</p>`)
	}
	last, err := page.Section("open", after, functions, d)
	if err != nil {
		return err
	}
	return page.Write(w, d.Title, append(parts, last)...)
}

// WriteJSON writes the dossier for programs.
func (d *Dossier) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(d)
}

// Summary is a figure of the first page.
type Summary struct {
	Name, Value, More string
	Bad               bool
}

// Summary returns what a reader wants first.
func (d *Dossier) Summary() []Summary {
	list := []Summary{d.acceptanceSummary()}
	leaks := Summary{"leak scan", "not made", "", true}
	if l := d.Leaks; l != nil {
		leaks = Summary{"leak scan", fmt.Sprintf("%d leaks", l.Leaks), fmt.Sprintf("in %d rows, %d columns", l.Rows, l.Columns), l.Leaks > 0}
	}
	unique := Summary{"unique patients", "not measured", "", true}
	if r := d.Risk; r != nil {
		a := r.Together
		unique = Summary{"unique patients", fmt.Sprint(a.Unique), fmt.Sprintf("of %d; %d in classes below %d", r.Patients, a.AtRisk, r.Smallest), false}
	}
	var problems, warnings int
	for _, f := range d.Findings {
		switch f.Level {
		case "problem":
			problems++
		case "warning":
			warnings++
		}
	}
	var aside int64
	for _, q := range d.Aside {
		aside += q.Rows
	}
	return append(list, leaks, unique,
		Summary{"check", fmt.Sprintf("%d problems", problems), fmt.Sprintf("%d warnings", warnings), problems > 0},
		Summary{"set aside", fmt.Sprintf("%d rows", aside), "not published", aside > 0},
		Summary{"texts of another version", fmt.Sprint(d.otherTexts()), "or of another configuration", d.otherTexts() > 0})
}

func (d *Dossier) acceptanceSummary() Summary {
	a := d.Acceptance
	if a == nil {
		return Summary{"acceptance", "no report", "", true}
	}
	proven := 0
	for _, v := range a.Report.Verdicts {
		if v.Proven {
			proven++
		}
	}
	signed := "signature not checked"
	if a.Signer != "" {
		signed = "signature checked"
	}
	return Summary{
		"acceptance", fmt.Sprintf("%d of %d claims proven", proven, len(a.Report.Verdicts)),
		fmt.Sprintf("%d notes read; %s", a.Report.Round.Read, signed), proven < len(a.Report.Verdicts) || a.Signer == "",
	}
}
