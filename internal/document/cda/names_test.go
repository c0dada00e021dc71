package cda

import (
	"testing"

	"github.com/pgdeid/pgdeid/internal/document/parts"
	"github.com/pgdeid/pgdeid/internal/document/wordlist"
	"github.com/pgdeid/pgdeid/internal/document/xml"
)

func TestNamesWithinDocumentsAreNumbered(t *testing.T) {
	t.Parallel()
	c := reader{ids: map[string]int{}}
	for _, w := range []struct{ in, want string }{
		{"Jane1", "n1"}, {"Poe", "n2"}, {"Jane1", "n1"}, {" Lee  Poe\n", "n3 n2"}, {"n1", "n4"}, {"", ""},
	} {
		if got := c.renumber(w.in); got != w.want {
			t.Errorf("%q is %q, want %q", w.in, got, w.want)
		}
	}
}

func TestWordsOfAttributes(t *testing.T) {
	t.Parallel()
	values := wordlist.Set([]string{"Bold", "Italics"})
	for in, want := range map[string]string{"Bold": "Bold", "Bold  Jane Italics": "Bold Italics", "bold": "", "12": "", "": ""} {
		if got := known(values, in); got != want {
			t.Errorf("%q stays as %q, want %q", in, got, want)
		}
	}
	if got := known(wordlist.Set([]string{"NUMBER"}), "50%"); got != "50%" {
		t.Errorf("a number stays as %q", got)
	}
}

func TestNamespaces(t *testing.T) {
	t.Parallel()
	var c reader
	scanner, err := xml.Open(parts.NewBuilder([]byte(`<a xmlns="urn:hl7-org:v3" xmlns:sdtc="urn:hl7-org:sdtc" xmlns:xsi="` + namespaceXSI +
		`" xmlns:jane="urn:hl7-org:v3">` +
		`<b xmlns="urn:x" xmlns:xsi="urn:y"/></a>`)))
	if err != nil {
		t.Fatal(err)
	}
	next := func() int {
		token, err := scanner.Next()
		if err != nil {
			t.Fatal(err)
		}
		return c.declare(token)
	}
	expect := func(elements, attributes map[string]string) {
		t.Helper()
		for in, want := range elements {
			if got := c.elementName([]byte(in)); got != want {
				t.Errorf("the element %s is %q, want %q", in, got, want)
			}
		}
		for in, want := range attributes {
			if got := c.attributeName([]byte(in)); got != want {
				t.Errorf("the attribute %s is %q, want %q", in, got, want)
			}
		}
	}
	next()
	expect(map[string]string{"id": "id", "sdtc:id": "sdtc:id", "jane:id": "", "xsi:id": "", "cda:id": ""},
		map[string]string{
			"type": "type", "xsi:type": "xsi:type", "sdtc:type": "", "jane:type": "", "xmlns:sdtc": "xmlns:sdtc",
			"xmlns:jane": "", "xmlns": "xmlns",
		})
	before := next()
	expect(map[string]string{"id": "", "sdtc:id": "sdtc:id"}, map[string]string{"xsi:type": ""})
	c.namespaces = c.namespaces[:before]
	expect(map[string]string{"id": "id"}, map[string]string{"xsi:type": "xsi:type"})
}
