//go:build !native

package onnx

import (
	"errors"
	"testing"
)

func TestAbsentSaysSo(t *testing.T) {
	_, open := Open("lib.so")
	_, tokenizer := NewTokenizer([]byte("{}"))
	_, encode := (&Tokenizer{}).Encode("text", false)
	for name, err := range map[string]error{"Open": open, "NewTokenizer": tokenizer, "Encode": encode} {
		if !errors.Is(err, ErrNotBuilt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
