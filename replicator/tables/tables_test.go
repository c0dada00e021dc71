package tables

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/replicator/desk"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/login"
	"github.com/pgdeid/pgdeid/internal/value"
	"github.com/pgdeid/pgdeid/replicator/pgwire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// upperEngine answers in capitals, refuses notes that say "leak", and waits for notes that say "wait" until it is told to stop.
type upperEngine struct {
	mu      sync.Mutex
	batches []int // how many questions came together
}

func (e *upperEngine) asked() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.batches)
}

func (e *upperEngine) Ask(ctx context.Context, asked []desk.Question) ([]desk.Answer, error) {
	e.mu.Lock()
	e.batches = append(e.batches, len(asked))
	e.mu.Unlock()
	out := make([]desk.Answer, len(asked))
	for i, q := range asked {
		switch {
		case strings.Contains(q.Text, "wait"):
			<-ctx.Done()
			return nil, ctx.Err()
		case strings.Contains(q.Text, "panic"):
			var broken []int
			_ = broken[len(q.Text)]
		case strings.Contains(q.Text, "fault"):
			return nil, fault.New("read the record", errors.New("secret"), "")
		case q.Patient == "":
			out[i].Reason = "no_patient"
		case strings.Contains(q.Text, "leak"):
			out[i].Reason = "leak"
		case strings.Contains(q.Text, "many") && q.MaxSpans == 2:
			out[i].Reason = desk.TooManySpans
		case q.SpansOnly && q.TextAlone:
			out[i].Spans = []desk.Found{{Start: 0, End: 2, Type: "PATIENT", By: []string{"names"}}}
		case q.SpansOnly:
			out[i].Spans = []desk.Found{{Start: 0, End: 2, Type: "PATIENT", By: []string{"record", "names"}}, {Start: 3, End: 5, Type: "DATE"}}
		default:
			out[i].Text = q.Patient + ":" + strings.ToUpper(q.Text)
		}
	}
	return out, nil
}

// Pseudonym implements [Engine].
func (e *upperEngine) Pseudonym(patient string) string {
	if patient == "" {
		return ""
	}
	return "p" + patient
}

// Pull implements [Engine].
func (e *upperEngine) Pull(_ context.Context, from desk.NoteKeys) ([]desk.NoteAnswer, error) {
	if from.Table == "nowhere" {
		return nil, &desk.Refusal{Message: "no such table", Hint: "say another"}
	}
	var out []desk.NoteAnswer
	for _, k := range slices.Backward(from.Keys) {
		if k == "404" {
			continue
		}
		a := desk.NoteAnswer{Key: k, Patient: "p" + k, Table: from.Table, Column: "body", Bytes: 7, Null: k == "0"}
		a.Text = "NOTE " + k
		if k == "13" {
			a.Answer = desk.Answer{Reason: "leak"}
		}
		out = append(out, a)
	}
	return out, nil
}

func newTables(t *testing.T, e Engine) *Tables {
	t.Helper()
	tab := New(e, 2)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- tab.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return tab
}

// row makes a row: "NULL" is no value, "{a,b}" a list.
func row(words ...string) value.Row {
	r := make(value.Row, len(words))
	for i, w := range words {
		switch {
		case w == "NULL":
			r[i] = value.Null
		case strings.HasPrefix(w, "{"):
			list, err := value.SplitList(w, func(int64) error { return nil })
			if err != nil {
				panic(err)
			}
			r[i].List = list
		default:
			r[i].Text = w
		}
	}
	return r
}

// query asks for some columns of a table.
func query(t *testing.T, tab *Tables, table string, who pgwire.Who, wants string, inputs ...value.Row) (pgwire.Answer, error) {
	t.Helper()
	q := &pgwire.Query{Who: who, Table: table, Inputs: inputs, Room: func(int64) error { return nil }}
	for _, known := range tab.Tables() {
		if known.Name == table {
			for _, c := range known.Columns {
				q.Wants = append(q.Wants, slices.Contains(strings.Fields(wants), c.Name))
			}
		}
	}
	return tab.Rows(t.Context(), q)
}

