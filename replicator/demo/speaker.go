package demo

import (
	"fmt"
	"io"
	"time"

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
	fmt.Fprintf(s.out, "\n%s\n", s.head.Sprintf("%d. %s", s.steps, title))
}

func (s *speaker) line(format string, args ...any) { fmt.Fprintf(s.out, "   "+format+"\n", args...) }

func (s *speaker) bad(format string, args ...any) {
	fmt.Fprintf(s.out, "   %s\n", s.alarm.Sprintf(format, args...))
}

// verdict prints a line in green or red.
func (s *speaker) verdict(ok bool, format string, args ...any) {
	c := s.good
	if !ok {
		c = s.alarm
	}
	fmt.Fprintf(s.out, "   %s\n", c.Sprintf(format, args...))
}

// bar is a progress bar; one that can't be drawn stops nothing.
type bar struct{ b *progressbar.ProgressBar }

func (s *speaker) bar(title string, total int) bar {
	return bar{progressbar.NewOptions(total, progressbar.OptionSetWriter(s.bars), progressbar.OptionSetDescription("   "+title),
		progressbar.OptionShowCount(), progressbar.OptionClearOnFinish(), progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(65*time.Millisecond))}
}

func (b bar) tick()     { _ = b.b.Add(1) }
func (b bar) set(n int) { _ = b.b.Set(n) }
func (b bar) done()     { _ = b.b.Finish() }
