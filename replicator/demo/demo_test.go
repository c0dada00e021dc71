package demo

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/synth"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/sandbox"
)

func needServers(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts servers")
	}
	if _, err := sandbox.FindBinDir(); err != nil {
		t.Skip("PostgreSQL is not installed: ", err)
	}
}

// TestDemo runs the whole demo, small.
func TestDemo(t *testing.T) {
	needServers(t)
	var out strings.Builder
	t.Setenv("TMPDIR", shortTemp(t))
	res, err := Run(t.Context(), Options{Patients: 40, Notes: 80, Live: 5, Show: 2, Seed: 4, Out: &out})
	if err != nil {
		t.Fatal(err)
	}
	if res.Lost != 0 || res.CopyNotes+res.Quarantined < 80 || res.Scan.Tables < 15 || res.Scan.Rows < 500 {
		t.Errorf("result %+v", res)
	}
	for _, l := range res.Scan.Leaks {
		t.Errorf("%s holds %q", l.Table, l.Text)
	}
	a := res.Agreement
	if a.Shifts == 0 || a.Shifts != a.ShiftsAgree || a.Names == 0 || a.Dates == 0 {
		t.Errorf("agreement %+v", a)
	}
	h, err := synth.NewHospital(4, synth.Options{Patients: 40, Notes: 80})
	if err != nil {
		t.Fatal(err)
	}
	asked := &h.Patients[0]
	if !strings.HasPrefix(res.Answer, "Seen with ") || strings.Contains(res.Answer, asked.Name.Last) || strings.Contains(res.Answer, asked.Phone) {
		t.Errorf("the engine answered %q about %s", res.Answer, asked.Name.Full())
	}
	for _, want := range []string{" as the replica has them", "select deid.deidentify(", "pgdeid check:", "notes per second", "caches that were empty", "when the same notes came again", "source: ", "leaks ", "recall"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output does not say %q", want)
		}
	}
	left, err := os.ReadDir(os.Getenv("TMPDIR"))
	if err != nil || len(left) > 0 {
		t.Errorf("%d files are left behind (%v)", len(left), err)
	}
}

// TestAskQuery checks that a name with an apostrophe ends no literal.
func TestAskQuery(t *testing.T) {
	p := synth.Patient{ID: 7, Name: synth.Name{First: "Ann", Last: "O'Malley"}, Phone: "555-0100"}
	want := "select deid.deidentify(7, 'Seen with Ann O''Malley on 3/4/2021, phone 555-0100.')"
	if got := askQuery(&p); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// shortTemp makes a folder that a server's account may enter and whose path is short.
func shortTemp(t *testing.T) string {
	t.Helper()
	dir, err := sandbox.MkdirTemp("pgdeid-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// TestInterrupted checks that a demo that is stopped half-way leaves nothing behind.
func TestInterrupted(t *testing.T) {
	needServers(t)
	t.Setenv("TMPDIR", shortTemp(t))
	ctx, cancel := context.WithTimeout(t.Context(), 1200*time.Millisecond)
	defer cancel()
	var out strings.Builder
	if _, err := Run(ctx, Options{Patients: 300, Notes: 200_000, Seed: 5, Out: &out}); err == nil {
		t.Error("an interrupted demo gave no error")
	} else if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		t.Errorf("it ended by itself: %v", err)
	}
	left, err := os.ReadDir(os.Getenv("TMPDIR"))
	if err != nil || len(left) > 0 {
		t.Errorf("%d files are left behind (%v)", len(left), err)
	}
}

// TestMapping checks that the demo's mapping is valid and names no table or column
// that has to stay behind.
func TestMapping(t *testing.T) {
	text := mappingTemplate
	for name, value := range map[string]string{
		"Dir": "/x", "SourceDSN": "postgres://a@127.0.0.1/ehr", "SourceAdminDSN": "postgres://b@127.0.0.1/ehr",
		"ReplicaDSN": "postgres://c@127.0.0.1/research", "ReplicaAdminDSN": "postgres://d@127.0.0.1/research",
	} {
		text = strings.ReplaceAll(text, "{{."+name+"}}", value)
	}
	cfg, err := config.Parse([]byte(text), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range cfg.Tables {
		if table.Name == "front_desk_log" {
			t.Error("front_desk_log is mapped")
		}
		for _, c := range table.Columns {
			if c.Name == "internal_comment" || c.Name == "chart_flag" {
				t.Errorf("%s.%s is mapped", table.Name, c.Name)
			}
		}
	}
}

func TestWrapCells(t *testing.T) {
	text := "Seen by Ann Lee today\nand 中文字 again"
	lines := wrapCells(text, []phi.Span{{Start: 8, End: 15, Type: phi.Doctor}}, 12)
	var got []string
	marked := ""
	for _, l := range lines {
		s := ""
		for _, c := range l {
			s += string(c.r)
			if c.marked {
				marked += string(c.r)
			}
		}
		got = append(got, s)
	}
	if want := "Seen by Ann|Lee today|and 中文字|again"; strings.Join(got, "|") != want {
		t.Errorf("lines %q, want %q", strings.Join(got, "|"), want)
	}
	if marked != "AnnLee" && marked != "Ann Lee" {
		t.Errorf("marked %q", marked)
	}
	if long := wrapCells(strings.Repeat("x", 25), nil, 10); len(long) != 3 || len(long[2]) != 5 {
		t.Errorf("a long word became %d lines", len(long))
	}
}

func TestBlank(t *testing.T) {
	if got := blank("Zoë, June 5", []phi.Span{{Start: 5, End: 11}}); got != "Zoë, ......" {
		t.Errorf("got %q", got)
	}
	if got := blank("x", []phi.Span{{Start: 0, End: 9}, {Start: 2, End: 1}}); got != "x" {
		t.Errorf("spans beyond the text: %q", got)
	}
}

func TestAgreement(t *testing.T) {
	text := "Mr. Smith on 03/05/2020 and 2019-12-31"
	day := time.Date(2020, 3, 5, 10, 30, 0, 0, time.UTC)
	d := synth.Document{Text: text, When: day, Patient: &synth.Patient{Name: synth.Name{Last: "Smith"}}, Spans: []phi.Span{
		{Start: 4, End: 9, Type: phi.Patient}, {Start: 13, End: 23, Type: phi.Date}, {Start: 28, End: 38, Type: phi.Date},
	}}
	var a Agreement
	a.note(&d, day.AddDate(0, 0, -4), "MR. HAMILTON on 03/01/2020 and 2019-12-30", "Hamilton", -4)
	if want := (Agreement{Names: 1, NamesAgree: 1, Shifts: 1, ShiftsAgree: 1, Dates: 2, DatesAgree: 1}); a != want {
		t.Errorf("got %+v, want %+v", a, want)
	}
	a.note(&d, day, "Mr. Jones", "Hamilton", -4)
	if a.Holds() {
		t.Error("a note that says Jones agrees with a table that says Hamilton")
	}
}
