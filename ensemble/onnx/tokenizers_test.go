//go:build native

package onnx

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
)

// byteAlphabet are the characters that byte-level tokenizers write bytes as: printable
// ones for themselves, the others from U+0100 on (Radford et al. 2019).
func byteAlphabet() []string {
	out := make([]string, 256)
	next := rune(256)
	for b := range out {
		if b >= '!' && b <= '~' || b >= 0xa1 && b <= 0xac || b >= 0xae {
			out[b] = string(rune(b))
			continue
		}
		out[b] = string(next)
		next++
	}
	return out
}

// byteLevelFolder makes a model with the tokenizer of RoBERTa, which knows every byte
// and one name.
func byteLevelFolder(t testing.TB) fstest.MapFS {
	t.Helper()
	pieces := append([]string{"<s>", "<pad>", "</s>", "<unk>"}, byteAlphabet()...)
	pieces = append(pieces, "An", "Ann", "ĠAnn")
	vocabulary, classes := map[string]int{}, make([]int, len(pieces))
	for i, p := range pieces {
		vocabulary[p] = i
		if strings.HasSuffix(p, "Ann") {
			classes[i] = 1
		}
	}
	special := func(id int, content string) map[string]any {
		return map[string]any{
			"id": id, "content": content, "special": true, "single_word": false,
			"lstrip": false, "rstrip": false, "normalized": false,
		}
	}
	bytes := map[string]any{"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true}
	tokenizer := map[string]any{
		"version": "1.0", "truncation": nil, "padding": nil, "normalizer": nil, "pre_tokenizer": bytes, "decoder": bytes,
		"added_tokens": []any{special(0, "<s>"), special(1, "<pad>"), special(2, "</s>"), special(3, "<unk>")},
		"post_processor": map[string]any{
			"type": "RobertaProcessing", "sep": []any{"</s>", 2}, "cls": []any{"<s>", 0}, "trim_offsets": true,
			"add_prefix_space": false,
		},
		"model": map[string]any{
			"type": "BPE", "vocab": vocabulary, "merges": []string{"A n", "An n", "Ġ Ann"}, "dropout": nil,
			"unk_token": nil, "continuing_subword_prefix": "", "end_of_word_suffix": "", "fuse_unk": false,
		},
	}
	labels := map[string]string{"0": "O", "1": "B-PATIENT", "2": "I-PATIENT"}
	return fstest.MapFS{
		"model.onnx": {Data: pieceGraph(classes, len(labels), false, false)},
		"config.json": {Data: toJSON(t, map[string]any{
			"model_type": "roberta", "id2label": labels, "pad_token_id": 1,
			"max_position_embeddings": 514,
		})},
		"tokenizer.json": {Data: toJSON(t, tokenizer)},
	}
}

// metaspaceFolder makes a model with the tokenizer of SentencePiece models (XLM-RoBERTa,
// DeBERTa), for which a blank is the first character of a word.
func metaspaceFolder(t testing.TB) fstest.MapFS {
	t.Helper()
	vocabulary := []any{
		[]any{"<s>", 0.0},
		[]any{"<pad>", 0.0},
		[]any{"</s>", 0.0},
		[]any{"<unk>", 0.0},
		[]any{"▁", -3.0},
		[]any{"▁Ann", -1.0},
		[]any{"Ann", -2.0},
	}
	for r := 'a'; r <= 'z'; r++ {
		vocabulary = append(vocabulary, []any{string(r), -4.0})
	}
	classes := make([]int, len(vocabulary))
	classes[5], classes[6] = 1, 1
	tokenizer := map[string]any{
		"version": "1.0", "truncation": nil, "padding": nil, "added_tokens": []any{}, "decoder": nil,
		"normalizer":    map[string]any{"type": "NFKC"},
		"pre_tokenizer": map[string]any{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true},
		"post_processor": map[string]any{
			"type": "TemplateProcessing",
			"single": []any{
				map[string]any{"SpecialToken": map[string]any{"id": "<s>", "type_id": 0}},
				map[string]any{"Sequence": map[string]any{"id": "A", "type_id": 0}},
				map[string]any{"SpecialToken": map[string]any{"id": "</s>", "type_id": 0}},
			},
			"pair": []any{
				map[string]any{"Sequence": map[string]any{"id": "A", "type_id": 0}},
				map[string]any{"Sequence": map[string]any{"id": "B", "type_id": 1}},
			},
			"special_tokens": map[string]any{
				"<s>":  map[string]any{"id": "<s>", "ids": []int{0}, "tokens": []string{"<s>"}},
				"</s>": map[string]any{"id": "</s>", "ids": []int{2}, "tokens": []string{"</s>"}},
			},
		},
		"model": map[string]any{"type": "Unigram", "unk_id": 3, "vocab": vocabulary, "byte_fallback": false},
	}
	labels := map[string]string{"0": "O", "1": "B-PATIENT", "2": "I-PATIENT"}
	return fstest.MapFS{
		"model.onnx":     {Data: pieceGraph(classes, len(labels), false, false)},
		"config.json":    {Data: toJSON(t, map[string]any{"model_type": "xlm-roberta", "id2label": labels, "pad_token_id": 1})},
		"tokenizer.json": {Data: toJSON(t, tokenizer)},
	}
}

func TestOtherTokenizers(t *testing.T) {
	r := openForTest(t)
	texts := map[string]string{
		"plain": "seen by Ann.", "at the start": "Ann seen", "after an emoji": "👩‍⚕️😀 Ann 😀", "without gap": "😀Ann🏥",
		"right to left": "المريض \u202bשלום\u202c Ann", "combining": "Zoe\u0308 e\u0301 Ann", "full width": "４１１１ ａ Ann",
		"lines":   "seen\n\tby\r\nAnn",
		"control": "a\x01\x7f\u200b \ufffd Ann", "marks": "(Ann)", "token 10,000": strings.Repeat("seen by the ", 3333) + "Ann",
		"no blanks": strings.Repeat("seen.", 10_000) + "Ann", "a long word": strings.Repeat("long", 5000) + " Ann", "script": "李小龙 Ann ६",
	}
	for kind, folder := range map[string]fstest.MapFS{"byte level": byteLevelFolder(t), "metaspace": metaspaceFolder(t)} {
		d := newMember(t, load(t, r, folder), MemberOptions{})
		for name, text := range texts {
			t.Run(kind+" "+name, func(t *testing.T) {
				if got := found(t, d, text); !slices.Equal(got, []string{"PATIENT:Ann"}) {
					t.Errorf("found %q", got)
				}
			})
		}
	}
}

func TestOtherTokenizersConform(t *testing.T) {
	r := openForTest(t)
	t.Run("byte level", func(t *testing.T) {
		ensembletest.Conform(t, newMember(t, load(t, r, byteLevelFolder(t)), MemberOptions{}))
	})
	t.Run("metaspace", func(t *testing.T) {
		ensembletest.Conform(t, newMember(t, load(t, r, metaspaceFolder(t)), MemberOptions{}))
	})
}
