package json

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/internal/document/char"
	"github.com/pgdeid/pgdeid/internal/document/parts"
	"github.com/pgdeid/pgdeid/internal/document/syntax"
)

// maxNesting is how deep arrays and objects may nest.
const maxNesting = 512

// identifyingDigits is the number of digits from which on a whole number is text. Shorter ones are measures and years.
const identifyingDigits = 5

// next says what may follow in a JSON text.
type next uint8

const (
	wantValue    next = iota
	wantFirst         // or the end of the array
	wantFirstKey      // or the end of the object
	wantKey
	wantSeparator // a comma, the end of what is open, or the end of the document
)

// reader reads a JSON text without recursion.
type reader struct {
	*parts.Builder
	pos   int         // the next byte
	next  next        // what may be there
	open  []container // what is open, outermost first
	shown bool        // whether some text was shown, from which the next has to be apart

	root  *selected // what is published of the document
	here  *selected // of the current value
	item  int       // where the current member of an object begins
	value int       // where the current value begins
	muted int       // how much is open around the value that is left out, and one more; 0 if none is

	masked       string    // what is written into an object of which nothing is published
	convert      Converter // nil: what it would write anew stays
	openDocument Opener    // of documents in strings
}

// container is an object or an array that is open.
type container struct {
	keys    map[string]struct{} // nil for an array
	begin   int                 // of the object or array
	here    *selected
	written bool // whether a member is in the output
}

// Read takes all of a document.
func Read(b *parts.Builder) error { return (&reader{Builder: b, root: everything}).whole() }

// whole reads the whole document.
func (r *reader) whole() error {
	if !utf8.Valid(r.Input()) {
		return &syntax.Error{Offset: char.InvalidAt(r.Input()), Reason: "the document is not UTF-8"}
	}
	if char.HasPrefix(r.Input(), char.ByteOrderMark) {
		r.pos = len(char.ByteOrderMark)
	}
	for {
		r.space()
		if r.pos == len(r.Input()) {
			break
		}
		if err := r.step(r.Input()[r.pos]); err != nil {
			return err
		}
	}
	if r.next != wantSeparator || len(r.open) > 0 {
		return r.wrong("the document ends before its end")
	}
	r.Keep(r.Input()[r.At():])
	return nil
}

// LooksLike reports whether a document is an object or an array of JSON from end to end.
func LooksLike(data []byte) bool {
	begin := bytes.TrimLeft(data, " \t\r\n")
	return len(begin) > 0 && (begin[0] == '{' || begin[0] == '[') && json.Valid(begin)
}

// wrong returns an error for what is at the reader's position.
func (r *reader) wrong(reason string) error {
	return &syntax.Error{Offset: r.pos, Reason: reason}
}

func (r *reader) space() {
	for r.pos < len(r.Input()) {
		switch r.Input()[r.pos] {
		case ' ', '\t', '\r', '\n':
			r.pos++
		default:
			return
		}
	}
}

// step reads what begins with c, up to what may follow it.
func (r *reader) step(c byte) error {
	switch r.next {
	case wantFirst:
		if c == ']' {
			return r.close(c)
		}
		return r.element(c)
	case wantFirstKey:
		if c == '}' {
			return r.close(c)
		}
		return r.key(c)
	case wantKey:
		return r.key(c)
	case wantSeparator:
		return r.separator(c)
	default:
		return r.element(c)
	}
}

// element reads a value, and what is published of it.
func (r *reader) element(c byte) error {
	r.next = wantSeparator
	r.find()
	if r.muted == 0 && r.here.single() && (c == '"' || r.here.path.Do == Convert && (c == '-' || c >= '0' && c <= '9')) {
		return r.single(c)
	}
	if c == '"' && r.muted == 0 && r.here.vouched() {
		if done, err := r.textUnlessKnown(); done || err != nil {
			return err
		}
	}
	r.choose(c)
	if c == '{' || c == '[' {
		return r.descend(c)
	}
	if err := r.scalar(c); err != nil {
		return err
	}
	r.finish()
	return nil
}

func (r *reader) scalar(c byte) error {
	switch {
	case c == '"' && r.isText():
		return r.textString()
	case c == '"':
		return r.characters(func([]byte, int) {})
	case c == '-' || c >= '0' && c <= '9':
		return r.number()
	}
	for _, word := range []string{"true", "false", "null"} {
		if bytes.HasPrefix(r.Input()[r.pos:], []byte(word)) {
			r.pos += len(word)
			return nil
		}
	}
	return r.wrong("no value begins here")
}

