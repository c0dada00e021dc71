package encoding

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

// codes writes codes of LZW, each in the width that a reader expects there, or in that of its own.
func codes(list ...int) []byte {
	var w lzwWriter
	for _, c := range list {
		w.write(c)
		if c == lzwClear {
			w.written = 0
		}
	}
	if w.count > 0 {
		w.out = append(w.out, byte(w.bits<<(8-w.count)))
	}
	return w.out
}

func TestBlobsOfMillennium(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in, want string
	}{
		{"compressed", string(codes('J', 'a', 'n', 'e', lzwEnd)) + "ocf_blob", "Jane"},
		{"with zeros before the marker and behind it", string(codes('J', lzwEnd)) + "\x00\x00ocf_blob\x00", "J"},
		{"a string of the table", string(codes('a', 'b', 258, 258, lzwEnd)) + "ocf_blob", "ababab"},
		{"a string that is made by its own code", string(codes('a', 258, 259, lzwEnd)) + "ocf_blob", "aaaaaa"},
		{"a clear code first", string(codes(lzwClear, 'a', 'b', lzwEnd)) + "ocf_blob", "ab"},
		{"a clear code within", string(codes('a', 'b', 258, lzwClear, 'c', 258, lzwEnd)) + "ocf_blob", "ababccc"},
		{"of nothing", string(codes(lzwEnd)) + "ocf_blob", ""},
		{"uncompressed", "Jane Poe\r\nwas seen.ocf_blob\x00", "Jane Poe\r\nwas seen."},
		{"uncompressed, of nothing", "ocf_blob", ""},
		{"uncompressed and short", "OKocf_blob", "OK"},
		{"uncompressed, in another character set", "Jos\xe9ocf_blob", "Jos\xe9"},
		{"uncompressed, in another alphabet", "Жанна По была здесьocf_blob", "Жанна По была здесь"},
		{"uncompressed, with a marker within", "ocf_blob is its endocf_blob", "ocf_blob is its end"},
	} {
		got, coding, err := Decode(OCF, []byte(c.in))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
			continue
		}
		other := []byte(strings.ReplaceAll(c.want, "Jane", "Petronella") + "!")
		out, err := coding.Encode(other)
		if err != nil || !bytes.HasSuffix(out, []byte(c.in[strings.LastIndex(c.in, "ocf_blob"):])) {
			t.Errorf("%s: encoded it is %q, %v", c.name, out, err)
		}
		if isCompressed := !bytes.HasPrefix(out, other); isCompressed != !strings.HasPrefix(c.name, "uncompressed") {
			t.Errorf("%s: it comes back in another form: %q", c.name, out)
		}
		if again, _, err := Decode(OCF, out); err != nil || !bytes.Equal(again, other) {
			t.Errorf("%s: %q came back as %q, %v", c.name, other, again, err)
		}
	}
}

func TestBrokenBlobsAreRefused(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	long := make([]byte, 90000)
	for i := range long {
		long[i] = "abcdefgh \n"[random.IntN(10)]
	}
	whole := packLZW(long)
	for name, in := range map[string]string{
		"without a marker":                 "Jane Poe",
		"of nothing":                       "",
		"with something behind the marker": "Jane Poeocf_blobx",
		"with something behind the end":    string(codes('J', lzwEnd)) + "xocf_blob",
		"without an end":                   string(codes('J', 'a', 'n', 'e')) + "ocf_blob",
		"cut off within":                   string(whole[:len(whole)/2]) + "ocf_blob",
		"the second part of a long one":    string(whole[len(whole)/2:]) + "ocf_blob",
		"a code that is not known yet":     string(codes('J', 300, 'a', 'n', 'e', 7, 8, 9, lzwEnd)) + "ocf_blob",
		"a string of no string":            string(codes(258, 'J', 'a', 'n', 'e', lzwEnd)) + "ocf_blob",
		"a string after a clear code":      string(codes('J', 'a', 258, lzwClear, 258, lzwEnd)) + "ocf_blob",
	} {
		if got, _, err := Decode(OCF, []byte(in)); err == nil {
			t.Errorf("%s: it was read as %d bytes", name, len(got))
		}
	}
}

// Streams of others do not clear the table at 4094 codes: widths grow to 13 bits, and a full table stays as it is.
func TestWideCodes(t *testing.T) {
	t.Parallel()
	var w lzwWriter
	var want []byte
	for i := range 12000 {
		w.write(i % 251)
		want = append(want, byte(i%251))
	}
	w.write(lzwEnd)
	w.out = append(w.out, byte(w.bits<<(8-w.count)), 0)
	if got, _, err := Decode(OCF, append(w.out, ocfMarker...)); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes of %d, %v", len(got), len(want), err)
	}
	for next, width := range map[int]int{258: 9, 510: 9, 511: 10, 1022: 10, 1023: 11, 2047: 12, 4094: 12, 4095: 13, 8191: 13, 8192: 13} {
		if got := lzwWidth(next); got != width {
			t.Errorf("%d bits behind code %d, want %d", got, next, width)
		}
	}
}

func TestBlobsThatUnfoldTooFar(t *testing.T) {
	t.Parallel()
	bomb := append(packLZW(make([]byte, 4*freeRatio)), ocfMarker...)
	if got, _, err := Decode(OCF, bomb); !errors.Is(err, errBomb) {
		t.Errorf("%d bytes became %d, %v", len(bomb), len(got), err)
	}
}

func TestPackedLZWIsUnpacked(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	for _, size := range []int{0, 1, 2, 250, 251, 252, 253, 254, 255, 256, 257, 300, 766, 767, 768, 4000, 4094, 4095, 4096, 20000} {
		for _, letters := range []int{1, 2, 30, 256} {
			data := make([]byte, size)
			for i := range data {
				data[i] = byte(random.IntN(letters))
			}
			packed := packLZW(data)
			got, end, err := unpackLZW(append(bytes.Clone(packed), 0, 'x'))
			if err != nil || !bytes.Equal(got, data) || end != len(packed) {
				t.Errorf("%d bytes of %d letters: %d bytes up to %d of %d, %v", size, letters, len(got), end, len(packed), err)
			}
		}
	}
}

func FuzzOCF(f *testing.F) {
	f.Add(append(packLZW([]byte("Jane Poe was seen. Jane Poe went home.")), "\x00\x00ocf_blob\x00"...))
	f.Add([]byte("Jane Poe was seen.ocf_blob"))
	f.Add(append(codes('a', 258, 259, lzwClear, 'b', lzwEnd), ocfMarker...))
	f.Fuzz(func(t *testing.T, data []byte) {
		decoded, coding, err := Decode(OCF, data)
		if err != nil {
			return
		}
		out, err := coding.Encode(decoded)
		if err != nil {
			t.Fatal(err)
		}
		again, _, err := Decode(OCF, out)
		if err != nil || !bytes.Equal(again, decoded) {
			t.Fatalf("%q became %q, %v", decoded, again, err)
		}
	})
}
