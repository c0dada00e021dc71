package html

import (
	"strings"
	"testing"
)

// walk opens and closes elements, written as tags without brackets, and returns the names of those that are open.
func walk(t *testing.T, tags string) *openElements {
	t.Helper()
	var o openElements
	for _, tag := range strings.Fields(tags) {
		if name, ok := strings.CutPrefix(tag, "/"); ok {
			o.end(name, elements[name])
			continue
		}
		name, hidden := strings.CutSuffix(tag, "!")
		kind := elements[name]
		o.imply(kind)
		if !o.push(openElement{name, kind, hidden}) {
			t.Fatal("too deep")
		}
	}
	return &o
}

func (o *openElements) names() string {
	var names []string
	for _, e := range o.stack {
		names = append(names, e.name)
	}
	return strings.Join(names, " ")
}

func TestWhichElementsAreOpen(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ tags, want string }{
		{"div p", "div p"},
		{"p p", "p"},
		{"p b p", "p"},
		{"p span div", "div"},
		{"p button p", "p button p"},
		{"p table", "table"},
		{"ul li li", "ul li"},
		{"ul li ul li li", "ul li ul li"},
		{"li div li", "li"},
		{"dl dt dd dt", "dl dt"},
		{"table tr td td", "table tr td"},
		{"table tbody tr td tr", "table tbody tr"},
		{"table tr td tbody", "table tbody"},
		{"table tr td table tr td td", "table tr td table tr td"},
		{"select option option", "select option"},
		{"select optgroup option optgroup", "select optgroup"},
		{"div b /div", ""},
		{"b div /b", "div"},
		{"span div /span", "span div"},
		{"span b /span", ""},
		{"div table tr td /div", "div table tr td"},
		{"div table tr td /table", "div"},
		{"table tr td table /td", "table tr td table"},
		{"table tr td b /tr", "table"},
		{"b table tr td /b", "b table tr td"},
		{"/p /div /x", ""},
		{"x! div /x", "x! div"},
	} {
		if got := walk(t, c.tags).names(); got != strings.ReplaceAll(c.want, "!", "") {
			t.Errorf("%s: %s, want %s", c.tags, got, c.want)
		}
	}
}

func TestHowManyAreHiddenAndPreformatted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tags        string
		hidden, pre int
	}{
		{"div! span!", 2, 0},
		{"div! span! /div", 0, 0},
		{"pre! textarea /textarea", 1, 1},
		{"p! p", 0, 0},
		{"b! p /b", 0, 0},
		{"pre div pre /div", 0, 1},
	} {
		if o := walk(t, c.tags); o.hidden != c.hidden || o.pre != c.pre {
			t.Errorf("%s: %d hidden, %d preformatted", c.tags, o.hidden, o.pre)
		}
	}
}

func TestCountsAreThoseOfTheStack(t *testing.T) {
	t.Parallel()
	o := walk(t, "div b p table tr td b /b i /p td li li /td /tr /table b /div span")
	count := map[string]int{}
	for _, e := range o.stack {
		count[e.name]++
	}
	for name, n := range o.count {
		if count[name] != n {
			t.Errorf("%d %s are open, counted %d", count[name], name, n)
		}
	}
}

func TestNumericReferences(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"&amp;": "&amp;", "&#65;": "&#65;", "&#065;": "&#65;", "&#x41;": "&#65;", "&#X041": "&#65;", "&#65abc": "&#65;abc",
		"&#;": "&amp;#;", "&#x;": "&amp;#x;",
		"&#99999999999999999999;": "&#65533;", "&#x110000;": "&#65533;", "&#": "&amp;#", "&": "&", "&#xg": "&amp;#xg",
	} {
		if got := canonical(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}
