package cda

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/document/cdatest"
	"github.com/pgdeid/pgdeid/internal/document/documenttest"
	"github.com/pgdeid/pgdeid/internal/document/wordlist"
)

// format is the format of this package.
var format = documenttest.Format{Name: "cda", Read: Read}

// note returns a made-up clinical document with a name in every place that is not text.
func note(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/note.cda.xml")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestWhatCDAShows(t *testing.T) {
	t.Parallel()
	want := []string{
		"Summary of episode", "Summary for Jane", "Female", "History", `Zarko is text: Jane & <b title="seen">Poe</b> `, "a\tb", "c", "d",
		"e f", "",
		"g", "h", "ij", "", "Weight", "Left", "Zarkov", "free", "Aspirin",
	}
	got := strings.Split(format.Reads(t, string(note(t))).Text(), "\n")
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestNothingUnseenIsLeftInCDA(t *testing.T) {
	t.Parallel()
	out := string(documenttest.Replaced(t, format.Reads(t, string(note(t))), nil))
	for _, name := range []string{"zarkovin", "1956", "6789", "4155551234", "2024", "20240229"} {
		if strings.Contains(strings.ToLower(out), name) {
			t.Errorf("%s is left in %s", name, out)
		}
	}
	if !documenttest.WellFormed([]byte(out)) {
		t.Errorf("not well-formed: %s", out)
	}
}

func TestWhatCDAKeeps(t *testing.T) {
	t.Parallel()
	out := string(documenttest.Replaced(t, format.Reads(t, string(note(t))), nil))
	for _, part := range []string{
		`xmlns="urn:hl7-org:v3"`, `classCode="DOCCLIN" moodCode="EVN"`, `<realmCode code="US"/>`,
		`<typeId root="2.16.840.1.113883.1.3" extension="POCD_HD000040"/>`,
		`<templateId root="2.16.840.1.113883.10.20.22.1.1" extension="2015-08-01"/>`, `<templateId nullFlavor="MSK"/>`,
		`<id nullFlavor="MSK"/>`,
		`<effectiveTime nullFlavor="MSK"/>`, `<sdtc:id nullFlavor="MSK"/>`, `<addr use="HP" nullFlavor="MSK"></addr>`,
		`<telecom use="MC" nullFlavor="MSK"></telecom>`,
		`<name use="L" nullFlavor="MSK"></name>`, `<birthTime nullFlavor="MSK"/>`, `<raceCode nullFlavor="MSK"/>`,
		`<section ID="n1">`, `<text ID="n2" mediaType="text/x-hl7-text+xml">`, `<content ID="n3" styleCode="Bold">`,
		`<linkHtml href="#n3">`,
		`<reference value="#n3"/>`, `<paragraph>g<br/>h<br/>i`, `referencedObject="n4 n3"`,
		`<observationMedia classCode="OBS" moodCode="EVN" ID="n4">`,
		`<low inclusive="true" nullFlavor="MSK"/><high nullFlavor="UNK"/>`, `<period value="12" unit="h"/>`, `<event code="HS"/>`,
		`<value xsi:type="PQ" value="70.5" unit="kg"/>`, `<value xsi:type="PQ" nullFlavor="MSK"/>`,
		`<low value="1" unit="mg/dL"/><high nullFlavor="MSK"/>`,
		`<value xsi:type="ED" mediaType="application/pdf" representation="B64" nullFlavor="MSK"></value>`,
		`<value nullFlavor="MSK"></value>`,
		`<lotNumberText nullFlavor="MSK"></lotNumberText>`, `<doseQuantity value="2"/>`, `&lt;b title="seen"&gt;Poe&lt;/b&gt;`,
	} {
		if !strings.Contains(out, part) {
			t.Errorf("%s is not in\n%s", part, out)
		}
	}
}

func TestEditsInCDA(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		format.Verify(t, note(t), seed)
	}
	d := format.Reads(t, string(note(t)))
	if out := documenttest.Edit(t, d, "Jane &", "Ann <Lee>"); !strings.Contains(out, `>Ann &lt;Lee&gt;</content>`) {
		t.Errorf("a name over markup: %s", out)
	}
	if out := documenttest.Edit(t, d, "Female", `"F" & 'M'`); !strings.Contains(out, `displayName="&quot;F&quot; &amp; &apos;M&apos;"`) {
		t.Errorf("the name of a code: %s", out)
	}
}

func TestCDAThatIsRefused(t *testing.T) {
	t.Parallel()
	for _, input := range []string{
		"", "<ClinicalDocument/>", `<note xmlns="urn:hl7-org:v3"/>`, `<zark:ClinicalDocument xmlns:zark="urn:hl7-org:v3"/>`,
		`<ClinicalDocument xmlns="urn:x"/>`,
		`<ClinicalDocument xmlns="urn:hl7-org:v3">`, `<!DOCTYPE x><ClinicalDocument xmlns="urn:hl7-org:v3"/>`,
	} {
		if d, err := format.Parse([]byte(input)); err == nil {
			t.Errorf("%q is read: %q", input, d.Text())
		}
	}
}

