//go:build native

package onnx

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
	"testing/fstest"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/features"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// labelPatient is B-PATIENT in the folders of the tests.
const labelPatient = 1

// knownGraph returns a network that reads words, their wordpieces and features. A word gets
// label labels[i] of its first wordpiece i; where the record has a name it is a patient.
func knownGraph(labels []int, width, words, chars, wordChars int) []byte {
	rng := rand.New(rand.NewPCG(13, 17))
	g := &graph{}
	g.input("chars", "batch", "length", wordChars)
	g.input("words", "batch", "length")
	g.input("gaps", "batch", "length")
	g.input("features", "batch", "length", features.NumColumns)
	g.input("pieces", "batch", "pieces")
	g.input("begins", "batch", "length")
	g.ints("third", 2)
	sum := func(table, ids, out string) {
		g.node("Gather", []string{table, ids}, []string{out + "_all"})
		g.node("ReduceSum", []string{out + "_all", "third"}, []string{out}, intAttribute("keepdims", 0))
	}
	letters := random(rng, chars*width, 0.01)
	clear(letters[:width]) // padding
	g.floats("letters", letters, chars, width)
	sum("letters", "chars", "spelling")
	g.floats("embedding", random(rng, words*width, 0.05), words, width)
	g.node("Gather", []string{"embedding", "words"}, []string{"word"})
	g.floats("spaces", random(rng, 3*width, 0.05), 3, width)
	g.node("Gather", []string{"spaces", "gaps"}, []string{"space"})
	known := random(rng, (int(features.ColumnOffsets[features.NumColumns-1])+16)*width, 0.01)
	known[1*width+labelPatient] += 12 // column 0, value 1
	g.floats("known", known, len(known)/width, width)
	sum("known", "features", "knowledge")
	g.node("GatherElements", []string{"pieces", "begins"}, []string{"firsts"}, intAttribute("axis", 1))
	g.floats("vocabulary", planted(rng, labels, width), len(labels), width)
	g.node("Gather", []string{"vocabulary", "firsts"}, []string{"piece"})
	g.node("Sum", []string{"spelling", "word", "space", "knowledge", "piece"}, []string{"logits"})
	g.output("logits", "batch", "length", width)
	return g.model()
}

// knownFolder makes a model that reads windows of the given size, or sentences if it is 0,
// with features and wordpieces.
func knownFolder(t testing.TB, window int) fstest.MapFS {
	t.Helper()
	pieces, words := pieceFolder(t, schemes[0], pieceOptions{}), wordFolder(t)
	var config map[string]any
	if err := json.Unmarshal(words["config.json"].Data, &config); err != nil {
		t.Fatal(err)
	}
	block := config["pgdeid"].(map[string]any)
	block["features"], block["window"] = features.NumColumns, window
	block["pieces"] = map[string]int{"most": 6, "cls": 2, "sep": 3, "unknown": 1}
	labels := schemes[0].labels(testTypes)
	_, classes := testPieces(labels, schemes[0])
	return fstest.MapFS{
		"model.onnx":     {Data: knownGraph(classes, len(labels), len(testWords)+2, len(testChars)+5, 20)},
		"config.json":    {Data: toJSON(t, config)},
		"words.txt":      words["words.txt"],
		"tokenizer.json": pieces["tokenizer.json"],
	}
}

// windowFolder makes a model with a character front that reads windows of notes.
func windowFolder(t testing.TB, window int) fstest.MapFS {
	t.Helper()
	folder := wordFolder(t)
	var config map[string]any
	if err := json.Unmarshal(folder["config.json"].Data, &config); err != nil {
		t.Fatal(err)
	}
	config["pgdeid"].(map[string]any)["window"] = window
	folder["config.json"] = &fstest.MapFile{Data: toJSON(t, config)}
	return folder
}

// foundIn lists what a detector finds in a note, as "TYPE:text".
func foundIn(t testing.TB, d ensemble.Detector, note *ensemble.Note) []string {
	t.Helper()
	spans, err := d.Detect(t.Context(), note, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, s := range spans {
		out = append(out, s.Type.String()+":"+note.Text[s.Start:s.End])
	}
	return out
}

// recordOf is what is known of a note in which the record has a name at [start, end).
func recordOf(start, end int) *ensemble.Known {
	return &ensemble.Known{Record: []phi.Span{{Start: start, End: end, Type: phi.Patient}}}
}
