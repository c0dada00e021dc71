package rtf

import (
	"github.com/pgdeid/pgdeid/internal/document/char"
	"github.com/pgdeid/pgdeid/internal/document/parts"
)

// Limits of RTF.
const (
	maxDepth    = 1000
	maxFallback = 8       // substitutes behind a character's number
	maxLayout   = 999_999 // a number that layout may have
	tooDeep     = "groups are nested too deeply"
)

// mode says what a group holds.
type mode uint8

const (
	modeBody   mode = iota // text
	modeHolder             // groups
)

// state is what a group begins with and its end brings back.
type state struct {
	font     int
	mode     mode
	fallback uint8 // how many characters behind \u are its substitute
	hidden   bool
	after    wordClass // what the end of the group does
}

// parser reads RTF.
type parser struct {
	scan    scanner
	b       *parts.Builder
	words   map[string]meaning
	state   state
	stack   []state
	page    codePage // of the document
	fonts   map[int]codePage
	deff    int
	utf8    bool // whether bytes beyond ASCII are UTF-8, as where a program converted the document with its other texts
	open    bool // whether the last word of the output needs a space before text
	starred bool // whether \* was read
	styles  int  // how many styles got a plain name
}

// Read reads RTF as of the specification, version 1.9.1. Text is the body, headers, footers, footnotes, text boxes and
// the results of fields. Layout stays, which is what words.txt names; all else is gone.
func Read(b *parts.Builder) error {
	p := &parser{
		scan: scanner{data: b.Input()}, b: b, words: controlWords(), page: windowsLatin, fonts: map[int]codePage{},
		state: state{fallback: 1}, utf8: char.InvalidAt(b.Input()) == len(b.Input()),
	}
	if !Begins(b.Input()) {
		return b.Fail(`a document that does not begin with {\rtf`)
	}
	p.scan.at = leading(b.Input())
	b.Drop(b.Input()[:p.scan.at])
	for {
		t, err := p.scan.next()
		if err != nil {
			return err
		}
		if t.kind == tokenEnd {
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
func (p *parser) tail() error {
	for _, c := range p.b.Input()[p.scan.at:] {
		if c != 0 && c != ' ' && c != '\t' && c != '\r' && c != '\n' && c != 0x1a {
			return p.scan.fail("something behind the end of the document")
		}
	}
	p.b.Drop(p.b.Input()[p.scan.at:])
	return nil
}

func (p *parser) token(t token) error {
	if p.starred && t.kind != tokenWord && t.kind != tokenNewline && t.kind != tokenControl {
		p.starred = false
	}
	switch t.kind {
	case tokenOpen:
		return p.begin(t)
	case tokenClose:
		p.end(t)
		return nil
	case tokenWord:
		return p.word(t)
	case tokenSymbol:
		return p.symbol(t)
	case tokenHex:
		p.scan.at -= len(t.raw)
		return p.bytes()
	case tokenNewline:
		p.keep(t.raw)
	case tokenBytes:
		return p.run(t)
	case tokenControl:
		p.character(rune(t.raw[0]), t.raw, true)
	case tokenEnd:
	}
	return nil
}

// begin opens a group. What it is its first words say: it is left out whole, read as a table, or read on.
func (p *parser) begin(brace token) error {
	class, starred, head, err := p.head()
	if err != nil {
		return err
	}
	from := p.scan.at - len(brace.raw)
	switch {
	case class == classDropped, starred && class <= classCharacter, p.state.mode == modeHolder && class <= classCharacter:
		return p.skip(from)
	case class == classFonts || class == classColours || class == classStyles:
		if p.state.mode == modeHolder {
			return p.skip(from)
		}
		return p.table(class, from)
	}
	if len(p.stack) == maxDepth {
		return p.scan.fail(tooDeep)
	}
	p.stack = append(p.stack, p.state)
	p.keep(brace.raw)
	p.state.after = class
	if class <= classCharacter {
		p.state.after = classUnknown
		return nil
	}
	p.scan.at += head
	p.destination(class, p.scan.data[from+len(brace.raw):p.scan.at])
	return nil
}

// destination enters a group by its first words.
func (p *parser) destination(class wordClass, head []byte) {
	p.state.mode = modeBody
	switch class {
	case classHolding:
		p.state.mode = modeHolder
		p.b.Drop(head)
	case classBoxed:
		p.b.Drop(head)
		p.b.Put([]byte(`\par `))
		p.b.Gap("\n")
	case classPaged:
		p.keepWord(head)
		p.b.Gap("\n")
	case classProperties:
		p.keepWord(head)
	default:
		p.b.Drop(head)
	}
}

// end closes a group.
func (p *parser) end(brace token) {
	switch p.state.after {
	case classBoxed:
		p.b.Put([]byte(`\par `))
		p.keep(brace.raw)
		p.b.Gap("\n")
	case classPaged:
		p.keep(brace.raw)
		p.b.Gap("\n")
	default:
		p.keep(brace.raw)
	}
	p.starred = false
	p.state = p.stack[len(p.stack)-1]
	p.stack = p.stack[:len(p.stack)-1]
}

// head looks at how a group begins: the class of its first word, whether \* is before it, and the length of both.
func (p *parser) head() (class wordClass, starred bool, length int, err error) {
	at := p.scan.at
	defer func() { p.scan.at = at }()
	for {
		t, err := p.scan.next()
		switch {
		case err != nil:
			return 0, false, 0, err
		case t.kind == tokenNewline || t.kind == tokenControl:
		case t.kind == tokenSymbol && t.param == '*':
			starred = true
		case t.kind == tokenWord:
			return p.words[string(t.name)].class, starred, p.scan.at - at, nil
		default:
			return classUnknown, starred, 0, nil
		}
	}
}

// skip leaves a group out that begins at an offset.
func (p *parser) skip(from int) error {
	if err := p.scan.group(len(p.stack)); err != nil {
		return err
	}
	p.scan.at++
	p.b.Drop(p.scan.data[from:p.scan.at])
	return nil
}

// rest leaves out what remains of the current group.
func (p *parser) rest() error {
	from := p.scan.at
	if err := p.scan.group(len(p.stack)); err != nil {
		return err
	}
	p.b.Drop(p.scan.data[from:p.scan.at])
	return nil
}

// keep copies markup that ends the word before it.
func (p *parser) keep(raw []byte) {
	p.b.Keep(raw)
	p.open = false
}

// keepWord copies words, of which the last may need a space before text.
func (p *parser) keepWord(raw []byte) {
	p.b.Keep(raw)
	p.open = raw[len(raw)-1] != ' '
}

// space writes the space behind a word that what is left out, or other text, would run into.
func (p *parser) space() {
	if p.open {
		p.b.Put([]byte(" "))
		p.open = false
	}
}
