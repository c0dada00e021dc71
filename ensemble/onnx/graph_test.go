//go:build native

package onnx

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
)

// graph writes an ONNX model; the numbers of the fields are those of onnx.proto.
type graph struct {
	nodes, weights, inputs, outputs [][]byte
}

func textTensor(n uint64, s string) []byte { return field(n, []byte(s)) }

// Element types.
const (
	float32Type = 1
	int8Type    = 3
	int64Type   = 7
)

func (g *graph) node(op string, inputs []string, outputs []string, attributes ...[]byte) {
	var parts [][]byte
	for _, in := range inputs {
		parts = append(parts, textTensor(1, in))
	}
	for _, out := range outputs {
		parts = append(parts, textTensor(2, out))
	}
	parts = append(parts, textTensor(4, op))
	for _, a := range attributes {
		parts = append(parts, field(5, a))
	}
	g.nodes = append(g.nodes, field(1, parts...))
}

func intAttribute(name string, v uint64) []byte {
	return slices.Concat(textTensor(1, name), number(3, v), number(20, 2))
}

func (g *graph) tensor(name string, kind uint64, raw []byte, dims ...int) {
	var parts [][]byte
	for _, d := range dims {
		parts = append(parts, number(1, uint64(d)))
	}
	parts = append(parts, number(2, kind), textTensor(8, name), field(9, raw))
	g.weights = append(g.weights, field(5, parts...))
}

func (g *graph) floats(name string, data []float32, dims ...int) {
	var raw []byte
	for _, v := range data {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	g.tensor(name, float32Type, raw, dims...)
}

func (g *graph) ints(name string, data ...int64) {
	var raw []byte
	for _, v := range data {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(v))
	}
	g.tensor(name, int64Type, raw, len(data))
}

func value(name string, kind uint64, dims ...any) []byte {
	var shape [][]byte
	for _, d := range dims {
		switch d := d.(type) {
		case string:
			shape = append(shape, field(1, textTensor(2, d)))
		case int:
			shape = append(shape, field(1, number(1, uint64(d))))
		}
	}
	tensor := field(1, number(1, kind), field(2, shape...))
	return slices.Concat(textTensor(1, name), field(2, tensor))
}

func (g *graph) input(name string, dims ...any) {
	g.inputs = append(g.inputs, field(11, value(name, int64Type, dims...)))
}

func (g *graph) output(name string, dims ...any) {
	g.outputs = append(g.outputs, field(12, value(name, float32Type, dims...)))
}

func (g *graph) model() []byte {
	parts := slices.Concat(g.nodes, [][]byte{textTensor(2, "tagger")}, g.weights, g.inputs, g.outputs)
	return slices.Concat(number(1, 8), field(7, parts...), field(8, textTensor(1, ""), number(2, 13)))
}

// random returns n small weights.
func random(rng *rand.Rand, n int, size float32) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = (rng.Float32()*2 - 1) * size
	}
	return out
}

// planted returns a matrix [len(labels), width] of small random weights in which row i
// points to labels[i].
func planted(rng *rand.Rand, labels []int, width int) []float32 {
	out := random(rng, len(labels)*width, 0.1)
	for i, l := range labels {
		out[i*width+l] += 6
	}
	return out
}

// identity returns a matrix that is nearly one.
func identity(rng *rand.Rand, n int) []float32 {
	out := random(rng, n*n, 0.05)
	for i := range n {
		out[i*n+i]++
	}
	return out
}

