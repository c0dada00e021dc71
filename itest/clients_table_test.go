//go:build clients

package itest

import (
	"fmt"
	"io"
	"strings"
)

// clientRow is what a client reported: a line "version TEXT", and a line for each feature,
// "pass NAME" or "fail NAME: TEXT".
type clientRow struct {
	client
	version, skipped string
	results          map[string]string // "pass", or what went wrong
}

func (r *clientRow) read(report string) {
	for line := range strings.Lines(report) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "version":
			r.version = rest
		case "pass":
			r.results[rest] = "pass"
		case "fail":
			name, why, _ := strings.Cut(rest, ":")
			r.results[name] = strings.TrimSpace("failed: " + why)
		}
	}
}

// cell returns a feature's word in the table.
func (r *clientRow) cell(feature string) string {
	switch {
	case r.skipped != "":
		return "-"
	case r.results[feature] == "pass":
		return "pass"
	}
	return "FAIL"
}

// further lists the features that not all clients have.
func (r *clientRow) further() string {
	if r.skipped != "" {
		return "skipped: " + r.skipped
	}
	var passed, failed []string
	for _, feature := range r.more {
		if r.results[feature] == "pass" {
			passed = append(passed, feature)
		} else {
			failed = append(failed, feature)
		}
	}
	text := strings.Join(passed, ", ")
	if len(failed) > 0 {
		text = strings.TrimSpace("FAIL " + strings.Join(failed, ", ") + "; pass " + text)
	}
	return text
}

// clientTable is the matrix: a row for each client, a column for each feature.
type clientTable struct{ rows [][]string }

func newClientTable() *clientTable {
	return &clientTable{rows: [][]string{{"client", "version", "one note", "1,000 notes", "error", "cancel", "further"}}}
}

func (t *clientTable) add(r clientRow) {
	cells := []string{r.name, r.version}
	for _, feature := range everyClient {
		cells = append(cells, r.cell(feature))
	}
	t.rows = append(t.rows, append(cells, r.further()))
}

func (t *clientTable) print(out io.Writer) {
	widths := make([]int, len(t.rows[0]))
	for _, row := range t.rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len(cell))
		}
	}
	for _, row := range t.rows {
		var line strings.Builder
		for i, cell := range row {
			fmt.Fprintf(&line, "%-*s  ", widths[i], cell)
		}
		fmt.Fprintln(out, strings.TrimRight(line.String(), " "))
	}
}
