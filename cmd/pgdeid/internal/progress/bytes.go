package progress

import (
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
)

// NewBytes shows how much of the input was read, on standard error, if that is a terminal and
// standard output is not.
func NewBytes(size int64) io.WriteCloser {
	if !visible() {
		return noBar{io.Discard}
	}
	return progressbar.NewOptions64(size, progressbar.OptionSetWriter(os.Stderr), progressbar.OptionShowBytes(true),
		progressbar.OptionSetWidth(30), progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(100_000_000))
}

type noBar struct{ io.Writer }

func (noBar) Close() error { return nil }
