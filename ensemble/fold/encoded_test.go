package fold

import (
	"encoding/base64"
	"strings"
	"testing"
)

func TestEncoded(t *testing.T) {
	t.Parallel()
	names := func(text string) bool { return strings.Contains(text, "Zorvakian") }
	encoded := base64.StdEncoding.EncodeToString([]byte("name: Zorvakian"))
	other := base64.StdEncoding.EncodeToString([]byte("no such name in it"))
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"", nil},
		{"Zorvakian", nil},
		{"n: " + encoded + " end", []string{encoded}},
		{encoded, []string{encoded}},
		{"q " + other + " " + encoded + "\n", []string{encoded}},
		{encoded + "," + encoded, []string{encoded, encoded}},
		{base64.URLEncoding.EncodeToString([]byte("\u00ff? Zorvakian")), []string{base64.URLEncoding.EncodeToString([]byte("\u00ff? Zorvakian"))}},
		{"HISTORY OF PRESENT ILLNESS: hypertension", nil},
		{base64.StdEncoding.EncodeToString([]byte("Zorvakian\x00\x01\x02\x03\x04\x05\x06\x07")), nil},
	} {
		var got []string
		for _, r := range Encoded(c.in, names) {
			got = append(got, c.in[r[0]:r[1]])
		}
		if strings.Join(got, "|") != strings.Join(c.want, "|") {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
}

// Ranges are in order, disjoint and of base64 alone.
func FuzzEncoded(f *testing.F) {
	f.Add("name: Wm9ydmFraWFuIHNhaWQ= end")
	f.Add(strings.Repeat("QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZn\n", 3) + "==")
	f.Fuzz(func(t *testing.T, s string) {
		end := 0
		for _, r := range Encoded(s, func(string) bool { return true }) {
			if r[0] < end || r[1] <= r[0] || r[1] > len(s) {
				t.Fatalf("[%d, %d) after %d of %d bytes", r[0], r[1], end, len(s))
			}
			for _, c := range []byte(s[r[0]:r[1]]) {
				if !isBase64(c) && c != '=' && c != '\r' && c != '\n' {
					t.Fatalf("%q is in base64", c)
				}
			}
			end = r[1]
		}
	})
}
