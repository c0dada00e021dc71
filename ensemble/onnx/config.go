package onnx

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// wordsModel is the model_type of networks with a character front, which read words
// and not wordpieces.
const wordsModel = "pgdeid-words"

// maxWindow is how many words or wordpieces a network sees at once at most (paper:
// maximum sequence length of 256).
const maxWindow = 256

// config is what is used of a model's config.json.
type config struct {
	ModelType    string            `json:"model_type"`
	ID2Label     map[string]string `json:"id2label"`
	PadTokenID   *int64            `json:"pad_token_id"`
	MaxPositions int               `json:"max_position_embeddings"`
	Words        *wordsConfig      `json:"pgdeid"`
}

// wordsConfig is how a network with a character front wants its words.
type wordsConfig struct {
	Chars     string `json:"chars"`      // the known characters
	WordChars int    `json:"word_chars"` // how many of a word are read
	MaxWords  int    `json:"max_words"`  // in a window
	Digits    string `json:"digits"`     // what stands for any ASCII digit in words.txt
	// Chain is there for networks that score whole sequences of labels.
	Chain *chainConfig `json:"crf"`
}

func parseConfig(data []byte) (*config, error) {
	c := &config{}
	if err := json.Unmarshal(data, c); err != nil {
		return nil, fmt.Errorf("config.json: %w", err)
	}
	switch {
	case c.ModelType == wordsModel:
		return c, c.Words.validate(len(c.ID2Label))
	case c.Words != nil && c.Words.Chain != nil:
		return nil, fmt.Errorf("config.json: a block crf needs model_type %q, it is %q", wordsModel, c.ModelType)
	}
	return c, nil
}

func (w *wordsConfig) validate(labels int) error {
	switch {
	case w == nil:
		return errors.New(`config.json: model_type "pgdeid-words" needs a block "pgdeid"`)
	case w.WordChars < 2 || w.WordChars > 128:
		return fmt.Errorf("config.json: word_chars is %d, want 2 to 128", w.WordChars)
	case w.MaxWords < 8:
		return fmt.Errorf("config.json: max_words is %d, want 8 or more", w.MaxWords)
	case w.Digits != "0":
		return errors.New(`config.json: digits must be "0"`)
	}
	for i, r := range w.Chars {
		if strings.ContainsRune(w.Chars[:i], r) {
			return fmt.Errorf("config.json: chars: the character at byte %d stands there twice", i)
		}
	}
	if w.Chain != nil {
		return w.Chain.validate(labels)
	}
	return nil
}

// window returns how many positions a wordpiece network takes, special tokens
// included. RoBERTa's positions begin behind that of the padding, so two are spared.
func (c *config) window() int {
	if c.MaxPositions > 0 {
		return min(maxWindow, c.MaxPositions-2)
	}
	return maxWindow
}

// pad returns the id that fills short sequences up.
func (c *config) pad() int64 {
	if c.PadTokenID != nil {
		return *c.PadTokenID
	}
	return 0
}
