package ensemble

import (
	"errors"
	"strings"
	"testing"
)

func TestGuardedSaysWhereAndNotWhat(t *testing.T) {
	err := Guarded("model x", func() error { panic("Zebulon Quarkstein") })
	var b *Broken
	if !errors.As(err, &b) || b.Part != "model x" || b.Kind != "string" {
		t.Fatalf("error %v", err)
	}
	at := strings.Join(b.At, "\n")
	if !strings.Contains(at, "broken_test.go:") || strings.Contains(at+err.Error(), "Quarkstein") {
		t.Errorf("at %s", at)
	}
	if err := Guarded("model x", func() error { return nil }); err != nil {
		t.Errorf("no panic: %v", err)
	}
}
