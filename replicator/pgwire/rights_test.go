package pgwire

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/prometheus/client_golang/prometheus"
)

// questions that ask each table something, by its name.
var oneOfEach = map[string]string{
	"deidentify":       "select deid_note from deidentify where patient_id = '1' and note = 'Jo'",
	"deidentify_batch": "select deid_notes from deidentify_batch where patient_ids = '{1}' and notes = '{Jo}'",
	"detect":           "select detectors from detect where patient_id = '1' and note = 'Jo 3/5'",
	"inbox":            "insert into inbox (job, item, patient_id, note) values ('j', 1, '1', 'Jo') returning deid_note",
	"outbox":           "select deid_note from outbox where job = 'j'",
	"note_deid":        "select deid_note from note_deid where note_id = '5'",
}

// Each table needs its right, in any form of a statement; a line without rights has the least.
func TestRightsByTable(t *testing.T) {
	for line, may := range map[string][]string{
		"":                         {"deidentify", "deidentify_batch", "inbox", "outbox"},
		" tables=detect":           {"detect"},
		" tables=note_deid,outbox": {"note_deid", "outbox"},
		" steward":                 {"deidentify", "deidentify_batch", "inbox", "outbox"},
		" " + allRights():          TableNames(),
	} {
		s := serve(t, func(o *Options) { o.Users = usersFrom(t, testSecret, "staging:"+verifierOf(t, testPassword)+line) })
		conn := s.connect(t, "")
		for table, question := range oneOfEach {
			for _, mode := range []pgx.QueryExecMode{pgx.QueryExecModeSimpleProtocol, pgx.QueryExecModeDescribeExec} {
				_, err := conn.Exec(t.Context(), question, mode)
				if slices.Contains(may, table) {
					if err != nil {
						t.Errorf("%q: %s: %v", line, table, err)
					}
				} else if pg := wantState(t, err, stateNoRight); !strings.Contains(pg.Hint, "tables="+table) {
					t.Errorf("%q: %s: hint %q", line, table, pg.Hint)
				}
			}
		}
	}
}

// A right that is taken back is gone for sessions that are open, with their prepared statements.
func TestRightsOfOpenSessions(t *testing.T) {
	path := writeUsers(t, "staging:"+verifierOf(t, testPassword))
	users, err := LoadUsers(path, testSecret)
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, func(o *Options) { o.Users = users })
	conn := s.connect(t, "")
	ask := func() error {
		_, err := conn.Exec(t.Context(), oneOfEach["deidentify"]+" and $1 = patient_id", "1")
		return err
	}
	for _, line := range []string{"staging:" + verifierOf(t, testPassword) + " tables=detect", "other:" + verifierOf(t, "x")} {
		users.path = writeUsers(t, "staging:"+verifierOf(t, testPassword))
		if err := errors.Join(s.server.Reload(), ask()); err != nil {
			t.Fatal(err)
		}
		users.path = writeUsers(t, line)
		if err := s.server.Reload(); err != nil {
			t.Fatal(err)
		}
		wantState(t, ask(), stateNoRight)
	}
}

// Only a steward's question reaches the patient's record.
func TestDetectOfOthersIsAboutTheTextAlone(t *testing.T) {
	for line, record := range map[string]bool{" tables=detect": false, " tables=detect steward": true} {
		s := serve(t, func(o *Options) { o.Users = usersFrom(t, testSecret, "staging:"+verifierOf(t, testPassword)+line) })
		var got []string
		if err := s.connect(t, "").QueryRow(t.Context(), oneOfEach["detect"]).Scan(&got); err != nil {
			t.Fatal(err)
		}
		if slices.Contains(got, "record") != record {
			t.Errorf("%q: found by %v", line, got)
		}
	}
}

// Limits hold for all sessions of a user and for no other, in every form of a question;
// what is beyond them is counted, not answered.
func TestLimitsOfUsers(t *testing.T) {
	s := serve(t, func(o *Options) {
		o.Limits = Limits{Patients: 3, Notes: 10, Spans: 2}
		o.Users = usersFrom(t, testSecret, "staging:"+verifierOf(t, testPassword)+" "+allRights(),
			"bulk:"+verifierOf(t, testPassword)+" patients=0 notes=0")
	})
	one := func(patient int) error {
		_, err := s.connect(t, "").Exec(t.Context(), "select deid_note from deidentify where patient_id = $1 and note = 'x'", fmt.Sprint(patient))
		return err
	}
	for _, patient := range []int{1, 2, 1, 3, 2} {
		if err := one(patient); err != nil {
			t.Fatal(err)
		}
	}
	if pg := wantState(t, one(4), stateLimit); !strings.Contains(pg.Hint, "patients=") {
		t.Errorf("hint %q", pg.Hint)
	}
	conn := s.connect(t, "")
	for _, question := range []string{
		"select deid_notes from deidentify_batch where patient_ids = '{1,4}' and notes = '{x,y}'",
		"insert into inbox (patient_id, note) values ('4', 'x') returning deid_note",
		"select deid_note from note_deid where note_id = '9'", // of patient p9
		"select span_start from detect where patient_id = '4' and note = 'Jo 3/5'",
	} {
		_, err := conn.Exec(t.Context(), question)
		wantState(t, err, stateLimit)
	}
	if err := one(3); err != nil {
		t.Errorf("a patient who was asked about before: %v", err)
	}
	_, err := conn.Exec(t.Context(), "select deid_notes from deidentify_batch where patient_ids = '{1,1,1,1}' and notes = '{a,b,c,d}'")
	if pg := wantState(t, err, stateLimit); !strings.Contains(pg.Hint, "notes=") {
		t.Errorf("hint %q", pg.Hint)
	}
	other, err := pgx.Connect(t.Context(), strings.Replace(s.dsn(""), "user=staging", "user=bulk", 1))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close(t.Context()) }()
	if _, err := other.Exec(t.Context(), "select deid_notes from deidentify_batch where patient_ids = $1 and notes = $1", strings.Fields(strings.Repeat("x ", 100))); err != nil {
		t.Errorf("a user without limits: %v", err)
	}
	if got := limitedTotal(t, s); got["patients"] != 5 || got["notes"] != 1 {
		t.Errorf("refusals that are counted: %v", got)
	}
}

