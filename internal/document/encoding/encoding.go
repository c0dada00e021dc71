// Package encoding unwraps documents from how they are stored, and wraps others in the same kind of writing.
//
// [Decode] unwraps a document by its [Encoding], a chain of steps, and [Coding.Encode] wraps another in the same kind of writing: alphabet,
// padding and lines of base64, prefix and case of hexadecimal digits, byte order. Names and times in headers of archives are gone. A
// document that unpacks to more than 200 times its size (and 1 MiB), or to more than 256 MiB, is refused. Documents that lie in several
// values are [Pieces].
package encoding

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// Encoding names how a document is wrapped where it is stored; a chain is written "base64+gzip", outermost first.
type Encoding string

// Encodings.
const (
	None    Encoding = "none"
	Base64  Encoding = "base64" // the standard or the URL alphabet, also in lines
	Hex     Encoding = "hex"    // also with \x or 0x before it, also in lines
	Gzip    Encoding = "gzip"
	Zlib    Encoding = "zlib"
	Latin1  Encoding = "latin1"       // text in ISO 8859-1
	Windows Encoding = "windows-1252" // text in Windows-1252
	UTF16   Encoding = "utf-16"       // text in UTF-16 with a byte order mark
	OCF     Encoding = "ocf"          // a blob of Cerner Millennium, compressed or not, with its marker
)

// maxSteps is the number of steps that a chain can have.
const maxSteps = 8

// step undoes one encoding, and returns what does it again in the same kind of writing.
type step func(data []byte) ([]byte, encoder, error)

// encoder does one encoding.
type encoder interface {
	encode(data []byte) ([]byte, error)
}

var steps = map[Encoding]step{
	Base64: decodeBase64, Hex: decodeHex, Gzip: decodeGzip, Zlib: decodeZlib,
	Latin1: decodeLatin1, Windows: decodeWindows, UTF16: decodeUTF16, OCF: decodeOCF,
}

// chain returns the steps of an encoding, outermost first.
func (e Encoding) chain() []Encoding {
	if e == None || e == "" {
		return nil
	}
	var all []Encoding
	for name := range strings.SplitSeq(string(e), "+") {
		all = append(all, Encoding(name))
	}
	return all
}

// Then returns the chain of e and another one within it.
func (e Encoding) Then(inner Encoding) Encoding {
	switch {
	case inner == "" || inner == None:
		return e
	case e == "" || e == None:
		return inner
	}
	return e + "+" + inner
}

// Valid reports whether e names no encoding, one, or a chain.
func (e Encoding) Valid() bool {
	chain := e.chain()
	return len(chain) <= maxSteps && !slices.ContainsFunc(chain, func(name Encoding) bool { return steps[name] == nil })
}

// Coding is how one document was wrapped: its encoding, and the kind of writing that the encoding leaves open.
type Coding struct {
	names    []Encoding
	encoders []encoder
}

// Decode unwraps a document. Its errors hold nothing of the document.
func Decode(e Encoding, data []byte) ([]byte, Coding, error) {
	var c Coding
	if !e.Valid() {
		return nil, c, fault.New("decode a document", fmt.Errorf("no encoding is called %q", string(e)), "see the encodings of package document")
	}
	for _, name := range e.chain() {
		decoded, again, err := steps[name](data)
		if err != nil {
			return nil, Coding{}, fault.New(fmt.Sprintf("decode a document as %s", name), err,
				"the document is broken, or is encoded in another way than its column says; it was not read in part")
		}
		data = decoded
		c.names = append(c.names, name)
		c.encoders = append(c.encoders, again)
	}
	return data, c, nil
}

// Encode wraps a document as the one was that Decode unwrapped. Names and times in headers of archives do not come back.
func (c Coding) Encode(data []byte) ([]byte, error) {
	for i, e := range slices.Backward(c.encoders) {
		encoded, err := e.encode(data)
		if err != nil {
			return nil, fault.New(fmt.Sprintf("encode a document as %s", c.names[i]), err, "")
		}
		data = encoded
	}
	return data, nil
}

// Limits of what a document may unfold to.
const (
	maxDecoded = 256 << 20 // bytes
	maxRatio   = 200       // times its compressed size
	freeRatio  = 1 << 20   // bytes that it may have whatever its compressed size
)

var (
	errTooLarge  = errors.New("unpacked, the document is larger than 256 MiB")
	errBomb      = errors.New("unpacked, the document is more than 200 times as large")
	errBehind    = errors.New("something is behind the end")
	errLacksRune = errors.New("the text has a character that the character set lacks")
)
