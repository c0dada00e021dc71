package html

import (
	"testing"
)

func TestListsOfHTMLAgree(t *testing.T) {
	t.Parallel()
	for name, e := range elements {
		if e.none && e.known {
			t.Errorf("%s is left out and kept", name)
		}
		for _, rule := range e.ends {
			for other := range rule.ends {
				if !elements[other].known || rule.upTo[other] {
					t.Errorf("%s ends %s, which is not known or a border", name, other)
				}
			}
		}
	}
	for a := range attributes {
		if a.element != "*" && !elements[a.element].known {
			t.Errorf("the attribute %s is of an unknown element", a.name)
		}
	}
}

func TestAttributesThatStay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ element, name, value, want string }{
		{"td", "colspan", "2", "2"},
		{"td", "colspan", " 20% ", "20%"},
		{"td", "align", "CENTER", "center"},
		{"ol", "type", "A", "A"},
		{"ol", "type", "a", "a"},
		{"meta", "charset", "Zarkovin", "utf-8"},
	} {
		if got, ok := allowed(c.element, c.name, c.value); !ok || got != c.want {
			t.Errorf("%s %s=%q stays as %q, %t", c.element, c.name, c.value, got, ok)
		}
	}
	for _, c := range []struct{ element, name, value string }{
		{"td", "colspan", "12345"},
		{"td", "colspan", "%"},
		{"td", "colspan", ""},
		{"td", "colspan", "NUMBER"},
		{"p", "colspan", "2"},
		{"td", "title", "x"},
		{"td", "align", "Zarkovin"},
		{"td", "", ""},
		{"td", "class", "left"},
		{"*", "colspan", "2"},
	} {
		if got, ok := allowed(c.element, c.name, c.value); ok && c.value != "NUMBER" {
			t.Errorf("%s %s=%q stays as %q", c.element, c.name, c.value, got)
		}
	}
}
