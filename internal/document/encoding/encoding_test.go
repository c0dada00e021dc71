package encoding

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestEncodings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		encoding Encoding
		in, want string
	}{
		{"none", None, "Jane \xff", "Jane \xff"},
		{"not said", "", "Jane", "Jane"},
		{"base64", Base64, "SmFuZSBQb2U=", "Jane Poe"},
		{"base64 without padding", Base64, "SmFuZSBQb2U", "Jane Poe"},
		{"base64 of URLs", Base64, "Pz8_Pj4-", "???>>>"},
		{"base64 in lines", Base64, "SmFu\r\nZSBQ\r\nb2U=\r\n", "Jane Poe"},
		{"base64 in lines of LF", Base64, "SmFuZSBQb2U\n", "Jane Poe"},
		{"base64 of nothing", Base64, "", ""},
		{"hex", Hex, "4a616e65", "Jane"},
		{"hex in capitals", Hex, "4A616E65", "Jane"},
		{"bytea", Hex, `\x4a616e65`, "Jane"},
		{"hex with 0x in lines", Hex, "0x4a\n616e\n65", "Jane"},
		{"hex of nothing", Hex, `\x`, ""},
		{"latin1", Latin1, "Jos\xe9 \x93", "José \u0093"},
		{"windows-1252", Windows, "Jos\xe9 \x93\x80", "José “€"},
		{"utf-16 little", UTF16, "\xff\xfeJ\x00\xe9\x00\x3d\xd8\x00\xde", "Jé😀"},
		{"utf-16 big", UTF16, "\xfe\xff\x00J\x00\xe9\xd8\x3d\xde\x00", "Jé😀"},
		{"utf-16 of nothing", UTF16, "\xfe\xff", ""},
		{"a chain", "base64+hex+latin1", "NGE2MTZlZTk=", "Jané"},
	} {
		got, coding, err := Decode(c.encoding, []byte(c.in))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
			continue
		}
		if back, err := coding.Encode(got); err != nil || string(back) != c.in {
			t.Errorf("%s: back it is %q, %v, not %q", c.name, back, err, c.in)
		}
	}
}

func TestEncodingsKeepTheirWritingForOtherText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		encoding             Encoding
		in, document, output string
	}{
		{Base64, "SmFu\nZQ==\n", "Janet Poe", "SmFu\nZXQg\nUG9l\n"},
		{Base64, "SmFu\nZQ==\n", "", "\n"},
		{Base64, "SmFuZQ", "Ann?", "QW5uPw"},
		{Base64, "Pz8_", "???>>>", "Pz8_Pj4-"},
		{Hex, `\x4A4B`, "JK.", `\x4A4B2E`},
		{Hex, "4a4b\n4c", "JKLMN", "4a4b\n4c4d\n4e"},
		{Latin1, "x", "é", "\xe9"},
		{UTF16, "\xff\xfeJ\x00", "K", "\xff\xfeK\x00"},
	} {
		_, coding, err := Decode(c.encoding, []byte(c.in))
		if err != nil {
			t.Errorf("%s: %v", c.encoding, err)
			continue
		}
		if out, err := coding.Encode([]byte(c.document)); err != nil || string(out) != c.output {
			t.Errorf("%s of %q: %q, %v, want %q", c.encoding, c.document, out, err, c.output)
		}
	}
}

func TestPackedDocuments(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("Jane Poe was seen on the ward. ", 5000)
	for _, e := range []Encoding{Gzip, Zlib, OCF, "base64+gzip", "hex+zlib", "gzip+utf-16", "gzip+gzip", "base64+ocf"} {
		packed := encoded(t, e, []byte(text))
		if len(packed) > len(text)/4 {
			t.Errorf("%s: %d bytes are %d", e, len(text), len(packed))
		}
		got, coding, err := Decode(e, packed)
		if err != nil || string(got) != text {
			t.Fatalf("%s: %d bytes, %v", e, len(got), err)
		}
		again, err := coding.Encode(got)
		if err != nil || !bytes.Equal(again, packed) {
			t.Errorf("%s: encoded again it is not the same: %v", e, err)
		}
	}
}

