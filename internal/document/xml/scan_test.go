package xml

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/document/syntax"
)

func TestTokensOfXML(t *testing.T) {
	t.Parallel()
	s := Scanner{data: []byte("<!--x--><a b='1'\n c = \"&lt;2\"><?p q?>t&amp;<d/><![CDATA[<u>]]></a >\n")}
	want := []struct {
		kind  Kind
		raw   string
		name  string
		empty bool
	}{
		{Skipped, "<!--x-->", "", false},
		{Start, "<a b='1'\n c = \"&lt;2\">", "a", false},
		{Skipped, "<?p q?>", "", false},
		{Characters, "t&amp;", "", false},
		{Start, "<d/>", "d", true},
		{CDATA, "<![CDATA[<u>]]>", "", false},
		{End, "</a >", "a", false},
		{Characters, "\n", "", false},
		{EOF, "", "", false},
	}
	for _, w := range want {
		got, err := s.Next()
		if err != nil || got.Kind != w.kind || string(got.Raw) != w.raw || string(got.Name) != w.name || got.Empty != w.empty {
			t.Fatalf("%v %q %q, %v, want %+v", got.Kind, got.Raw, got.Name, err, w)
		}
		if w.name != "a" || got.Kind != Start {
			continue
		}
		for i, a := range []struct{ raw, name, value string }{{" b='1'", "b", "1"}, {"\n c = \"&lt;2\"", "c", "<2"}} {
			b := got.Attributes[i]
			if string(b.Raw) != a.raw || string(b.Name) != a.name || Unescape(b.Value) != a.value {
				t.Errorf("attribute %q %q %q, want %q", b.Raw, b.Name, b.Value, a)
			}
		}
	}
}

func TestErrorsOfXMLSayWhere(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]int{"<a>x</b>": 4, "<a>&x;</a>": 3, "<a/>\nx": 4, "<a><b c></a>": 3, "<a>": 3} {
		s := Scanner{data: []byte(input)}
		var err error
		for token := (Token{Kind: Start}); err == nil && token.Kind != EOF; {
			token, err = s.Next()
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
