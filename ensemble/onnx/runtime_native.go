//go:build native

package onnx

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"sync"

	ort "github.com/yalue/onnxruntime_go"
	"golang.org/x/sync/errgroup"
)

// Built reports whether this program was built with the native libraries.
const Built = true

// Runtime is the loaded ONNX Runtime with its runners, one a core, which run the
// networks of all models. There is one in a process, since its environment is global
// to it: the caller of [Open] owns it.
type Runtime struct {
	queue   *queue
	runners errgroup.Group

	mu     sync.Mutex
	models map[*Model]struct{} // that are open
}

// noTelemetry is the variable by which ONNX Runtime, since 1.30, starts none at all.
const noTelemetry = "ORT_DISABLE_TELEMETRY"

// Open loads ONNX Runtime from the path of its shared library, whose hash has to be the
// right one, and initialises it, quiet but for errors and without telemetry. A second Open
// before [Runtime.Close] fails.
func Open(libraryPath string) (*Runtime, error) {
	if ort.IsInitialized() {
		return nil, errors.New("open ONNX Runtime: it is open already")
	}
	if err := verify(libraryPath); err != nil {
		return nil, fmt.Errorf("open ONNX Runtime: %w", err)
	}
	// ort.DisableTelemetry comes too late: by then the library has written an identifier of the machine and opened a store of events.
	if err := os.Setenv(noTelemetry, "1"); err != nil {
		return nil, fmt.Errorf("open ONNX Runtime: %w", err)
	}
	ort.SetSharedLibraryPath(libraryPath)
	if err := ort.InitializeEnvironment(ort.WithLogLevelError()); err != nil {
		return nil, fmt.Errorf("open ONNX Runtime %s: %w", libraryPath, err)
	}
	r := &Runtime{queue: newQueue(), models: map[*Model]struct{}{}}
	for range runtime.GOMAXPROCS(0) {
		r.runners.Go(func() error { r.queue.serve(); return nil })
	}
	if err := ort.DisableTelemetry(); err != nil {
		return nil, errors.Join(fmt.Errorf("open ONNX Runtime: %w", err), r.Close())
	}
	return r, nil
}

// Version returns the version of the loaded library.
func (*Runtime) Version() string { return ort.GetVersion() }

// Close closes the models that are still open, waits until nothing runs and frees the
// runtime. A second Close does nothing.
func (r *Runtime) Close() error {
	r.mu.Lock()
	open := slices.Collect(maps.Keys(r.models))
	closed := r.models == nil
	r.models = nil
	r.mu.Unlock()
	if closed {
		return nil
	}
	var errs []error
	for _, m := range open {
		errs = append(errs, m.Close())
	}
	r.queue.close()
	errs = append(errs, r.runners.Wait(), ort.DestroyEnvironment())
	return errors.Join(errs...)
}

// add keeps a model for [Runtime.Close].
func (r *Runtime) add(m *Model) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.models == nil {
		return errors.New("ONNX Runtime is closed")
	}
	r.models[m] = struct{}{}
	return nil
}

func (r *Runtime) remove(m *Model) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.models, m)
}
