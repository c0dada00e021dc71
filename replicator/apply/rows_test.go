package apply

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// A panic of a row costs that row, and the log says where it was and not what it said.
func TestRowThatBreaksIsSetAside(t *testing.T) {
	var log bytes.Buffer
	s := &Store{Log: slog.New(slog.NewTextHandler(&log, nil))}
	table, who := schematest.NoteTable(), &patient.Patient{Pseudonym: "a", ShiftStored: true, Memorised: true}
	bad := done(table, schema.UpdateOp, "1", "", "", who)
	bad.Out.Keep = []bool{false, true} // more than it has texts
	g := NewGroup()
	for _, it := range []*deid.Item{done(table, schema.InsertOp, "1", "", "x", who), bad, done(table, schema.InsertOp, "2", "", "y", who)} {
		s.addTo(g, it)
	}
	if len(g.Order) != 2 || g.Order[0].aside == nil || g.Order[0].aside.reason != vault.Broken || !g.Order[0].Remove || g.Order[1].aside != nil {
		t.Errorf("versions %v", g.Order)
	}
	if !strings.Contains(log.String(), "group.go:") {
		t.Errorf("log: %s", log.String())
	}
}
