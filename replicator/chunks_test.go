package replicator

import (
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/metrics"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
	"github.com/pgdeid/pgdeid/replicator/session"
)

// What others may copy: no table that decides who is published, none that was begun by key, and notes of
// many rows only where their patients part them.
func TestTablesThatAreShared(t *testing.T) {
	t.Parallel()
	notes, lines, plain := schematest.NoteTable(), schematest.LineTable(), schematest.PlainTable()
	filter, loose, records := schematest.NoteTable(), schematest.LineTable(), schematest.NoteTable()
	filter.Filters, loose.Personal, records.Publish = []*schema.Filter{{}}, false, nil
	for _, c := range []struct {
		name string
		c    copyState
		want bool
	}{
		{"notes", copyState{table: notes}, true},
		{"notes of many rows", copyState{table: lines}, true},
		{"rows of no patient", copyState{table: plain}, true},
		{"notes that were begun by key", copyState{table: notes, after: []string{"7"}}, false},
		{"a table that says who is published", copyState{table: filter}, false},
		{"notes of many rows, made without their patient", copyState{table: loose}, false},
		{"records that are not published", copyState{table: records}, false},
	} {
		r := &run{Session: &session.Session{Opts: &session.Options{ByWorkers: true}, Cfg: &config.Config{}}}
		if got := r.shared(c.c); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
		r.Opts.ByWorkers = false
		if r.shared(c.c) {
			t.Errorf("%s: shared, and nobody asked for it", c.name)
		}
	}
}

// A worker is healthy and ready while it copies, and while it has nothing to copy.
func TestHealthOfAWorker(t *testing.T) {
	t.Parallel()
	h := &health{metrics: metrics.New(), now: time.Now}
	for name, do := range map[string]func(){"waits": h.waits, "works": h.works} {
		do()
		r := h.current()
		if !r.OK || !r.ready(t.Context()) || r.Why != "" {
			t.Errorf("%s: %+v", name, r)
		}
	}
	h.session(session.ErrNotAlone)
	if r := h.current(); r.OK {
		t.Errorf("interrupted: %+v", r)
	}
}
