package markup

import (
	"testing"

	"github.com/pgdeid/pgdeid/internal/document/parts"
)

func TestHowTextFlows(t *testing.T) {
	t.Parallel()
	edges := map[byte]Display{'B': Block, 'P': Paragraph, 'R': Row, 'C': Cell, 'L': LineBreak, 'I': Inline}
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
		d, err := parts.Parse("flow", []byte(c.input), func(b *parts.Builder) error {
			f := Flow{Builder: b, Writer: parts.Verbatim{}}
			for b.At() < len(b.Input()) {
				rest := b.Input()[b.At():]
				if d, ok := edges[rest[0]]; ok {
					f.Edge(d)
					b.Keep(rest[:1])
					continue
				}
				n := 1
				for n < len(rest) && edges[rest[n]] == Inline && rest[n] != 'I' {
					n++
				}
				f.Characters(rest[:n], Rules{})
			}
			return nil
		})
		if err != nil {
			t.Errorf("%q: %v", c.input, err)
			continue
		}
		if d.Text() != c.want {
			t.Errorf("%q: %q, want %q", c.input, d.Text(), c.want)
		}
	}
}

func TestHowTextOfMarkupIsWritten(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		writer   Escaper
		in, want string
	}{
		{Escaper{}, `a & b < c > "d" 'e'`, `a &amp; b &lt; c &gt; "d" 'e'`},
		{Escaper{Quotes: true}, `"d" 'e'`, `&quot;d&quot; &apos;e&apos;`},
		{Escaper{}, " a  b ", "&#32;a&#32;&#32;b&#32;"},
		{Escaper{}, "\t\n\r", "&#9;&#10;&#13;"},
		{Escaper{}, "\x00\x01\ufffe\uffff", "\uFFFD\uFFFD\uFFFD\uFFFD"},
		{Escaper{Controls: true}, "\x00\x01", "\uFFFD&#1;"},
		{Escaper{}, "Łódź 𝒜", "Łódź 𝒜"},
		{Escaper{}, "", ""},
	} {
		if got := string(c.writer.Append(nil, c.in)); got != c.want {
			t.Errorf("%q is written as %q, want %q", c.in, got, c.want)
		}
	}
}
