package corpus

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/text"
)

// FormatI2B2 returns a document as a file of the i2b2 2014 corpus. TYPE is the label; the
// element's name, the tag group, follows from the label's meaning. XML cannot contain most control
// characters, such as a form feed: the error for such a text names the position.
func FormatI2B2(doc Annotated, labels Labels) ([]byte, error) {
	if err := text.Check(doc.Text); err != nil {
		return nil, err
	}
	for at, r := range doc.Text {
		if !inXML(r) {
			return nil, fmt.Errorf("byte %d of the text: XML can't hold %U; write %s or %s instead", at, r, BRAT, JSONLines)
		}
	}
	var b bytes.Buffer
	b.WriteString(xml.Header + "<deIdi2b2>\n<TEXT>")
	writeCDATA(&b, doc.Text)
	b.WriteString("</TEXT>\n<TAGS>\n")
	for i, points := range codePointsOf(doc.Text, doc.Marks) {
		m := doc.Marks[i]
		element, err := i2b2Element(m, labels)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, `<%s id="P%d" start="%d" end="%d" text="%s" TYPE="%s" comment="" />`+"\n",
			element, i, points[0], points[1], escapeAttr(doc.Text[m.Start:m.End]), escapeAttr(m.Label))
	}
	b.WriteString("</TAGS>\n</deIdi2b2>\n")
	return b.Bytes(), nil
}

// i2b2Element returns the tag group of a mark: NAME, PROFESSION, LOCATION, AGE, DATE, CONTACT, ID,
// or PHI for types in none.
func i2b2Element(m Mark, labels Labels) (string, error) {
	meaning, err := labels.Resolve(m)
	if err != nil {
		return "", err
	}
	if meaning.Ignored() {
		return "PHI", nil
	}
	return meaning.Main.Class().String(), nil
}

// writeCDATA writes a text such that a parser returns it unchanged: "]]>" would end a section, and
// a carriage return would become a line feed.
func writeCDATA(b *bytes.Buffer, text string) {
	text = strings.ReplaceAll(text, "]]>", "]]]]><![CDATA[>")
	text = strings.ReplaceAll(text, "\r", "]]>&#13;<![CDATA[")
	b.WriteString("<![CDATA[" + text + "]]>")
}

func escapeAttr(s string) string {
	var b strings.Builder
	// A strings.Builder never fails.
	_ = xml.EscapeText(&b, []byte(s))
	return b.String()
}

// inXML reports whether XML 1.0 allows a character: production [2].
func inXML(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' || r >= ' ' && r <= 0xD7FF || r >= 0xE000 && r <= 0xFFFD || r >= 0x10000
}
