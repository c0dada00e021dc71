package demo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/eval/score"

	"github.com/fatih/color"
	"github.com/jackc/pgx/v5"
	"github.com/mattn/go-runewidth"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/synth"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// mostLines of a note are shown.
const mostLines = 26

// compare shows some notes as they are in the source and in the replica.
func (w *world) compare(ctx context.Context, _ *Result) error {
	w.say.step("Notes before and after")
	conn, err := w.replica.Conn(ctx, replicaDB)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	for _, d := range w.pick() {
		after, spans, err := w.published(ctx, conn, &d)
		if err != nil {
			return err
		}
		w.sideBySide(&d, after, spans)
	}
	return nil
}

// pick chooses notes of different kinds that fit on a screen; the last of them came
// in while the stream was running.
func (w *world) pick() []synth.Document {
	var out []synth.Document
	seen := map[synth.Kind]bool{}
	fits := func(d *synth.Document) bool {
		n := len(d.Text)
		return n > 350 && n < 1500 && !seen[d.Kind] && len(d.Spans) > 8
	}
	take := func(d synth.Document) { seen[d.Kind] = true; out = append(out, d) }
	for i := 1; i < w.Notes && len(out) < w.Show-1; i++ {
		if d := w.hospital.Note(i); fits(&d) {
			take(d)
		}
	}
	for _, d := range w.extra {
		if len(out) < w.Show && fits(&d) {
			take(d)
		}
	}
	return out
}

// published returns a note's text in the replica with the ranges of its surrogates.
// A note that was set aside gives no text.
func (w *world) published(ctx context.Context, conn *pgx.Conn, d *synth.Document) (string, []phi.Span, error) {
	var text string
	err := conn.QueryRow(ctx, `select body from ehr.note where note_id = $1`, w.noteKey(d)).Scan(&text)
	if errors.Is(err, pgx.ErrNoRows) {
		return "(set aside: see deid.quarantine)", nil, nil
	}
	if err != nil {
		return "", nil, fault.New("read a note of the replica", err, "")
	}
	var spans []phi.Span
	of := vault.Filter{Table: "ehr.note", Key: fmt.Sprintf(`["%d"]`, w.noteKey(d))}
	err = vault.NewReader(conn, w.key).Texts(ctx, of, func(t vault.MadeText) error {
		if t.Column == "body" {
			spans = rangesOf(t.Spans)
		}
		return nil
	})
	return text, bytesOf(text, spans), err
}

// rangesOf returns where spans are, in code points.
func rangesOf(spans []vault.Span) []phi.Span {
	out := make([]phi.Span, len(spans))
	for i, s := range spans {
		out[i] = phi.Span{Start: s.Start, End: s.End}
	}
	return out
}

// bytesOf turns ranges of code points into ranges of bytes.
func bytesOf(text string, spans []phi.Span) []phi.Span {
	at := make([]int, 0, len(text)+1)
	for i := range text {
		at = append(at, i)
	}
	at = append(at, len(text))
	out := make([]phi.Span, 0, len(spans))
	for _, s := range spans {
		if s.Start >= 0 && s.Start < s.End && s.End < len(at) {
			out = append(out, phi.Span{Start: at[s.Start], End: at[s.End], Type: s.Type})
		}
	}
	return out
}

func (w *world) sideBySide(d *synth.Document, after string, spans []phi.Span) {
	column := max(30, (w.Width-5)/2)
	replaced := slices.DeleteFunc(slices.Clone(d.Spans), func(s phi.Span) bool { return !score.C.Has(s.Type, d.Text[s.Start:s.End]) })
	left := wrapCells(d.Text, replaced, column)
	right := wrapCells(after, spans, column)
	red, green, dim := color.New(color.FgRed), color.New(color.FgGreen, color.Bold), color.New(color.Faint)
	dim.Fprintf(w.Out, "\n  %s\n", strings.Repeat("─", 2*column+3))
	color.New(color.Bold).Fprintf(w.Out, "  %s   %s\n", pad("source: "+string(d.Kind), column), "replica")
	for i := range min(max(len(left), len(right)), mostLines) {
		fmt.Fprintf(w.Out, "  %s %s %s\n", paint(line(left, i), column, red), dim.Sprint("│"), paint(line(right, i), 0, green))
	}
	if more := max(len(left), len(right)) - mostLines; more > 0 {
		dim.Fprintf(w.Out, "  … %d more lines\n", more)
	}
}

func pad(s string, width int) string {
	return runewidth.FillRight(runewidth.Truncate(s, width, "…"), width)
}

// cell is a rune on the screen.
type cell struct {
	r      rune
	marked bool
}

func line(lines [][]cell, i int) []cell {
	if i < len(lines) {
		return lines[i]
	}
	return nil
}

// wrapCells breaks a text into lines of at most width columns, at blanks where there
// are any, and keeps which runes are in a span.
func wrapCells(text string, spans []phi.Span, width int) [][]cell {
	var out [][]cell
	var row []cell
	columns, span := 0, 0
	flush := func() { out = append(out, row); row, columns = nil, 0 }
	for i, r := range text {
		for span < len(spans) && spans[span].End <= i {
			span++
		}
		switch r {
		case '\n':
			flush()
			continue
		case '\t':
			r = ' '
		}
		row = append(row, cell{r, span < len(spans) && spans[span].Start <= i})
		if columns += runewidth.RuneWidth(r); columns > width {
			rest := breakAt(&row)
			flush()
			row = rest
			for _, c := range row {
				columns += runewidth.RuneWidth(c.r)
			}
		}
	}
	flush()
	return out
}

// breakAt cuts a row behind its last blank, or before its last cell, and returns
// what was cut off.
func breakAt(row *[]cell) []cell {
	cut := len(*row) - 1
	for i := cut; i > 0; i-- {
		if (*row)[i].r == ' ' {
			cut = i + 1
			break
		}
	}
	rest := slices.Clone((*row)[cut:])
	for *row = (*row)[:cut]; cut > 0 && (*row)[cut-1].r == ' '; cut-- {
		*row = (*row)[:cut-1]
	}
	return rest
}

// paint returns a row with its spans in colour, filled up to width columns.
func paint(row []cell, width int, c *color.Color) string {
	var b strings.Builder
	columns := 0
	for i := 0; i < len(row); {
		j := i
		var run strings.Builder
		for ; j < len(row) && row[j].marked == row[i].marked; j++ {
			run.WriteRune(row[j].r)
			columns += runewidth.RuneWidth(row[j].r)
		}
		if row[i].marked {
			b.WriteString(c.Sprint(run.String()))
		} else {
			b.WriteString(run.String())
		}
		i = j
	}
	if columns < width {
		b.WriteString(strings.Repeat(" ", width-columns))
	}
	return b.String()
}
