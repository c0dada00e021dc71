package onnx

import (
	"strings"
	"testing"
)

func configOf(block string) string {
	return `{"model_type": "pgdeid-words", "id2label": {"0": "O", "1": "B-CITY"},
		"pgdeid": {"chars": "ab", "word_chars": 20, "max_words": 128, "digits": "0"` + block + `}}`
}

func TestConfigOfParts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		block string
		want  string // in the error
	}{
		"none":             {``, ""},
		"all":              {`, "features": 10, "window": 96, "pieces": {"most": 6, "cls": 101, "sep": 102, "unknown": 100}`, ""},
		"largest window":   {`, "window": 128`, ""},
		"other features":   {`, "features": 9`, "features"},
		"small window":     {`, "window": 31`, "window"},
		"too large window": {`, "window": 129`, "window"},
		"no pieces":        {`, "pieces": {"cls": 101, "sep": 102, "unknown": 100}`, "most"},
		"odd piece":        {`, "pieces": {"most": 6, "cls": -1, "sep": 102, "unknown": 100}`, "-1"},
	} {
		_, err := parseConfig([]byte(configOf(c.block)))
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSegmentsOfConfigs(t *testing.T) {
	t.Parallel()
	for want, c := range map[int]wordsConfig{128: {MaxWords: 128}, maxWindow: {MaxWords: 1000}, 96: {MaxWords: 128, Window: 96}} {
		if got := c.segment(); got != want {
			t.Errorf("%+v: %d, want %d", c, got, want)
		}
	}
	if got := (&config{}).positions(); got != maxPositions {
		t.Errorf("positions %d", got)
	}
	if got := (&config{MaxPositions: 130}).positions(); got != 130 {
		t.Errorf("positions %d, want 130", got)
	}
}