// pieceGraph returns a wordpiece network: an embedding, a little of the mean of the
// sentence, a linear layer. Wordpiece i gets label labels[i].
func pieceGraph(labels []int, width int, typeIDs, quantized bool) []byte {
	rng := rand.New(rand.NewPCG(7, 11))
	g := &graph{}
	g.input("input_ids", "batch", "length")
	g.input("attention_mask", "batch", "length")
	g.floats("embedding", planted(rng, labels, width), len(labels), width)
	g.node("Gather", []string{"embedding", "input_ids"}, []string{"embedded"})
	x := "embedded"
	if typeIDs {
		g.input("token_type_ids", "batch", "length")
		g.floats("types", random(rng, 2*width, 0.1), 2, width)
		g.node("Gather", []string{"types", "token_type_ids"}, []string{"typed"})
		g.node("Add", []string{x, "typed"}, []string{"sum"})
		x = "sum"
	}
	g.ints("last", -1)
	g.ints("middle", 1)
	g.floats("little", []float32{0.05}, 1)
	g.node("Cast", []string{"attention_mask"}, []string{"weights"}, intAttribute("to", float32Type))
	g.node("Unsqueeze", []string{"weights", "last"}, []string{"column"})
	g.node("Mul", []string{x, "column"}, []string{"masked"})
	g.node("ReduceSum", []string{"masked", "middle"}, []string{"total"})
	g.node("ReduceSum", []string{"column", "middle"}, []string{"count"})
	g.node("Div", []string{"total", "count"}, []string{"mean"})
	g.node("Mul", []string{"mean", "little"}, []string{"context"})
	g.node("Add", []string{x, "context"}, []string{"hidden"})
	if quantized {
		g.quantized("hidden", width)
	} else {
		g.floats("linear", identity(rng, width), width, width)
		g.node("MatMul", []string{"hidden", "linear"}, []string{"product"})
	}
	g.floats("bias", random(rng, width, 0.1), width)
	g.node("Add", []string{"product", "bias"}, []string{"logits"})
	g.output("logits", "batch", "length", width)
	return g.model()
}

// quantized multiplies by an identity in eight bits, as onnxruntime's dynamic
// quantisation writes it.
func (g *graph) quantized(x string, width int) {
	raw := make([]byte, width*width)
	for i := range width {
		raw[i*width+i] = 64
	}
	g.tensor("linear", int8Type, raw, width, width)
	g.floats("scale", []float32{1.0 / 64}, 1)
	g.node("DynamicQuantizeLinear", []string{x}, []string{"q", "q_scale", "q_zero"})
	g.node("MatMulInteger", []string{"q", "linear", "q_zero"}, []string{"whole"})
	g.node("Cast", []string{"whole"}, []string{"float"}, intAttribute("to", float32Type))
	g.node("Mul", []string{"q_scale", "scale"}, []string{"both"})
	g.node("Mul", []string{"float", "both"}, []string{"product"})
}

// wordGraph returns a network with a character front: the sum of three embeddings and
// a linear layer. Word i gets label labels[i], and characters count a little.
func wordGraph(labels []int, width, chars, wordChars int) []byte {
	rng := rand.New(rand.NewPCG(3, 5))
	g := &graph{}
	g.input("chars", "batch", "length", wordChars)
	g.input("words", "batch", "length")
	g.input("gaps", "batch", "length")
	letters := random(rng, chars*width, 0.05)
	clear(letters[:width]) // padding
	g.floats("letters", letters, chars, width)
	g.floats("embedding", planted(rng, labels, width), len(labels), width)
	g.floats("spaces", random(rng, 3*width, 0.1), 3, width)
	g.ints("third", 2)
	g.node("Gather", []string{"letters", "chars"}, []string{"spelled"})
	g.node("ReduceSum", []string{"spelled", "third"}, []string{"spelling"}, intAttribute("keepdims", 0))
	g.node("Gather", []string{"embedding", "words"}, []string{"word"})
	g.node("Gather", []string{"spaces", "gaps"}, []string{"space"})
	g.node("Add", []string{"spelling", "word"}, []string{"a"})
	g.node("Add", []string{"a", "space"}, []string{"b"})
	g.floats("linear", identity(rng, width), width, width)
	g.node("MatMul", []string{"b", "linear"}, []string{"logits"})
	g.output("logits", "batch", "length", width)
	return g.model()
}
