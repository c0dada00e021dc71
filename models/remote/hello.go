package remote

import (
	"fmt"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/onnx"
)

// Hello is what two processes compare before one of them works for the other.
type Hello struct {
	Version  string         `json:"version"` // of the program
	Runtime  string         `json:"runtime"` // version of ONNX Runtime
	Networks []onnx.Network `json:"networks"`
	Cores    int            `json:"cores"`
	// Process is drawn by each server when it starts: what was compared with it holds for no other one.
	Process string `json:"process"`
}

// mismatch says why a worker can't work for a process, or "".
func (h *Hello) mismatch(worker *Hello) string {
	switch {
	case worker.Version != h.Version:
		return fmt.Sprintf("it is version %s, this is %s", worker.Version, h.Version)
	case worker.Runtime != h.Runtime:
		return fmt.Sprintf("it has ONNX Runtime %s, this process %s", worker.Runtime, h.Runtime)
	case worker.Cores < 1:
		return "it says that it has no cores"
	}
	for _, own := range h.Networks {
		i := slices.IndexFunc(worker.Networks, func(n onnx.Network) bool { return n.Digest == own.Digest })
		if i >= 0 {
			continue
		}
		if slices.ContainsFunc(worker.Networks, func(n onnx.Network) bool { return n.Name == own.Name }) {
			return fmt.Sprintf("its model %s has other files or labels", own.Name)
		}
		return fmt.Sprintf("it does not have model %s", own.Name)
	}
	return ""
}
