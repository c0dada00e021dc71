package models

import (
	"os"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/config"
)

// What the README shows can be pasted.
func TestReadmeExample(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, ok := strings.Cut(string(text), "```yaml\ndetect:\n")
	example, _, end := strings.Cut(example, "```")
	if !ok || !end {
		t.Fatal("no example of detect")
	}
	defs, err := config.ParseModels([]byte(example), false)
	if err != nil || len(defs) != 2 || !defs[0].Default || len(defs[1].Members) != 3 {
		t.Errorf("%d models, %v", len(defs), err)
	}
	for _, name := range config.LabelMaps() {
		if !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("the label map %s is not listed", name)
		}
	}
}
