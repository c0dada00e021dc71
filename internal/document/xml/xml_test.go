package xml

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/pgdeid/pgdeid/internal/document/documenttest"
	"github.com/pgdeid/pgdeid/internal/document/markup"
)

// format is the format of this package.
var format = documenttest.Format{Name: "xml", Read: Read}

func TestWhatXMLShows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, input, want string }{
		{"elements", "<a>Jane<b>Poe</b>x<c/>y</a>", "Jane\nPoe\nx\ny"},
		{"white space is layout", "<a>\n  <b>Jane</b>\n\n  <b>Poe</b>\n</a>\n", "Jane\nPoe"},
		{"white space in text", "<a> Jane\r\n\tPoe\rLee </a>", " Jane\n\tPoe\nLee "},
		{"references", "<a>&#74;a&#x6E;e &lt;&amp;&gt;&quot;&apos; &#32;</a>", "Jane <&>\"'  "},
		{"typography", "<a>Ja\u00adne\u00a0Poe&#160;L&#xAD;ee</a>", "Jane Poe Lee"},
		{"CDATA", "<a>x<![CDATA[<b>Jane & Poe</b>&amp;]]>y<![CDATA[]]></a>", "x<b>Jane & Poe</b>&amp;y"},
		{"blank CDATA", "<a><b><![CDATA[ ]]> </b>x</a>", "x"},
		{"comments cut no words", "<a>Ja<!-- x -->ne<?x y?> Poe <!-- x --> </a>", "Jane Poe  "},
		{"around the root", "\ufeff<?xml version='1.0'?>\n<!-- x --><?y?><a>x</a><!-- y -->\n", "x"},
		{"names", "<Straße.1 ö='x'>a</Straße.1>", "a"},
		{"brackets", "<a>]] > ]]&gt; ]</a>", "]] > ]]> ]"},
	} {
		if got := format.Reads(t, c.input).Text(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		for seed := range uint64(20) {
			format.Verify(t, []byte(c.input), seed)
		}
	}
}

