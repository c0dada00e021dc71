//go:build native

package onnx

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/daulet/tokenizers"
)

// Tokenizer cuts texts into wordpieces. It is safe for several goroutines.
type Tokenizer struct {
	native *tokenizers.Tokenizer
}

// NewTokenizer reads a tokenizer.json in the format of Hugging Face tokenizers. Where
// it says that texts are cut off at a length, or filled up, they are not.
func NewTokenizer(definition []byte) (*Tokenizer, error) {
	definition, err := unlimited(definition)
	if err != nil {
		return nil, fmt.Errorf("read tokenizer: %w", err)
	}
	native, err := tokenizers.FromBytes(definition)
	if err != nil {
		return nil, fmt.Errorf("read tokenizer: %w", err)
	}
	return &Tokenizer{native}, nil
}

// unlimited takes truncation and padding out of a tokenizer's definition. Exports
// often have them as they stood when training ended.
func unlimited(definition []byte) ([]byte, error) {
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(definition, &parts); err != nil {
		return nil, err
	}
	if parts == nil {
		return nil, errors.New("it is empty")
	}
	parts["truncation"], parts["padding"] = json.RawMessage("null"), json.RawMessage("null")
	return json.Marshal(parts)
}

// Encode cuts a text, with the special tokens of the model around it where asked.
//
// The library reports its own failures as an empty result, which must not read as
// "nothing here": a text with anything but white space and no wordpiece is an error.
func (t *Tokenizer) Encode(text string, special bool) (Encoding, error) {
	if err := fit(text); err != nil {
		return Encoding{}, err
	}
	got := t.native.EncodeWithOptions(text, special, tokenizers.WithReturnOffsets())
	if len(got.IDs) == 0 && strings.TrimSpace(text) != "" {
		return Encoding{}, fmt.Errorf("tokenize: no wordpieces in a text of %d bytes", len(text))
	}
	if len(got.Offsets) != len(got.IDs) {
		return Encoding{}, fmt.Errorf("tokenize: %d offsets for %d wordpieces", len(got.Offsets), len(got.IDs))
	}
	offsets := make([][2]int, len(got.Offsets))
	for i, o := range got.Offsets {
		if o[0] > o[1] || o[1] > uint(len(text)) {
			return Encoding{}, fmt.Errorf("tokenize: wordpiece %d lies outside the text", i)
		}
		offsets[i] = [2]int{int(o[0]), int(o[1])} // #nosec G115 -- bounded by the text's length
	}
	return Encoding{IDs: got.IDs, Offsets: offsets}, nil
}

// word cuts a word, without special tokens. Of one that holds nothing that the tokenizer
// keeps, such as a control character, there is no wordpiece.
func (t *Tokenizer) word(word string) ([]uint32, error) {
	if err := fit(word); err != nil {
		return nil, err
	}
	return t.native.EncodeWithOptions(word, false).IDs, nil
}

// fit reports why a text can't be handed to the library: it travels as a C string, so one
// with a NUL byte would be cut off in silence, and one that is not UTF-8 would shift the
// offsets.
func fit(text string) error {
	if strings.IndexByte(text, 0) >= 0 {
		return errors.New("tokenize: text with a NUL byte")
	}
	if !utf8.ValidString(text) {
		return errors.New("tokenize: text is not UTF-8")
	}
	return nil
}

// Close frees the tokenizer.
func (t *Tokenizer) Close() error { return t.native.Close() }
