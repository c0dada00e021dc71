// Package about finds out what a program consists of: its version, ONNX Runtime, the models that come with it.
package about

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/onnx"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/models"
)

// Info is what "version --json" prints.
type Info struct {
	Version     string `json:"version"`
	Go          string `json:"go"`
	OS          string `json:"os"`
	Arch        string `json:"arch"`
	ONNXRuntime string `json:"onnxruntime,omitempty"` // absent where the library is
	Library     string `json:"onnxruntime_library,omitempty"`
	// Models are those that come with the program.
	Models     []models.Info `json:"models"`
	runtimeErr error         // why ONNX Runtime is absent
}

// Read loads ONNX Runtime for a moment, and reads the list of models. The version is that of the program.
func Read(version string) (Info, error) {
	info := Info{Version: version, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	info.Library, info.ONNXRuntime, info.runtimeErr = readRuntime()
	plan, err := models.NewPlan([]config.Model{{Default: true}}, nil)
	if err != nil {
		return info, err
	}
	info.Models = plan.Models()
	return info, nil
}

// readRuntime loads ONNX Runtime for a moment to ask for its version.
func readRuntime() (library, version string, err error) {
	if !onnx.Built {
		return "", "", onnx.ErrNotBuilt
	}
	if library, err = onnx.FindLibrary(); err != nil {
		return "", "", err
	}
	loaded, err := onnx.Open(library)
	if err != nil {
		return "", "", err
	}
	return library, loaded.Version(), loaded.Close()
}

// Print writes it for people.
func (v Info) Print(w io.Writer) error {
	_, err := fmt.Fprintf(w, "pgdeid %s (%s, %s/%s)\n", v.Version, v.Go, v.OS, v.Arch)
	line := func(format string, args ...any) {
		_, more := fmt.Fprintf(w, format+"\n", args...)
		err = errors.Join(err, more)
	}
	if v.runtimeErr != nil {
		line("ONNX Runtime: none, neural members can't run (%v)", v.runtimeErr)
	} else {
		line("ONNX Runtime %s (%s)", v.ONNXRuntime, v.Library)
	}
	for _, m := range v.Models {
		line("model %s (%.12s): %s", m.Name, m.Sums[models.MainFile(m.Sums)], strings.Join(m.Members, ", "))
	}
	return err
}
