package onnx

import (
	"slices"
	"strings"
	"testing"
)

func testVocabulary(t *testing.T) *vocabulary {
	t.Helper()
	v, err := newVocabulary(&wordsConfig{Chars: "abé1Z", WordChars: 6, MaxWords: 256, Digits: "0"}, []byte("the\nb00\nécole\n"))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestFillChars(t *testing.T) {
	v := testVocabulary(t)
	for word, want := range map[string][]int64{
		"ab":         {5, 6, 0, 0, 0, 0},
		"é1Z":        {7, 8, 9, 0, 0, 0},
		"Qqé":        {1, 2, 7, 0, 0, 0},
		"2٣³":        {3, 3, 4, 0, 0, 0},
		".\u0301Ǆǅ":  {4, 4, 1, 2, 0, 0},
		"李😀":         {2, 4, 0, 0, 0, 0},
		"aaaaaa":     {5, 5, 5, 5, 5, 5},
		"abcxxxx1Zé": {5, 6, 2, 8, 9, 7},
		"":           {0, 0, 0, 0, 0, 0},
	} {
		got := make([]int64, 6)
		v.fillChars(got, word)
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", word, got, want)
		}
	}
}

func TestWordIDs(t *testing.T) {
	v := testVocabulary(t)
	var buf []byte
	for word, want := range map[string]int64{
		"the": 2, "THE": 2, "The": 2, "B12": 3, "b00": 3, "École": 4, "ÉCOLE": 4, "ecole": 1, "b٣٣": 1, "b000": 1, "": 1,
		strings.Repeat("the", 1000): 1, strings.Repeat("é", 1000): 1,
	} {
		if got := v.word(word, &buf); got != want {
			t.Errorf("%.20q: %d, want %d", word, got, want)
		}
	}
}

func TestNewVocabularyRefuses(t *testing.T) {
	c := &wordsConfig{Chars: "a", WordChars: 6, MaxWords: 256, Digits: "0"}
	for name, list := range map[string]string{
		"empty": "", "empty line": "a\n\nb", "twice": "a\nb\na\n",
		"endless line": strings.Repeat("a", 1<<17),
	} {
		if _, err := newVocabulary(c, []byte(list)); err == nil || !strings.Contains(err.Error(), "words.txt") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestParseConfigRefuses(t *testing.T) {
	block := func(s string) string { return `{"model_type": "pgdeid-words", "pgdeid": {` + s + `}}` }
	for name, data := range map[string]string{
		"no JSON": "{", "no block": `{"model_type": "pgdeid-words"}`, "no numbers": block(`"chars": "ab"`),
		"twice":   block(`"chars": "aba", "word_chars": 20, "max_words": 256, "digits": "0"`),
		"digits":  block(`"chars": "ab", "word_chars": 20, "max_words": 256, "digits": "#"`),
		"windows": block(`"chars": "ab", "word_chars": 20, "max_words": 2, "digits": "0"`),
	} {
		if _, err := parseConfig([]byte(data)); err == nil || !strings.Contains(err.Error(), "config.json") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
