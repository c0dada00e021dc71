//go:build native

package onnx

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync/atomic"

	ort "github.com/yalue/onnxruntime_go"
)

// network is a session of ONNX Runtime, shared by all runners, and knows how to fill
// its inputs.
type network struct {
	session *ort.DynamicAdvancedSession
	inputs  []*input // in the order in which they are given
	labels  int
	solo    bool // one window a batch

	batches, cells, padding atomic.Uint64
	running                 atomic.Int64 // nanoseconds of cores in the graph
}

// newNetwork reads a graph. Its inputs have to be known ones; wanted are those that
// must be there.
func newNetwork(graph []byte, known map[string]*input, wanted []string, labels int) (*network, error) {
	inputs, outputs, err := ort.GetInputOutputInfoWithONNXData(graph)
	if err != nil {
		return nil, fmt.Errorf("model.onnx: %w (weights in a file of their own are not supported: export it as one file)", err)
	}
	n := &network{labels: labels}
	names, err := n.takeInputs(inputs, known, wanted)
	if err != nil {
		return nil, err
	}
	output, err := logitsOf(outputs, labels)
	if err != nil {
		return nil, err
	}
	// Dynamic quantisation takes the scale of its numbers from all windows of a batch,
	// which would make a sentence's answer depend on its neighbours in it.
	n.solo = bytes.Contains(graph, []byte("DynamicQuantize"))
	n.session, err = newSession(graph, names, output)
	return n, err
}

// takeInputs returns the names of the graph's inputs.
func (n *network) takeInputs(inputs []ort.InputOutputInfo, known map[string]*input, wanted []string) ([]string, error) {
	var names []string
	for _, in := range inputs {
		switch {
		case known[in.Name] == nil:
			return nil, fmt.Errorf("model.onnx: unknown input %q: it may have %v", in.Name, slices.Sorted(maps.Keys(known)))
		case in.DataType != ort.TensorElementDataTypeInt64:
			return nil, fmt.Errorf("model.onnx: input %q is %v, want int64", in.Name, in.DataType)
		}
		names = append(names, in.Name)
		n.inputs = append(n.inputs, known[in.Name])
	}
	for _, name := range wanted {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("model.onnx: no input %q", name)
		}
	}
	return names, nil
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
	e, longest, cells := extentOf(batch), 0, 0
	for _, j := range batch {
		longest = max(longest, j.length)
		cells += j.length
	}
	var values []ort.Value
	defer func() {
		for _, v := range values {
			err = errors.Join(err, v.Destroy())
		}
	}()
	s.inputs = slices.Grow(s.inputs[:0], len(n.inputs))[:len(n.inputs)]
	for i, in := range n.inputs {
		s.inputs[i] = in.batch(s.inputs[i], batch, e, s)
		tensor, err := ort.NewTensor(ort.NewShape(in.shape(e)...), s.inputs[i])
		if err != nil {
			return 0, err
		}
		values = append(values, tensor)
	}
	s.logits = zeroed(s.logits, len(batch)*e.rows*n.labels)
	output, err := ort.NewTensor(ort.NewShape(int64(len(batch)), int64(e.rows), int64(n.labels)), s.logits)
	if err != nil {
		return 0, err
	}
	values = append(values, output)
	n.running.Add(int64(threadTime(func() { err = n.session.Run(values[:len(n.inputs)], values[len(n.inputs):]) })))
	runtime.KeepAlive(s) // the tensors point into its slices
	n.batches.Add(1)
	n.cells.Add(uint64(longest * len(batch)))         // #nosec G115 -- not negative
	n.padding.Add(uint64(longest*len(batch) - cells)) // #nosec G115 -- not negative
	return e.rows * n.labels, err
}
