package run

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/replicator/backfill"
)

func TestCopyIsPrinted(t *testing.T) {
	t.Parallel()
	note := backfill.TableStatus{Table: "ehr.note", Rows: 500, Planned: 900, Parts: 9, Finished: 4, Redone: 1}
	done := backfill.TableStatus{Table: "ehr.patient", Rows: 100, Planned: 100, Done: true}
	for _, c := range []struct {
		name  string
		s     backfill.Status
		rate  float64
		left  time.Duration
		want  []string
		never string
	}{
		{"nothing", backfill.Status{}, 0, 0, []string{"has not begun"}, "pace"},
		{
			"under way",
			backfill.Status{Tables: []backfill.TableStatus{note, done}, Workers: 3, Shared: true, Rate: 700},
			50, 8 * time.Second,
			[]string{
				"[##################------------] 60.0%, 600 of about 1000 rows", "50 rows/s, about 8s left", "700 rows/s", "3 copy now",
				"500 rows, of about 900, 4 of 9 parts; 1 part whose process died", "copied, 100 rows",
			},
			"paused",
		},
		{"paused", backfill.Status{Tables: []backfill.TableStatus{note}, Shared: true, Paused: true}, 50, time.Second, []string{"paused", "--resume"}, "rows/s"},
		{"stalled", backfill.Status{Tables: []backfill.TableStatus{{Table: "ehr.note"}}}, 0, 0, []string{"no rows in the last seconds", "waits"}, "%"},
		{"complete", backfill.Status{Tables: []backfill.TableStatus{done}}, 0, 0, []string{"[" + strings.Repeat("#", 30) + "] complete, 100 rows"}, "pace"},
	} {
		var out bytes.Buffer
		if err := printCopy(&out, &c.s, c.rate, c.left); err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, out.String())
			}
		}
		if strings.Contains(out.String(), c.never) {
			t.Errorf("%s: %q in\n%s", c.name, c.never, out.String())
		}
	}
}

func TestGaugeOfACopy(t *testing.T) {
	t.Parallel()
	for share, want := range map[float64]int{0: 0, 0.5: 15, 1: 30, 1.7: 30} {
		if got := copyGauge(share); strings.Count(got, "#") != want || len(got) != 32 {
			t.Errorf("%v: %s", share, got)
		}
	}
}

// What asks about a copy, or changes how it goes on, begins none.
func TestCopyControlStandsAlone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args  string
		asked bool
	}{
		{"", false},
		{"--resync", false},
		{"--workers", false},
		{"--status", true},
		{"--pause", true},
		{"--resume", true},
		{"--rate 0", true},
		{"--rate 5 --status", true},
	} {
		cmd := newSnapshotCmd(&command.Globals{})
		var control copyControl
		if err := cmd.ParseFlags(strings.Fields(c.args)); err != nil {
			t.Fatal(err)
		}
		control.status, _ = cmd.Flags().GetBool("status")
		control.pause, _ = cmd.Flags().GetBool("pause")
		control.resume, _ = cmd.Flags().GetBool("resume")
		if got := control.asked(cmd); got != c.asked {
			t.Errorf("%q: %v", c.args, got)
		}
	}
	for _, args := range []string{"--resync --status", "--pause --resume", "--workers --status", "--workers --rate 3"} {
		cmd := newSnapshotCmd(&command.Globals{Config: "none"})
		cmd.SetArgs(strings.Fields(args))
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		if err := cmd.Execute(); err == nil || !strings.Contains(err.Error(), "none of the others can be") {
			t.Errorf("%q: %v", args, err)
		}
	}
}
