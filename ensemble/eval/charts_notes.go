package eval

import (
	"fmt"

	"github.com/pgdeid/pgdeid/ensemble/eval/chart"
	"github.com/pgdeid/pgdeid/ensemble/eval/score"
)

// errorBins are the lower bounds of the columns, in errors.
var errorBins = []int{0, 1, 2, 3, 4, 5, 10, 20}

// notesChart shows the number of notes by number of errors.
func notesChart(rows []score.NotesOf) drawing {
	c := chart.Columns{
		Heading: chart.Heading{
			ID: "notes", Title: "Notes by the number of instances of group C that were missed",
			Desc: "A column for each number of missed instances, as high as there are notes with so many. The table beside the chart has " +
				"the numbers.",
		},
		Axis: "missed instances in a note", Values: "notes",
	}
	for i, least := range errorBins {
		switch {
		case i == len(errorBins)-1:
			c.Labels = append(c.Labels, fmt.Sprintf("%d or more", least))
		case errorBins[i+1] == least+1:
			c.Labels = append(c.Labels, fmt.Sprint(least))
		default:
			c.Labels = append(c.Labels, fmt.Sprintf("%d–%d", least, errorBins[i+1]-1))
		}
	}
	c.Counts = make([]int, len(errorBins))
	for _, row := range rows {
		at := 0
		for at+1 < len(errorBins) && row.Errors >= errorBins[at+1] {
			at++
		}
		c.Counts[at] += row.Notes
	}
	return c
}
