package models

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"
)

// CardFile is the name of a model's card in its folder.
const CardFile = "card.json"

// Card describes a version of a model, its training data and its performance. It is stored as
// card.json in the model's folder, written by the training code and read by "pgdeid models". Keys
// that are not listed here are informational.
type Card struct {
	// Name is the model's name without its version: "names-lstm". Versions of one model share it.
	Name string `json:"name"`
	// Version counts from 1 in the order of training: v(N+1) follows vN.
	Version int `json:"version"`
	// Kind is "lstm", "transformer", "ann" (from scratch) or "bert" (pretrained). Members of a
	// tandem should differ in it.
	Kind string `json:"kind"`
	// Created is when training ended, in UTC.
	Created time.Time `json:"created"`
	// Base is the version or pretrained model that training started from, or "" for random weights.
	Base string `json:"base"`
	// Quantised is set if model.onnx is the int8 network. The model's own figures are those with the
	// same mark.
	Quantised bool `json:"quantised"`
	// Description is a sentence for people.
	Description string `json:"description,omitempty"`
	// Licence of the model's files, as an SPDX expression.
	Licence string `json:"licence,omitempty"`
	// Data lists what it was trained on.
	Data []Data `json:"data"`
	// Seeds and Config are the inputs needed to repeat the training. Their keys are the trainer's.
	Seeds  map[string]int64           `json:"seeds"`
	Config map[string]json.RawMessage `json:"config"`
	// Figures are measured on sets that training never saw.
	Figures []Figure `json:"figures"`
	// Speed is in sentences a second of this model alone, by machine and arithmetic:
	// {"2 cores, fp32": 4100, "2 cores, int8": 5300}.
	Speed map[string]float64 `json:"sentences_per_second"`
	// Parameters is the number of weights.
	Parameters int64 `json:"parameters,omitempty"`
	// Sums holds the SHA-256 of every file that is read when the model is loaded, in
	// hexadecimal, by the file's name.
	Sums map[string]string `json:"sha256"`
}

// Data is one source of training sentences.
type Data struct {
	Source    string `json:"source"`
	Licence   string `json:"licence"`
	Sentences int64  `json:"sentences"`
}

// Figure is a model's performance on one set: for a class, or for one type or one group of names
// in it. Precision, recall and F1 are of words, from 0 to 1.
type Figure struct {
	// Set names what was scored: "heldout-mtsamples".
	Set string `json:"set"`
	// Class is NAME, LOCATION, ORG, AGE, DATE, ID, CONTACT or PROFESSION.
	Class string `json:"class"`
	// Type is a PHI type of the class, "" for all of them.
	Type string `json:"type"`
	// Group is that of names ("hispanic", "female"), "" for all of them.
	Group string `json:"group"`
	// Normalised says that upper-case words were made title case before.
	Normalised bool `json:"normalised,omitempty"`
	// Quantised says that the int8 network was measured, not the fp32 one.
	Quantised bool    `json:"quantised"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
	// Gold is the number of words that should be found.
	Gold int64 `json:"gold"`
	// PrecisionCI and RecallCI are 95 % confidence intervals, low and high; nil where
	// none were computed.
	PrecisionCI *[2]float64 `json:"precision_ci,omitempty"`
	RecallCI    *[2]float64 `json:"recall_ci,omitempty"`
}

// ErrNoCard means that a folder has no card.json.
var ErrNoCard = errors.New("no " + CardFile + " in the folder")

// maxCard limits the size of a card.
const maxCard = 4 << 20

// ReadCard reads the card of a model's folder. The error is [ErrNoCard] if there is none;
// otherwise it describes what is wrong with the card.
func ReadCard(folder fs.FS) (*Card, error) {
	file, err := folder.Open(CardFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoCard
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	dec := json.NewDecoder(io.LimitReader(file, maxCard))
	var card Card
	if err := dec.Decode(&card); err != nil {
		return nil, fmt.Errorf("%s: %w", CardFile, err)
	}
	if err := card.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", CardFile, err)
	}
	return &card, nil
}

func (c *Card) check() error {
	switch {
	case c.Name == "":
		return errors.New("name is missing")
	case c.Version < 1:
		return errors.New("version: want 1 or more")
	case len(c.Sums) == 0:
		return errors.New("sha256 is missing: the hash of every file of the model")
	}
	for i, f := range c.Figures {
		if f.Set == "" || f.Class == "" || !share(f.Precision) || !share(f.Recall) {
			return fmt.Errorf("figures[%d]: want set, class, and precision and recall from 0 to 1", i)
		}
	}
	return nil
}

func share(x float64) bool { return x >= 0 && x <= 1 }
