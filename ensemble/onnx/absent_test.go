//go:build !native

package onnx

import (
	"errors"
	"testing"
	"testing/fstest"
)

func TestAbsentSaysSo(t *testing.T) {
	_, open := Open("lib.so")
	_, tokenizer := NewTokenizer([]byte("{}"))
	_, encode := (&Tokenizer{}).Encode("text", false)
	_, load := (&Runtime{}).Load("m", fstest.MapFS{}, ModelOptions{Unverified: true})
	_, member := (&Model{}).Member(MemberOptions{})
	for name, err := range map[string]error{
		"Open": open, "NewTokenizer": tokenizer, "Encode": encode, "Load": load, "Member": member, "CheckParity": (&Model{}).CheckParity(),
	} {
		if !errors.Is(err, ErrNotBuilt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
