package progress

import (
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/pgdeid/pgdeid/replicator/session"
)

// Tables draws a progress bar for each table.
type Tables struct {
	table string
	bar   *progressbar.ProgressBar
}

// Show draws how far the copy of a table is.
func (b *Tables) Show(p session.SnapshotProgress) {
	if b.table != p.Table {
		total := p.Estimate
		if total == 0 {
			total = -1 // a spinner
		}
		b.table = p.Table
		b.bar = progressbar.NewOptions64(total, progressbar.OptionSetWriter(os.Stderr), progressbar.OptionSetDescription(p.Table),
			progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetItsString("rows"),
			progressbar.OptionOnCompletion(func() { _, _ = os.Stderr.WriteString("\n") }))
	}
	if p.Rows > b.bar.GetMax64() && b.bar.GetMax64() >= 0 {
		b.bar.ChangeMax64(p.Rows) // the estimate was too low
	}
	_ = b.bar.Set64(p.Rows) // errors of the display are ignored
	if p.Done {
		_ = b.bar.Finish()
	}
}

// Progress returns a function that draws the bars, or nil without a terminal.
func (b *Tables) Progress() func(table string, read, total int64) {
	if !term.IsTerminal(int(os.Stderr.Fd())) {
		return nil
	}
	return func(table string, read, total int64) {
		b.Show(session.SnapshotProgress{Table: table, Rows: read, Estimate: total})
	}
}
