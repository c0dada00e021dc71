//go:build !native

package onnx

import (
	"context"
	"io/fs"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Built reports whether this program was built with the native libraries.
const Built = false

// Runtime takes the place of ONNX Runtime, which this build can't load.
type Runtime struct{}

// Open returns [ErrNotBuilt].
func Open(string) (*Runtime, error) { return nil, ErrNotBuilt }

// Version returns "".
func (*Runtime) Version() string { return "" }

// Close does nothing.
func (*Runtime) Close() error { return nil }

// Networks returns nil.
func (*Runtime) Networks() []Network { return nil }

// Waiting returns 0.
func (*Runtime) Waiting() int { return 0 }

// SendAway returns [ErrNotBuilt].
func (*Runtime) SendAway(context.Context, int, Exchange) error { return ErrNotBuilt }

// CompareAway returns [ErrNotBuilt].
func (*Runtime) CompareAway(context.Context, Exchange) error { return ErrNotBuilt }

// Answer returns [ErrNotBuilt].
func (*Runtime) Answer(context.Context, []byte) ([]byte, error) { return nil, ErrNotBuilt }

// Load returns [ErrNotBuilt].
func (*Runtime) Load(string, fs.FS, ModelOptions) (*Model, error) { return nil, ErrNotBuilt }

// Model takes the place of a neural network, which this build can't run.
type Model struct{}

// Name returns "".
func (*Model) Name() string { return "" }

// Types returns nil.
func (*Model) Types() []phi.Type { return nil }

// Member returns [ErrNotBuilt].
func (*Model) Member(MemberOptions) (ensemble.Detector, error) { return nil, ErrNotBuilt }

// CheckParity returns [ErrNotBuilt].
func (*Model) CheckParity() error { return ErrNotBuilt }

// Stats returns zeros.
func (*Model) Stats() Stats { return Stats{} }

// Close does nothing.
func (*Model) Close() error { return nil }

// Tokenizer takes the place of the tokenizers library, which this build lacks.
type Tokenizer struct{}

// NewTokenizer returns [ErrNotBuilt].
func NewTokenizer([]byte) (*Tokenizer, error) { return nil, ErrNotBuilt }

// Encode returns [ErrNotBuilt].
func (*Tokenizer) Encode(string, bool) (Encoding, error) { return Encoding{}, ErrNotBuilt }

// Close does nothing.
func (*Tokenizer) Close() error { return nil }
