package onnx

import (
	"errors"
	"fmt"
	"math"
)

// chainConfig is the block "crf" of a network whose last layer scores whole sequences
// of labels ("label sequence optimization" of Dernoncourt et al. 2017, the CRF of
// BLSTM-CNNs-CRF): what a sequence gets for the steps from each label to the next, and
// for its first and last label. The network's logits are then no log-probabilities of
// single words but what each label adds to the sequence's score.
type chainConfig struct {
	Transitions [][]float64 `json:"transitions"` // [labels][labels], from a label to the next
	Start       []float64   `json:"start"`       // [labels]
	End         []float64   `json:"end"`         // [labels]
}

// largestStep bounds what the block may hold. Trainers write -10,000 for a step that
// can't be; what is beyond it is damage.
const largestStep = 10_000

// maxLabels bounds the memory and the time that a sequence takes.
const maxLabels = 1024

func (c *chainConfig) validate(labels int) error {
	if labels > maxLabels {
		return fmt.Errorf("config.json: crf with %d labels, want %d at most", labels, maxLabels)
	}
	if len(c.Transitions) != labels {
		return fmt.Errorf("config.json: crf.transitions has %d rows for %d labels", len(c.Transitions), labels)
	}
	for i, row := range c.Transitions {
		if err := checkSteps(fmt.Sprintf("transitions[%d]", i), row, labels); err != nil {
			return err
		}
	}
	return errors.Join(checkSteps("start", c.Start, labels), checkSteps("end", c.End, labels))
}

func checkSteps(name string, row []float64, labels int) error {
	if len(row) != labels {
		return fmt.Errorf("config.json: crf.%s has %d numbers for %d labels", name, len(row), labels)
	}
	for i, x := range row {
		if !(math.Abs(x) <= largestStep) {
			return fmt.Errorf("config.json: crf.%s: number %d is %g, want %d to %d", name, i, x, -largestStep, largestStep)
		}
	}
	return nil
}

// chain finds the most probable sequence of labels, and how probable each label of each
// word is over all sequences. It is safe for several goroutines.
type chain struct {
	labels     int
	steps      []float64 // [from*labels+to]
	start, end []float64
	odds       []float64 // exp of steps, less the largest of them
}

// newChain takes a block that was validated.
func newChain(c *chainConfig) *chain {
	ch := &chain{labels: len(c.Start), start: c.Start, end: c.End}
	top := math.Inf(-1)
	for _, row := range c.Transitions {
		ch.steps = append(ch.steps, row...)
		for _, x := range row {
			top = max(top, x)
		}
	}
	ch.odds = make([]float64, len(ch.steps))
	for i, x := range ch.steps {
		ch.odds[i] = math.Exp(x - top)
	}
	return ch
}

// chainScratch are the buffers that a chain works in.
type chainScratch struct {
	forward []float64 // [words*labels]
	weights []float64 // [words*labels]
	a, b    []float64 // [labels]
	back    []uint16  // [words*labels]
	path    []int     // [words]
}

var errChain = errors.New("the scores of the network's labels are too far apart for sequences of them to be compared")
