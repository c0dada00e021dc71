package rtf

import (
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/internal/document/char"
)

// writer returns how text is written here.
func (p *parser) writer() writer { return writer{p.state.fallback} }

// hides reports whether text is not shown here.
func (p *parser) hides() bool { return p.state.hidden || p.state.mode == modeHolder }

// unit takes one unit of text. One that other text could run into, or with bytes that are not what it shows, is written anew.
func (p *parser) unit(shown string, raw []byte, safe bool) {
	switch {
	case p.hides(), shown == "" && !safe:
		p.b.Drop(raw)
	case safe:
		p.space()
		p.b.Text(shown, raw, p.writer())
	default:
		p.space()
		p.b.Rewritten(shown, raw, p.writer())
	}
}

// character takes the bytes of a character by its code.
func (p *parser) character(r rune, raw []byte, safe bool) {
	switch {
	case r == '\t':
		p.unit("\t", raw, safe)
	case r == '\n' || r == '\r' || r == '\v' || r == '\f' || r == '\u2028':
		p.unit("\n", raw, safe)
	case r < ' ' || r == 0x7f:
		p.b.Drop(raw)
	case isInvisible(r):
		p.unit("", raw, safe)
	case string(r) == char.NoBreakSpace:
		p.unit(" ", raw, safe)
	default:
		p.unit(string(r), raw, safe)
	}
}

// run takes text: what is written as it is shown at once, other bytes by the code page.
func (p *parser) run(t token) error {
	end := p.scan.at
	p.scan.at -= len(t.raw)
	for p.scan.at < end {
		from := p.scan.at
		p.scan.at += p.plain(p.scan.data[from:end])
		switch {
		case p.scan.at == from && p.utf8:
			r, n := utf8.DecodeRune(p.scan.data[from:])
			p.scan.at += n
			p.character(r, p.scan.data[from:p.scan.at], true)
		case p.scan.at == from:
			if err := p.bytes(); err != nil {
				return err
			}
		case p.hides():
			p.b.Drop(p.scan.data[from:p.scan.at])
		default:
			p.space()
			p.b.Plain(p.scan.data[from:p.scan.at], p.writer())
		}
	}
	return nil
}

// plain returns how much of a run is shown as it is written.
func (p *parser) plain(run []byte) int {
	at := 0
	for at < len(run) {
		if run[at] < utf8.RuneSelf {
			at++
			continue
		}
		r, n := utf8.DecodeRune(run[at:])
		if !p.utf8 || isInvisible(r) || string(r) == char.NoBreakSpace {
			return at
		}
		at += n
	}
	return at
}

// isInvisible reports whether a character shows nothing and is not part of words: soft hyphens, and where lines may break or not.
func isInvisible(r rune) bool {
	return string(r) == char.SoftHyphen || r == '\u200b' || r == '\u2060' || r == '\ufeff'
}

// bytes takes one character of one or more bytes, each of them written as an escape or as it is.
func (p *parser) bytes() error {
	from := p.scan.at
	page := p.codePage()
	first, escaped, _ := p.byte()
	if first >= utf8.RuneSelf && !page.known() {
		p.scan.at = from
		return p.scan.fail("text in a code page that is not known")
	}
	code := append(make([]byte, 0, utf8.UTFMax), first)
	behind := p.scan.at
	for len(code) < page.length(first) {
		next, e, ok := p.byte()
		if !ok {
			break
		}
		escaped = escaped && e
		code = append(code, next)
	}
	r, ok := page.decode(code)
	if !ok {
		p.scan.at = behind // what follows is a character of its own
	}
	p.character(r, p.scan.data[from:p.scan.at], ok && escaped)
	return nil
}

