package operate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/admin"
)

// watched returns what a watch writes of three looks, the second of which fails.
func watched(t *testing.T, asJSON, redraw bool) string {
	t.Helper()
	var out bytes.Buffer
	w := newStatusWatch(&out, asJSON)
	if w.redraw {
		t.Error("a buffer counts as a terminal")
	}
	w.redraw, w.pace = redraw, time.Millisecond
	w.now = func() time.Time { return time.Date(2026, 3, 5, 7, 0, 0, 0, time.UTC) }
	ctx, cancel := context.WithCancel(t.Context())
	looks := 0
	err := w.run(ctx, func(context.Context) (*admin.Status, error) {
		switch looks++; looks {
		case 2:
			return nil, fault.New("connect", errors.New("refused"), "start the server")
		case 4:
			cancel()
		}
		return &admin.Status{Slot: admin.SlotStatus{Name: "pgdeid", Exists: true, WAL: "reserved", Retained: 2048}}, nil
	})
	if err != nil {
		t.Errorf("Ctrl-C: %v", err)
	}
	return out.String()
}

func TestStatusIsWatched(t *testing.T) {
	t.Parallel()
	plain := watched(t, false, false)
	if strings.Contains(plain, "\x1b") || strings.Count(plain, "2026-03-05 07:00:00\n") != 3 ||
		strings.Count(plain, "pgdeid: reserved, holds back 2.0 KiB") != 2 {
		t.Errorf("plain: %s", plain)
	}
	if !strings.Contains(plain, "error  connect: refused\nhint   start the server\n") {
		t.Errorf("a look that fails: %s", plain)
	}
	drawn := watched(t, false, true)
	if strings.Count(drawn, "\x1b[H") != 3 || strings.Count(drawn, "\x1b[J") != 3 {
		t.Errorf("redrawn: %q", drawn)
	}
	for line := range strings.Lines(drawn) {
		if strings.HasSuffix(line, "\n") && !strings.HasSuffix(line, "\x1b[K\n") {
			t.Errorf("the rest of a line stays: %q", line)
		}
	}
	looks := strings.Split(strings.TrimSpace(watched(t, true, false)), "\n")
	if len(looks) != 3 {
		t.Fatalf("%d lines of JSON", len(looks))
	}
	for i, look := range looks {
		var s struct {
			Error string
			Slot  struct{ Name string }
		}
		if err := json.Unmarshal([]byte(look), &s); err != nil || (i == 1) != (s.Error != "") || (i == 1) == (s.Slot.Name != "") {
			t.Errorf("look %d: %s, %v", i, look, err)
		}
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestWatchEndsWithItsReader(t *testing.T) {
	t.Parallel()
	for _, asJSON := range []bool{false, true} {
		w := newStatusWatch(brokenPipe{}, asJSON)
		err := w.run(t.Context(), func(context.Context) (*admin.Status, error) { return &admin.Status{}, nil })
		if err == nil {
			t.Error("nobody reads, and it goes on")
		}
	}
}
