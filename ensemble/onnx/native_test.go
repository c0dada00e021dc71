//go:build native

package onnx

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	ort "github.com/yalue/onnxruntime_go"
)

// libraryForTest returns the path of the library of "make native".
func libraryForTest() string {
	path, err := FindLibrary()
	if err != nil {
		return filepath.Join("../../build/native", LibraryName())
	}
	return path
}

// openForTest opens the runtime of "make native".
func openForTest(t testing.TB) *Runtime {
	t.Helper()
	r, err := Open(libraryForTest())
	if err != nil {
		t.Fatalf("%v (is the library there? make native)", err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return r
}

// field returns a length-delimited field of a protocol buffer.
func field(number uint64, parts ...[]byte) []byte {
	body := slices.Concat(parts...)
	out := binary.AppendUvarint(nil, number<<3|2)
	return append(binary.AppendUvarint(out, uint64(len(body))), body...)
}

// number returns a varint field of a protocol buffer.
func number(field, value uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(nil, field<<3), value)
}

// doubler returns an ONNX model with y = x + x over floats of shape [n]; the numbers
// of the fields are those of onnx.proto.
func doubler() []byte {
	text := func(n uint64, s string) []byte { return field(n, []byte(s)) }
	value := func(name string) [][]byte {
		dim := field(1, text(2, "n"))
		tensor := field(1, number(1, 1), field(2, dim)) // element type 1: float
		return [][]byte{text(1, name), field(2, tensor)}
	}
	node := field(1, text(1, "x"), text(1, "x"), text(2, "y"), text(4, "Add"))
	graph := field(7, node, text(2, "doubler"), field(11, value("x")...), field(12, value("y")...))
	return slices.Concat(number(1, 8), graph, field(8, text(1, ""), number(2, 13)))
}

func TestRuntimeRunsGraph(t *testing.T) {
	r := openForTest(t)
	if !strings.HasPrefix(r.Version(), "1.") {
		t.Errorf("Version = %q", r.Version())
	}
	if _, err := Open("again"); err == nil {
		t.Error("a second Open worked")
	}
	session, err := ort.NewDynamicAdvancedSessionWithONNXData(doubler(), []string{"x"}, []string{"y"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Destroy()
	x, err := ort.NewTensor(ort.NewShape(3), []float32{1, -2, 0.5})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Destroy()
	y, err := ort.NewEmptyTensor[float32](ort.NewShape(3))
	if err != nil {
		t.Fatal(err)
	}
	defer y.Destroy()
	if err := session.Run([]ort.Value{x}, []ort.Value{y}); err != nil {
		t.Fatal(err)
	}
	if want := []float32{2, -4, 1}; !slices.Equal(y.GetData(), want) {
		t.Errorf("y = %v, want %v", y.GetData(), want)
	}
}

func TestRuntimeOpensAgain(t *testing.T) {
	for range 2 {
		t.Run("open and close", func(t *testing.T) {
			if v := openForTest(t).Version(); v == "" {
				t.Error("no version")
			}
		})
	}
}

func TestOpenSaysWhichFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "libabsent.so")
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("missing library: %v", err)
	}
	if err := os.WriteFile(path, []byte("not a library"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("broken library: %v", err)
	}
}

// wordpieces is a WordPiece tokenizer of six entries, as BERT's is built.
const wordpieces = `{
	"version": "1.0",
	"added_tokens": [
		{"id": 1, "content": "[CLS]", "special": true, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false},
		{"id": 2, "content": "[SEP]", "special": true, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false}],
	"pre_tokenizer": {"type": "BertPreTokenizer"},
	"post_processor": {"type": "BertProcessing", "cls": ["[CLS]", 1], "sep": ["[SEP]", 2]},
	"model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
		"vocab": {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "Mül": 3, "##ler": 4, "saw": 5}}
}`

func newTestTokenizer(t *testing.T) *Tokenizer {
	t.Helper()
	tok, err := NewTokenizer([]byte(wordpieces))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tok.Close() })
	return tok
}

func TestEncodeOffsetsLeadBack(t *testing.T) {
	tok := newTestTokenizer(t)
	const text = "Müller saw 😀 Müller"
	got, err := tok.Encode(text, true)
	if err != nil {
		t.Fatal(err)
	}
	var pieces []string
	for _, o := range got.Offsets {
		pieces = append(pieces, text[o[0]:o[1]])
	}
	if want := []string{"", "Mül", "ler", "saw", "😀", "Mül", "ler", ""}; !slices.Equal(pieces, want) {
		t.Errorf("pieces %q, want %q", pieces, want)
	}
	if want := []uint32{1, 3, 4, 5, 0, 3, 4, 2}; !slices.Equal(got.IDs, want) {
		t.Errorf("IDs %v, want %v", got.IDs, want)
	}
}

func TestEncodeRefusals(t *testing.T) {
	tok := newTestTokenizer(t)
	for name, text := range map[string]string{"NUL": "a\x00Müller", "not UTF-8": "M\xfcller"} {
		if got, err := tok.Encode(text, false); err == nil {
			t.Errorf("%s: got %v", name, got)
		}
	}
	for _, text := range []string{"", " \n"} {
		if got, err := tok.Encode(text, false); err != nil || len(got.IDs) != 0 {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}

// A long text must not be cut off: what is not encoded would not be searched.
func TestEncodeLongText(t *testing.T) {
	tok := newTestTokenizer(t)
	text := strings.Repeat("saw ", 20_000) + "Müller"
	got, err := tok.Encode(text, false)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.IDs) != 20_002 || got.Offsets[20_001][1] != len(text) {
		t.Errorf("%d wordpieces, the last ends at %v of %d", len(got.IDs), got.Offsets[len(got.Offsets)-1], len(text))
	}
}

func TestNewTokenizerRefusesRubbish(t *testing.T) {
	for _, definition := range []string{"", "{", `{"model": {"type": "Unheard"}}`} {
		if _, err := NewTokenizer([]byte(definition)); err == nil {
			t.Errorf("%q was accepted", definition)
		}
	}
}

func FuzzEncode(f *testing.F) {
	for _, text := range []string{"Müller saw", "", "\x00", "\xff", "e\u0301 \u200d😀", "[CLS] [SEP]"} {
		f.Add(text)
	}
	tok, err := NewTokenizer([]byte(wordpieces))
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = tok.Close() })
	f.Fuzz(func(t *testing.T, text string) {
		got, err := tok.Encode(text, true)
		if err != nil {
			return
		}
		end := 0
		for _, o := range got.Offsets {
			if o == [2]int{} {
				continue // a special token
			}
			if o[0] < end || o[1] < o[0] || o[1] > len(text) {
				t.Fatalf("offsets %v of a text of %d bytes", got.Offsets, len(text))
			}
			end = o[1]
		}
	})
}