// byte takes a byte of text. What is no single byte is left.
func (p *parser) byte() (b byte, escaped, ok bool) {
	if p.scan.at == len(p.scan.data) {
		return 0, false, false
	}
	c := p.scan.data[p.scan.at]
	if isText(c) {
		p.scan.at++
		return c, c < utf8.RuneSelf, true
	}
	if c != '\\' {
		return 0, false, false
	}
	t, err := p.scan.peek()
	if err != nil || t.kind != tokenHex && (t.kind != tokenSymbol || t.param != '\\' && t.param != '{' && t.param != '}') {
		return 0, false, false
	}
	p.scan.at += len(t.raw)
	return byte(t.param), true, true //nolint:gosec // the code of a byte
}

// codePage returns what bytes mean in the current font.
func (p *parser) codePage() codePage {
	if page, ok := p.fonts[p.state.font]; ok {
		return page
	}
	return p.page
}

// unicode takes a character that is written as a number, with its substitute for programs without Unicode. Two that are the
// halves of a character are one unit.
func (p *parser) unicode(t token) error {
	from := p.scan.at - len(t.raw)
	if !t.has {
		p.b.Drop(t.raw)
		return nil
	}
	r := codeOf(t.param)
	fit := p.fallback(t, r)
	if utf16.IsSurrogate(r) {
		low, fits, err := p.lowHalf(r)
		if err != nil {
			return err
		}
		fit = fit && fits
		r = low
	}
	p.character(r, p.scan.data[from:p.scan.at], fit)
	return nil
}

// codeOf returns the UTF-16 code, or the character, that the parameter of \u is.
func codeOf(param int) rune {
	switch {
	case param < 0 && param >= -0x8000:
		return rune(param + 0x10000)
	case param < 0 || param > unicode.MaxRune:
		return utf8.RuneError
	}
	return rune(param)
}

// lowHalf takes the second half of a character where it is next, and returns the character.
func (p *parser) lowHalf(high rune) (r rune, fit bool, err error) {
	if p.scan.at == len(p.scan.data) || p.scan.data[p.scan.at] != '\\' {
		return utf8.RuneError, false, nil
	}
	t, err := p.scan.peek()
	if err != nil || t.kind != tokenWord || string(t.name) != "u" || !t.has {
		return utf8.RuneError, false, err
	}
	r = utf16.DecodeRune(high, codeOf(t.param))
	if r == utf8.RuneError {
		return r, false, nil
	}
	p.scan.at += len(t.raw)
	return r, p.fallback(t, r), nil
}

// fallback takes the substitute behind a character's number. It reports whether the bytes may stay: the substitute is whole,
// and shows the character or nothing that is a letter or a digit.
func (p *parser) fallback(t token, r rune) bool {
	if p.state.fallback == 0 {
		return t.delimited
	}
	var code []byte
	ascii := true
	end := p.scan.at
	for range p.state.fallback {
		p.scan.at += p.scan.span(char.IsNewline)
		c, escaped, ok := p.substitute()
		if !ok {
			p.scan.at = end
			return false
		}
		end = p.scan.at
		ascii = ascii && escaped
		code = append(code, c)
	}
	if !ascii {
		return false
	}
	shown, ok := p.codePage().decode(code)
	return ok && shown == r || harmless(code)
}

// substitute takes one character of a substitute, as one byte.
func (p *parser) substitute() (c byte, escaped, ok bool) {
	rest := p.scan.data[p.scan.at:]
	switch {
	case len(rest) > 1 && rest[0] == '\\' && (rest[1] == '~' || rest[1] == '_' || rest[1] == '-'):
		p.scan.at += 2
		return rest[1], true, true
	case len(rest) > 0 && rest[0] >= utf8.RuneSelf && p.utf8:
		_, n := utf8.DecodeRune(rest)
		p.scan.at += n
		return 0, false, true
	}
	return p.byte()
}

// harmless reports whether bytes are ASCII without letters and digits.
func harmless(code []byte) bool {
	for _, c := range code {
		if c >= utf8.RuneSelf || char.IsLetter(c) || char.IsDigit(c) {
			return false
		}
	}
	return true
}
