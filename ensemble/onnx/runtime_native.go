//go:build native

package onnx

import (
	"errors"
	"fmt"

	ort "github.com/yalue/onnxruntime_go"
)

// Built tells whether this program was built with the native libraries.
const Built = true

// Runtime is the loaded ONNX Runtime. There is one in a process, since its
// environment is global to it: whoever calls [Open] owns it.
type Runtime struct{}

// Open loads ONNX Runtime from the path of its shared library and initialises it,
// quiet but for errors and without telemetry. A second Open before [Runtime.Close] fails.
func Open(libraryPath string) (*Runtime, error) {
	if ort.IsInitialized() {
		return nil, errors.New("open ONNX Runtime: it is open already")
	}
	ort.SetSharedLibraryPath(libraryPath)
	if err := ort.InitializeEnvironment(ort.WithLogLevelError()); err != nil {
		return nil, fmt.Errorf("open ONNX Runtime %s: %w", libraryPath, err)
	}
	r := &Runtime{}
	if err := ort.DisableTelemetry(); err != nil {
		return nil, errors.Join(fmt.Errorf("open ONNX Runtime: %w", err), r.Close())
	}
	return r, nil
}

// Version returns the version of the loaded library.
func (*Runtime) Version() string { return ort.GetVersion() }

// Close frees the runtime. Sessions must have been destroyed before.
func (*Runtime) Close() error { return ort.DestroyEnvironment() }
