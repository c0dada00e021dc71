package models

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Key identifies a figure; figures with the same key are comparable.
type Key struct {
	Set        string `json:"set"`
	Class      string `json:"class"`
	Type       string `json:"type,omitempty"`
	Group      string `json:"group,omitempty"`
	Normalised bool   `json:"normalised,omitempty"`
}

// Key returns the figure's key.
func (f *Figure) Key() Key { return Key{f.Set, f.Class, f.Type, f.Group, f.Normalised} }

// Of describes in words what a figure measures: "NAME (normalised), PATIENT, hispanic".
func (k Key) Of() string {
	text := k.Class
	if k.Normalised {
		text += " (normalised)"
	}
	for _, part := range []string{k.Type, k.Group} {
		if part != "" {
			text += ", " + part
		}
	}
	return text
}

// Whole reports whether a figure is of a whole class.
func (k Key) Whole() bool { return k.Type == "" && k.Group == "" }

// Of describes in words what the figure measures.
func (f *Figure) Of() string { return f.Key().Of() }

// Own returns the figures of the network that is in model.onnx.
func (c *Card) Own() []Figure {
	var own []Figure
	for _, f := range c.Figures {
		if f.Quantised == c.Quantised {
			own = append(own, f)
		}
	}
	return own
}

// found returns how many of the gold words were found, and how many words were marked.
func (f *Figure) found() (right, marked float64) {
	right = f.Recall * float64(f.Gold)
	if f.Precision > 0 {
		marked = right / f.Precision
	}
	return right, marked
}

// RecallInterval returns the 95 % interval that the card gives, or Wilson's.
func (f *Figure) RecallInterval() [2]float64 {
	if f.RecallCI != nil {
		return *f.RecallCI
	}
	right, _ := f.found()
	return wilson(right, float64(f.Gold))
}

// PrecisionInterval returns the 95 % interval that the card gives, or Wilson's.
func (f *Figure) PrecisionInterval() [2]float64 {
	if f.PrecisionCI != nil {
		return *f.PrecisionCI
	}
	right, marked := f.found()
	return wilson(right, marked)
}

// wilson returns the 95 % score interval of a share (Wilson, J. Am. Stat. Assoc. 22,
// 1927): unlike the normal approximation it holds near 1, where recall is.
func wilson(right, n float64) [2]float64 {
	if n <= 0 {
		return [2]float64{0, 1}
	}
	const z = 1.959964
	p := min(right/n, 1)
	center := p + z*z/(2*n)
	half := z * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	scale := 1 + z*z/n
	return [2]float64{max(0, (center-half)/scale), min(1, (center+half)/scale)}
}

// DataLine describes what the model was trained on.
func (c *Card) DataLine() string {
	if len(c.Data) == 0 {
		return "data unknown"
	}
	var sum int64
	names := make([]string, len(c.Data))
	for i, d := range c.Data {
		sum += d.Sentences
		names[i] = d.Source
	}
	return fmt.Sprintf("%d sentences of %s", sum, strings.Join(names, ", "))
}

// SpeedLine describes how fast the model is.
func (c *Card) SpeedLine() string {
	if len(c.Speed) == 0 {
		return "speed not measured"
	}
	var parts []string
	for _, on := range slices.Sorted(maps.Keys(c.Speed)) {
		parts = append(parts, fmt.Sprintf("%.0f sentences/s (%s)", c.Speed[on], on))
	}
	return strings.Join(parts, ", ")
}
