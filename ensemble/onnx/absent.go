//go:build !native

package onnx

// Built tells whether this program was built with the native libraries.
const Built = false

// Runtime stands for ONNX Runtime, which this build can't load.
type Runtime struct{}

// Open returns [ErrNotBuilt].
func Open(string) (*Runtime, error) { return nil, ErrNotBuilt }

// Version returns "".
func (*Runtime) Version() string { return "" }

// Close does nothing.
func (*Runtime) Close() error { return nil }

// Tokenizer stands for the tokenizers library, which this build lacks.
type Tokenizer struct{}

// NewTokenizer returns [ErrNotBuilt].
func NewTokenizer([]byte) (*Tokenizer, error) { return nil, ErrNotBuilt }

// Encode returns [ErrNotBuilt].
func (*Tokenizer) Encode(string, bool) (Encoding, error) { return Encoding{}, ErrNotBuilt }

// Close does nothing.
func (*Tokenizer) Close() error { return nil }
