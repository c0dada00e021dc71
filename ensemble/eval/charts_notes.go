package eval

import (
	"fmt"

	"github.com/pgdeid/pgdeid/ensemble/eval/chart"
)

// notesRow tells how many notes have so many misses.
type notesRow struct {
	Misses string
	Notes  int
	Share  float64 // of all notes
}

// missBins are the least misses of a row, up to the next.
var missBins = []int{0, 1, 2, 3, 4, 5, 10, 20}

// notesByMisses counts the notes by their missed words of group C.
func notesByMisses(notes []Note) []notesRow {
	if len(notes) == 0 {
		return nil
	}
	rows := make([]notesRow, len(missBins))
	for i, least := range missBins {
		switch {
		case i == len(missBins)-1:
			rows[i].Misses = fmt.Sprintf("%d or more", least)
		case missBins[i+1] == least+1:
			rows[i].Misses = fmt.Sprint(least)
		default:
			rows[i].Misses = fmt.Sprintf("%d–%d", least, missBins[i+1]-1)
		}
	}
	for _, n := range notes {
		missed := n.rows()[groupPrefix+C.String()].Missed()
		at := 0
		for at+1 < len(missBins) && missed >= missBins[at+1] {
			at++
		}
		rows[at].Notes++
	}
	for i := range rows {
		rows[i].Share = ratio(rows[i].Notes, len(notes))
	}
	return rows
}

func notesChart(rows []notesRow) drawing {
	c := chart.Columns{
		Heading: chart.Heading{
			ID: "notes", Title: "Notes by the number of words of group C that were missed",
			Desc: "A column for each number of misses, as high as there are notes with so many. The table beside the chart has the numbers.",
		},
		Axis: "missed words in a note", Values: "notes",
	}
	for _, r := range rows {
		c.Labels, c.Counts = append(c.Labels, r.Misses), append(c.Counts, r.Notes)
	}
	return c
}