func TestPrefixesOfCDA(t *testing.T) {
	t.Parallel()
	input := `<cda:ClinicalDocument xmlns:cda="urn:hl7-org:v3"><cda:title>a` +
		`<div xmlns="http://www.w3.org/1999/xhtml">b<zark:p xmlns:zark="urn:x">c</zark:p></div></cda:title>` +
		`<title>x</title><value xmlns="urn:hl7-org:v3" xmlns:xsi="` + namespaceXSI +
		`" xsi:type="cda:BL" value="true"/></cda:ClinicalDocument>`
	want := `<cda:ClinicalDocument xmlns:cda="urn:hl7-org:v3"><cda:title>a<cda:br/>b<cda:br/>c<cda:br/><cda:br/></cda:title>` +
		`<value xmlns="urn:hl7-org:v3" xmlns:xsi="` + namespaceXSI + `" xsi:type="cda:BL" value="true"/></cda:ClinicalDocument>`
	d := format.Reads(t, input)
	if got := string(documenttest.Replaced(t, d, nil)); got != want || d.Text() != "a\nb\nc" {
		t.Errorf("text %q, got %s", d.Text(), got)
	}
	format.Verify(t, []byte(input), 1)
}

func TestPlainTextInCDA(t *testing.T) {
	t.Parallel()
	input := `<ClinicalDocument xmlns="urn:hl7-org:v3"><component><nonXMLBody><text mediaType="%s">Jane&#10; Poe` + "\n  Lee" +
		`</text></nonXMLBody></component></ClinicalDocument>`
	for media, want := range map[string]string{"text/plain": "Jane\n Poe\n  Lee", "text/rtf": "", "application/pdf": "", "Zarkovin": ""} {
		d := format.Reads(t, strings.ReplaceAll(input, "%s", media))
		if d.Text() != want {
			t.Errorf("%s: %q", media, d.Text())
		}
		if out := string(documenttest.Replaced(t, d, nil)); want == "" && (strings.Contains(out, "Jane") || strings.Contains(out, "Zark") ||
			!strings.Contains(out, masked)) {
			t.Errorf("%s: %s", media, out)
		}
	}
}

func TestAmounts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		value, unit string
		want        bool
	}{
		{"1", "", true},
		{"-0.5", "mg", true},
		{"120", "mm[Hg]", true},
		{"6.7", "10*3/uL", true},
		{"6.7", "10+3/ul", true},
		{"250000", "/uL", true},
		{".5", "mg/kg/d", true},
		{"89", "a", true},
		{"90", "a", false},
		{"1080", "mo", true},
		{"19560412", "", false},
		{"1.2345678", "", false},
		{"+-1", "", false},
		{"", "mg", false},
		{".", "", false},
		{"1e9", "", false},
		{"12/04", "", false},
		{"1", "Zarkovin", false},
		{"1", "mg/Zarkovin", false},
		{"1", "{Zarkovin}", false},
		{"1", "10*Zarkovin", false},
		{"1", "10", true},
		{"1", "10*", false},
	} {
		if got := isAmount(c.value, c.unit); got != c.want {
			t.Errorf("isAmount(%q, %q) = %t", c.value, c.unit, got)
		}
	}
}

func TestTemplatesAndCodesOfTheFormat(t *testing.T) {
	t.Parallel()
	for root, want := range map[string]bool{
		"2.16.840.1.113883.10.20.22.4.1": true, "2.16.840.1.113883.10.20": true, "1.3.6.1.4.1.19376.1.5.3.1.3.4": true,
		"2.16.840.1.113883.10.20.123456789": false, "2.16.840.1.113883.10.200": false, "2.16.840.1.113883.10.20.": false,
		"2.16.840.1.113883.10.20.Zarkovin": false, "1.2.3": false, "": false,
		"2.16.840.1.113883.10.20" + strings.Repeat(".123", 12): false,
	} {
		if got := isTemplate(root); got != want {
			t.Errorf("isTemplate(%q) = %t", root, got)
		}
	}
	for _, c := range []struct {
		element, code string
		want          bool
	}{
		{"realmCode", "US", true},
		{"realmCode", "Zarkovin", false},
		{"realmCode", "us", false},
		{"languageCode", "en", true},
		{"languageCode", "eng", true},
		{"languageCode", "de-AT", true},
		{"languageCode", "Zarkovin", false},
		{"languageCode", "en-Zarkovin", false},
		{"statusCode", "completed", true},
		{"statusCode", "Zarkovin", false},
	} {
		if got := isStatus(c.element, c.code); got != c.want {
			t.Errorf("isStatus(%q, %q) = %t", c.element, c.code, got)
		}
	}
}

func TestCDAKeepsTheOrderOfElements(t *testing.T) {
	t.Parallel()
	input := note(t)
	unknown := wordlist.Set([]string{"zarkovin", "extension", "thumbnail", "p", "i", "script"})
	before := slices.DeleteFunc(cdatest.Outline(input), func(name string) bool { return unknown[strings.TrimSpace(name)] })
	after := cdatest.Outline(documenttest.Replaced(t, format.Reads(t, string(input)), nil))
	breaks := func(name string) bool { return strings.TrimSpace(name) == "br" }
	if before, after := slices.DeleteFunc(before, breaks), slices.DeleteFunc(after, breaks); !slices.Equal(before, after) {
		t.Errorf("elements were\n%s\nand are\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
	}
}

func FuzzCDA(f *testing.F) {
	f.Add(note(f), uint64(1))
	f.Add([]byte(`<ClinicalDocument xmlns="urn:hl7-org:v3"><title>a<![CDATA[ b]]><p>c</p><br/></title>`+
		`<code code="1-1" codeSystem="2.16.840.1.113883.6.1"`+
		` displayName='"d"'/></ClinicalDocument>`), uint64(2))
	f.Fuzz(func(t *testing.T, input []byte, seed uint64) {
		format.Verify(t, input, seed)
		if d, err := format.Parse(input); err == nil && documenttest.WellFormed(d.Raw()) && !documenttest.WellFormed(documenttest.Replaced(t, d, nil)) {
			t.Errorf("%q is broken by replacing nothing: %q", input, documenttest.Replaced(t, d, nil))
		}
	})
}
