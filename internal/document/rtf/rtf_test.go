package rtf

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/internal/document/documenttest"
	"github.com/pgdeid/pgdeid/internal/document/parts"
)

// format is the format of this package.
var format = documenttest.Format{Name: "rtf", Read: Read}

func TestWhatRTFShows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, input, want string }{
		{"plain", `Jane Poe`, "Jane Poe"},
		{"formatting cuts no words", `Ja\b ne\b0  {\i P}{\ul\cf1 o}{\super e}\f1\fs24 , se\lang1033 en`, "Jane Poe, seen"},
		{"line ends of the source cut no words", "Ja\r\nne\nPo\re", "JanePoe"},
		{"unknown words cut no words", `Ja\zork12 ne\zork`, "Jane"},
		{"groups cut no words", `{J{a}{n{e}}}`, "Jane"},
		{"bookmarks cut no words", `Ja{\*\bkmkstart x}n{\*\bkmkend x}e`, "Jane"},
		{"soft hyphens cut no words", `Zar\-ko\'advi\u173?na\u8203?`, "Zarkovina"},
		{"spaces that do not break", "Jane\\~Poe\\'a0Lee\\u160?\u00a0a\u00adb\u200b", "Jane Poe Lee  ab"},
		{
			"special characters", `\lquote a\rquote  \ldblquote b\rdblquote  \emdash\endash\bullet\emspace\enspace\qmspace`,
			"‘a’ “b” —–•\u2003\u2002\u2005",
		},
		{"symbols", `a\~b\_c\{d\}e\\f`, "a b-c{d}e\\f"},
		{"unknown symbols are text", `T\&A\:\|` + "\\\x01", "T&A:|"},
		{"breaks", `a\par b\line c\tab d\page e\sect f\column g` + "\\\nh\\\r\ni", "a\nb\nc\td\ne\nf\ng\nh\ni"},
		{"control characters", "a\tb\x00c\x01\vd\x7f", "a\tbc\nd"},
		{"tables", `\trowd\cellx9 a\cell b\cell\row\trowd c\cell\row d`, "a\tb\t\nc\t\nd"},
		{"nested tables", `{\pard\itap2 a\nestcell{\*\nesttableprops\trowd\cellx9\nestrow}{\nonesttables\par}}b\cell`, "a\t\nb\t"},
		{"hexadecimal", `Jos\'e9 \'93x\'94 \'80`, "José “x” €"},
		{"hexadecimal of a control", `a\'09b\'0ac\'00d`, "a\tb\ncd"},
		{"bytes", "Jos\xe9 \x93x\x94", "José “x”"},
		{"UTF-8", "José €", "José €"},
		{"code page", `\ansicpg1251\'cf\'f0\'e8`, "При"},
		{"UTF-8 as code page", `\ansicpg65001 Jos\'c3\'a9 \'e2\'82\'ac\'f0\'9f\'98\'80\'c3x`, "José €😀\ufffdx"},
		{"Macintosh", `\mac Jos\'8e`, "José"},
		{"code page 437", `\pc Jos\'82`, "José"},
		{"code page 850", `\pca Jos\'82`, "José"},
		{
			"font's character set", `{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset238 Arial;}}\f1 \'b3\f0 \'b3{\f1 \'b3}\'b3\f1\plain\'b3`,
			"ł³ł³³",
		},
		{"font's code page", `{\fonttbl{\f7\fnil\cpg1253 Arial;}}\f7 \'e1`, "α"},
		{"default font", `\deff1{\fonttbl{\f1\fcharset204 Arial;}}\'cf\f0\'cf\plain\'cf`, "ПÏП"},
		{"two bytes", `{\fonttbl{\f0\fcharset128 MS Mincho;}}\f0\'82\'a0\'83A\'b1\'83\'5c\'83\\A`, "あアｱソソA"},
		{"half of two bytes", `{\fonttbl{\f0\fcharset136 MingLiU;}}\f0\'a4\'a4\'a4\b x\'a4{\b y}`, "中\ufffdx\ufffdy"},
		{"Symbol", `{\fonttbl{\f0\fcharset2 Symbol;}}\f0\'b7Poe`, "·Poe"},
		{"Unicode", `\u233? \u8364? \u-3840? \u255?`, "é € \uf100 ÿ"},
		{"substitutes", `\u233e\u233\'e9\uc2\u12354\'82\'a0\uc0\u233 x\u233x`, "ééあéxéx"},
		{"substitutes in groups", `{\uc0 a{\uc3\u233abcd}\u233 b}\u233?c`, "aédébéc"},
		{"escaped substitutes", `\uc5\u233\{\}\\\~\_x`, "éx"},
		{"substitutes end with the group or a word", `{\u233}a\u233\b b\u233\par c`, "éaébé\nc"},
		{"substitutes over line ends", "\\uc2\\u233?\r\n?x", "éx"},
		{"substitutes beyond ASCII", "\\u233éx\\uc2\\u233aéx", "éxéx"},
		{"pairs", `\u-10179?\u-8704? \uc0\u55357\u56832 x`, "😀 😀x"},
		{"half pairs", `a\u-10179?b\u-8704?c\u-10179?\b\u-8704?d`, "a\ufffdb\ufffdc\ufffd\ufffdd"},
		{"beyond 16 bits", `\u128512? \u2000000?`, "😀 \ufffd"},
		{"without a number", `a\u b`, "ab"},
		{"field", `{\field{\*\fldinst{HYPERLINK "mailto:x@example.org"}}{\fldrslt{\ul\cf2 Jane}}} Poe`, "Jane Poe"},
		{"field in a field", `{\field{\*\fldinst IF {\field{\*\fldinst X}{\fldrslt no}}}{\fldrslt a{\field{\*\fldinst Y}{\fldrslt b}}}}`, "ab"},
		{"list numbers", `{\listtext\f3\'b7\tab}a\par{\pntext 2.\tab}b`, "·\ta\n2.\tb"},
		{"hidden", `a\v b\v0 c{\v d\plain e\par}f{\v{\u233?\'e9\tab g}}\v1\bullet`, "ace\nf"},
		{"left out", `a{\info{\author x}}{\pict\wmetafile8 0a}{\object\objemb{\*\objdata 00}{\result b}}{\*\unknown c}{\xe d}e`, "abe"},
		{"left out from a word on", `a{\b b\info c{d}}e{f\*\zork g}h`, "abefh"},
		{"binary data", "a{\\pict\\bin4 }}{{}b\\bin2 }{c", "abc"},
		{"text box", `a{\shp{\*\shpinst\shpleft9{\sp{\sn n}{\sv v}}x{\shptxt\pard b\par}}{\shprslt{\*\do{\dptxbxtext c}}}}d`, "a\nb\n\nd"},
		{"drawing", `{\*\do\dobxpage\dptxbx{\dptxbxtext\pard b}\dpx1}`, "\nb\n"},
		{"group of drawings", `{\shpgrp{\*\shpinst{\shp{\*\shpinst{\shptxt a}}}{\shp{\*\shpinst{\shptxt b}}}}}`, "\na\n\nb\n"},
		{"page", `{\header a}{\footerl b}c{\footnote\chftn d}e`, "\na\n\nb\nc\nd\ne"},
		{"revisions", `{\deleted\revauthdel1 a}{\revised\revauth1\revdttm123 b}`, "ab"},
		{"both ways", `{\upr{a}{\*\ud{\u97 a}}}`, "a"},
		{"nothing", ``, ""},
	} {
		input := `{\rtf1\ansi ` + c.input + `}`
		if got := format.Reads(t, input).Text(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		for seed := range uint64(20) {
			format.Verify(t, []byte(input), seed)
		}
	}
}

