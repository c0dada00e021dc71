package document

// Limits of RTF.
const (
	maxRTFDepth    = 1000
	maxRTFFallback = 8       // substitutes behind a character's number
	maxRTFLayout   = 999_999 // a number that layout may have
	rtfTooDeep     = "groups are nested too deeply"
)

// rtfMode says what a group holds.
type rtfMode uint8

const (
	rtfBody   rtfMode = iota // text
	rtfHolder                // groups
)

// rtfState is what a group begins with and its end brings back.
type rtfState struct {
	font     int
	mode     rtfMode
	fallback uint8 // how many characters behind \u are its substitute
	hidden   bool
	after    rtfClass // what the end of the group does
}

// rtfParser reads RTF.
type rtfParser struct {
	scan    rtfScanner
	b       *builder
	words   map[string]rtfMeaning
	state   rtfState
	stack   []rtfState
	page    codePage // of the document
	fonts   map[int]codePage
	deff    int
	utf8    bool // whether bytes beyond ASCII are UTF-8, as where a program converted the document with its other texts
	open    bool // whether the last word of the output needs a space before text
	starred bool // whether \* was read
	styles  int  // how many styles got a plain name
}

// parseRTF reads RTF as of the specification, version 1.9.1. Text is the body, headers, footers, footnotes, text boxes and
// the results of fields. Layout stays, which is what rtf_words.txt names; all else is gone.
func parseRTF(b *builder) error {
	p := &rtfParser{
		scan: rtfScanner{data: b.input}, b: b, words: rtfWords(), page: windowsLatin, fonts: map[int]codePage{},
		state: rtfState{fallback: 1}, utf8: invalidAt(b.input) == len(b.input),
	}
	if !isRTF(b.input) {
		return b.fail(`a document that does not begin with {\rtf`)
	}
	p.scan.at = leading(b.input)
	b.drop(b.input[:p.scan.at])
	for {
		t, err := p.scan.next()
		if err != nil {
			return err
		}
		if t.kind == rtfEnd {
			return p.scan.fail("a group without an end")
		}
		if err := p.token(t); err != nil {
			return err
		}
		if len(p.stack) == 0 {
			return p.tail()
		}
	}
}

// tail takes what is behind the document.
func (p *rtfParser) tail() error {
	for _, c := range p.b.input[p.scan.at:] {
		if c != 0 && c != ' ' && c != '\t' && c != '\r' && c != '\n' && c != 0x1a {
			return p.scan.fail("something behind the end of the document")
		}
	}
	p.b.drop(p.b.input[p.scan.at:])
	return nil
}

func (p *rtfParser) token(t rtfToken) error {
	if p.starred && t.kind != rtfWord && t.kind != rtfNewline && t.kind != rtfControl {
		p.starred = false
	}
	switch t.kind {
	case rtfOpen:
		return p.begin(t)
	case rtfClose:
		p.end(t)
		return nil
	case rtfWord:
		return p.word(t)
	case rtfSymbol:
		return p.symbol(t)
	case rtfHex:
		p.scan.at -= len(t.raw)
		return p.bytes()
	case rtfNewline:
		p.keep(t.raw)
	case rtfBytes:
		return p.run(t)
	case rtfControl:
		p.character(rune(t.raw[0]), t.raw, true)
	case rtfEnd:
	}
	return nil
}

// begin opens a group. What it is its first words say: it is left out whole, read as a table, or read on.
func (p *rtfParser) begin(brace rtfToken) error {
	class, starred, head, err := p.head()
	if err != nil {
		return err
	}
	from := p.scan.at - len(brace.raw)
	switch {
	case class == rtfDropped, starred && class <= rtfCharacter, p.state.mode == rtfHolder && class <= rtfCharacter:
		return p.skip(from)
	case class == rtfFonts || class == rtfColours || class == rtfStyles:
		if p.state.mode == rtfHolder {
			return p.skip(from)
		}
		return p.table(class, from)
	}
	if len(p.stack) == maxRTFDepth {
		return p.scan.fail(rtfTooDeep)
	}
	p.stack = append(p.stack, p.state)
	p.keep(brace.raw)
	p.state.after = class
	if class <= rtfCharacter {
		p.state.after = rtfUnknown
		return nil
	}
	p.scan.at += head
	p.destination(class, p.scan.data[from+len(brace.raw):p.scan.at])
	return nil
}

// destination enters a group by its first words.
func (p *rtfParser) destination(class rtfClass, head []byte) {
	p.state.mode = rtfBody
	switch class {
	case rtfHolding:
		p.state.mode = rtfHolder
		p.b.drop(head)
	case rtfBoxed:
		p.b.drop(head)
		p.b.put([]byte(`\par `))
		p.b.gap("\n")
	case rtfPaged:
		p.keepWord(head)
		p.b.gap("\n")
	case rtfProperties:
		p.keepWord(head)
	default:
		p.b.drop(head)
	}
}

// end closes a group.
func (p *rtfParser) end(brace rtfToken) {
	switch p.state.after {
	case rtfBoxed:
		p.b.put([]byte(`\par `))
		p.keep(brace.raw)
		p.b.gap("\n")
	case rtfPaged:
		p.keep(brace.raw)
		p.b.gap("\n")
	default:
		p.keep(brace.raw)
	}
	p.starred = false
	p.state = p.stack[len(p.stack)-1]
	p.stack = p.stack[:len(p.stack)-1]
}

// head looks at how a group begins: the class of its first word, whether \* is before it, and the length of both.
func (p *rtfParser) head() (class rtfClass, starred bool, length int, err error) {
	at := p.scan.at
	defer func() { p.scan.at = at }()
	for {
		t, err := p.scan.next()
		switch {
		case err != nil:
			return 0, false, 0, err
		case t.kind == rtfNewline || t.kind == rtfControl:
		case t.kind == rtfSymbol && t.param == '*':
			starred = true
		case t.kind == rtfWord:
			return p.words[string(t.name)].class, starred, p.scan.at - at, nil
		default:
			return rtfUnknown, starred, 0, nil
		}
	}
}

// skip leaves a group out that begins at an offset.
func (p *rtfParser) skip(from int) error {
	if err := p.scan.group(len(p.stack)); err != nil {
		return err
	}
	p.scan.at++
	p.b.drop(p.scan.data[from:p.scan.at])
	return nil
}

// rest leaves out what remains of the current group.
func (p *rtfParser) rest() error {
	from := p.scan.at
	if err := p.scan.group(len(p.stack)); err != nil {
		return err
	}
	p.b.drop(p.scan.data[from:p.scan.at])
	return nil
}

// keep copies markup that ends the word before it.
func (p *rtfParser) keep(raw []byte) {
	p.b.keep(raw)
	p.open = false
}

// keepWord copies words, of which the last may need a space before text.
func (p *rtfParser) keepWord(raw []byte) {
	p.b.keep(raw)
	p.open = raw[len(raw)-1] != ' '
}

// space writes the space behind a word that what is left out, or other text, would run into.
func (p *rtfParser) space() {
	if p.open {
		p.b.put([]byte(" "))
		p.open = false
	}
}
