package encoding

import (
	"strings"
	"testing"
)

// What is in an encoding is shown as far as the data go.
func TestShown(t *testing.T) {
	t.Parallel()
	const text = "Mrs. Varnabeck was seen today and went home after breakfast, with her daughter."
	for _, e := range []Encoding{Gzip, Zlib, OCF, UTF16, Base64} {
		data := encoded(t, e, []byte(text))
		for got, inner := range Shown(data) {
			if got != e || string(inner) != text {
				t.Errorf("%s: shown as %s of %d bytes", e, got, len(inner))
			}
			data = nil
		}
		if data != nil {
			t.Errorf("%s is not shown", e)
		}
	}
	for got := range Shown(encoded(t, Base64, []byte(strings.Repeat(text, 9)))[:100]) {
		if got != Base64 {
			t.Errorf("digits that are cut are shown as %s", got)
		}
	}
	for got := range Shown([]byte(text)) {
		t.Errorf("a text is shown as %s", got)
	}
}
