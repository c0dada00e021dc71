package run

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/replicator/backfill"
)

// copyControl asks how far a copy by several processes is, and changes how it goes on.
type copyControl struct {
	status, pause, resume, asJSON bool
	rate                          int
	sample                        time.Duration
}

func (c *copyControl) register(f *pflag.FlagSet) {
	f.BoolVar(&c.status, "status", false, "say how far the copy is")
	f.BoolVar(&c.asJSON, "json", false, "with --status: print JSON")
	f.DurationVar(&c.sample, "sample", 3*time.Second, "with --status: time over which the rate is measured")
	f.BoolVar(&c.pause, "pause", false, "read nothing more from the source until --resume")
	f.BoolVar(&c.resume, "resume", false, "go on after --pause")
	f.IntVar(&c.rate, "rate", 0, "`rows` that all processes together read from the source each second; 0: no bound")
}

// asked reports whether the call is about a copy that another process makes.
func (c *copyControl) asked(cmd *cobra.Command) bool {
	return c.status || c.pause || c.resume || cmd.Flags().Changed("rate")
}

func (c *copyControl) run(cmd *cobra.Command, g *command.Globals) error {
	if c.rate < 0 || c.sample < 0 {
		return command.UsageError("--rate and --sample: want 0 or more")
	}
	cfg, err := g.Load()
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	conn, err := connect.Replica(ctx, cfg)
	if err != nil {
		return err
	}
	defer connect.Close(conn)
	var set backfill.Setting
	if c.pause || c.resume {
		set.Paused = &c.pause
	}
	if cmd.Flags().Changed("rate") {
		set.Rate = &c.rate
	}
	if set != (backfill.Setting{}) {
		if err := backfill.Set(ctx, conn, cfg.Source.Slot, set); err != nil || !c.status {
			return err
		}
	}
	before, err := backfill.ReadStatus(ctx, conn, cfg.Source.Slot)
	if err != nil {
		return err
	}
	now, between := before, time.Duration(0)
	if !before.Done() && c.sample > 0 {
		start := time.Now()
		select {
		case <-time.After(c.sample):
		case <-ctx.Done():
			return ctx.Err()
		}
		if now, err = backfill.ReadStatus(ctx, conn, cfg.Source.Slot); err != nil {
			return err
		}
		between = time.Since(start)
	}
	rate, left := now.Left(before, between)
	if !c.asJSON {
		return printCopy(cmd.OutOrStdout(), now, rate, left)
	}
	return json.NewEncoder(cmd.OutOrStdout()).Encode(struct {
		*backfill.Status
		PerSecond float64 `json:"rows_per_second"`
		Left      float64 `json:"left_seconds,omitempty"`
	}{now, rate, left.Seconds()})
}

// printCopy prints how far a copy is.
func printCopy(out io.Writer, s *backfill.Status, rate float64, left time.Duration) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	line := func(name, format string, args ...any) {
		_, _ = fmt.Fprintf(w, "%s\t%s\n", name, fmt.Sprintf(format, args...)) // Flush says what went wrong
	}
	rows, planned := s.Sum()
	line("copy", "%s", copyLine(s, rows, planned))
	switch {
	case len(s.Tables) == 0 || s.Done():
	case s.Paused:
		line("pace", "paused: 'pgdeid snapshot --resume' goes on")
	case rate == 0:
		line("pace", "no rows in the last seconds")
	default:
		line("pace", "%.0f rows/s, about %s left", rate, left.Round(time.Second))
	}
	if s.Rate > 0 {
		line("limit", "%d rows/s", s.Rate)
	}
	if s.Shared {
		line("workers", "%d copy now", s.Workers)
	}
	for _, t := range s.Tables {
		line("table "+t.Table, "%s", tableLine(t))
	}
	return w.Flush()
}

func copyLine(s *backfill.Status, rows, planned int64) string {
	switch {
	case len(s.Tables) == 0:
		return "has not begun"
	case s.Done():
		return fmt.Sprintf("%s complete, %d rows", copyGauge(1), rows)
	case planned == 0:
		return fmt.Sprintf("%d rows", rows)
	}
	share := float64(rows) / float64(planned)
	return fmt.Sprintf("%s %.1f%%, %d of about %d rows", copyGauge(share), 100*share, rows, planned)
}

// barWidth is how many characters a bar has.
const barWidth = 30

func copyGauge(share float64) string {
	full := min(barWidth, int(share*barWidth))
	return "[" + strings.Repeat("#", full) + strings.Repeat("-", barWidth-full) + "]"
}

func tableLine(t backfill.TableStatus) string {
	var text string
	switch {
	case t.Done:
		return fmt.Sprintf("copied, %d rows", t.Rows)
	case t.Rows == 0 && t.Parts == 0:
		text = "waits"
	default:
		text = fmt.Sprintf("%d rows", t.Rows)
	}
	if t.Planned > 0 {
		text += fmt.Sprintf(", of about %d", t.Planned)
	}
	if t.Parts > 0 {
		text += fmt.Sprintf(", %d of %s", t.Finished, command.Plural(t.Parts, "part"))
	}
	if t.Redone > 0 {
		text += fmt.Sprintf("; %s whose process died given to others", command.Plural(t.Redone, "part"))
	}
	return text
}