func shown(rows []value.Row) string {
	var out []string
	for _, r := range rows {
		words := make([]string, len(r))
		for i := range r {
			switch {
			case r[i].Null:
				words[i] = "NULL"
			case r[i].List != nil:
				words[i] = string(value.WriteList(r[i].List))
			default:
				words[i] = r[i].Text
			}
		}
		out = append(out, strings.Join(words, "|"))
	}
	return strings.Join(out, " ")
}

func TestTables(t *testing.T) {
	t.Parallel()
	tab := newTables(t, &upperEngine{})
	steward := pgwire.Who{User: "s", Steward: true}
	for _, c := range []struct {
		table  string
		who    pgwire.Who
		wants  string
		inputs []value.Row
		want   string // rows, or a SQLSTATE
		counts pgwire.Counts
	}{
		{"deidentify", pgwire.Who{}, "deid_note", []value.Row{row("1", "a", "NULL", "NULL"), row("2", "b", "NULL", "NULL")}, "1|a|1:A|NULL 2|b|2:B|NULL", pgwire.Counts{Notes: 2, Bytes: 2, Patients: []string{"p1", "p2"}}},
		{"deidentify", pgwire.Who{}, "deid_note", []value.Row{row("1", "leak", "NULL", "NULL")}, stateNote, pgwire.Counts{Refused: 1, Patients: []string{"p1"}}},
		{"deidentify", pgwire.Who{}, "deid_note reason", []value.Row{row("1", "leak", "NULL", "NULL"), row("", "x", "NULL", "NULL")}, "1|leak|NULL|leak |x|NULL|no_patient", pgwire.Counts{Refused: 2, Patients: []string{"", "p1"}}},
		{"deidentify", pgwire.Who{Limits: login.Limits{Spans: 2}}, "deid_note", []value.Row{row("1", "many", "NULL", "NULL")}, stateTooLarge, pgwire.Counts{Refused: 1, OverLimit: 1, Patients: []string{"p1"}}},
		{"deidentify", pgwire.Who{}, "deid_note", []value.Row{row("1", "fault", "NULL", "NULL")}, stateEngine, pgwire.Counts{Refused: 1, Patients: []string{"p1"}}},
		{"deidentify", pgwire.Who{}, "deid_note", []value.Row{row("1", "panic", "NULL", "NULL")}, stateInternal, pgwire.Counts{Refused: 1, Patients: []string{"p1"}}},
		{"detect", pgwire.Who{}, "phi_type", []value.Row{row("1", "a", "NULL", "NULL", "NULL", "NULL")}, `1|a|0|2|PATIENT|{"names"}`, pgwire.Counts{Notes: 1, Bytes: 1}},
		{"detect", steward, "phi_type", []value.Row{row("1", "a", "NULL", "NULL", "NULL", "NULL")}, `1|a|0|2|PATIENT|{"record","names"} 1|a|3|5|DATE|{}`, pgwire.Counts{Notes: 1, Bytes: 1, Patients: []string{"p1"}}},
		{"deidentify_batch", pgwire.Who{}, "deid_notes reasons", []value.Row{row("{1,2,3}", "{a,NULL,leak}", "NULL", "NULL")}, `{"1","2","3"}|{"a",NULL,"leak"}|{"1:A",NULL,NULL}|{NULL,NULL,"leak"}`, pgwire.Counts{Notes: 1, Bytes: 1, Refused: 1, Patients: []string{"p1", "p3"}}},
		{"deidentify_batch", pgwire.Who{}, "deid_notes", []value.Row{row("{1}", "{leak}", "NULL", "NULL")}, stateNote, pgwire.Counts{Refused: 1, Patients: []string{"p1"}}},
		{"deidentify_batch", pgwire.Who{}, "deid_notes", []value.Row{row("{1,2}", "{a}", "NULL", "NULL")}, stateArrayMismatch, pgwire.Counts{}},
		{"deidentify_batch", pgwire.Who{}, "deid_notes", []value.Row{row("{}", "{}", "NULL", "NULL")}, "{}|{}|{}|{}", pgwire.Counts{}},
		{"inbox", pgwire.Who{}, "deid_note", []value.Row{row("j", "1", "1", "a", "NULL", "NULL"), row("NULL", "2", "1", "NULL", "NULL", "NULL")}, "j|1|1|a|1:A|NULL NULL|2|1|NULL|NULL|NULL", pgwire.Counts{Notes: 1, Bytes: 1, Patients: []string{"p1"}}},
		{"outbox", pgwire.Who{}, "deid_note reason", []value.Row{row("j", "1", "1", "a", "NULL", "NULL"), row("j", "2", "1", "leak", "NULL", "NULL")}, "j|1|1|1:A|NULL j|2|1|NULL|leak", pgwire.Counts{Notes: 1, Bytes: 1, Refused: 1, Patients: []string{"p1"}}},
		{"note_deid", pgwire.Who{}, "deid_note", []value.Row{row("2", "t", "NULL", "NULL", "NULL"), row("404", "t", "NULL", "NULL", "NULL"), row("1", "t", "NULL", "NULL", "NULL"), row("0", "u", "NULL", "NULL", "NULL")}, "2|t|body|NOTE 2|NULL 1|t|body|NOTE 1|NULL 0|u|body|NULL|NULL", pgwire.Counts{Notes: 3, Bytes: 21, Patients: []string{"p1", "p2", "p0"}}},
		{"note_deid", pgwire.Who{}, "deid_note", []value.Row{row("13", "t", "NULL", "NULL", "NULL")}, stateNote, pgwire.Counts{Refused: 1, Patients: []string{"p13"}}},
		{"note_deid", pgwire.Who{}, "deid_note reason", []value.Row{row("13", "t", "NULL", "NULL", "NULL")}, "13|t|body|NULL|leak", pgwire.Counts{Refused: 1, Patients: []string{"p13"}}},
		{"note_deid", pgwire.Who{}, "deid_note", []value.Row{row("1", "nowhere", "NULL", "NULL", "NULL")}, stateBadValue, pgwire.Counts{Refused: 1}},
		{"vault_shift", pgwire.Who{}, "days", []value.Row{row("p1", "NULL")}, stateNoRight, pgwire.Counts{}},
		{"vault_span", steward, "days", []value.Row{row("p1", "NULL")}, "no vault", pgwire.Counts{}},
	} {
		a, err := query(t, tab, c.table, c.who, c.wants, c.inputs...)
		got := shown(a.Rows)
		var e *pgwire.Error
		if errors.As(err, &e) {
			got = e.State
			if strings.Contains(e.Message+e.Hint, "secret") {
				t.Errorf("%s: %s", c.table, e.Message)
			}
		} else if errors.Is(err, errNoVault) {
			got = "no vault"
		}
		if got != c.want {
			t.Errorf("%s: got %s (%v), want %s", c.table, got, err, c.want)
		}
		if a.Notes != c.counts.Notes || a.Bytes != c.counts.Bytes || a.Refused != c.counts.Refused || a.OverLimit != c.counts.OverLimit || !slices.Equal(a.Patients, c.counts.Patients) {
			t.Errorf("%s %s: %+v", c.table, c.want, a.Counts)
		}
	}
	if _, err := query(t, tab, "elsewhere", steward, ""); !errors.Is(err, errNoTable) {
		t.Error(err)
	}
}

