package document

import (
	"bytes"
	"strings"
	"testing"
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
