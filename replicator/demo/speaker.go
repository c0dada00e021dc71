package demo

import (
	"fmt"
	"io"

	"github.com/fatih/color"
	"github.com/schollz/progressbar/v3"
)

// speaker prints what happens. Colour is fatih/color's choice: none where the output
// is no terminal or NO_COLOR is set.
type speaker struct {
	out, bars  io.Writer
	steps      int
	head, good *color.Color
	alarm      *color.Color
}

func newSpeaker(o Options) *speaker {
	return &speaker{
		out: o.Out, bars: o.Bars, head: color.New(color.Bold, color.FgCyan), good: color.New(color.FgGreen), alarm: color.New(color.FgRed, color.Bold),
	}
}

func (s *speaker) step(title string) {
	s.steps++
	s.head.Fprintf(s.out, "\n%d. %s\n", s.steps, title)
}

func (s *speaker) line(format string, args ...any) { fmt.Fprintf(s.out, "   "+format+"\n", args...) }

func (s *speaker) bad(format string, args ...any) { s.alarm.Fprintf(s.out, "   "+format+"\n", args...) }

// verdict prints a line in green or red.
func (s *speaker) verdict(ok bool, format string, args ...any) {
	c := s.good
	if !ok {
		c = s.alarm
	}
	c.Fprintf(s.out, "   "+format+"\n", args...)
}

// bar is a progress bar; one that can't be drawn stops nothing.
type bar struct{ b *progressbar.ProgressBar }

func (s *speaker) bar(title string, total int) bar {
	return bar{progressbar.NewOptions(total, progressbar.OptionSetWriter(s.bars), progressbar.OptionSetDescription("   "+title),
		progressbar.OptionShowCount(), progressbar.OptionClearOnFinish(), progressbar.OptionSetWidth(30))}
}

func (b bar) tick()     { _ = b.b.Add(1) }
func (b bar) set(n int) { _ = b.b.Set(n) }
func (b bar) done()     { _ = b.b.Finish() }
