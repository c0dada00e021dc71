package encoding

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"

	"github.com/pgdeid/pgdeid/internal/document/syntax"
)

// lines is how a long row of digits is cut into lines.
type lines struct {
	width int    // 0 where it is not cut
	end   string // of a line
	last  string // behind the last line
}

// unfold returns digits without line ends, and how they were cut. White space around digits and at lines' ends does not count.
func unfold(data []byte) ([]byte, lines) {
	l := lines{end: "\n"}
	body := bytes.TrimRight(data, " \t\r\n")
	l.last = string(data[len(body):])
	if n := bytes.IndexByte(body, '\n'); n >= 0 {
		line := bytes.TrimRight(body[:n], " \t\r")
		l.width = len(line)
		if n > 0 && body[n-1] == '\r' {
			l.end = "\r\n"
		}
	}
	digits := make([]byte, 0, len(body))
	for _, c := range body {
		if c != '\r' && c != '\n' && c != ' ' && c != '\t' {
			digits = append(digits, c)
		}
	}
	return digits, l
}

// fold cuts digits into lines again.
func (l lines) fold(prefix string, digits []byte) []byte {
	digits = append([]byte(prefix), digits...)
	if l.width == 0 {
		return append(digits, l.last...)
	}
	out := make([]byte, 0, len(digits)+len(digits)/l.width*len(l.end)+len(l.last))
	for len(digits) > l.width {
		out = append(append(out, digits[:l.width]...), l.end...)
		digits = digits[l.width:]
	}
	return append(append(out, digits...), l.last...)
}

// base64Writing is the alphabet, the padding and the lines of a document in base64.
type base64Writing struct {
	alphabet *base64.Encoding
	lines    lines
}

func decodeBase64(data []byte) ([]byte, encoder, error) {
	digits, l := unfold(data)
	w := base64Writing{base64.StdEncoding, l}
	if bytes.ContainsAny(digits, "-_") {
		w.alphabet = base64.URLEncoding
	}
	if len(digits)%4 != 0 {
		w.alphabet = w.alphabet.WithPadding(base64.NoPadding)
	}
	out := make([]byte, w.alphabet.DecodedLen(len(digits)))
	n, err := w.alphabet.Decode(out, digits)
	if err != nil {
		return nil, nil, &syntax.Error{Offset: n / 3 * 4, Reason: "what is not base64"}
	}
	return out[:n], w, nil
}

func (w base64Writing) encode(data []byte) ([]byte, error) {
	return w.lines.fold("", w.alphabet.AppendEncode(nil, data)), nil
}

// hexWriting is the prefix, the case and the lines of a document in hexadecimal digits.
type hexWriting struct {
	prefix string
	upper  bool
	lines  lines
}

func decodeHex(data []byte) ([]byte, encoder, error) {
	digits, l := unfold(data)
	w := hexWriting{lines: l}
	for _, prefix := range []string{`\x`, "0x", "0X"} {
		if rest, ok := bytes.CutPrefix(digits, []byte(prefix)); ok {
			digits, w.prefix = rest, prefix
			break
		}
	}
	w.upper = bytes.ContainsAny(digits, "ABCDEF") && !bytes.ContainsAny(digits, "abcdef")
	out := make([]byte, hex.DecodedLen(len(digits)))
	n, err := hex.Decode(out, digits)
	if err != nil {
		return nil, nil, &syntax.Error{Offset: 2 * n, Reason: "what is not a pair of hexadecimal digits"}
	}
	return out, w, nil
}

func (w hexWriting) encode(data []byte) ([]byte, error) {
	digits := hex.AppendEncode(nil, data)
	if w.upper {
		digits = bytes.ToUpper(digits)
	}
	return w.lines.fold(w.prefix, digits), nil
}
