package note

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/document/encoding"

	"github.com/pgdeid/pgdeid/internal/document"
)

// BenchmarkNote reads a note of 3 KB with ten names in it and writes it with others, in each format.
func BenchmarkNote(b *testing.B) {
	const paragraph = "Mrs. Quarkstein slept well. Lungs clear, heart regular, no edema; potassium 4.1 after repletion, creatinine stable. " +
		"Continue furosemide 40 mg by mouth daily, recheck electrolytes in the morning, ambulate with physical therapy as tolerated today."
	lines := make([]string, 12)
	for i := range lines {
		lines[i] = paragraph
	}
	for _, f := range []struct {
		name  string
		form  Form
		value string
	}{
		{"plain", Form{}, strings.Join(lines, "\n")},
		{"rtf", Form{Format: document.RTF}, `{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}\f0 ` + strings.Join(lines, `\par {\b x} `) + `\par}`},
		{"html", Form{Format: document.HTML}, "<html><body><p>" + strings.Join(lines, "</p><p class=\"x\"><b>x</b> ") + "</p></body></html>"},
		{"json", Form{Format: document.JSON}, `{"notes": ["` + strings.Join(lines, `", "x\n`) + `"]}`},
		{"base64 of html", Form{Format: document.HTML, Encoding: encoding.Base64}, ""},
	} {
		b.Run(f.name, func(b *testing.B) {
			if f.value == "" {
				f.value = wrapped(b, f.form, "<html><body><p>"+strings.Join(lines, "</p><p class=\"x\"><b>x</b> ")+"</p></body></html>")
			}
			n, err := f.form.Open(f.value)
			if err != nil {
				b.Fatal(err)
			}
			pairs := make([][2]string, 10)
			for i := range pairs {
				pairs[i] = [2]string{"Quarkstein", "Wampfler"}
			}
			res := result(b, n.Text(), pairs...)
			b.SetBytes(int64(len(f.value)))
			for b.Loop() {
				n, err := f.form.Open(f.value)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := n.Write(res); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
