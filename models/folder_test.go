package models

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/models/modelstest"
)

func makeModel(t *testing.T, folder string, entities map[string]string) {
	t.Helper()
	modelstest.Make(t, folder, entities)
}

// writeCard writes the card of a model's folder.
func writeCard(t *testing.T, folder string, card Card) {
	t.Helper()
	if card.Sums == nil {
		sums, err := HashFolder(os.DirFS(folder))
		if err != nil {
			t.Fatal(err)
		}
		card.Sums = sums
	}
	if card.Created.IsZero() {
		card.Created = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	}
	writeJSON(t, filepath.Join(folder, CardFile), card)
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func writeJSON(t *testing.T, path string, v any) {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, data)
}