// Answers have as many columns as their tables say, and the least are those that show nothing but de-identified text.
func TestShapes(t *testing.T) {
	t.Parallel()
	tab := New(&upperEngine{}, 1)
	names := Names()
	for i, table := range tab.Tables() {
		if table.Name != names.Known[i] || table.Hint == "" || table.Rows < 1 || len(table.Columns) < 2 {
			t.Errorf("%+v", table)
		}
	}
	if len(names.Known) != 8 || slices.Contains(names.Least, "detect") || slices.Contains(names.Least, "vault_span") {
		t.Errorf("%+v", names)
	}
}

// Limits hold for each user over all questions, in every form of a question; what is beyond them is counted, not answered.
func TestLimitsOfUsers(t *testing.T) {
	t.Parallel()
	e := &upperEngine{}
	tab := newTables(t, e)
	who := pgwire.Who{User: "staging", Limits: login.Limits{Patients: 3, Notes: 10}}
	one := func(patient string) error {
		_, err := query(t, tab, "deidentify", who, "deid_note", row(patient, "x", "NULL", "NULL"))
		return err
	}
	for _, patient := range []string{"1", "2", "1", "3", "2"} {
		if err := one(patient); err != nil {
			t.Fatal(err)
		}
	}
	before := e.asked()
	beyond := func(err error, word string) {
		t.Helper()
		var refused *pgwire.Error
		if !errors.As(err, &refused) || refused.State != stateLimit || !strings.Contains(refused.Hint, word) {
			t.Errorf("%v, want a refusal by %s", err, word)
		}
	}
	beyond(one("4"), "patients=")
	for table, input := range map[string]value.Row{
		"deidentify_batch": row("{1,4}", "{x,y}", "NULL", "NULL"), "inbox": row("NULL", "NULL", "4", "x", "NULL", "NULL"),
		"note_deid": row("9", "t", "NULL", "NULL", "NULL"),
	} {
		_, err := query(t, tab, table, who, "deid_note", input)
		beyond(err, "patients=")
	}
	_, err := query(t, tab, "detect", pgwire.Who{User: "staging", Steward: true, Limits: who.Limits}, "phi_type", row("4", "x", "NULL", "NULL", "NULL", "NULL"))
	beyond(err, "patients=")
	_, err = query(t, tab, "deidentify_batch", who, "deid_notes", row("{1,1,1,1,1}", "{a,b,c,d,e}", "NULL", "NULL"))
	beyond(err, "notes=")
	if e.asked() != before {
		t.Error("the engine was asked beyond a limit")
	}
	if err := one("3"); err != nil {
		t.Errorf("a patient who was asked about before: %v", err)
	}
	other := pgwire.Who{User: "bulk"}
	if _, err := query(t, tab, "deidentify_batch", other, "deid_notes", row("{"+strings.Repeat("x,", 99)+"x}", "{"+strings.Repeat("x,", 99)+"x}", "NULL", "NULL")); err != nil {
		t.Errorf("a user without limits: %v", err)
	}
	if got := limitedTotal(t, tab); got["patients"] != 5 || got["notes"] != 1 {
		t.Errorf("refusals that are counted: %v", got)
	}
}