func (r *reader) descend(c byte) error {
	if len(r.open) == maxNesting {
		return r.wrong("arrays and objects nest too deep")
	}
	if r.pos++; r.muted == 0 {
		r.Keep(r.Input()[r.At():r.pos])
	}
	level := container{begin: r.pos - 1, here: r.here}
	if c == '[' {
		r.open, r.next = append(r.open, level), wantFirst
		return nil
	}
	level.keys = map[string]struct{}{}
	r.open, r.next = append(r.open, level), wantFirstKey
	return nil
}

func (r *reader) separator(c byte) error {
	if len(r.open) == 0 {
		return r.wrong("something comes behind the value")
	}
	if c != ',' {
		return r.close(c)
	}
	r.pos++
	if r.next = wantValue; r.open[len(r.open)-1].keys != nil {
		r.next = wantKey
	}
	return nil
}

// close ends the innermost array or object.
func (r *reader) close(c byte) error {
	end := byte(']')
	if r.open[len(r.open)-1].keys != nil {
		end = '}'
	}
	if c != end {
		return r.wrong("neither a comma nor the end of the array or object")
	}
	r.pos++
	if level := &r.open[len(r.open)-1]; r.muted == 0 && r.masked != "" && len(level.keys) > 0 && !level.written {
		r.Drop(r.Input()[r.At() : r.pos-1])
		r.Put([]byte(r.masked))
	}
	r.open, r.next = r.open[:len(r.open)-1], wantSeparator
	r.finish()
	return nil
}

// key reads a name of an object with its colon. Of two members of one name some readers take the first, others the last.
func (r *reader) key(c byte) error {
	if c != '"' {
		return r.wrong("no name of a member begins here")
	}
	begin := r.pos
	var name []byte
	err := r.characters(func(shown []byte, _ int) { name = append(name, shown...) })
	if err != nil {
		return err
	}
	keys := r.open[len(r.open)-1].keys
	if _, twice := keys[string(name)]; twice {
		r.pos = begin
		return r.wrong("an object has two members of one name")
	}
	keys[string(name)] = struct{}{}
	r.item, r.here = begin, r.open[len(r.open)-1].here.member(string(name))
	r.space()
	if r.pos == len(r.Input()) || r.Input()[r.pos] != ':' {
		return r.wrong("no colon behind the name of a member")
	}
	r.pos++
	r.next = wantValue
	return nil
}

// textString hands a string over as text.
func (r *reader) textString() error {
	r.Keep(r.Input()[r.At() : r.pos+1])
	begun := false
	return r.characters(func(shown []byte, size int) {
		if !begun {
			r.apart()
			begun = true
		}
		raw := r.Input()[r.At() : r.At()+size]
		if raw[0] == '\\' {
			r.Text(string(shown), raw, stringText{})
		} else {
			r.Plain(raw, stringText{})
		}
	})
}

// apart puts a line break between two texts.
func (r *reader) apart() {
	if r.shown {
		r.Gap("\n")
	}
	r.shown = true
}

// characters reads a string and passes what it shows: an escape, or all that is between two of them, with the number
// of its bytes.
func (r *reader) characters(each func(shown []byte, size int)) error {
	begin := r.pos
	for r.pos++; r.pos < len(r.Input()); {
		switch c := r.Input()[r.pos]; {
		case c == '"':
			r.pos++
			return nil
		case c == '\\':
			char, size, err := r.escape()
			if err != nil {
				return err
			}
			each(utf8.AppendRune(nil, char), size)
			r.pos += size
		case c < ' ':
			return r.wrong("a control character in a string")
		default:
			n := 1
			for rest := r.Input()[r.pos:]; n < len(rest) && rest[n] != '"' && rest[n] != '\\' && rest[n] >= ' '; {
				n++
			}
			each(r.Input()[r.pos:r.pos+n], n)
			r.pos += n
		}
	}
	r.pos = begin
	return r.wrong("a string without an end")
}

// number reads a number. Of a short one, or one with a sign, a fraction or an exponent, nothing is text.
func (r *reader) number() error {
	begin := r.pos
	for r.pos < len(r.Input()) && strings.IndexByte("+-.0123456789Ee", r.Input()[r.pos]) >= 0 {
		r.pos++
	}
	digits := r.Input()[begin:r.pos]
	if !json.Valid(digits) {
		r.pos = begin
		return r.wrong("a number in no form of JSON")
	}
	if len(digits) < identifyingDigits || !onlyDigits(digits) || !r.isText() {
		return nil
	}
	r.Keep(r.Input()[r.At():begin])
	r.apart()
	r.Plain(digits, numberText{})
	return nil
}

func onlyDigits[S ~string | ~[]byte](s S) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return len(s) > 0
}
