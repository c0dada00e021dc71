package progress

import (
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Items returns a function that draws a progress bar, or nil without a terminal.
func Items(what string) func(done, total int) {
	if !term.IsTerminal(int(os.Stderr.Fd())) {
		return nil
	}
	var b *progressbar.ProgressBar
	return func(done, total int) {
		if b == nil {
			b = progressbar.NewOptions(total, progressbar.OptionSetWriter(os.Stderr), progressbar.OptionSetDescription(what),
				progressbar.OptionShowCount(), progressbar.OptionClearOnFinish())
		}
		_ = b.Set(done) // errors of the display are ignored
	}
}