func TestWhatRTFKeeps(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, input, want string }{
		{"layout", `\pard\li-720 {\b\fs24 a}\par` + "\r\n" + `\qc b\cell`, `\pard\li-720 {\b\fs24 a}\par` + "\r\n" + `\qc b\cell`},
		{"words that are not known", `\zork1 a\rsid99 b{\zork c}`, `ab{c}`},
		{"numbers that are no measure", `\li4155551234 a\li-1000000 b\li999999 c`, `ab\li999999 c`},
		{"revision marks without author and time", `\revised\revauth2\revdttm99 a`, `\revised a`},
		{"fields", `{\field\fldedit{\*\fldinst PAGE}{\fldrslt{\b 1}}}`, `{{{\b 1}}}`},
		{"list numbers", `\ls1\ilvl0{\listtext 1.\tab}a`, `{1.\tab }a`},
		{"text boxes", `{\shp{\*\shpinst\shpleft9 {\shptxt a}}}`, `{{{\par a\par }}}`},
		{"colours", `{\colortbl;\red255\green0\blue0;x\red256\zork\ctint9 ;}`, `{\colortbl;\red255\green0\blue0;\ctint9 ;}`},
		{
			"fonts", `{\fonttbl{\f0\froman\fcharset0\fprq2{\*\panose 02}Times New Roman{\*\falt Tms};}{\f1\fswiss Arial CE;}}`,
			`{\fonttbl{\f0\froman\fcharset0\fprq2 Times New Roman;}{\f1\fswiss Arial CE;}}`,
		},
		{
			"fonts of a site", `{\fonttbl{\f0\froman Zork;}{\f1\fswiss\'c4rial;}{\f2 ;}{\f3\fmodern Zork {\*\falt x}Sans;}}`,
			`{\fonttbl{\f0\froman Times New Roman;}{\f1\fswiss Arial;}{\f2 Arial;}{\f3\fmodern Courier New;}}`,
		},
		{"fonts without groups", "{\\fonttbl\\f0\\fnil Arial;\r\n\\f1\\ftech Zork;}", "{\\fonttbl\\f0\\fnil Arial;\r\n\\f1\\ftech Symbol;}"},
		{
			"styles", `{\stylesheet{\ql\snext0 Normal;}{\s1\b\sbasedon0 heading 1;}{\*\cs10\additive Dr. Zork;}{\s3{\*\keycode x}Zork;}}`,
			`{\stylesheet{\ql\snext0 Normal;}{\s1\b\sbasedon0 heading 1;}{\*\cs10\additive Style 1;}{\s3 Style 2;}}`,
		},
		{"styles with a second name", `{\stylesheet{\s1 heading 1,Zork;}{\*\latentstyles Zork;}}`, `{\stylesheet{\s1 Style 1;}}`},
		{"space behind a word", `\b\'e9\i(a)\f1{\*\x y}b`, `\b \'e9\i (a)\f1 b`},
		{"escapes of bytes", "a\\'e9\\u233?b\xe9c", `a\'e9\u233?b\u233?c`},
		{"substitutes that say something else", `\u97 Z\u97 o\u97r\u233 e\u97?`, `aaa\u233?\u97?`},
		{"characters that text behind would run into", `\emdash a\emdash\'e9\uc0\u233\'e9`, `\emdash a\u8212?\'e9\uc0 \u233 \'e9`},
	} {
		d := format.Reads(t, `{\rtf1 `+c.input+`}`)
		format.Verify(t, d.Raw(), 1)
		if got := string(documenttest.Replaced(t, d, nil)); got != `{\rtf1 `+c.want+`}` {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	around := "\ufeff \r\n{\\rtf1 a}\r\n\x00\x1a"
	if got := string(documenttest.Replaced(t, format.Reads(t, around), nil)); got != `{\rtf1 a}` {
		t.Errorf("around: %q", got)
	}
}

func TestEditsOfRTF(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, input, what, with, want string }{
		{"a word over formatting", `Ja\b n{\i e} Poe`, "Jane", "Ann", `Ann\b {\i } Poe`},
		{"escapes", `Jane`, "Jane", `\{x}`, `\\\{x\}`},
		{"letters", `Jane`, "Jane", "Łé", `\u321?\u233?`},
		{"no substitute", `\uc0 Jane`, "Jane", "é1", `\uc0 \u233 1`},
		{"two substitutes", `\uc2 Jane`, "Jane", "é", `\uc2 \u233??`},
		{"beyond 16 bits", `Jane`, "Jane", "😀\uf100", `\u-10179?\u-8704?\u-3840?`},
		{"lines", `Jane`, "Jane", "a\nb\tc\r\x01", `a\line b\tab c`},
		{"escaped", `Jos\'e9 \u80?oe`, "José Poe", "Ann", `Ann`},
		{"a pair", `a\u-10179?\u-8704?b`, "😀", "x", `axb`},
		{"behind a word", `\b\'e9 a`, "é", "x", `\b x a`},
		{"before a word", `Jane\par Poe`, "Jane", "x", `x\par Poe`},
		{"a line break", `Jane\line Poe`, "Jane\nPoe", "Ann", `Ann`},
		{"a soft hyphen", `Ja\-ne`, "Jane", "Ann", `Ann`},
		{"deleted", `\b Jane\i Poe`, "JanePoe", "", `\b \i `},
	} {
		d := format.Reads(t, `{\rtf1 `+c.input+`}`)
		begin := strings.Index(d.Text(), c.what)
		out := documenttest.Replaced(t, d, []parts.Edit{{Begin: begin, End: begin + len(c.what), Text: c.with}})
		if got := string(out); got != `{\rtf1 `+c.want+`}` {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestBrokenRTF(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, input, reason string }{
		{"another format", `Zorvakian`, "does not begin with"},
		{"another word", `{\rtfx Zorvakian}`, "does not begin with"},
		{"another version", `{\rtf12 Zorvakian}`, "does not begin with"},
		{"not closed", `{\rtf1 Zorvakian`, "without an end"},
		{"group not closed", `{\rtf1 {\pict Zorvakian}`, "without an end"},
		{"left out and not closed", `{\rtf1 {\info Zorvakian`, "without an end"},
		{"closed twice", `{\rtf1 Zorvakian}}`, "behind the end"},
		{"text behind it", `{\rtf1 a} Zorvakian`, "behind the end"},
		{"two documents", `{\rtf1 a}{\rtf1 Zorvakian}`, "behind the end"},
		{"half an escape", `{\rtf1 Zorvakian\'e}`, "two hexadecimal digits"},
		{"no escape", `{\rtf1 Zorvakian\'zz}`, "two hexadecimal digits"},
		{"backslash at the end", `{\rtf1 Zorvakian\`, "a backslash"},
		{"backslash before a letter that is not ASCII", `{\rtf1 Zorvakian\é}`, "not ASCII"},
		{"binary data beyond the end", `{\rtf1 {\pict\bin99 Zorvakian}}`, "longer than the document"},
		{"less than no binary data", `{\rtf1 {\pict\bin-9 Zorvakian}}`, "longer than the document"},
		{"a great deal of binary data", `{\rtf1 {\pict\bin18446744073709551617 Zorvakian}}`, "longer than the document"},
		{"too many substitutes", `{\rtf1 \uc9 Zorvakian}`, "substitutes"},
		{"less than no substitutes", `{\rtf1 \uc-1 Zorvakian}`, "substitutes"},
		{"code page", `{\rtf1\ansicpg1361 Zorvakian\'e9}`, "code page"},
		{"depth", `{\rtf1 Zorvakian` + strings.Repeat("{", maxDepth) + strings.Repeat("}", maxDepth+1), tooDeep},
		{"depth of what is left out", `{\rtf1 {\info ` + strings.Repeat("{", maxDepth+1), tooDeep},
	} {
		d, err := format.Parse([]byte(c.input))
		if err == nil {
			t.Errorf("%s: read as %q", c.name, d.Text())
			continue
		}
		if s := fmt.Sprintf("%v %+v", err, err); strings.Contains(s, "Zorvakian") || !strings.Contains(s, c.reason) {
			t.Errorf("%s: %s", c.name, s)
		}
	}
}

func TestDeepRTF(t *testing.T) {
	t.Parallel()
	n := maxDepth - 1
	d := format.Reads(t, `{\rtf1 `+strings.Repeat("{", n)+"a"+strings.Repeat("}", n)+"}")
	if d.Text() != "a" {
		t.Errorf("%q", d.Text())
	}
}

// plantedName is an identifier that no part of a document may keep unless it is in the text.
const plantedName = "ZORVAKIAN"

// hexed returns s as escapes of its bytes.
func hexed(s string) string {
	var out strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&out, `\'%02x`, s[i])
	}
	return out.String()
}

func TestNothingPlantedStaysInRTF(t *testing.T) {
	t.Parallel()
	for name, form := range map[string]string{
		"info": `{\info{\author %s}{\operator %s}{\title %s}{\doccomm %s}{\*\company %s}{\creatim\yr1961}}`,
		"fields": `{\field{\*\fldinst HYPERLINK "mailto:%s@example.org" \\o "%s"}{\fldrslt x}}` +
			`{\field{\*\fldinst{\*\formfield{\*\ffname %s}{\*\ffdeftext %s}}}{\fldrslt x}}`,
		"bookmarks":         `{\*\bkmkstart %s}x{\*\bkmkend %s}`,
		"comments":          `{\*\atnid %s}{\*\atnauthor %s}\chatn{\*\annotation{\*\atnref 1}%s}{\atnid %s}`,
		"revisions":         `{\*\revtbl{Unknown;}{%s;}}{\*\rsidtbl \rsid1}`,
		"variables":         `{\*\docvar{%s}{%s}}{\*\userprops{\propname %s}\proptype30{\staticval %s}}`,
		"pictures":          `{\pict{\*\picprop{\sp{\sn wzDescription}{\sv %s}}}\pngblip %s}{\*\shppict{\pict %s}}{\nonshppict{\pict %s}}`,
		"objects":           `{\object\objemb{\*\objclass %s}{\*\objdata %s}{\*\objname %s}{\result x}}`,
		"shapes":            `{\shp{\*\shpinst{\sp{\sn wzName}{\sv %s}}%s{\shptxt x}}{\shprslt %s}}`,
		"hidden":            `{\v %s}\v %s\v0 x`,
		"binary data":       "{\\pict\\bin9 %s}\\bin9 %s",
		"unknown":           `{\*\zork %s}{x\*\zork %s}`,
		"index":             `{\xe{%s}}{\tc %s}{\*\xmlopen\xmlns1{\factoidname %s}}`,
		"fonts":             `{\fonttbl{\f0\fnil %s{\*\falt %s};}{\f1{\fname %s;}%s Sans;}}`,
		"colours":           `{\colortbl %s;\red1%s;}`,
		"styles":            `{\stylesheet{\s1 %s;}{\s2{%s}Normal;}{\*\cs3 heading 1, %s;}}`,
		"lists":             `{\*\listtable{\list{\listname %s;}{\listlevel{\leveltext %s;}}}}{\*\pn\pntxtb %s}`,
		"words":             `\%s x\%s9 y{\%s z}`,
		"templates":         `{\*\template %s}{\*\generator %s}{\*\datastore %s}{\*\themedata %s}{\*\xmlnstbl{\xmlns1 %s}}`,
		"substitutes":       `{\uc8\u97 %s}`,
		"form of old shape": `{\*\do\dptxbx{\dptxbxtext x}%s}`,
		"mail merge":        `{\*\mailmerge{\*\mmdatasource %s}{\mmquery %s}}`,
	} {
		for _, secret := range []string{plantedName, hexed(plantedName)} {
			if secret != plantedName && (name == "words" || name == "binary data" || name == "substitutes") {
				continue
			}
			document := `{\rtf1\ansi a ` + strings.ReplaceAll(form, "%s", secret) + ` b}`
			d := format.Reads(t, document)
			if name != "substitutes" && strings.Contains(d.Text(), plantedName) {
				t.Errorf("%s: the text is %q", name, d.Text())
			}
			out := string(documenttest.Replaced(t, d, nil))
			if strings.Contains(out, secret) && !strings.Contains(d.Text(), plantedName) {
				t.Errorf("%s: %q stays in %q", name, secret, out)
			}
		}
	}
}

func TestWhatIsPlantedInTextOfRTFIsEdited(t *testing.T) {
	t.Parallel()
	var unicode, mixed strings.Builder
	for i, r := range plantedName {
		fmt.Fprintf(&unicode, `\u%d Z`, r)
		fmt.Fprintf(&mixed, `{\b\f%d %s}\'ad`, i, string(r))
	}
	for name, secret := range map[string]string{
		"plain": plantedName, "hexadecimal": hexed(plantedName), "Unicode": unicode.String(), "mixed": mixed.String(),
		"field": `{\field{\*\fldinst x}{\fldrslt ` + plantedName + `}}`, "header": `{\header ` + plantedName + `}`,
		"Symbol": `{\fonttbl{\f9\fcharset2 Symbol;}}{\f9 ` + plantedName + `}`, "deleted": `{\deleted ` + plantedName + `}`,
		"white": `{\cf8\fs1 ` + plantedName + `}`, "text box": `{\shp{\*\shpinst{\shptxt ` + plantedName + `}}}`,
	} {
		d := format.Reads(t, `{\rtf1\ansi a `+secret+` b}`)
		begin := strings.Index(d.Text(), plantedName)
		if begin < 0 {
			t.Errorf("%s: the text is %q", name, d.Text())
			continue
		}
		out := documenttest.Replaced(t, d, []parts.Edit{{Begin: begin, End: begin + len(plantedName), Text: "Ann"}})
		for _, form := range []string{plantedName, hexed(plantedName), "ZORV", hexed("ZORV"), unicode.String()} {
			if strings.Contains(string(out), form) {
				t.Errorf("%s: %q stays in %q", name, form, out)
			}
		}
		if want := strings.Replace(d.Text(), plantedName, "Ann", 1); format.Reads(t, string(out)).Text() != want {
			t.Errorf("%s: %q does not show %q", name, out, want)
		}
	}
}

func TestRTFStaysASCIIWhereItWasNotUTF8(t *testing.T) {
	t.Parallel()
	out := documenttest.Replaced(t, format.Reads(t, "{\\rtf1 \xc3\xa9{\\info \xff}}"), nil)
	for _, c := range out {
		if c >= utf8.RuneSelf {
			t.Fatalf("%q", out)
		}
	}
}
