package admin

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/replicator"
	"github.com/pgdeid/pgdeid/sql/publication"
)

// well is a deployment of which there is nothing to say.
func well() *Status {
	return &Status{
		Running: true, Busy: true, Process: processAnswers, Health: &replicator.Health{OK: true},
		Slot: SlotStatus{Name: "pgdeid", Exists: true, Active: true, WAL: "reserved"}, Position: "0/10", SourceEnd: "0/20",
		Copies: []CopyStatus{{Table: "ehr.note", Done: true}}, Maintained: []MaintenanceStatus{{Task: "order"}},
	}
}

func TestProblemsAreNamedWithWhatToDo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*Status)
		want   []string // parts of the only problem; none: there is no problem
	}{
		"nothing is wrong":            {func(*Status) {}, nil},
		"a slot that is being made":   {func(s *Status) { s.Slot.Exists, s.Position = false, "" }, nil},
		"a copy without a stream yet": {func(s *Status) { s.Running, s.Slot.Active = false, false }, nil},
		"WAL up to its limit":         {func(s *Status) { s.Slot.WAL = "extended" }, nil},
		"nobody ran it yet":           {func(s *Status) { s.Slot.Exists, s.Busy, s.Position = false, false, "" }, []string{"nothing was replicated", "pgdeid run"}},
		"the slot is gone":            {func(s *Status) { s.Slot.Exists, s.Busy = false, false }, []string{"slot pgdeid is gone", "--resync"}},
		"the slot is lost":            {func(s *Status) { s.Slot.WAL = "lost" }, []string{"slot pgdeid is lost", "--resync"}},
		"WAL is about to go":          {func(s *Status) { s.Slot.WAL = "unreserved" }, []string{"about to throw away", "max_slot_wal_keep_size"}},
		"nobody streams":              {func(s *Status) { s.Running, s.Busy = false, false }, []string{"no process streams", "start 'pgdeid run'"}},
		"a lost slot that nobody reads": {
			func(s *Status) { s.Slot.WAL, s.Running, s.Busy = "lost", false, false }, []string{"slot pgdeid is lost"},
		},
		"a pause":               {func(s *Status) { s.Paused = true }, []string{publication.PausedText}},
		"a process that hangs":  {func(s *Status) { s.Process, s.Health = processSilent, nil }, []string{"does not answer", "restart"}},
		"a process elsewhere":   {func(s *Status) { s.Process, s.Health = processElsewhere, nil }, nil},
		"what the process says": {func(s *Status) { s.Health = &replicator.Health{Why: "the source sends nothing"} }, []string{"the process says: the source sends nothing"}},
		"rows set aside": {
			func(s *Status) {
				s.Quarantine = []AsideCount{{Table: "ehr.note", Reason: "leak", Rows: 2}, {Table: "ehr.line", Reason: "leak", Rows: 5}}
			},
			[]string{"7 rows are set aside", "pgdeid retry"},
		},
		"maintenance": {
			func(s *Status) {
				s.Maintained = []MaintenanceStatus{{Task: "order"}, {Task: "cap", Due: true, what: "years of birth"}}
			},
			[]string{"task cap is due (years of birth)", "pgdeid maintain"},
		},
		"a publication that lacks tables": {func(s *Status) { s.lacks = []string{"ehr.note is mapped but not published"} }, []string{"ehr.note is mapped", "--target source"}},
		"a table that came back":          {func(s *Status) { s.rejoined = []publication.Rejoined{{Table: "ehr.note", Why: "it was away"}} }, []string{"ehr.note lacks changes (it was away)"}},
		"a copy anew":                     {func(s *Status) { s.Copies[0] = CopyStatus{Table: "ehr.note", Again: "it was away"} }, []string{"ehr.note is copied again (it was away)"}},
		"a copy anew that is complete":    {func(s *Status) { s.Copies[0].Again = "it was away" }, nil},
		"a source that went back":         {func(s *Status) { s.SourceEnd = "0/F" }, []string{"ahead of the source's WAL", "older backup", "--resync"}},
		"a source at the position":        {func(s *Status) { s.SourceEnd = s.Position }, nil},
		"positions that nobody can read":  {func(s *Status) { s.Position = "x" }, nil},
	} {
		s := well()
		c.change(s)
		s.judge()
		if len(s.Problems) > 1 || len(s.Problems) == 0 != (c.want == nil) {
			t.Errorf("%s: %q", name, s.Problems)
			continue
		}
		for _, part := range c.want {
			if !strings.Contains(s.Problems[0], part) {
				t.Errorf("%s: %q does not say %q", name, s.Problems[0], part)
			}
		}
	}
}

func TestProblemsAddUp(t *testing.T) {
	t.Parallel()
	s := well()
	s.Paused, s.Slot.WAL, s.SourceEnd = true, "unreserved", "0/1"
	s.judge()
	if len(s.Problems) != 3 {
		t.Errorf("%q", s.Problems)
	}
}

func TestDistance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from, to string
		want     int64
	}{
		{"0/10", "0/20", 16}, {"0/20", "0/20", 0}, {"0/20", "0/10", 0}, {"1/0", "2/0", 1 << 32}, {"", "0/10", 0}, {"0/10", "", 0}, {"?", "?", 0},
	} {
		if got := distance(c.from, c.to); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.from, c.to, got, c.want)
		}
	}
}

func TestMaintenanceIsDue(t *testing.T) {
	t.Parallel()
	day := func(text string) time.Time {
		at, err := time.Parse(time.DateTime, text)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	newYork := time.FixedZone("", -5*3600)
	for _, c := range []struct {
		task      string
		last, now time.Time
		want      bool
	}{
		{"cap", day("2025-01-01 00:00:00"), day("2025-12-31 23:59:59"), false},
		{"cap", day("2025-12-31 23:59:59"), day("2026-01-01 00:00:00"), true},
		{"cap", day("2025-12-31 23:59:59").In(newYork), day("2026-01-01 02:00:00").In(newYork), true}, // still the old year there
		{"order", day("2026-03-01 00:00:00"), day("2026-03-08 23:00:00"), false},
		{"order", day("2026-03-01 00:00:00"), day("2026-03-09 00:00:01"), true},
	} {
		i := slices.IndexFunc(maintenanceTasks(), func(m maintenance) bool { return m.name == c.task })
		if got := maintenanceTasks()[i].due(c.last, c.now); got != c.want {
			t.Errorf("%s, last %s, now %s: due %t", c.task, c.last, c.now, got)
		}
	}
}
