package html

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/document/documenttest"
	"github.com/pgdeid/pgdeid/internal/document/markup"
)

// format is the format of this package.
var format = documenttest.Format{Name: "html", Read: Read}

func TestWhatHTMLShows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, input, want string }{
		{
			"inline tags cut no words", "Ja<b>ne</b> <i>P</i><span>o</span><font>e</font><sup>2</sup>, se<wbr>en <a>he<!-- x -->re</a>",
			"Jane Poe2, seen here",
		},
		{"unknown tags cut no words", "<o:p>Ja<st1:personname>ne</st1:personname></o:p>", "Jane"},
		{"soft hyphens are no text", "Za&shy;rko\u00advin&#173;a&#xAD;", "Zarkovina"},
		{"spaces that do not break are spaces", "Jane&nbsp;Poe\u00a0Lee&#160;", "Jane Poe Lee "},
		{"references", "&#74;&#x61;ne &amp; Po&eacute;&lt;&#8364;&#x1F600;", "Jane & Poé<€😀"},
		{"references without an end", "A&T &amp Co &copy; &nosuch; &#; &#x; & &notit;", "A&T & Co © &nosuch; &#; &#x; & ¬it;"},
		{"a reference of two characters", "&bne;&fjlig;", "=\u20e5fj"},
		{"less than", "BP <70, a < b <", "BP <70, a < b <"},
		{"blocks", "<div>a</div><div>b<div>c</div></div>d<p>e<p>f<h1>g</h1>", "a\nb\nc\nd\n\ne\n\nf\ng"},
		{"line breaks", "a<br>b<br/><br />c<hr>d", "a\nb\n\nc\nd"},
		{"tables", "<table><tr><td>a<td>b</tr>\n<tr><th>c</th> <td><b>d</b></td></tr></table>", "a\tb\nc\td"},
		{"lists", "<ul>\n <li>a\n <li>b</li>\n</ul>c", "a \nb\nc"},
		{"white space", "  <p>\n a \n\t b<b> c </b> d</p>\n\n<p>  e", "a b c d\n\ne"},
		{"preformatted", "<pre>\n a\n\r\n  b</pre><textarea>\nc  <b>&amp;</textarea>", " a\n\n  b\nc  <b>&"},
		{"left out", "a<script>var x='<p>';</script><style>p{}</style><svg><title>x</title></svg><template><p>y</p></template>b", "ab"},
		{"head", "<html><head><title>x</title><meta name=author content=x></head><body>a", "a"},
		{
			"hidden", "a<span style='display : none'>x<b>y</b></span>b<div hidden>x</div><p style='color:red;VISIBILITY:hidden'>x</p>c",
			"ab\n\nc",
		},
		{"hidden elements end like others", "<ul><li hidden>x<li>a<li>b</ul><table><tr><td hidden>x<td>c</table>", "a\nb\nc"},
		{
			"controls",
			"<input type=checkbox checked> a <input type=hidden value=x><input value=y><select><option>b<option selected>c</select>",
			"a \nb\nc",
		},
		{"images", "a<img src=x alt=y title=z>b<img hidden>", "ab"},
		{"misnested", "<b>a<i>b</b>c</i></p></div>d<table>e<tr>f</table>", "abc\n\nd\ne\nf"},
		{"tags that end nothing", "<div hidden>x<table><td></div>y</td></table></div>z", "z"},
		{"formatting over blocks", "<b hidden>x<p>y</b>z</p>", "z"},
		{"other elements do not", "<span hidden>x<p>y</span>y</p></span>z", "z"},
		{"empty", "", ""},
		{"no text", "<p></p>", ""},
		{"byte order mark", "\ufeff<p>a", "a"},
		{"document", "<!doctype html><html><body>a</body></html>", "a"},
		{"bogus comments", "a<?xml:namespace x/>b</ x>c<![if x]>d<![endif]>e</>f<!x>g<![CDATA[x]]>h", "abcdefgh"},
	} {
		if got := format.Reads(t, c.input).Text(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		for seed := range uint64(20) {
			format.Verify(t, []byte(c.input), seed)
		}
	}
}