// limitedTotal returns how many questions of staging were refused, by limit.
func limitedTotal(t *testing.T, s *serving) map[string]float64 {
	t.Helper()
	registry := prometheus.NewRegistry()
	if err := registry.Register(s.server.Metrics().limited); err != nil {
		t.Fatal(err)
	}
	families, err := registry.Gather()
	if err != nil || len(families) != 1 {
		t.Fatalf("%d families, %v", len(families), err)
	}
	total := map[string]float64{}
	for _, m := range families[0].GetMetric() {
		labels := m.GetLabel()
		if labels[1].GetValue() == "staging" {
			total[labels[0].GetValue()] = m.GetCounter().GetValue()
		}
	}
	return total
}

// A note in which too much is found is refused alone.
func TestTooManySpans(t *testing.T) {
	conn := serve(t, func(o *Options) { o.Limits = Limits{Spans: 2} }).connect(t, "")
	_, err := conn.Exec(t.Context(), "select deid_note from deidentify where patient_id = '1' and note = 'many'")
	wantState(t, err, stateTooLarge)
	var texts, reasons []*string
	err = conn.QueryRow(t.Context(), "select deid_notes, reasons from deidentify_batch where patient_ids = '{1,1}' and notes = '{many,few}'").Scan(&texts, &reasons)
	if err != nil || texts[0] != nil || *reasons[0] != "too_many_spans" || *texts[1] != "1:FEW" {
		t.Errorf("%v, %v, %v", texts, reasons, err)
	}
}

// The window slides: what was asked an hour ago does not count, and is not kept.
func TestQuotasSlide(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_000_000_020, 0)
	q := newQuotas(func() time.Time { return now })
	limits := Limits{Patients: 2, Notes: 4}
	ok := func(notes int, patients ...string) bool {
		_, err := q.take("u", limits, notes, patients)
		return err == nil
	}
	if !ok(1, "a") || !ok(1, "b", "a") || ok(1, "c") || ok(3, "a") || !ok(2, "a") || ok(1, "a") {
		t.Error("within the hour")
	}
	now = now.Add(30 * time.Minute)
	if ok(1, "a") || !ok(0, "a") {
		t.Error("half an hour later")
	}
	now = now.Add(31 * time.Minute)
	if !ok(4, "a", "c") || ok(0, "b") { // a was asked about half an hour ago
		t.Error("an hour later")
	}
	now = now.Add(24 * time.Hour)
	if !ok(4, "d") || len(q.users["u"].patients) != 1 {
		t.Errorf("a day later: %d patients are kept", len(q.users["u"].patients))
	}
	if _, err := q.take("v", limits, 4, []string{"x", "y"}); err != nil {
		t.Errorf("another user: %v", err)
	}
	if _, err := q.take("w", Limits{}, 1e6, []string{"x", "y"}); err != nil || len(q.users["w"].patients) != 0 {
		t.Errorf("without limits: %v", err)
	}
}

// The audit log names every patient who was asked about, by pseudonym, in lines of bounded length.
func TestAuditNamesPatients(t *testing.T) {
	s := serve(t, nil)
	conn := s.connect(t, "")
	patients := make([]string, 250)
	for i := range patients {
		patients[i] = fmt.Sprint(i)
	}
	if _, err := conn.Exec(t.Context(), "select deid_notes, reasons from deidentify_batch where patient_ids = $1 and notes = $1", patients); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(t.Context(), "select deid_note from note_deid where note_id = '7777'"); err != nil {
		t.Fatal(err)
	}
	awaitTrue(t, "the questions are not in the log", func() bool { return strings.Count(s.log.String(), "msg=asked") == 4 })
	named := map[string]bool{}
	for line := range strings.Lines(s.log.String()) {
		_, list, found := strings.Cut(line, `patients="[`)
		if !found {
			_, list, found = strings.Cut(line, `patients=[`)
		}
		if found && strings.Contains(line, "user=staging") {
			for _, p := range strings.Fields(strings.TrimRight(list, "]\"\n")) {
				named[p] = true
			}
		}
	}
	if len(named) != 251 || !named["p249"] || !named["p7777"] {
		t.Errorf("%d patients are named", len(named))
	}
}

// What the engine knows, or not, of a patient makes no difference to the error.
func TestOneAnswerForPatientsWithoutOne(t *testing.T) {
	conn := serve(t, nil).connect(t, "")
	_, err := conn.Exec(t.Context(), "select deid_note from deidentify where patient_id = '' and note = 'x'")
	var pg *pgconn.PgError
	if !errors.As(err, &pg) || pg.Code != stateNote || !strings.Contains(pg.Message, "no_patient") {
		t.Errorf("%v", err)
	}
	for reason := range reasonHints {
		if strings.Contains(reason, "patient") && reason != "no_patient" {
			t.Errorf("reason %s tells patients apart", reason)
		}
	}
}
