package text

import (
	"errors"
	"strings"
	"unicode/utf8"
)

var (
	errNUL  = errors.New("text holds a NUL byte")
	errUTF8 = errors.New("text is not valid UTF-8")
)

// Check reports why a text can't be searched: a NUL byte or invalid UTF-8.
// The error does not quote the text.
func Check(s string) error {
	if strings.IndexByte(s, 0) >= 0 {
		return errNUL
	}
	if !utf8.ValidString(s) {
		return errUTF8
	}
	return nil
}
