//go:build native

package onnx

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/pgdeid/pgdeid/ensemble"
)

// Words that the test models know, and the entity each is (or begins) in them.
var testWords = map[string]string{
	"Ann": "PATIENT", "Moss": "PATIENT", "Wibberley": "DOCTOR", "Quillburg": "CITY", "Mercy": "HOSPITAL",
	"seen": "", "by": "", "Dr": "", "in": "", "the": "", "clinic": "", ".": "", ",": "", "and": "",
}

// following are wordpieces that go on a word.
var following = map[string]string{"##by": "PATIENT", "##s": "", "##e": "", "##w": ""}

// scheme writes labels: of a type, for the first word or one that goes on.
type scheme struct {
	name   string
	labels func(types []string) []string
	of     func(label string, begins bool) string
}

func prefixed(name, sep string, prefixes ...string) scheme {
	return scheme{name, func(types []string) []string {
		out := []string{"O"}
		for _, t := range types {
			for _, p := range prefixes {
				out = append(out, p+sep+t)
			}
		}
		return out
	}, func(label string, begins bool) string {
		if begins {
			return prefixes[0] + sep + label
		}
		return "I" + sep + label
	}}
}

var schemes = []scheme{
	prefixed("BIO", "-", "B", "I"),
	prefixed("BIO with underscores", "_", "B", "I"),
	prefixed("BIOES", "-", "S", "B", "I", "E"),
	prefixed("BILOU", "-", "U", "B", "I", "L"),
	prefixed("IOB1", "-", "I", "B"),
	{"plain", func(types []string) []string { return append([]string{"O"}, types...) }, func(label string, _ bool) string { return label }},
	{
		"lower case",
		func(types []string) []string {
			out := []string{"o"}
			for _, t := range types {
				out = append(out, "b-"+strings.ToLower(t), "i-"+strings.ToLower(t))
			}
			return out
		},
		func(label string, begins bool) string {
			if begins {
				return "b-" + strings.ToLower(label)
			}
			return "i-" + strings.ToLower(label)
		},
	},
}

var testTypes = []string{"PATIENT", "DOCTOR", "CITY", "HOSPITAL"}

// toJSON encodes what can't fail.
func toJSON(t testing.TB, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func id2label(labels []string) map[string]string {
	out := map[string]string{}
	for i, l := range labels {
		out[fmt.Sprint(i)] = l
	}
	return out
}

type pieceOptions struct {
	typeIDs, quantized bool
}

// testPieces lists the wordpieces of the tests, and the label of each.
func testPieces(labels []string, s scheme) (pieces []string, classes []int) {
	pieces, classes = []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]"}, []int{0, 0, 0, 0}
	for _, table := range []map[string]string{testWords, following} {
		for _, w := range slices.Sorted(maps.Keys(table)) {
			class := 0
			if table[w] != "" {
				class = slices.Index(labels, s.of(table[w], !strings.HasPrefix(w, "##")))
			}
			pieces, classes = append(pieces, w), append(classes, class)
		}
	}
	return pieces, classes
}

// pieceFolder makes a model in the layout of Hugging Face, with WordPiece.
func pieceFolder(t testing.TB, s scheme, opts pieceOptions) fstest.MapFS {
	t.Helper()
	labels := s.labels(testTypes)
	pieces, classes := testPieces(labels, s)
	vocabulary := map[string]int{}
	for i, p := range pieces {
		vocabulary[p] = i
	}
	special := func(id int, content string) map[string]any {
		return map[string]any{
			"id": id, "content": content, "special": true, "single_word": false,
			"lstrip": false, "rstrip": false, "normalized": false,
		}
	}
	tokenizer := map[string]any{
		"version": "1.0",
		// As exports have it; texts must not be cut off at it.
		"truncation": map[string]any{"direction": "Right", "max_length": 16, "strategy": "LongestFirst", "stride": 0},
		"padding": map[string]any{
			"strategy": map[string]any{"Fixed": 16}, "direction": "Right", "pad_to_multiple_of": nil, "pad_id": 0,
			"pad_type_id": 0, "pad_token": "[PAD]",
		},
		"added_tokens": []any{special(0, "[PAD]"), special(1, "[UNK]"), special(2, "[CLS]"), special(3, "[SEP]")},
		"normalizer": map[string]any{
			"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": true,
			"lowercase": false,
		},
		"pre_tokenizer":  map[string]any{"type": "BertPreTokenizer"},
		"post_processor": map[string]any{"type": "BertProcessing", "cls": []any{"[CLS]", 2}, "sep": []any{"[SEP]", 3}},
		"decoder":        nil,
		"model": map[string]any{
			"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
			"max_input_chars_per_word": 100, "vocab": vocabulary,
		},
	}
	return fstest.MapFS{
		"model.onnx": {Data: pieceGraph(classes, len(labels), opts.typeIDs, opts.quantized)},
		"config.json": {Data: toJSON(t, map[string]any{
			"model_type": "bert", "id2label": id2label(labels), "pad_token_id": 0,
			"max_position_embeddings": 512,
		})},
		"tokenizer.json": {Data: toJSON(t, tokenizer)},
	}
}

const testChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.,-'"

// wordFolder makes a model with a character front.
func wordFolder(t testing.TB) fstest.MapFS {
	t.Helper()
	s := schemes[0]
	labels := s.labels(testTypes)
	var list []string
	classes := []int{0, 0}
	for _, w := range slices.Sorted(maps.Keys(testWords)) {
		class := 0
		if testWords[w] != "" {
			class = slices.Index(labels, s.of(testWords[w], true))
		}
		list, classes = append(list, strings.ToLower(w)), append(classes, class)
	}
	block := map[string]any{"chars": testChars, "word_chars": 20, "max_words": 256, "digits": "0"}
	config := map[string]any{"model_type": "pgdeid-words", "id2label": id2label(labels), "pgdeid": block}
	return fstest.MapFS{
		"model.onnx":  {Data: wordGraph(classes, len(labels), len(testChars)+5, 20)},
		"config.json": {Data: toJSON(t, config)},
		"words.txt":   {Data: []byte(strings.Join(list, "\n") + "\n")},
	}
}

func sums(folder fstest.MapFS) map[string]string {
	out := map[string]string{}
	for name, file := range folder {
		sum := sha256.Sum256(file.Data)
		out[name] = hex.EncodeToString(sum[:])
	}
	return out
}

func load(t testing.TB, r *Runtime, folder fstest.MapFS) *Model {
	t.Helper()
	m, err := r.Load("test", folder, ModelOptions{Sums: sums(folder)})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func newMember(t testing.TB, m *Model, opts MemberOptions) ensemble.Detector {
	t.Helper()
	d, err := m.Member(opts)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// found lists what a detector finds, as "TYPE:text".
func found(t testing.TB, d ensemble.Detector, text string) []string {
	t.Helper()
	spans, err := d.Detect(t.Context(), &ensemble.Note{Text: text}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, s := range spans {
		out = append(out, s.Type.String()+":"+text[s.Start:s.End])
	}
	return out
}
