//go:build native

package onnx

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"

	ort "github.com/yalue/onnxruntime_go"
)

// network is a session of ONNX Runtime, shared by all runners, and knows how to fill
// its inputs.
type network struct {
	session *ort.DynamicAdvancedSession
	inputs  []string // names, in the order in which they are given
	fill    func(dst []int64, input string, batch []*job, length int, s *scratch)
	depth   func(input string) int // numbers of an input for each position
	labels  int
	solo    bool // one window a batch

	batches, cells, padding atomic.Uint64
}

// newNetwork reads a graph. Its inputs have to be known ones; wanted are those that
// must be there.
func newNetwork(graph []byte, known, wanted []string, labels int) (*network, error) {
	inputs, outputs, err := ort.GetInputOutputInfoWithONNXData(graph)
	if err != nil {
		return nil, fmt.Errorf("model.onnx: %w (weights in a file of their own are not supported: export it as one file)", err)
	}
	n := &network{labels: labels, depth: func(string) int { return 1 }}
	if err := n.takeInputs(inputs, known, wanted); err != nil {
		return nil, err
	}
	output, err := logitsOf(outputs, labels)
	if err != nil {
		return nil, err
	}
	// Dynamic quantisation takes the scale of its numbers from all windows of a batch,
	// which would make a sentence's answer depend on its neighbours in it.
	n.solo = bytes.Contains(graph, []byte("DynamicQuantize"))
	n.session, err = newSession(graph, n.inputs, output)
	return n, err
}

func (n *network) takeInputs(inputs []ort.InputOutputInfo, known, wanted []string) error {
	for _, in := range inputs {
		switch {
		case !slices.Contains(known, in.Name):
			return fmt.Errorf("model.onnx: unknown input %q: it may have %v", in.Name, known)
		case in.DataType != ort.TensorElementDataTypeInt64:
			return fmt.Errorf("model.onnx: input %q is %v, want int64", in.Name, in.DataType)
		}
		n.inputs = append(n.inputs, in.Name)
	}
	for _, name := range wanted {
		if !slices.Contains(n.inputs, name) {
			return fmt.Errorf("model.onnx: no input %q", name)
		}
	}
	return nil
}

// logitsOf finds the output [batch, positions, labels] of floats.
func logitsOf(outputs []ort.InputOutputInfo, labels int) (string, error) {
	for _, out := range outputs {
		if out.DataType != ort.TensorElementDataTypeFloat || len(out.Dimensions) != 3 {
			continue
		}
		if last := out.Dimensions[2]; last > 0 && last != int64(labels) {
			return "", fmt.Errorf("model.onnx: output %q has %d labels, config.json has %d", out.Name, last, labels)
		}
		return out.Name, nil
	}
	return "", errors.New("model.onnx: no output of float32 with three dimensions: it is no token classifier")
}

func newSession(graph []byte, inputs []string, output string) (_ *ort.DynamicAdvancedSession, err error) {
	opts, err := ort.NewSessionOptions()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, opts.Destroy()) }()
	// One thread a call and a call a core: faster than calls with several threads.
	err = errors.Join(opts.SetIntraOpNumThreads(1), opts.SetInterOpNumThreads(1),
		opts.SetGraphOptimizationLevel(ort.GraphOptimizationLevelEnableAll))
	if err != nil {
		return nil, err
	}
	session, err := ort.NewDynamicAdvancedSessionWithONNXData(graph, inputs, []string{output}, opts)
	if err != nil {
		return nil, fmt.Errorf("model.onnx: %w", err)
	}
	return session, nil
}

func (n *network) limit() int {
	if n.solo {
		return 1
	}
	return maxBatch
}

func (n *network) width() int { return n.labels }

// run implements runner.
func (n *network) run(batch []*job, s *scratch) (stride int, err error) {
	length, cells := 0, 0
	for _, j := range batch {
		length = max(length, j.length)
		cells += j.length
	}
	total := len(batch) * length
	var values []ort.Value
	defer func() {
		for _, v := range values {
			err = errors.Join(err, v.Destroy())
		}
	}()
	for i, name := range n.inputs {
		shape := ort.NewShape(int64(len(batch)), int64(length))
		if depth := n.depth(name); depth > 1 {
			shape = append(shape, int64(depth))
		}
		s.inputs[i] = zeroed(s.inputs[i], int(shape.FlattenedSize()))
		n.fill(s.inputs[i], name, batch, length, s)
		tensor, err := ort.NewTensor(shape, s.inputs[i])
		if err != nil {
			return 0, err
		}
		values = append(values, tensor)
	}
	s.logits = zeroed(s.logits, total*n.labels)
	output, err := ort.NewTensor(ort.NewShape(int64(len(batch)), int64(length), int64(n.labels)), s.logits)
	if err != nil {
		return 0, err
	}
	values = append(values, output)
	err = n.session.Run(values[:len(n.inputs)], values[len(n.inputs):])
	runtime.KeepAlive(s) // the tensors point into its slices
	n.batches.Add(1)
	n.cells.Add(uint64(total))           // #nosec G115 -- not negative
	n.padding.Add(uint64(total - cells)) // #nosec G115 -- not negative
	return length * n.labels, err
}

// fillWords fills the inputs of a network with a character front.
func fillWords(v *vocabulary) func([]int64, string, []*job, int, *scratch) {
	return func(dst []int64, input string, batch []*job, length int, s *scratch) {
		for b, j := range batch {
			for i, u := range j.units {
				at := b*length + i
				switch input {
				case "chars":
					v.fillChars(dst[at*v.wordChars:(at+1)*v.wordChars], u.text)
				case "words":
					dst[at] = v.word(u.text, &s.word)
				case "gaps":
					dst[at] = int64(u.gap)
				}
			}
		}
	}
}

// fillPieces fills the inputs of a wordpiece network.
func fillPieces(pad int64) func([]int64, string, []*job, int, *scratch) {
	return func(dst []int64, input string, batch []*job, length int, _ *scratch) {
		for b, j := range batch {
			row := dst[b*length : (b+1)*length]
			switch input {
			case "input_ids":
				for i := range row {
					row[i] = pad
				}
				for i, id := range j.ids {
					row[i] = int64(id)
				}
			case "attention_mask":
				for i := range j.ids {
					row[i] = 1
				}
			} // token_type_ids: all 0, there is one sentence
		}
	}
}
