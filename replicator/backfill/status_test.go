package backfill

import (
	"context"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestStatusSaysHowLongItTakes(t *testing.T) {
	t.Parallel()
	before := &Status{Tables: []TableStatus{{Table: "a", Done: true, Rows: 10, Planned: 10}, {Table: "b", Rows: 20, Planned: 100}, {Table: "c", Planned: 50}}}
	now := &Status{Tables: []TableStatus{{Table: "a", Done: true, Rows: 10, Planned: 10}, {Table: "b", Rows: 60, Planned: 100}, {Table: "c", Planned: 50}}}
	if rows, planned := now.Sum(); rows != 70 || planned != 160 {
		t.Errorf("%d of %d rows", rows, planned)
	}
	if rate, left := now.Left(before, 2*time.Second); rate != 20 || left != 4500*time.Millisecond {
		t.Errorf("%v rows a second, %v left", rate, left)
	}
	for name, c := range map[string]struct {
		before  *Status
		between time.Duration
	}{"nothing was copied": {now, time.Second}, "no time went by": {before, 0}, "the copy began anew": {now, time.Second}} {
		if rate, left := now.Left(c.before, c.between); rate != 0 || left != 0 {
			t.Errorf("%s: %v rows a second, %v left", name, rate, left)
		}
	}
	more := &Status{Tables: []TableStatus{{Rows: 30, Planned: 20}}}
	if _, planned := more.Sum(); planned != 30 {
		t.Errorf("an estimate that was too low: %d", planned)
	}
}

func TestStatusIsDone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tables []TableStatus
		want   bool
	}{{nil, false}, {[]TableStatus{{Done: true}}, true}, {[]TableStatus{{Done: true}, {}}, false}} {
		if got := (&Status{Tables: c.tables}).Done(); got != c.want {
			t.Errorf("%d tables: %v", len(c.tables), got)
		}
	}
}

// Names of slots may have what names of queues may not, and no two slots share a queue.
func TestQueuesOfSlots(t *testing.T) {
	t.Parallel()
	valid := regexp.MustCompile(`^[a-z0-9]+(?:[_\-]?[a-z0-9]+)*$`)
	seen := map[string]bool{}
	for _, slot := range []string{"pgdeid", "pgdeid_2", "__a__", "_", strings.Repeat("x", 63)} {
		name := queue(slot)
		if !valid.MatchString(name) || len(name) > 64 || seen[name] || name != queue(slot) {
			t.Errorf("slot %s: queue %s", slot, name)
		}
		seen[name] = true
	}
	if (Task{}).Kind() == "" {
		t.Error("tasks have no kind")
	}
}

func TestRetriesGoOnAtOnePace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		if wait := time.Until((steady{}).NextRetry(nil)); wait != retryPause {
			t.Errorf("tried again after %v", wait)
		}
	})
}

// River's accounts of what it does are not the log's matter; what went wrong is.
func TestQuietLog(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	log := slog.New(quiet{slog.NewTextHandler(&b, &slog.HandlerOptions{Level: slog.LevelDebug})})
	log.Info("started")
	log.Warn("broken")
	if strings.Contains(b.String(), "started") || !strings.Contains(b.String(), "broken") {
		t.Errorf("the log: %s", b.String())
	}
	silent := slog.New(quiet{slog.NewTextHandler(&b, &slog.HandlerOptions{Level: slog.LevelError})})
	if silent.Enabled(t.Context(), slog.LevelWarn) {
		t.Error("it says more than it was asked for")
	}
}

// Whoever waits for a turn ends with what it waits for, with its session, and when it is to stop.
func TestSleepEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		sleep(t.Context(), t.Context(), time.Minute)
		if d := time.Since(start); d != time.Minute {
			t.Errorf("slept for %v", d)
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		start = time.Now()
		sleep(gone, t.Context(), time.Minute)
		sleep(t.Context(), gone, time.Minute)
		sleep(t.Context(), t.Context(), -time.Minute)
		if d := time.Since(start); d != 0 {
			t.Errorf("slept for %v after the end", d)
		}
	})
}
