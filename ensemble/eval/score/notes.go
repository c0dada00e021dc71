package score

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// noteCounts are the counts of one document, for bootstrapping.
type noteCounts struct {
	bytes  int
	errors int32 // instances of group C that were missed, whole or in part
	cells  []cell
	types  []typeNote // words of group All by gold label or predicted type
	slices []sliceCell
}

// rowKey is a headline score: words of a group, or a track in one of the ways with an interval.
type rowKey uint8

// sampledWays are the ways with an interval.
var sampledWays = [...]Way{Strict, Relaxed, Overlap, BinaryTokens}

// primaryScore is a score by which a paper compares systems.
type primaryScore struct {
	Track Track
	Way   Way
}

// PrimaryScores are those of Zhao et al. (2020) and Dernoncourt et al. (2017).
var PrimaryScores = [...]primaryScore{{FineTypes, Strict}, {HIPAA, BinaryTokens}}

// String returns "HIPAA binary tokens".
func (p primaryScore) String() string { return p.Track.String() + " " + p.Way.String() }

// sampledTracks are the tracks with an interval, numRows the number of rows.
const (
	sampledTracks = 2
	numRows       = int(NumGroups) + sampledTracks*len(sampledWays)
)

func groupRow(g Group) rowKey { return rowKey(g) }

// trackRow returns the row of a track and a way; ok is false if it has no interval.
func trackRow(k Track, w Way) (row rowKey, ok bool) {
	i := slices.Index(sampledWays[:], w)
	if i < 0 || k >= sampledTracks {
		return 0, false
	}
	return rowKey(int(NumGroups) + int(k)*len(sampledWays) + i), true
}

// cell is a document's contribution to a class of a row.
type cell struct {
	row   rowKey
	class Class
	counts32
}

// sliceCell is a document's contribution to a slice.
type sliceCell struct {
	slice *Slice
	counts32
}

// counts32 are Counts in half the space.
type counts32 struct{ gold, found, predicted, wrong int32 }

func narrow(c Counts) counts32 {
	return counts32{int32(c.Gold), int32(c.Found), int32(c.Predicted), int32(c.False)}
}

func (c counts32) wide() Counts {
	return Counts{int(c.gold), int(c.found), int(c.predicted), int(c.wrong)}
}

type typeNote struct {
	name string
	counts32
}

// note compacts the counts of a document with this length.
func (t *Tally) note(bytes int) noteCounts {
	n := noteCounts{bytes: bytes, errors: int32(len(t.Errors.instances)), types: make([]typeNote, 0, len(t.types))}
	var rows [numRows][NumClasses]Counts
	copy(rows[:], t.words[:])
	for k, counts := range t.i2b2 {
		if row, ok := trackRow(k.track, k.way); ok {
			class, _ := ClassOf(k.typ)
			rows[row][class].Add(counts)
		}
	}
	var cells [numRows * int(NumClasses)]cell
	some := cells[:0]
	for row := range rows {
		for c, counts := range rows[row] {
			if counts != (Counts{}) {
				some = append(some, cell{rowKey(row), Class(c), narrow(counts)})
			}
		}
	}
	n.cells = slices.Clone(some) // no more memory than it takes
	for name, c := range t.types {
		n.types = append(n.types, typeNote{name, narrow(c.Counts())})
	}
	return n
}

// Note is what a saved result keeps of a document for comparisons: numbers, no text and no id.
type Note struct {
	Bytes  int                        `json:"bytes"`
	Errors int                        `json:"errors,omitempty"` // instances of group C that were missed
	Groups map[string]map[string]Quad `json:"words"`            // group "C" or "all", class
	Types  map[string]Quad            `json:"types"`            // group all: gold label or predicted type
	Scores map[string]Quad            `json:"scores,omitempty"` // the primary scores of tracks
}

// Quad is Counts as an array: gold, found, predicted, false.
type Quad Counts

// MarshalJSON writes [gold,found,predicted,false].
func (q Quad) MarshalJSON() ([]byte, error) {
	return json.Marshal([4]int{q.Gold, q.Found, q.Predicted, q.False})
}

// UnmarshalJSON reads [gold,found,predicted,false].
func (q *Quad) UnmarshalJSON(raw []byte) error {
	var a []int
	if err := json.Unmarshal(raw, &a); err != nil || len(a) != 4 {
		return fmt.Errorf("counts of a note: want four numbers")
	}
	*q = Quad{a[0], a[1], a[2], a[3]}
	return nil
}

// saved returns a document's counts as saved in JSON. As everywhere, it excludes false alarms of
// classes that the gold does not mark.
func (n *noteCounts) saved(unmarked []Class) Note {
	out := Note{
		Bytes: n.bytes, Errors: int(n.errors), Groups: map[string]map[string]Quad{C.String(): {}, All.String(): {}},
		Types: map[string]Quad{},
	}
	for _, c := range n.cells {
		sum := judged(c.wide(), c.class, unmarked)
		if group := Group(c.row); sum != (Counts{}) && (group == C || group == All) {
			out.Groups[group.String()][c.class.String()] = Quad(sum)
		}
	}
	out.Scores = n.savedScores(unmarked)
	for _, t := range n.types {
		if sum := judgedType(t.name, t.wide(), unmarked); sum != (Counts{}) {
			out.Types[t.name] = Quad(sum)
		}
	}
	return out
}

// savedScores sums up the classes of the primary scores.
func (n *noteCounts) savedScores(unmarked []Class) map[string]Quad {
	out := map[string]Quad{}
	for _, p := range PrimaryScores {
		row, _ := trackRow(p.Track, p.Way)
		var sum Counts
		for _, c := range n.cells {
			if c.row == row {
				sum.Add(judged(c.wide(), c.class, unmarked))
			}
		}
		if sum != (Counts{}) {
			out[p.String()] = Quad(sum)
		}
	}
	return out
}

// judged drops false alarms of a class that the gold does not mark.
func judged(n Counts, class Class, unmarked []Class) Counts {
	if slices.Contains(unmarked, class) {
		n.Predicted, n.False = n.Predicted-n.False, 0
	}
	return n
}

// judgedType drops the false alarms of a type whose class the gold does not mark.
func judgedType(name string, n Counts, unmarked []Class) Counts {
	t, err := phi.ParseType(name)
	if err != nil {
		return n
	}
	if class, ok := ClassOf(t); ok {
		return judged(n, class, unmarked)
	}
	return n
}
