package rtf

import (
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// codePage says what the bytes of text mean.
type codePage int

// Code pages with rules of their own.
const (
	windowsLatin codePage = 1252
	utf8Page     codePage = 65001
)

// singleByte has the code pages in which each byte is a character.
var singleByte = map[codePage]*charmap.Charmap{
	437: charmap.CodePage437, 850: charmap.CodePage850, 852: charmap.CodePage852, 855: charmap.CodePage855,
	858: charmap.CodePage858, 860: charmap.CodePage860, 862: charmap.CodePage862, 863: charmap.CodePage863,
	865: charmap.CodePage865, 866: charmap.CodePage866, 874: charmap.Windows874,
	1250: charmap.Windows1250, 1251: charmap.Windows1251, windowsLatin: charmap.Windows1252, 1253: charmap.Windows1253,
	1254: charmap.Windows1254, 1255: charmap.Windows1255, 1256: charmap.Windows1256, 1257: charmap.Windows1257,
	1258: charmap.Windows1258, 10000: charmap.Macintosh, 10007: charmap.MacintoshCyrillic,
	20866: charmap.KOI8R, 21866: charmap.KOI8U,
	28591: charmap.ISO8859_1, 28592: charmap.ISO8859_2, 28595: charmap.ISO8859_5, 28597: charmap.ISO8859_7,
	28599: charmap.ISO8859_9, 28605: charmap.ISO8859_15,
}

// doubleByte has the code pages in which two bytes may be a character.
var doubleByte = map[codePage]encoding.Encoding{
	932: japanese.ShiftJIS, 936: simplifiedchinese.GBK, 949: korean.EUCKR, 950: traditionalchinese.Big5,
}

// charsets has the code pages of fonts' character sets. Symbols are read as Latin letters, whose codes they have.
var charsets = map[int]codePage{
	0: 1252, 2: 1252, 77: 10000, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255,
	178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250, 254: 437, 255: 850,
}

// known reports whether text in a code page can be read.
func (p codePage) known() bool {
	return p == utf8Page || singleByte[p] != nil || doubleByte[p] != nil
}

// length returns how many bytes a character has that begins with a byte.
func (p codePage) length(first byte) int {
	switch {
	case first < 0x80:
		return 1
	case p == utf8Page && first >= 0xf0:
		return 4
	case p == utf8Page && first >= 0xe0:
		return 3
	case p == utf8Page && first >= 0xc0:
		return 2
	case p == utf8Page || doubleByte[p] == nil || first == 0x80 || first == 0xff:
		return 1
	case p == 932 && first >= 0xa0 && first <= 0xdf:
		return 1
	}
	return 2
}

// decode returns the character that bytes are, and whether they are one.
func (p codePage) decode(b []byte) (rune, bool) {
	if len(b) == 1 && b[0] < 0x80 {
		return rune(b[0]), true
	}
	if table := singleByte[p]; table != nil {
		r := table.DecodeByte(b[0])
		return r, r != utf8.RuneError && len(b) == 1
	}
	if e := doubleByte[p]; e != nil {
		decoded, err := e.NewDecoder().Bytes(b)
		if err != nil {
			return utf8.RuneError, false
		}
		b = decoded
	}
	r, n := utf8.DecodeRune(b)
	if r == utf8.RuneError || n != len(b) {
		return utf8.RuneError, false
	}
	return r, true
}