// encoded returns a document in an encoding, of which each step is as short as it can be.
func encoded(t testing.TB, e Encoding, data []byte) []byte {
	t.Helper()
	empty := map[Encoding]encoder{
		Base64: mustDecode(t, Base64, ""), Hex: mustDecode(t, Hex, ""), Gzip: gzipped{}, Zlib: zlibbed{},
		Latin1: mustDecode(t, Latin1, ""), UTF16: mustDecode(t, UTF16, "\xff\xfe"), OCF: ocfWriting{compressed: true, tail: []byte(ocfMarker)},
	}
	var c Coding
	for _, name := range e.chain() {
		c.names = append(c.names, name)
		c.encoders = append(c.encoders, empty[name])
	}
	out, err := c.Encode(data)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func mustDecode(t testing.TB, e Encoding, data string) encoder {
	t.Helper()
	_, c, err := Decode(e, []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	return c.encoders[0]
}

func TestHeadersOfArchivesAreGone(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Name, w.Comment, w.Extra = "zorvakian.rtf", "zorvakian", []byte("zorvakian")
	_, _ = w.Write([]byte("text"))
	_ = w.Close()
	data, coding, err := Decode(Gzip, packed.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	out, err := coding.Encode(data)
	if err != nil || bytes.Contains(out, []byte("zorvakian")) {
		t.Errorf("the name of the file is in %q, %v", out, err)
	}
	got, _, err := Decode(Gzip, out)
	if err != nil || string(got) != "text" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestSeveralMembersAreOneDocument(t *testing.T) {
	t.Parallel()
	both := append(encoded(t, Gzip, []byte("Jane ")), encoded(t, Gzip, []byte("Poe"))...)
	if got, _, err := Decode(Gzip, both); err != nil || string(got) != "Jane Poe" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestBombs(t *testing.T) {
	t.Parallel()
	bomb := make([]byte, 4*freeRatio)
	for _, e := range []Encoding{Gzip, Zlib} {
		if _, _, err := Decode(e, encoded(t, e, bomb)); !errors.Is(err, errBomb) {
			t.Errorf("%s: %v", e, err)
		}
		if got, _, err := Decode(e, encoded(t, e, bomb[:freeRatio])); err != nil || len(got) != freeRatio {
			t.Errorf("%s: a small document is refused: %v", e, err)
		}
	}
	if _, _, err := Decode("gzip+gzip", encoded(t, "gzip+gzip", bomb)); !errors.Is(err, errBomb) {
		t.Errorf("packed twice: %v", err)
	}
}

func TestLimitsOfPackedDocuments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		packed int
		limit  int64
		reason error
	}{
		{0, freeRatio, errBomb},
		{freeRatio / maxRatio, freeRatio, errBomb},
		{1 << 20, maxRatio << 20, errBomb},
		{2 << 20, maxDecoded, errTooLarge},
		{1 << 40, maxDecoded, errTooLarge},
	} {
		if limit, reason := limitOf(c.packed); limit != c.limit || !errors.Is(reason, c.reason) {
			t.Errorf("%d bytes: %d, %v", c.packed, limit, reason)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	gz := string(encoded(t, Gzip, []byte("Zorvakian Zorvakian")))
	zl := string(encoded(t, Zlib, []byte("Zorvakian Zorvakian")))
	for _, c := range []struct {
		name     string
		encoding Encoding
		in       string
	}{
		{"no encoding", "rot13", ""},
		{"a chain with none in it", "base64+none", ""},
		{"an empty step", "base64+", ""},
		{"too many steps", Encoding(strings.Repeat("base64+", maxSteps) + "base64"), ""},
		{"no base64", Base64, "Zorvakian*=="},
		{"both alphabets", Base64, "Pz8_Pj4+"},
		{"half a quantum", Base64, "SmFuZ"},
		{"bits behind the end", Base64, "SmFuZR=Zorvakian"},
		{"padding in between", Base64, "SmFuZQ==SmFuZQ=="},
		{"odd digits", Hex, "4a6"},
		{"no digits", Hex, "Zorvakian"},
		{"no gzip", Gzip, "Zorvakian"},
		{"gzip cut off", Gzip, gz[:len(gz)-9]},
		{"gzip without its sum", Gzip, gz[:len(gz)-1]},
		{"gzip with something behind it", Gzip, gz + "Zorvakian"},
		{"no zlib", Zlib, "Zorvakian"},
		{"zlib cut off", Zlib, zl[:len(zl)-1]},
		{"zlib with something behind it", Zlib, zl + "Zorvakian"},
		{"utf-16 without a mark", UTF16, "J\x00"},
		{"half a unit", UTF16, "\xff\xfeJ"},
		{"a low half", UTF16, "\xff\xfe\x00\xde"},
		{"a high half at the end", UTF16, "\xff\xfe\x3d\xd8"},
		{"a high half before a letter", UTF16, "\xff\xfe\x3d\xd8J\x00"},
	} {
		got, _, err := Decode(c.encoding, []byte(c.in))
		if err == nil || got != nil {
			t.Errorf("%s: read as %q", c.name, got)
			continue
		}
		if strings.Contains(fmt.Sprintf("%v %+v", err, err), "Zorvakian") {
			t.Errorf("%s: the error quotes the document: %v", c.name, err)
		}
	}
}

func TestEncodeRefusesWhatTheCharacterSetLacks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		encoding Encoding
		in, text string
	}{
		{Latin1, "x", "Łódź"},
		{Windows, "x", "Łódź"},
		{Latin1, "x", "\xff"},
		{UTF16, "\xff\xfe", "\xff"},
		{"base64+latin1", "eA==", "€"},
	} {
		_, coding, err := Decode(c.encoding, []byte(c.in))
		if err != nil {
			t.Fatal(err)
		}
		if out, err := coding.Encode([]byte(c.text)); !errors.Is(err, errLacksRune) || out != nil {
			t.Errorf("%s: %q, %v", c.encoding, out, err)
		}
	}
}

func FuzzEncodings(f *testing.F) {
	all := []Encoding{Base64, Hex, Gzip, Zlib, Latin1, Windows, UTF16, OCF, "base64+gzip", "hex+latin1"}
	for i, e := range all {
		if e != Windows {
			f.Add(uint8(i), encoded(f, e, []byte("Jane Poe, José")))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		e := all[int(which)%len(all)]
		decoded, coding, err := Decode(e, data)
		if err != nil {
			return
		}
		out, err := coding.Encode(decoded)
		if err != nil {
			t.Fatalf("%s: %v", e, err)
		}
		again, _, err := Decode(e, out)
		if err != nil || !bytes.Equal(again, decoded) {
			t.Fatalf("%s: %q became %q, %v", e, decoded, again, err)
		}
	})
}
