// Package progress shows on a terminal how far a command is.
package progress

import (
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// visible reports whether a bar can be seen, on standard error, and does not get between results on the same terminal.
func visible() bool {
	return term.IsTerminal(int(os.Stderr.Fd())) && !term.IsTerminal(int(os.Stdout.Fd()))
}

// Notes shows how many notes are done, on standard error, if that is a terminal and
// standard output is not.
type Notes struct{ bar *progressbar.ProgressBar }

// NewNotes returns a bar, which draws nothing where it should not be seen.
func NewNotes() *Notes {
	if !visible() {
		return &Notes{}
	}
	return &Notes{progressbar.NewOptions(-1, progressbar.OptionSetWriter(os.Stderr), progressbar.OptionShowCount(),
		progressbar.OptionShowIts(),
		progressbar.OptionSetItsString("notes"), progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(100_000_000))}
}

// Tick counts a note.
func (b *Notes) Tick() {
	if b.bar != nil {
		_ = b.bar.Add(1) // nothing depends on the display
	}
}

// Describe says beside the bar what is being done.
func (b *Notes) Describe(text string) {
	if b.bar != nil {
		b.bar.Describe(text)
	}
}

// Close removes the bar.
func (b *Notes) Close() error {
	if b.bar == nil {
		return nil
	}
	return b.bar.Finish()
}
