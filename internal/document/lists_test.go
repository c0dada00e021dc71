package document

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestLists(t *testing.T) {
	t.Parallel()
	text := "# A header: no line.\n\na b: x y\nc: z\na: v | w\nno colon\nxml:d: e\n"
	got := lists(text)
	want := map[string][]string{"a": {"x", "y", "v", "|", "w"}, "b": {"x", "y"}, "c": {"z"}, "xml:d": {"e"}}
	if !maps.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got %q", got)
	}
	before, behind := halves([]string{"a", "|", "b", "c"})
	if !slices.Equal(before, []string{"a"}) || !slices.Equal(behind, []string{"b", "c"}) {
		t.Errorf("halves are %q and %q", before, behind)
	}
	for range list(text) {
		break // a caller may stop
	}
}

func TestListsOfHTMLAgree(t *testing.T) {
	t.Parallel()
	for name, e := range htmlElements {
		if e.none && e.known {
			t.Errorf("%s is left out and kept", name)
		}
		for _, rule := range e.ends {
			for other := range rule.ends {
				if !htmlElements[other].known || rule.upTo[other] {
					t.Errorf("%s ends %s, which is not known or a border", name, other)
				}
			}
		}
	}
	for a := range htmlAttributes {
		if a.element != "*" && !htmlElements[a.element].known {
			t.Errorf("the attribute %s is of an unknown element", a.name)
		}
	}
}

func TestListsOfCDAAgree(t *testing.T) {
	t.Parallel()
	for name, e := range cdaElements {
		if e.kind == cdaUnknown || e.name == "" || !strings.HasSuffix(name, e.name) {
			t.Errorf("%s is %+v", name, e)
		}
	}
	for name, kind := range cdaTypes {
		if !cdaValues["xsi:type"][name] {
			t.Errorf("the type %s of kind %d may not stay", name, kind)
		}
	}
	for name := range cdaInner {
		if name != "name" && name != "value" && name != "reference" {
			t.Errorf("%s means more than one thing", name)
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
