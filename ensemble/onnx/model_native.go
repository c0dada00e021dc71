//go:build native

package onnx

import (
	"errors"
	"io/fs"

	"github.com/pgdeid/pgdeid/ensemble"
)

// Model is a loaded network. It is safe for several goroutines.
type Model struct {
	name string
}

var errUnfinished = errors.New("models can't be loaded yet")

// Load reads a model's folder.
func (r *Runtime) Load(name string, folder fs.FS, opts ModelOptions) (*Model, error) {
	return nil, errUnfinished
}

// Name returns the name that the model was loaded under.
func (m *Model) Name() string { return m.name }

// Types lists the PHI types that the model knows.
func (m *Model) Types() []ensemble.Type { return nil }

// Member returns a detector over the model.
func (m *Model) Member(opts MemberOptions) (ensemble.Detector, error) { return nil, errUnfinished }

// CheckParity compares the network's answers with parity.json.
func (m *Model) CheckParity() error { return errUnfinished }

// Stats returns counters.
func (m *Model) Stats() Stats { return Stats{} }

// Close frees the model.
func (m *Model) Close() error { return nil }
