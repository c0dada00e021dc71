package train

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/models"
)

func TestTrainCRF(t *testing.T) {
	dir := t.TempDir()
	out, held := filepath.Join(dir, "crf-v1"), filepath.Join(dir, "held.jsonl")
	const line = `{"words":["Seen","by","Dr","Moss"],"gaps":[2,1,1,1],"tags":["O","O","O","B-DOCTOR"],"covers":["NAME"]}`
	if err := os.WriteFile(held, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	stdout, _, err := runWords(t, "", "train", "crf", "-o", out, "--synthetic", "10", "--epochs", "2", "--held-out", held)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(stdout, "weights of") || !strings.Contains(stdout, "held: words") {
		t.Errorf("output %q", stdout)
	}
	folder := os.DirFS(out)
	card, err := models.ReadCard(folder)
	if err != nil || card.Kind != "crf" || len(card.Figures) == 0 || card.Data[0].Sentences != 10 {
		t.Errorf("card %+v, error %v", card, err)
	}
	stdout, _, err = runWords(t, `{"text":"Seen by Dr. Moss on 5/6/2031."}`, "detect", "--models", out, "--detectors", "crf-v1")
	if err != nil || !strings.Contains(stdout, `"spans"`) {
		t.Errorf("detect: %q, error %v", stdout, err)
	}
}

func TestTrainCRFRefuses(t *testing.T) {
	dir := t.TempDir()
	for _, words := range [][]string{
		{"--synthetic", "5"},
		{"-o", filepath.Join(dir, "a")},
		{"-o", dir, "--synthetic", "5"},
		{"-o", filepath.Join(dir, "a"), "--synthetic", "5", "--epochs", "0"},
		{"-o", filepath.Join(dir, "a"), "--synthetic", "5", "--templates", filepath.Join(dir, "none")},
	} {
		_, _, err := runWords(t, "", append([]string{"train", "crf"}, words...)...)
		if command.ExitCode(err) != command.ExitUsage {
			t.Errorf("%v: error %v, want one of usage", words, err)
		}
	}
}
