package web

import (
	"bytes"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/review"
)

// pages are the templates, each with the frame around it.
type pages struct{ byName map[string]*template.Template }

// page is what every page shows.
type page struct {
	Title   string
	User    string // "": nobody is logged in
	Steward bool
	Reviews bool // reads notes, or rules over who does
	Verify  bool // verifies what was harvested
	Wide    bool // a page of two texts
	Body    any
}

func parsePages() (*pages, error) {
	p := &pages{byName: map[string]*template.Template{}}
	names, err := fs.Glob(files, "pages/*.html")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if path.Base(name) == "frame.html" {
			continue
		}
		t, err := template.New("frame.html").Funcs(functions).ParseFS(files, "pages/frame.html", name)
		if err != nil {
			return nil, err
		}
		p.byName[path.Base(name)] = t
	}
	return p, nil
}

var functions = template.FuncMap{
	"group":   group,
	"percent": percent,
	"when":    func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") },
	"join":    func(list []string) string { return strings.Join(list, ", ") },
	"types":   typeNames,
	"seconds": func(from, to time.Time) int { return int(to.Sub(from).Seconds()) },
}

// show writes a page, whole or not at all.
func (p *pages) show(w http.ResponseWriter, status int, name string, with page) {
	var b bytes.Buffer
	if err := p.byName[name].Execute(&b, with); err != nil {
		http.Error(w, "The page could not be made.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // the browser went away
}

// typeNames lists the types of PHI, those of people first.
func typeNames() []string {
	var list []string
	for _, t := range phi.Types() {
		list = append(list, t.String())
	}
	return list
}

// groups of types that share a colour.
var groups = map[string]string{
	"PATIENT": "name", "DOCTOR": "name", "USERNAME": "name",
	"DATE": "time", "TIME": "time", "AGE": "time",
	"HOSPITAL": "place", "ORGANIZATION": "place", "STREET": "place", "CITY": "place", "STATE": "place", "COUNTRY": "place",
	"COUNTY": "place", "ZIP": "place", "LOCATION-OTHER": "place", "PROFESSION": "other",
}

// group returns the colour of a type.
func group(typ string) string {
	if g := groups[typ]; g != "" {
		return g
	}
	return "number"
}

// percent writes a probability; "" where there is none.
func percent(p float32) string {
	if p <= 0 {
		return ""
	}
	return strconv.Itoa(int(p*100+.5)) + " %"
}

// segment is a piece of a text, marked or not.
type segment struct {
	Text  string
	Span  *review.Span // nil: not marked
	Index int          // of the mark
	Class string
	Label string // what a screen reader says
}

// segments cuts a text at spans, which are in order and do not overlap. A span beyond the text is left out.
func segments(text []rune, spans []review.Span, class func(i int) (class, label string)) []segment {
	var list []segment
	at := 0
	for i := range spans {
		s := &spans[i]
		if s.Start < at || s.End > len(text) || s.End <= s.Start {
			continue
		}
		if s.Start > at {
			list = append(list, segment{Text: string(text[at:s.Start])})
		}
		c, label := class(i)
		list = append(list, segment{Text: string(text[s.Start:s.End]), Span: s, Index: i, Class: c, Label: label})
		at = s.End
	}
	if at < len(text) {
		list = append(list, segment{Text: string(text[at:])})
	}
	return list
}

// original cuts a note at what was found or marked.
func original(text []rune, marks []review.Mark) []segment {
	spans := make([]review.Span, len(marks))
	for i, m := range marks {
		spans[i] = review.Span{Start: m.Start, End: m.End, Type: m.Type}
	}
	return segments(text, spans, func(i int) (string, string) {
		m := &marks[i]
		return fmt.Sprintf("mark %s %s", group(m.Type), m.Verdict), describe(m)
	})
}

// describe says of a mark what a screen reader says.
func describe(m *review.Mark) string {
	label := m.Type + ", " + string(m.Verdict)
	if m.Found != nil && len(m.Found.By) > 0 {
		label += ", found by " + strings.Join(m.Found.By, " and ")
	}
	if m.Found != nil && m.Found.Score > 0 {
		label += ", " + percent(m.Found.Score)
	}
	return label
}

// published cuts what the replica shows at its surrogates.
func published(text []rune, shown []review.Span) []segment {
	return segments(text, shown, func(i int) (string, string) {
		return "surrogate " + group(shown[i].Type), "surrogate of a " + shown[i].Type
	})
}
