package itest

import (
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/login"
	"github.com/pgdeid/pgdeid/replicator/pgwire"
)

// newOracle is an engine with a real desk, for patients 1 and 2 of the ward.
func newOracle(t *testing.T, limits login.Limits) (*engine, *lockedBuffer) {
	t.Helper()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	desk, log := r.desk(t), &lockedBuffer{}
	return newEngine(t, "127.0.0.1:0", desk, func(o *pgwire.Options) {
		o.Limits, o.Log = limits, slog.New(slog.NewTextHandler(log, nil))
	}), log
}

// labAs attaches a database to an engine as one of its users.
func labAs(t *testing.T, e *engine, user string) *pgx.Conn {
	t.Helper()
	a := e.attachment(t)
	a.User = user
	_, conn := newLab(t, a)
	return conn
}

// candidates writes dates of birth and record numbers to try, the right ones of patient 1 among them.
func candidates() string {
	var b strings.Builder
	for day := time.Date(1950, 1, 1, 0, 0, 0, 0, time.UTC); day.Month() < time.April; day = day.AddDate(0, 0, 1) {
		fmt.Fprintf(&b, "Born %s. ", day.Format("2006-01-02"))
	}
	for n := 4700; n < 4720; n++ {
		fmt.Fprintf(&b, "He has MR-%d. ", n)
	}
	return b.String() + "Saw quarkstein, zebulon, smith and ottilie."
}

// guesses are the spans of a text of candidates, as one patient's question shows them.
func guesses(t *testing.T, conn *pgx.Conn, patient string) []string {
	t.Helper()
	return texts(t, conn, "select concat_ws(' ', span_start, span_end, phi_type, detectors) from deid.preview($1, $2) order by span_start", patient, candidates())
}

// A search for a patient's date of birth, record number and name in detect shows the same for
// every patient, also for one who does not exist, unless a steward asks.
func TestOracleOfDetectors(t *testing.T) {
	t.Parallel()
	e, _ := newOracle(t, login.Limits{})
	conn := labAs(t, e, "viewer")
	first := guesses(t, conn, "1")
	if len(first) < 90 {
		t.Fatalf("%d spans: the dates are not found", len(first))
	}
	for _, other := range []string{"2", "999", "no key"} {
		if got := guesses(t, conn, other); !slices.Equal(got, first) {
			t.Errorf("patient %s differs from patient 1:\n%v\n%v", other, got, first)
		}
	}
	if strings.Contains(strings.Join(first, " "), "record") {
		t.Errorf("the record found something: %v", first)
	}
	conn = labAs(t, e, "staging")
	steward := strings.Join(guesses(t, conn, "1"), "\n")
	if !strings.Contains(steward, "record") || steward == strings.Join(guesses(t, conn, "2"), "\n") {
		t.Errorf("a steward does not see what the record finds:\n%s", steward)
	}
}

// A search by guesses ends at the limits, and the log names the patient.
func TestOracleEndsAtItsLimits(t *testing.T) {
	t.Parallel()
	e, log := newOracle(t, login.Limits{Patients: 2, Notes: 6, Spans: 40})
	conn := labAs(t, e, "viewer")
	if refusal := refused(t, conn, "54000", "select deid.deidentify('1', $1)", candidates()); !strings.Contains(refusal.Hint, "spans-per-note") {
		t.Errorf("hint %q", refusal.Hint)
	}
	for patient := range 2 { // keys of the source are guesses too
		_, _ = conn.Exec(t.Context(), "select deid.deidentify($1, 'x')", fmt.Sprint(patient+1))
	}
	if refusal := refused(t, conn, "53400", "select deid.deidentify('3', 'x')"); !strings.Contains(refusal.Hint, "patients=") {
		t.Errorf("hint %q", refusal.Hint)
	}
	asked := 0
	for ; asked < 10; asked++ {
		if _, err := conn.Exec(t.Context(), "select deid.deidentify('1', 'born 1950-02-03')"); err != nil {
			break
		}
	}
	if refusal := refused(t, conn, "53400", "select deid.deidentify('1', 'x')"); asked >= 6 || !strings.Contains(refusal.Hint, "notes=") {
		t.Errorf("%d more answers, hint %q", asked, refusal.Hint)
	}
	eventually(t, "the log names the patient and the refusals", func() bool {
		text := log.String()
		return strings.Contains(text, "user=viewer") && strings.Contains(text, "over_limit=1") && regexp.MustCompile(`patients="?\[\d+\]`).MatchString(text)
	})
	if text := log.String(); strings.Contains(text, "1950-02-03") || strings.Contains(text, "patients=[1]") {
		t.Errorf("the log: %s", text)
	}
}

// A patient who does not exist, a key of the wrong kind and one that no server takes have one answer.
func TestOracleOfPatients(t *testing.T) {
	t.Parallel()
	e, _ := newOracle(t, login.Limits{})
	conn := labAs(t, e, "least")
	first := refused(t, conn, "PD001", "select deid.deidentify('999', 'x')")
	for _, key := range []string{"no key", "", "99999999999999999", "99999999999999999999999"} {
		if got := refused(t, conn, "PD001", "select deid.deidentify($1, 'x')", key); got.Message != first.Message || got.Hint != first.Hint {
			t.Errorf("%q: %s (%s), not %s (%s)", key, got.Message, got.Hint, first.Message, first.Hint)
		}
	}
}

// The engine's own rights hold whatever the attached database grants.
func TestEngineRightsByTable(t *testing.T) {
	t.Parallel()
	conn := labAs(t, newEngine(t, "127.0.0.1:0", capitals{}, nil), "least")
	for statement, state := range map[string]string{
		"select deid.deidentify('1', 'a')":                                                "",
		"select deid.deidentify_batch('{1}', '{a}')":                                      "",
		"insert into deid.inbox (patient_id, note) values ('1', 'a') returning deid_note": "",
		"select deid_note from deid.outbox where job = 'j'":                               "",
		"select * from deid.preview('1', 'a')":                                            "42501",
		"select * from deid.detect where patient_id = '1' and note = 'a'":                 "42501",
		"select * from deid.pull('{1}')":                                                  "42501",
		"select * from deid.note_deid where note_id = '1'":                                "42501",
	} {
		if state != "" {
			refused(t, conn, state, statement)
		} else if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Errorf("%s: %v", statement, err)
		}
	}
}
