package text

import (
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"plain text", "Ann Long, 3/5/2014\r\n\tseen", ""},
		{"other scripts", "王小明 ٣٤ 😀", ""},
		{"the character for what can't be decoded", "Ann \ufffd Long", ""},
		{"a NUL byte", "Ann\x00Long", "NUL"},
		{"a NUL byte alone", "\x00", "NUL"},
		{"a byte of another encoding", "Zo\xeb", "UTF-8"},
		{"half a character", "Zo\xc3", "UTF-8"},
		{"half of a pair", "\xed\xa0\x80", "UTF-8"},
		{"a character in too many bytes", "\xc0\xaf", "UTF-8"},
		{"a NUL byte counts first", "\x00\xff", "NUL"},
	} {
		err := Check(tt.in)
		switch {
		case tt.want == "" && err != nil:
			t.Errorf("%s: %v", tt.name, err)
		case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: %v, want an error that names %s", tt.name, err, tt.want)
		case err != nil && strings.Contains(err.Error(), "Ann"):
			t.Errorf("%s: the error quotes the text", tt.name)
		}
	}
}
