package eval

import (
	"encoding/json"
	"fmt"
	"slices"
)

// noteCounts are what one document adds: what a bootstrap draws.
type noteCounts struct {
	bytes int
	words [numGroups][numClasses]counts32
	types []typeNote // words of group All by gold label or predicted type
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

// note narrows down what a document of a length adds.
func (t *tally) note(bytes int) noteCounts {
	n := noteCounts{bytes: bytes}
	for g := range t.words {
		for c := range t.words[g] {
			n.words[g][c] = narrow(t.words[g][c])
		}
	}
	for name, c := range t.types {
		n.types = append(n.types, typeNote{name, narrow(c.counts())})
	}
	return n
}

// Note is what a saved result keeps of a document, so that two runs over the same
// documents can be compared: numbers, no text and no id.
type Note struct {
	Bytes  int                        `json:"bytes"`
	Groups map[string]map[string]Quad `json:"words"` // group "C" or "all", class
	Types  map[string]Quad            `json:"types"` // group all: gold label or predicted type
}

// Quad is Counts as an array: gold, found, predicted, false.
type Quad Counts

// MarshalJSON writes [gold,found,predicted,false].
func (q Quad) MarshalJSON() ([]byte, error) {
	return json.Marshal([4]int{q.Gold, q.Found, q.Predicted, q.False})
}

// UnmarshalJSON is the inverse.
func (q *Quad) UnmarshalJSON(raw []byte) error {
	var a []int
	if err := json.Unmarshal(raw, &a); err != nil || len(a) != 4 {
		return fmt.Errorf("counts of a note: want four numbers")
	}
	*q = Quad{a[0], a[1], a[2], a[3]}
	return nil
}

// saved returns the form of a document's counts in JSON. False alarms of classes that
// the gold does not mark are left out, as everywhere.
func (n *noteCounts) saved(unmarked []Class) Note {
	out := Note{Bytes: n.bytes, Groups: map[string]map[string]Quad{}, Types: map[string]Quad{}}
	for _, g := range []Group{C, All} {
		classes := map[string]Quad{}
		for c, counts := range n.words[g] {
			sum := judged(counts.wide(), Class(c), unmarked)
			if sum != (Counts{}) {
				classes[Class(c).String()] = Quad(sum)
			}
		}
		out.Groups[g.String()] = classes
	}
	for _, t := range n.types {
		if sum := judgedType(t.name, t.wide(), unmarked); sum != (Counts{}) {
			out.Types[t.name] = Quad(sum)
		}
	}
	return out
}

// judged takes out false alarms of a class that the gold does not mark.
func judged(n Counts, class Class, unmarked []Class) Counts {
	if slices.Contains(unmarked, class) {
		n.Predicted, n.False = n.Predicted-n.False, 0
	}
	return n
}
