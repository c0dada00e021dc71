package note

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"encoding/hex"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/document/encoding"

	"github.com/pgdeid/pgdeid/internal/document"
)

// What goes through an archive comes back in one.
func TestArchives(t *testing.T) {
	t.Parallel()
	for _, f := range []Form{
		{Encoding: encoding.Gzip, Bytes: true}, {Encoding: "base64+gzip"}, {Encoding: "hex+zlib", Format: document.Plain},
	} {
		value := wrapped(t, f, "é Ann")
		n := open(t, f, value)
		got, err := n.Write(result(t, n.Text(), [2]string{"Ann", "Bea"}))
		if err != nil {
			t.Fatal(err)
		}
		if again := open(t, f, got.Value); again.Text() != "é Bea" {
			t.Errorf("%s: got %q", f.Encoding, again.Text())
		}
	}
}

// wrapped returns a value in a form, made without this package's own way back.
func wrapped(t testing.TB, f Form, text string) string {
	t.Helper()
	data := []byte(text)
	for _, name := range slices.Backward(strings.Split(string(f.Encoding), "+")) {
		var out bytes.Buffer
		switch encoding.Encoding(name) {
		case encoding.Gzip:
			pack(t, gzip.NewWriter(&out), data)
		case encoding.Zlib:
			pack(t, zlib.NewWriter(&out), data)
		case encoding.Base64:
			out.WriteString(base64.StdEncoding.EncodeToString(data))
		case encoding.Hex:
			out.WriteString(hex.EncodeToString(data))
		default:
			t.Fatalf("no %s here", name)
		}
		data = out.Bytes()
	}
	if f.Bytes {
		return `\x` + hex.EncodeToString(data)
	}
	return string(data)
}

func pack(t testing.TB, w io.WriteCloser, data []byte) {
	t.Helper()
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}
