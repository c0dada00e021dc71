package onnx

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/features"
)

// wordsModel is the model_type of networks with a character front, which read words
// and not wordpieces.
const wordsModel = "pgdeid-words"

// maxWindow is how many words or wordpieces a network sees at once at most (paper:
// maximum sequence length of 256).
const maxWindow = 256

// maxPositions is how many wordpieces a network with a character front reads at once, if
// its config.json says nothing else.
const maxPositions = 512

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
	Digits    string `json:"digits"`     // what replaces every ASCII digit in words.txt
	// Features is how many columns of package features the network reads, 0 for none.
	Features int `json:"features"`
	// Window is how many words of a note the network reads at once, across lines and
	// sentences; 0: it reads sentences.
	Window int `json:"window"`
	// Pieces is there for networks that read wordpieces besides words.
	Pieces *piecesConfig `json:"pieces"`
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
			return fmt.Errorf("config.json: chars: the character at byte %d is there twice", i)
		}
	}
	return w.validateParts(labels)
}

// validateParts checks what only some networks have.
func (w *wordsConfig) validateParts(labels int) error {
	switch {
	case w.Features != 0 && w.Features != features.NumColumns:
		return fmt.Errorf("config.json: features is %d, want %d or none", w.Features, features.NumColumns)
	case w.Window != 0 && (w.Window < leastWindow || w.Window > min(w.MaxWords, maxWindow)):
		return fmt.Errorf("config.json: window is %d, want %d to %d, or none", w.Window, leastWindow, min(w.MaxWords, maxWindow))
	}
	if w.Pieces != nil {
		if err := w.Pieces.validate(); err != nil {
			return err
		}
	}
	if w.Chain != nil {
		return w.Chain.validate(labels)
	}
	return nil
}

// segment returns how many words the network reads at once.
func (w *wordsConfig) segment() int {
	if w.Window > 0 {
		return w.Window
	}
	return min(w.MaxWords, maxWindow)
}

// positions returns how many wordpieces a network with a character front may be given,
// special ones included.
func (c *config) positions() int {
	if c.MaxPositions > 0 {
		return c.MaxPositions
	}
	return maxPositions
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