func TestWhatHTMLKeeps(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, input, want string }{
		{"tags", "<P>a<Br/><b >c</b ></P>", "<P>a<Br/><b >c</b ></P>"},
		{"white space between tags", "<ul>\n\t<li>a</li>\n</ul>\n", "<ul>\n\t<li>a</li>\n</ul>\n"},
		{"layout", `<td colspan="2" align=CENTER width=50% class=x>`, `<td colspan="2" align="center" width="50%">`},
		{"layout of other elements", `<b colspan="2" type="a">`, `<b>`},
		{"values that are no layout", `<td align="Zarkovin" width="415-555-1234" rowspan="19560412">`, `<td>`},
		{"attributes twice", `<td colspan=2 colspan=x colspan=3>`, `<td colspan="2">`},
		{"what is ticked", `<input type="checkbox" checked="x" name=y><input type=text value=x>`, `<input type="checkbox" checked>`},
		{"attributes of end tags", `<b>a</b Zarkovin>`, `<b>a</b>`},
		{
			"encoding", `<meta charset="iso-8859-1"><meta http-equiv=Content-Type content="text/html; x"><meta name=a>`,
			strings.Repeat(`<meta charset="utf-8">`, 2),
		},
		{"document type", `<!DOCTYPE html PUBLIC "x">a`, `<!DOCTYPE html>a`},
		{"document type as it is", `<!doctype HTML>a`, `<!doctype HTML>a`},
		{"comments", "a<!-- x -->b<!-->c", "abc"},
		{"unknown elements", "<zarkovin>a</zarkovin>", "a"},
		{"bare characters", "a < b & c <3 &copy &zarkovin;", "a &lt; b &amp; c &lt;3 © &amp;zarkovin;"},
		{"references", "&#65;&eacute;&nbsp;&shy;", "&#65;&eacute;&nbsp;&shy;"},
		{"references of no character", "&#4155551234;&#x4155551234;&#0;&#55555;", "\uFFFD\uFFFD\uFFFD\uFFFD"},
		{"references with zeros", "&#" + strings.Repeat("0", 40) + "65;&#065;", "A&#065;"},
		{"white space that is not shown", "a <b> b</b>", "a <b>b</b>"},
		{"hidden", "<p hidden>a<b>c</b></p><p>b", "<p></p><p>b"},
	} {
		if got := string(documenttest.Replaced(t, format.Reads(t, c.input), nil)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// edit replaces the first occurrence of a text that a document shows.
func TestReplaceInHTML(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ input, old, text, want string }{
		{"<p>Ja<b>ne</b> P&ouml;e</p>", "Jane Pöe", "Ann Lee", "<p>Ann Lee<b></b></p>"},
		{"Za&shy;rko<wbr>vin.", "Zarkovin", "Lee", "Lee<wbr>."},
		{"Jane", "Jane", " A  & <b> ", "&#32;A&#32;&#32;&amp; &lt;b&gt;&#32;"},
		{"Jane", "Jane", "a\nb", "a&#10;b"},
		{"AT&Ter", "er", "", "AT&amp;T"},
		{"&l t;", " ", "", "&amp;lt;"},
		{"< b>", " ", "", "&lt;b>"},
		{"<td>Jane</td><td>Poe</td>", "Jane\tPoe", "Ann Lee", "<td>Ann Lee</td><td></td>"},
		{"<textarea>Jane <b></textarea>", "Jane", "</textarea>", "<textarea>&lt;/textarea&gt; &lt;b></textarea>"},
	} {
		if got := documenttest.Edit(t, format.Reads(t, c.input), c.old, c.text); got != c.want {
			t.Errorf("%q: %q, want %q", c.input, got, c.want)
		}
	}
}

func TestHTMLThatIsRefused(t *testing.T) {
	t.Parallel()
	for _, input := range []string{
		"a <b", "<p title='x", "a<!-- b > c", "<!-- <b>", "<? x", "</ x", "<!doctype", "<script>x", "<title>x", "<svg><p>x",
		"<div hidden>x",
		"a\x00b", "a\xffb", "<xmp>a</xmp>", "<plaintext>a", strings.Repeat("<div>", markup.MaxDepth+1),
	} {
		if d, err := format.Parse([]byte(input)); err == nil {
			t.Errorf("%.40q is read: %q", input, d.Text())
		}
	}
}

// planted are places of HTML in which a name may be that is not seen.
var planted = []string{
	"<p class='%s'>a</p>", "<p id=%s>", "<p %s>", "<p title='%s' align='%s'>", "<img alt='%s' src='data:image/png;base64,%s'>",
	"<a href='mailto:%s@example.org' name=%s>a</a>", "<a href='tel:%s'>", "<!-- %s -->", "<!--%s>-->", "<?%s?>", "<!%s>", "</ %s>",
	"</b %s>",
	"<!DOCTYPE html PUBLIC '%s' '%s'>", "<script>var a = '%s'</script>", "<style>.%s {}</style>", "<title>%s</title>",
	"<meta name=author content='%s'>",
	"<p style='background:url(%s)'>a</p>", "<p style='display:none'>%s</p>", "<p hidden>%s<b>%s</b></p>", "<input type=hidden value='%s'>",
	"<input value='%s' placeholder='%s'>", "<%s>a</%s>", "<svg><text>%s</text></svg>", "<object data='%s'>%s</object>",
	"<iframe srcdoc='%s'>%s</iframe>",
	"<noscript>%s</noscript>", "<template>%s</template>", "<audio src='%s'>%s</audio>", "<td colspan='2 %s'>", "<o:p %s='%s'>a</o:p>",
	"<meta charset='%s'>", "<base href='%s'>", "<link rel=%s href=%s>", "<p lang='%s' dir='%s'>", "<!--[if %s]>%s<![endif]-->",
	"<p\f%s\n=\n'%s'/>",
	"<![CDATA[%s]]>", "<p a=\"'>%s\">", "<b a=%s/>", "<select name=%s><option value='%s'>a</select>", "<body onload='%s'>",
}

func TestNothingUnseenIsLeftInHTML(t *testing.T) {
	t.Parallel()
	const name = "zarkovin"
	for _, form := range planted {
		for _, around := range []string{"%s", "<p>%s</p>", "<table><tr><td>%s</table>", "<pre>%s</pre>"} {
			input := fmt.Sprintf(around, strings.ReplaceAll(form, "%s", name))
			d := format.Reads(t, input)
			out := strings.ToLower(string(documenttest.Replaced(t, d, nil)))
			if strings.Contains(d.Text(), name) || strings.Contains(out, name) {
				t.Errorf("%q: text %q, document %q", input, d.Text(), out)
			}
		}
	}
}

func FuzzHTML(f *testing.F) {
	for i, form := range planted {
		f.Add([]byte(strings.ReplaceAll(form, "%s", "x")), uint64(i))
	}
	f.Add([]byte("<table><tr><td>a&amp;<b>b</b> c<td>d</table><pre>\n e </pre>&shy;x"), uint64(3))
	f.Fuzz(func(t *testing.T, input []byte, seed uint64) { format.Verify(t, input, seed) })
}
