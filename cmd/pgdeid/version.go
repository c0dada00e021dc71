package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/ensemble/onnx"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/models"
)

// version is set by the Makefile (-ldflags -X).
var version = "dev"

// versionInfo is what "version --json" prints.
type versionInfo struct {
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

func newVersionCmd() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the versions of pgdeid and of ONNX Runtime, and the models that come with it",
		Long: `Print the version of pgdeid and of ONNX Runtime, which only neural members of the
ensemble need, and the models that come with pgdeid. ONNX Runtime's library is looked
for at $PGDEID_ONNXRUNTIME, next to the program and in ../lib/pgdeid, and is loaded only if it
is the one that this pgdeid was made for, or has the SHA-256 in $PGDEID_ONNXRUNTIME_SHA256.`,
		Example: "  pgdeid version\n  pgdeid version --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			info, err := readVersions()
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(info)
			}
			return info.print(cmd.OutOrStdout())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func readVersions() (versionInfo, error) {
	info := versionInfo{Version: version, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
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

func (v versionInfo) print(w io.Writer) error {
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
