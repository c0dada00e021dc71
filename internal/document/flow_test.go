package document

import (
	"testing"
)

func TestHowTextFlows(t *testing.T) {
	t.Parallel()
	edges := map[byte]display{'B': block, 'P': paragraph, 'R': row, 'C': cell, 'L': lineBreak, 'I': inline}
	for _, c := range []struct{ input, want string }{
		{"aIb", "ab"},
		{"aBb", "a\nb"},
		{"aBBb", "a\nb"},
		{"aPb", "a\n\nb"},
		{"aBPBb", "a\n\nb"},
		{"aLb", "a\nb"},
		{"aLLLb", "a\n\n\nb"},
		{"aLBb", "a\nb"},
		{"aCb", "a\tb"},
		{"aCRb", "a\nb"},
		{"BPLa", "a"},
		{"aPLB", "a"},
		{"a  b", "a b"},
		{"a I b", "a b"},
		{"  a", "a"},
		{"a B b", "a \nb"},
		{"a\t\r\n b", "a b"},
	} {
		b := newBuilder([]byte(c.input))
		f := flow{b: b, writer: verbatim{}}
		for b.at < len(b.input) {
			rest := b.input[b.at:]
			if d, ok := edges[rest[0]]; ok {
				f.edge(d)
				b.keep(rest[:1])
				continue
			}
			n := 1
			for n < len(rest) && edges[rest[n]] == inline && rest[n] != 'I' {
				n++
			}
			f.characters(rest[:n], characters{})
		}
		d, err := b.document(Plain)
		if err != nil || d.Text() != c.want {
			t.Errorf("%q: %q, %v, want %q", c.input, d.Text(), err, c.want)
		}
	}
}

func TestHowTextOfMarkupIsWritten(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		writer   markupText
		in, want string
	}{
		{markupText{}, `a & b < c > "d" 'e'`, `a &amp; b &lt; c &gt; "d" 'e'`},
		{markupText{quotes: true}, `"d" 'e'`, `&quot;d&quot; &apos;e&apos;`},
		{markupText{}, " a  b ", "&#32;a&#32;&#32;b&#32;"},
		{markupText{}, "\t\n\r", "&#9;&#10;&#13;"},
		{markupText{}, "\x00\x01\ufffe\uffff", "\uFFFD\uFFFD\uFFFD\uFFFD"},
		{markupText{controls: true}, "\x00\x01", "\uFFFD&#1;"},
		{markupText{}, "Łódź 𝒜", "Łódź 𝒜"},
		{markupText{}, "", ""},
	} {
		if got := string(c.writer.write(nil, c.in)); got != c.want {
			t.Errorf("%q is written as %q, want %q", c.in, got, c.want)
		}
	}
}
