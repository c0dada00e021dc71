//go:build !native

package models

import (
	"errors"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/onnx"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// A program without native code must not detect with less than was asked for.
func TestOpenRefusesWithoutNativeCode(t *testing.T) {
	plan, err := NewPlan([]config.Model{defined("/a/x", "a")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if set, err := plan.Open(); set != nil || !errors.Is(err, onnx.ErrNotBuilt) || !strings.Contains(fault.Hint(err), "models: none") {
		t.Errorf("%v, %v", set, err)
	}
}
