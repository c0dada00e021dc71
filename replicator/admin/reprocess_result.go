package admin

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ReprocessResult counts notes, and what was found in them otherwise than before.
type ReprocessResult struct {
	Read      int64       `json:"read"`
	UpToDate  int64       `json:"up_to_date"` // made by this version and configuration before
	Unchanged int64       `json:"unchanged"`  // made anew: they are published as they come out
	Changed   int64       `json:"changed"`    // rewritten, or with DryRun: would be
	Aside     int64       `json:"aside"`      // could not be de-identified: set aside, or would be
	Absent    int64       `json:"absent"`     // not in the replica: they stay out
	Spans     SpanChanges `json:"spans"`      // of the texts that changed
}

// newSpanChanges returns counts of nothing.
func newSpanChanges() SpanChanges {
	return SpanChanges{Added: map[string]int64{}, Removed: map[string]int64{}, Retyped: map[string]map[string]int64{}}
}

// Summary says in some lines what became of the notes, or with dryRun would.
func (r ReprocessResult) Summary(dryRun bool) string {
	rewritten := "rewritten"
	if dryRun {
		rewritten = "would change"
	}
	var b strings.Builder
	_, _ = fmt.Fprintf(&b, "%d notes read: %d %s, %d made anew without a change, %d up to date, %d set aside, %d not in the replica\n",
		r.Read, r.Changed, rewritten, r.Unchanged, r.UpToDate, r.Aside, r.Absent)
	r.Spans.write(&b)
	return b.String()
}

// write writes a line for each type of which something was found otherwise.
func (c *SpanChanges) write(b *strings.Builder) {
	types := map[string]bool{}
	for _, counts := range []map[string]int64{c.Added, c.Removed} {
		for name := range counts {
			types[name] = true
		}
	}
	for from := range c.Retyped {
		types[from] = true
	}
	if len(types) == 0 {
		return
	}
	_, _ = fmt.Fprintf(b, "%-14s %9s %9s  %s\n", "in these", "added", "removed", "found as another type now")
	for _, name := range slices.Sorted(maps.Keys(types)) {
		var became []string
		for _, to := range slices.Sorted(maps.Keys(c.Retyped[name])) {
			became = append(became, fmt.Sprintf("%s %d", to, c.Retyped[name][to]))
		}
		line := fmt.Sprintf("%-14s %9d %9d  %s", name, c.Added[name], c.Removed[name], strings.Join(became, ", "))
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}
