package operate

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/admin"
)

// statusPace is how often the status is looked at.
const statusPace = 2 * time.Second

// statusWatch shows the status again and again.
type statusWatch struct {
	out    io.Writer
	json   bool
	redraw bool // in place: out is a terminal
	pace   time.Duration
	now    func() time.Time
}

func newStatusWatch(out io.Writer, asJSON bool) *statusWatch {
	file, ok := out.(*os.File)
	terminal := ok && term.IsTerminal(int(file.Fd()))
	return &statusWatch{out: out, json: asJSON, redraw: terminal && !asJSON, pace: statusPace, now: time.Now}
}

// run shows what read returns until ctx is done. An error of read is shown and does not end it:
// a server that restarts is what is watched for.
func (w *statusWatch) run(ctx context.Context, read func(context.Context) (*admin.Status, error)) error {
	ticker := time.NewTicker(w.pace)
	defer ticker.Stop()
	for {
		s, err := read(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if err := w.show(s, err); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// show writes one look with one call, so that a terminal does not flicker.
func (w *statusWatch) show(s *admin.Status, err error) error {
	var b bytes.Buffer
	switch {
	case w.json && err != nil:
		_ = json.NewEncoder(&b).Encode(map[string]string{"error": err.Error(), "hint": fault.Hint(err)}) // texts can be written
	case w.json:
		if err := json.NewEncoder(&b).Encode(s); err != nil {
			return err
		}
	default:
		fmt.Fprintf(&b, "%s\n", w.now().Format(time.DateTime))
		if err := printLook(&b, s, err); err != nil {
			return err
		}
	}
	text := b.String()
	if w.redraw {
		// Home; the rest of each line and of the screen is what the look before left.
		text = "\x1b[H" + strings.ReplaceAll(text, "\n", "\x1b[K\n") + "\x1b[J"
	}
	_, err = io.WriteString(w.out, text)
	return err
}

func printLook(out io.Writer, s *admin.Status, err error) error {
	if err == nil {
		return printStatus(out, s)
	}
	_, failed := fmt.Fprintf(out, "error  %v\n", err)
	if hint := fault.Hint(err); hint != "" && failed == nil {
		_, failed = fmt.Fprintf(out, "hint   %s\n", hint)
	}
	return failed
}
