package models

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestPublish(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "models", "made-v1")
	files := map[string][]byte{"config.json": []byte("{}"), "rules.txt": []byte("# none\n")}
	card := Card{
		Name: "made", Version: 1, Kind: "rules", Created: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Description: "Made up.",
		Data:    []Data{{Source: "hospital", Licence: "Apache-2.0", Sentences: 7}},
		Figures: []Figure{{Set: "heldout", Class: "NAME", Precision: 0.5, Recall: 0.25, F1: 1.0 / 3, Gold: 8}},
	}
	if err := Publish(folder, files, card); err != nil {
		t.Fatal(err)
	}
	root := os.DirFS(folder)
	got, err := ReadCard(root)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(folder, SumsFile))
	if err != nil {
		t.Fatal(err)
	}
	sums, err := parseSums(raw)
	if err != nil {
		t.Fatal(err)
	}
	for name := range files {
		sum, err := hashFile(root, name)
		if err != nil || got.Sums[name] != sum || sums[name] != sum {
			t.Errorf("%s: card %s, %s %s, want %s (%v)", name, got.Sums[name], SumsFile, sums[name], sum, err)
		}
	}
	text, err := os.ReadFile(filepath.Join(folder, "card.md"))
	if err != nil || !strings.Contains(string(text), "| heldout | NAME |  | 0.250 | 0.500 | 0.333 | 8 |") {
		t.Errorf("card.md (%v):\n%s", err, text)
	}
	if err := Publish(folder, files, card); err == nil {
		t.Error("an existing folder is written over")
	}
	if err := Publish(folder+"x", files, Card{Name: "made"}); err == nil {
		t.Error("a card without a version is written")
	}
}
