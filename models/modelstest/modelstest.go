// Package modelstest makes tiny models for tests: real networks, which ONNX Runtime
// loads and runs, that know a handful of words.
package modelstest

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// field returns a length-delimited field of a protocol buffer.
func field(num uint64, parts ...[]byte) []byte {
	body := slices.Concat(parts...)
	out := binary.AppendUvarint(nil, num<<3|2)
	return append(binary.AppendUvarint(out, uint64(len(body))), body...)
}

// number returns a varint field of a protocol buffer.
func number(field, value uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(nil, field<<3), value)
}

func text(n uint64, s string) []byte { return field(n, []byte(s)) }

// tensor returns the name and type of a graph's input or output; the numbers here and
// below are those of onnx.proto.
func tensor(name string, kind uint64, dims ...any) []byte {
	var shape [][]byte
	for _, d := range dims {
		if n, ok := d.(int); ok {
			shape = append(shape, field(1, number(1, uint64(n)))) //nolint:gosec // sizes of a test
		} else {
			shape = append(shape, field(1, text(2, d.(string))))
		}
	}
	return slices.Concat(text(1, name), field(2, field(1, number(1, kind), field(2, shape...))))
}

// lookupNetwork returns a network with a character front that reads nothing but the
// words: its logits are the row of a table.
func lookupNetwork(table [][]float32, wordChars int) []byte {
	const float32Type, int64Type = 1, 7
	var raw []byte
	for _, row := range table {
		for _, v := range row {
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
		}
	}
	labels := len(table[0])
	graph := slices.Concat(
		field(1, text(1, "table"), text(1, "words"), text(2, "logits"), text(4, "Gather")),
		text(2, "lookup"),
		field(5, number(1, uint64(len(table))), number(1, uint64(labels)), number(2, float32Type), text(8, "table"), field(9, raw)),
		field(11, tensor("chars", int64Type, "B", "W", wordChars)),
		field(11, tensor("words", int64Type, "B", "W")),
		field(11, tensor("gaps", int64Type, "B", "W")),
		field(12, tensor("logits", float32Type, "B", "W", labels)),
	)
	return slices.Concat(number(1, 8), field(7, graph), field(8, text(1, ""), number(2, 13)))
}

// Make writes the folder of a model that takes some words, in lower case, for entities of
// a label: {"moss": "PATIENT"}. It has a parity.json and no card.
func Make(t testing.TB, folder string, entities map[string]string) {
	t.Helper()
	const wordChars = 4
	labels := []string{"O"}
	var words []string
	table := [][]float32{nil, nil} // padding, an unknown word
	for word, label := range entities {
		words = append(words, word)
		if !slices.Contains(labels, "B-"+label) {
			labels = append(labels, "B-"+label, "I-"+label)
		}
	}
	slices.Sort(words)
	for _, word := range words {
		row := make([]float32, len(labels))
		row[slices.Index(labels, "B-"+entities[word])] = 9
		table = append(table, row)
	}
	for i := range 2 {
		table[i] = make([]float32, len(labels))
		table[i][0] = 9
	}
	names := map[int]string{}
	for i, l := range labels {
		names[i] = l
	}
	write(t, filepath.Join(folder, "model.onnx"), lookupNetwork(table, wordChars))
	write(t, filepath.Join(folder, "words.txt"), []byte(strings.Join(words, "\n")+"\n"))
	writeJSON(t, filepath.Join(folder, "config.json"), map[string]any{
		"model_type": "pgdeid-words", "id2label": names,
		"pgdeid": map[string]any{"chars": "abcdefghijklmnopqrstuvwxyz", "word_chars": wordChars, "max_words": 256, "digits": "0"},
	})
	writeJSON(t, filepath.Join(folder, "parity.json"), []map[string]any{
		{"words": []string{"Of", words[0]}, "gaps": []int{2, 1}, "labels": []int{0, slices.Index(labels, "B-"+entities[words[0]])}},
	})
}

func write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func writeJSON(t testing.TB, path string, v any) {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, data)
}
