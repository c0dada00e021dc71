package document

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/document/syntax"
)

func TestTokensOfXML(t *testing.T) {
	t.Parallel()
	s := xmlScanner{data: []byte("<!--x--><a b='1'\n c = \"&lt;2\"><?p q?>t&amp;<d/><![CDATA[<u>]]></a >\n")}
	want := []struct {
		kind  xmlKind
		raw   string
		name  string
		empty bool
	}{
		{xmlSkipped, "<!--x-->", "", false},
		{xmlStart, "<a b='1'\n c = \"&lt;2\">", "a", false},
		{xmlSkipped, "<?p q?>", "", false},
		{xmlCharacters, "t&amp;", "", false},
		{xmlStart, "<d/>", "d", true},
		{xmlCDATA, "<![CDATA[<u>]]>", "", false},
		{xmlEnd, "</a >", "a", false},
		{xmlCharacters, "\n", "", false},
		{xmlEOF, "", "", false},
	}
	for _, w := range want {
		got, err := s.next()
		if err != nil || got.kind != w.kind || string(got.raw) != w.raw || string(got.name) != w.name || got.empty != w.empty {
			t.Fatalf("%v %q %q, %v, want %+v", got.kind, got.raw, got.name, err, w)
		}
		if w.name != "a" || got.kind != xmlStart {
			continue
		}
		for i, a := range []struct{ raw, name, value string }{{" b='1'", "b", "1"}, {"\n c = \"&lt;2\"", "c", "<2"}} {
			b := got.attributes[i]
			if string(b.raw) != a.raw || string(b.name) != a.name || unescaped(b.value) != a.value {
				t.Errorf("attribute %q %q %q, want %q", b.raw, b.name, b.value, a)
			}
		}
	}
}

func TestErrorsOfXMLSayWhere(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]int{"<a>x</b>": 4, "<a>&x;</a>": 3, "<a/>\nx": 4, "<a><b c></a>": 3, "<a>": 3} {
		s := xmlScanner{data: []byte(input)}
		var err error
		for token := (xmlToken{kind: xmlStart}); err == nil && token.kind != xmlEOF; {
			token, err = s.next()
		}
		if syntax, ok := err.(*syntax.Error); !ok || syntax.Offset != want { //nolint:errorlint // the scanner's own
			t.Errorf("%q: %v, want it at %d", input, err, want)
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int{
		"a b": 1, "a:b-c.d_1>": 9, "1a": 0, "-a": 0, "": 0, "é·": 4, "·": 0, "\xff": 0, "a\xff": 1, "a/": 1, "\u0300a": 0, "a\u0300": 3,
		"a×": 1,
	} {
		if got := nameLength([]byte(in)); got != want {
			t.Errorf("%q has a name of %d, want %d", in, got, want)
		}
	}
}

func TestReferencesOfXML(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"&lt;x": "<", "&gt;": ">", "&amp;": "&", "&apos;": "'", "&quot;": `"`, "&#65;": "A", "&#x1F600;": "😀", "&#9;": "\t", "&#0065;": "A",
		"&#0;": "", "&#1;": "", "&#xFFFE;": "", "&#xD800;": "", "&#x110000;": "", "&#-1;": "", "&#+1;": "", "&#;": "", "&#x;": "",
		"&": "", "&nbsp;": "", "&lt": "",
		"&#" + strings.Repeat("0", 30) + "65;": "", "&LT;": "", "&#X41;": "",
	} {
		r, n, ok := referenceAt([]byte(in))
		if ok != (want != "") || ok && (string(r) != want || n != strings.IndexByte(in, ';')+1) {
			t.Errorf("%q is %q, %d, %t", in, r, n, ok)
		}
	}
}
