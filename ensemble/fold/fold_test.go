package fold

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCharacters(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain & simple <5 a>b [x]": "plain & simple <5 a>b [x]",
		"&#x5a;&#111;&#114":         "Zor", "caf&eacute; &amp; &lt;b&gt;": "café & <b>", "&amp;#x5a;o": "Zo", "&nope; &": "&nope; &",
		"Con<b>roy</b> x<br/>y<td class='q'>z</td>": "Conroy x\ny\nz\n",
		"a<!-- q -->b": "ab", "[[Zorva]]kian": "Zorvakian",
		"𝐙𝐨𝐫 Ⓩⓞⓡ ᴢᴏʀ Ｚｏｒ 🅉🅞🅡 ﬁne": "Zor Zor zor Zor ZOR fine", "Zo\u00ad\u200b\u2066r": "Zor",
		"a\u202eroZ\u202cb \u202eroZ\nc": "aZorb Zor\nc", "\u202e": "", "&shy;a&zwj;b": "ab",
	} {
		got := Characters(in)
		if got.S != want {
			t.Errorf("%q: %q, want %q", in, got.S, want)
		}
		if got.Odd() != (in != want) {
			t.Errorf("%q: odd is %v", in, got.Odd())
		}
	}
}

// What tags hold is read for itself, and escaped markup once more, with ranges of the text.
func TestMarkupIsReadInside(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		read           func(string) Text
		in, part, want string
	}{
		{Tags, `x <a title="Z&#111;r">y</a>`, "Zor", "Z&#111;r"},
		{Tags, "x <!-- Z\u200bor --> y <br> z", "Zor", "Z\u200bor"},
		{again, "x &lt;b&gt;Zo&lt;/b&gt;r", "Zor", "Zo&lt;/b&gt;r"},
	} {
		got := c.read(c.in)
		i := strings.Index(got.S, c.part)
		if i < 0 {
			t.Errorf("%q: %q", c.in, got.S)
			continue
		}
		if from, to := got.Range(i, i+len(c.part)); c.in[from:to] != c.want {
			t.Errorf("%q: %q, want %q", c.in, c.in[from:to], c.want)
		}
	}
	for _, in := range []string{"", "a < b", "<b>bold</b><br/>", "<!-- never ended"} {
		if got := Tags(in); got.S != "" || got.Odd() {
			t.Errorf("%q: tags hold %q", in, got.S)
		}
	}
}

func TestRange(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, part, want string }{
		{"see <b>Con</b>roy</i>, x", "Conroy", "Con</b>roy"},
		{"Z&#111;r.", "Zor", "Z&#111;r"},
		{"Z&#111;r.", "o", "&#111;"},
		{"(\u202eroZ\u202c)", "Zor", "\u202eroZ\u202c"},
		{"(\u202eroZ\u202c)", "o", "\u202eroZ\u202c"},
		{"x\u200bZor\u200b", "Zor", "Zor"},
	} {
		got := Characters(c.in)
		i := strings.Index(got.S, c.part)
		from, to := got.Range(i, i+len(c.part))
		if c.in[from:to] != c.want {
			t.Errorf("%q: %q, want %q", c.in, c.in[from:to], c.want)
		}
		if got.Changed(i, i+len(c.part)) != (c.part != c.want) {
			t.Errorf("%q: %q changed is wrong", c.in, c.part)
		}
	}
}

func FuzzReadings(f *testing.F) {
	for _, s := range []string{"a", "Z&#x6f;r</b>", "\u202eroZ\u202c <td>x", "QuillaZorv &amp;#x5a; 𝐙\u200b[[x]]", "&&;&#;&#x;<><b<a b>", `<a t="\u202eroZ">&lt;b x&gt;<!-- &amp; -->`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			t.Skip()
		}
		for _, read := range []func(string) Text{Characters, Tags, again} {
			got := read(s)
			if !utf8.ValidString(got.S) {
				t.Fatalf("%q becomes invalid", s)
			}
			lastFrom, lastTo := 0, 0
			for i, r := range got.S {
				from, to := got.Range(i, i+utf8.RuneLen(r))
				if from < lastFrom || to < lastTo || from > to || to > len(s) || !border(s, from) || !border(s, to) {
					t.Fatalf("%q: %d of %q is [%d, %d)", s, i, got.S, from, to)
				}
				lastFrom, lastTo = from, to
			}
			if !got.Odd() && got.S != s && got.S != "" && got.of == nil {
				t.Fatalf("%q is not odd and becomes %q", s, got.S)
			}
		}
	})
}

func again(s string) Text {
	plain := Characters(s)
	return plain.Again()
}

func border(s string, i int) bool { return i == len(s) || utf8.RuneStart(s[i]) }
