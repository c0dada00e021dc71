package document

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/document/encoding"
)

// large repeats a part of a document until it has a megabyte.
func large(begin, part, end string) []byte {
	return []byte(begin + strings.Repeat(part, (1<<20)/len(part)+1) + end)
}

func BenchmarkParse(b *testing.B) {
	entries := note(b)
	from, to := bytes.Index(entries, []byte("<entry ")), bytes.LastIndex(entries, []byte("</section>"))
	for _, c := range []struct {
		format Format
		data   []byte
	}{
		{Plain, large("", "Seen by Jane Poe on the ward.\n", "")},
		{HTML, large("<html><body>", "<p class=x>Seen by <b>Jane</b> Poe &amp; others,\n  on the ward.</p>\n<!-- x -->", "</body></html>")},
		{XML, large("<notes>", "<note id='1'><text>Seen by Jane Poe &amp; others,\n  on the ward.</text></note>\n", "</notes>")},
		{CDA, large(string(entries[:from]), string(entries[from:to]), string(entries[to:]))},
	} {
		b.Run(string(c.format), func(b *testing.B) {
			b.SetBytes(int64(len(c.data)))
			b.ReportAllocs()
			for b.Loop() {
				d, err := Parse(c.format, c.data)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := d.Replace(nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// note returns a made-up clinical document.
func note(b *testing.B) []byte {
	b.Helper()
	data, err := os.ReadFile("cda/testdata/note.cda.xml")
	if err != nil {
		b.Fatal(err)
	}
	return data
}

// hl7Head begins messages of the benchmarks.
const hl7Head = "MSH|^~\\&|||||||ORU^R01^ORU_R01||P|2.5.1\r"

// rtfLetter returns a letter in RTF of about size bytes, in the style of word processors.
func rtfLetter(size int) []byte {
	var s strings.Builder
	s.WriteString(`{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\froman\fcharset0 Times New Roman;}}{\info{\author Poe}}`)
	for i := 0; s.Len() < size; i++ {
		fmt.Fprintf(&s, "\\pard\\plain\\li%d {\\rtlch\\fcs1 \\af0 \\ltrch\\fcs0 \\f0\\fs24\\insrsid%d Jos\\'e9 Poe was seen "+
			"on the ward and complained of pain }"+
			"{\\b in the }{\\*\\bkmkstart a}left \\u8220?knee\\u8221?\\~again. \\par\r\n", i%720, i)
	}
	return append([]byte(s.String()), '}')
}

// hl7Report returns a report in HL7 of about size bytes.
func hl7Report(size int) []byte {
	var s strings.Builder
	s.WriteString(hl7Head + "PID|1||4711^^^H^MR||POE^JANE||19560412|F\r")
	for i := 1; s.Len() < size; i++ {
		fmt.Fprintf(&s, "OBX|%d|TX|11502-2^Report^LN||Jane Poe was seen on the ward \\T\\ complained of pain in the left knee."+
			"\\.br\\|||N|||F|||20260102\r", i%9999)
	}
	return []byte(s.String())
}

func benchmarkDocument(b *testing.B, format Format, data []byte) {
	b.Helper()
	b.Run(fmt.Sprintf("parse/%d", len(data)), func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Parse(format, data); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run(fmt.Sprintf("replace/%d", len(data)), func(b *testing.B) {
		d, err := Parse(format, data)
		if err != nil {
			b.Fatal(err)
		}
		edits := editsOf(d.Text(), "Poe", "Lee")
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := d.Replace(edits); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// editsOf returns edits that put a word in the place of each other one.
func editsOf(text, word, with string) []Edit {
	var edits []Edit
	for at := 0; ; {
		n := strings.Index(text[at:], word)
		if n < 0 {
			return edits
		}
		edits = append(edits, Edit{Begin: at + n, End: at + n + len(word), Text: with})
		at += n + len(word)
	}
}

func BenchmarkRTF(b *testing.B) {
	for _, size := range []int{4 << 10, 1 << 20, 50 << 20} {
		benchmarkDocument(b, RTF, rtfLetter(size))
	}
}

func BenchmarkHL7(b *testing.B) {
	for _, size := range []int{4 << 10, 1 << 20, 50 << 20} {
		benchmarkDocument(b, HL7, hl7Report(size))
	}
}

func BenchmarkDecode(b *testing.B) {
	letter := rtfLetter(1 << 20)
	for _, e := range []encoding.Encoding{encoding.Base64, encoding.Hex, encoding.Gzip, "base64+gzip", encoding.Latin1} {
		packed := encodedText(b, e, letter)
		b.Run(string(e), func(b *testing.B) {
			b.SetBytes(int64(len(letter)))
			b.ReportAllocs()
			for b.Loop() {
				data, coding, err := encoding.Decode(e, packed)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := coding.Encode(data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