func TestWhatXMLKeeps(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, input, want string }{
		{"tags", "<a ><b\n/></a\t>", "<a ><b\n/></a\t>"},
		{
			"attributes", `<a id="x" xml:space='preserve' xmlns="u" xmlns:p='v' b="y" xml:lang="z"/>`,
			`<a xml:space='preserve' xmlns="u" xmlns:p='v'/>`,
		},
		{"values that are no structure", `<a xml:space="Jane" colspan="415-555-1234"/>`, `<a/>`},
		{"comments and instructions", "<a>x<!-- Jane --><?Jane Poe?></a>", "<a>x</a>"},
		{"CDATA", "<a><![CDATA[x < y]]></a>", "<a>x &lt; y</a>"},
		{
			"declaration", `<?xml version="1.0" encoding='utf-8' standalone="yes"?><a/>`,
			`<?xml version="1.0" encoding='utf-8' standalone="yes"?><a/>`,
		},
		{"declaration of ASCII", `<?xml version="1.0" encoding="US-ASCII"?><a/>`, utf8Declaration + `<a/>`},
	} {
		if got := string(documenttest.Replaced(t, format.Reads(t, c.input), nil)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestReplaceInXML(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ input, old, text, want string }{
		{"<a>Ja<!-- x -->ne &amp; Poe</a>", "Jane & Poe", "Lee", "<a>Lee</a>"},
		{"<a>Jane</a>", "Jane", " A\r\n<b> ]]>\x01 ", "<a>&#32;A&#13;&#10;&lt;b&gt; ]]&gt;\uFFFD&#32;</a>"},
		{"<a>]]x></a>", "x", "", "<a>]]&gt;</a>"},
		{"<a><![CDATA[<b>Jane</b>]]></a>", "Jane", "Ann", "<a>&lt;b&gt;Ann&lt;/b&gt;</a>"},
	} {
		if got := documenttest.Edit(t, format.Reads(t, c.input), c.old, c.text); got != c.want {
			t.Errorf("%q: %q, want %q", c.input, got, c.want)
		}
	}
}

func TestEncodingsOfXML(t *testing.T) {
	t.Parallel()
	document := func(encoding string) string {
		return `<?xml version="1.0" encoding="` + encoding + `"?><a>Łé𝒜</a>`
	}
	wide := func(text string, bigEndian bool) string {
		var out []byte
		for _, u := range utf16.Encode([]rune(text)) {
			if bigEndian {
				out = append(out, byte(u>>8), byte(u))
			} else {
				out = append(out, byte(u), byte(u>>8))
			}
		}
		return string(out)
	}
	for name, input := range map[string]string{
		"little endian":                    wide(document("UTF-16"), false),
		"big endian":                       wide(document("utf-16BE"), true),
		"byte order mark":                  wide("\ufeff"+document("UTF-16"), false),
		"converted where it is stored":     document("UTF-16"),
		"converted from ISO-8859-1 before": document("ISO-8859-1"),
	} {
		d := format.Reads(t, input)
		if d.Text() != "Łé𝒜" {
			t.Errorf("%s: %q", name, d.Text())
		}
		if out := string(documenttest.Replaced(t, d, nil)); strings.TrimPrefix(out, "\ufeff") != document("UTF-8") {
			t.Errorf("%s: %q", name, out)
		}
	}
	d := format.Reads(t, "<?xml version='1.0' encoding='iso-8859-1'?><a>Jos\xe9</a>")
	if got := documenttest.Edit(t, d, "Jos", "Ren"); got != utf8Declaration+"<a>René</a>" {
		t.Errorf("ISO-8859-1: %q", got)
	}
}

func TestXMLThatIsRefused(t *testing.T) {
	t.Parallel()
	for _, input := range []string{
		"", " ", "a", "<a>", "</a>", "<a></b>", "<a/><b/>", "<a/>x", "x<a/>", "<a", "<a b>", "<a b=c/>", "<a b='x' b='y'/>", "<a b='<'/>",
		"<a b='&x;'/>",
		"<a b='x'c='y'/>", "<a>&x;</a>", "<a>&</a>", "<a>&#0;</a>", "<a>&#xD800;</a>", "<a>&#x110000;</a>", "<a>&#+65;</a>", "<a>]]></a>",
		"<a><!-- -- --></a>",
		"<a><!-- x</a>", "<a><![CDATA[x</a>", "<a><?x</a>", "<a><? x?></a>", "<a><?x*?></a>", "<a><?xml version='1.0'?></a>",
		"<a>\x01</a>", "<a>\ufffe</a>",
		"<!DOCTYPE a><a/>", "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", "<a><!ELEMENT x></a>", "<1/>", "< a/>", "<a\f/>", "<a></a\f>",
		"<![CDATA[x]]><a/>",
		"<?xml version='1.1'?><a/>", "<?xml version='1.0' encoding='windows-1252'?><a/>", "<?xml version='1.0' encoding='EBCDIC'?><a/>",
		"<?xml?><a/>",
		"<a>\xff</a>", "<?xml version='1.0' encoding='US-ASCII'?><a>\xff</a>", "\xff\xfe<", "\xff\xfe<\x00\x00\xd8",
		"\xfe\xff\xd8\x00\x00<",
		strings.Repeat("<a>", markup.MaxDepth+1) + strings.Repeat("</a>", markup.MaxDepth+1),
	} {
		if d, err := format.Parse([]byte(input)); err == nil {
			t.Errorf("%.60q is read: %q", input, d.Text())
		}
	}
	var attributes strings.Builder
	for i := range maxAttributes + 1 {
		fmt.Fprintf(&attributes, " a%d=''", i)
	}
	if _, err := format.Parse([]byte("<a" + attributes.String() + "/>")); err == nil {
		t.Error("a tag with very many attributes is read")
	}
}

// plantedInXML are places of XML in which a name may be that is not seen.
var plantedInXML = []string{
	"<a b='%s' c=\"%s\"/>", "<a><!-- %s --></a>", "<a><?%s %s?></a>", "<a xml:space='%s' xml:lang='%s'/>", "<?a %s?><a/>",
	"<!-- %s --><a/>",
	"<a/><!-- %s -->", "<a href='mailto:%s'><b title='&#32;%s'/></a>", "<a colspan='%s'/>", "<a><!-- <b>%s</b> <![CDATA[%s]]> --></a>",
}

func TestNothingUnseenIsLeftInXML(t *testing.T) {
	t.Parallel()
	for _, form := range plantedInXML {
		d := format.Reads(t, strings.ReplaceAll(form, "%s", "zarkovin"))
		if out := string(documenttest.Replaced(t, d, nil)); strings.Contains(out+d.Text(), "zarkovin") {
			t.Errorf("%q: text %q, document %q", form, d.Text(), out)
		}
	}
	d := format.Reads(t, "<a><![CDATA[<b title='Zarkovin'>x</b><!-- Lee --><![CDATA[ Poe]]></a>")
	for _, name := range []string{"Zarkovin", "Lee", "Poe"} {
		if !strings.Contains(d.Text(), name) {
			t.Errorf("%q is not in %q", name, d.Text())
		}
	}
}

func FuzzXML(f *testing.F) {
	for i, form := range plantedInXML {
		f.Add([]byte(strings.ReplaceAll(form, "%s", "x")), uint64(i))
	}
	f.Add([]byte("<a>x<![CDATA[<b>y]]]]>&#65; z\r\n<!-- c --> ]]</a>"), uint64(3))
	f.Add([]byte("<?xml version='1.0' encoding='iso-8859-1'?><a>Jos\xe9</a>"), uint64(4))
	f.Fuzz(func(t *testing.T, input []byte, seed uint64) {
		format.Verify(t, input, seed)
		if d, err := format.Parse(input); err == nil && documenttest.WellFormed(d.Raw()) && !documenttest.WellFormed(documenttest.Replaced(t, d, nil)) {
			t.Errorf("%q is broken by replacing nothing: %q", input, documenttest.Replaced(t, d, nil))
		}
	})
}
