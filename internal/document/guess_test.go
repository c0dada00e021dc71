package document

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/document/encoding"
)

func TestGuess(t *testing.T) {
	t.Parallel()
	const (
		rtf  = `{\rtf1\ansi Mrs. Varnabeck was seen today and went home after breakfast.\par}`
		html = `<html><body><p>Mrs. Varnabeck was seen today.</p></body></html>`
		text = "Mrs. Varnabeck was seen today and went home after breakfast, with her daughter."
	)
	base := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	random := string(bytes.Repeat([]byte{0x93, 0x00, 0xf1, 0x7e, 0x01, 0xaa}, 20))
	for name, c := range map[string]struct {
		data     string
		format   Format
		encoding encoding.Encoding
	}{
		"text":                          {text, Plain, ""},
		"nothing":                       {"", Plain, ""},
		"text cut within a character":   {text + " Jos\xc3", Plain, ""},
		"text in Windows-1252":          {text + " Jos\xe9 came.", Plain, encoding.Windows},
		"text in UTF-16":                {string(encodedText(t, encoding.UTF16, text)), Plain, encoding.UTF16},
		"RTF":                           {rtf, RTF, ""},
		"RTF that is cut":               {rtf[:20], RTF, ""},
		"HTML":                          {html, HTML, ""},
		"XML":                           {`<?xml version="1.0"?><note><to>Tove</to></note>`, XML, ""},
		"CDA":                           {`<ClinicalDocument xmlns="urn:hl7-org:v3"><title>x</title></ClinicalDocument>`, CDA, ""},
		"JSON":                          {`{"family": "Varnabeck"}`, JSON, ""},
		"HL7":                           {"MSH|^~\\&|LAB|X|EHR|X|20240302||ORU^R01|1|P|2.5\rPID|1||4711", HL7, ""},
		"RTF in base64":                 {base(rtf), RTF, encoding.Base64},
		"RTF in base64, in lines":       {base(rtf)[:60] + "\r\n" + base(rtf)[60:], RTF, encoding.Base64},
		"HTML in base64 that is cut":    {base(html + html)[:90], HTML, encoding.Base64},
		"text in base64":                {base(text), Plain, encoding.Base64},
		"gzip":                          {string(encodedText(t, encoding.Gzip, html)), HTML, encoding.Gzip},
		"gzip that is cut":              {string(encodedText(t, encoding.Gzip, strings.Repeat(html, 9)))[:80], HTML, encoding.Gzip},
		"zlib":                          {string(encodedText(t, encoding.Zlib, text)), Plain, encoding.Zlib},
		"gzip in base64":                {base(string(encodedText(t, encoding.Gzip, rtf))), RTF, "base64+gzip"},
		"a blob of Millennium":          {string(encodedText(t, encoding.OCF, rtf)), RTF, encoding.OCF},
		"one that is not compressed":    {text + "ocf_blob", Plain, encoding.OCF},
		"bytes":                         {random, "", ""},
		"bytes in gzip":                 {string(encodedText(t, encoding.Gzip, random)), "", encoding.Gzip},
		"a hash":                        {strings.Repeat("9f86d081884c7d65", 4), Plain, ""},
		"bytes in base64, as keys have": {base(random), Plain, ""},
		"a word of base64":              {"SmFuZSBQb2U=", Plain, ""},
	} {
		if format, encoding := Guess([]byte(c.data)); format != c.format || encoding != c.encoding {
			t.Errorf("%s: %q in %q, want %q in %q", name, format, encoding, c.format, c.encoding)
		}
	}
}

// encodedText returns a text in an encoding.
func encodedText[T []byte | string](t testing.TB, e encoding.Encoding, text T) []byte {
	t.Helper()
	nothing := map[encoding.Encoding]string{
		encoding.Gzip: "\x1f\x8b\b\x00\x00\x00\x00\x00\x00\xff\x01\x00\x00\xff\xff\x00\x00\x00\x00\x00\x00\x00\x00",
		encoding.Zlib: "x\x9c\x01\x00\x00\xff\xff\x00\x00\x00\x01", encoding.UTF16: "\xff\xfe",
		encoding.OCF: "\x80\x40\x40ocf_blob",
	}
	data := []byte(text)
	for _, step := range slices.Backward(strings.Split(string(e), "+")) {
		_, coding, err := encoding.Decode(encoding.Encoding(step), []byte(nothing[encoding.Encoding(step)]))
		if err == nil {
			data, err = coding.Encode(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return data
}

func FuzzGuess(f *testing.F) {
	f.Add([]byte("{\\rtf1 x}"))
	f.Add(encodedText(f, "base64+gzip", "<html><body>x</body></html>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		format, encoding := Guess(data)
		if format != "" && parsers[format] == nil || !encoding.Valid() {
			t.Errorf("%q in %q", format, encoding)
		}
	})
}
