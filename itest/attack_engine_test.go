package itest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/login"
	"github.com/pgdeid/pgdeid/replicator/pgwire"
)

// engineLimits are those of the engine under attack: small, so that an attack reaches
// them in seconds and not in hours.
var engineLimits = login.Limits{Patients: 20, Notes: 60, Spans: 200}

// attackAsEngineUser asks the engine as a user who may ask all tables but is no steward.
func (h *attacked) attackAsEngineUser(t *testing.T) []loot {
	t.Helper()
	desk := h.desk(t)
	e := newEngine(t, "127.0.0.1:0", desk, func(o *pgwire.Options) { o.Limits = engineLimits })
	conn := labAs(t, e, "viewer")
	return append([]loot{h.detectedByRecord(t, conn)}, h.beyondLimits(t, conn)...)
}

// detectedByRecord asks what detect finds in a list of a patient's own values, for that
// patient and for another: a difference shows which values are right.
func (h *attacked) detectedByRecord(t *testing.T, conn *pgx.Conn) loot {
	t.Helper()
	l := loot{attacker: "engine user", what: "patients whose values detect confirms", of: 10}
	for i := range l.of {
		p, other := &h.hospital.Patients[i], &h.hospital.Patients[l.of]
		note := fmt.Sprintf("values %s, %s, %s %s, %s and %s", p.SSN, p.MRN, p.Name.First, p.Name.Last, p.Birth.Format("2006-01-02"), p.Email)
		found := func(patient int64) []string {
			return texts(t, conn, "select concat_ws(' ', span_start, span_end, phi_type, detectors) from deid.preview($1, $2) order by 1", fmt.Sprint(patient), note)
		}
		if !slices.Equal(found(p.ID), found(other.ID)) {
			l.got++
		}
	}
	return l
}

// beyondLimits asks about every patient, then about one patient again and again, and
// counts what is answered above the limits.
func (h *attacked) beyondLimits(t *testing.T, conn *pgx.Conn) []loot {
	t.Helper()
	patients := loot{attacker: "engine user", what: "patients answered above the limit of an hour", of: len(h.hospital.Patients)}
	answered := map[int64]bool{}
	for i := range h.hospital.Patients {
		id := h.hospital.Patients[i].ID
		if _, err := conn.Exec(t.Context(), "select deid.deidentify($1, 'seen on 3/4/2021')", fmt.Sprint(id)); err == nil {
			answered[id] = true
		}
	}
	if patients.got = max(0, len(answered)-engineLimits.Patients); len(answered) == 0 {
		t.Fatal("the engine answers nobody: the attack is blind")
	}
	notes := loot{attacker: "engine user", what: "notes answered above the limit of an hour", of: 2 * engineLimits.Notes}
	first := fmt.Sprint(h.hospital.Patients[0].ID)
	count := 0
	for range notes.of {
		if _, err := conn.Exec(t.Context(), "select deid.deidentify($1, 'seen on 3/4/2021')", first); err == nil {
			count++
		}
	}
	notes.got = max(0, count-engineLimits.Notes)
	return []loot{patients, notes}
}
