package apply

import (
	"bytes"
	"path/filepath"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

var noon = time.Date(2024, 5, 10, 12, 0, 0, 0, time.UTC)

// What the first copy reads is due on the newest day that it shows, if that has come
// to pass as moved for the patient.
func TestCopiedRowsAreDueOnTheDayTheyShow(t *testing.T) {
	dates := &schema.Table{Columns: []schema.Column{
		{Column: config.Column{Publish: config.Pseudonym}},
		{Column: config.Column{Publish: config.ShiftDate}},
		{Column: config.Column{Publish: config.ShiftDate, Tells: "birth_date"}},
		{Column: config.Column{Publish: config.ShiftDate}},
	}, Publish: []int{0, 1, 2, 3}}
	today := calendarDay(noon)
	last := today + 40 // the patient's today
	day := func(days int) string { return noon.AddDate(0, 0, days).Format("2006-01-02 15:04:05") }
	for _, c := range []struct {
		name                  string
		event, birth, planned string
		note                  bool
		want                  int
	}{
		{"an event of the past", day(-100), day(-9000), "", false, today - 100},
		{"one of yesterday, for the patient", day(39), day(-9000), "", false, today + 39},
		{"a plan is no event", day(-3), day(-9000), day(80), false, today - 3},
		{"plans alone", day(41), day(-9000), "", false, 0},
		{"a birth says nothing", "", day(30), "", false, 0},
		{"a note without a date may speak of today", "", day(-9000), "", true, last},
		{"a note with one", day(-5), day(-9000), "", true, today - 5},
		{"no end", "infinity", "", "0044-03-15 BC", false, 0},
	} {
		here := *dates
		if c.note {
			here.Texts = []int{0}
		}
		v := &Version{Table: &here, Item: &deid.Item{}, Values: []*string{nil, nil, nil, nil}}
		for i, text := range []string{"1", c.event, c.birth, c.planned} {
			if text != "" {
				v.Values[i] = &text
			}
		}
		if got := (&Store{}).shownDay(v, last); got != c.want {
			t.Errorf("%s: day %d, want %d", c.name, got-today, c.want-today)
		}
	}
}

// A mark names a day of one patient to who has the key, and nothing to others.
func TestDueMarks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key")
	if err := surrogate.NewKeyFile(file); err != nil {
		t.Fatal(err)
	}
	key, err := surrogate.ReadKey(file)
	if err != nil {
		t.Fatal(err)
	}
	s := &Store{key: key, seals: vault.NewSeals(key), Now: func() time.Time { return noon }, plan: &schema.Plan{Config: &config.Config{Release: config.Release{Mode: config.Delayed}}}}
	seen := map[string]bool{}
	for _, patient := range []string{"1", "2", "11"} {
		for day := range 50 {
			seen[string(s.dueLabel(patient, day))] = true
		}
	}
	if len(seen) != 150 {
		t.Errorf("%d marks, want 150", len(seen))
	}
	streamed := &Version{patient: "1", shift: 40, Table: &schema.Table{}, Item: &deid.Item{Change: &schema.Change{LSN: 1}}}
	if got := s.due(streamed); !bytes.Equal(got, s.dueLabel("1", calendarDay(noon)+40)) {
		t.Errorf("a row of the stream is due on another day than that of its arrival, moved")
	}
	streamed.patient = ""
	if got := s.due(streamed); len(got) > 0 {
		t.Error("a row of nobody waits")
	}
}

func TestReleasesWaitForTheirTime(t *testing.T) {
	batches, delayed := &config.Release{Mode: config.Batches, Every: 24 * time.Hour}, &config.Release{Mode: config.Delayed}
	midnight := noon.Truncate(24 * time.Hour)
	hourAgo, dayAgo := noon.Add(-time.Hour), noon.Add(-24*time.Hour)
	for _, c := range []struct {
		name  string
		r     *config.Release
		state ReleaseState
		now   bool
		waits bool
	}{
		{"before the copy", batches, ReleaseState{Copying: true}, true, true},
		{"the first one", batches, ReleaseState{}, false, false},
		{"in the interval", batches, ReleaseState{Released: &hourAgo}, false, true},
		{"in the interval, and asked for", batches, ReleaseState{Released: &hourAgo}, true, false},
		{"at its end", batches, ReleaseState{Released: &dayAgo}, false, false},
		{"texts are to be made anew", batches, ReleaseState{Released: &dayAgo, Queued: true}, false, true},
		{"for hours", batches, ReleaseState{Released: func() *time.Time { d := dayAgo.Add(-2 * time.Hour); return &d }(), Queued: true}, false, false},
		{"a day's second one", delayed, ReleaseState{through: midnight, Released: &hourAgo}, false, true},
		{"another day", delayed, ReleaseState{through: midnight.AddDate(0, 0, -1), Released: &dayAgo}, false, false},
	} {
		if why := c.state.Why(c.r, noon, c.now); (why != "") != c.waits {
			t.Errorf("%s: %q", c.name, why)
		}
	}
}