// limitedTotal returns how many questions were refused, by limit.
func limitedTotal(t *testing.T, tab *Tables) map[string]float64 {
	t.Helper()
	registry := prometheus.NewRegistry()
	if err := registry.Register(tab.metrics.limited); err != nil {
		t.Fatal(err)
	}
	families, err := registry.Gather()
	if err != nil || len(families) != 1 {
		t.Fatalf("%d families, %v", len(families), err)
	}
	total := map[string]float64{}
	for _, m := range families[0].GetMetric() {
		total[m.GetLabel()[0].GetValue()] = m.GetCounter().GetValue()
	}
	return total
}

// No reason says more of a patient than that there is none.
func TestOneReasonForPatientsWithoutOne(t *testing.T) {
	t.Parallel()
	for reason := range reasonHints {
		if strings.Contains(reason, "patient") && reason != "no_patient" {
			t.Errorf("reason %s tells patients apart", reason)
		}
	}
}

// Rows that are many more than their inputs take room first.
func TestRoomOfSpans(t *testing.T) {
	t.Parallel()
	full := errors.New("full")
	q := &pgwire.Query{Table: "detect", Wants: make([]bool, 6), Inputs: []value.Row{row("1", "a", "NULL", "NULL", "NULL", "NULL")}, Room: func(int64) error { return full }}
	if _, err := newTables(t, &upperEngine{}).Rows(t.Context(), q); !errors.Is(err, full) {
		t.Error(err)
	}
}

// The window slides: what was asked an hour ago does not count, and is not kept.
func TestQuotasSlide(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_000_000_020, 0)
	q := newQuotas(func() time.Time { return now })
	limits := login.Limits{Patients: 2, Notes: 4}
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
	if _, err := q.take("w", login.Limits{}, 1e6, []string{"x", "y"}); err != nil || len(q.users["w"].patients) != 0 {
		t.Errorf("without limits: %v", err)
	}
}

func awaitTrue(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal(what)
		}
	}
}
