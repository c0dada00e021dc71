package onnx

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"maps"
	"strings"
	"testing"
	"testing/fstest"
)

func TestOpenFolder(t *testing.T) {
	folder := fstest.MapFS{"model.onnx": {Data: []byte("graph")}, "card.md": {Data: []byte("card")}, "new": {Data: []byte("x")}}
	good := map[string]string{}
	for _, name := range []string{"model.onnx", "card.md"} {
		sum := sha256.Sum256(folder[name].Data)
		good[name] = strings.ToUpper(hex.EncodeToString(sum[:]))
	}
	with := func(file, sum string) map[string]string {
		m := maps.Clone(good)
		m[file] = sum
		return m
	}
	for name, c := range map[string]struct {
		opts ModelOptions
		want string // in the error, "" for none
		sum  bool   // the error is ErrSum
	}{
		"good":              {ModelOptions{Sums: good}, "", false},
		"unverified":        {ModelOptions{Unverified: true}, "", false},
		"no sums":           {ModelOptions{}, "no SHA-256 sums", false},
		"both":              {ModelOptions{Sums: good, Unverified: true}, "exclude each other", false},
		"wanted is changed": {ModelOptions{Sums: with("model.onnx", good["card.md"])}, "model.onnx: ", true},
		"other is changed":  {ModelOptions{Sums: with("card.md", good["model.onnx"])}, "card.md: ", true},
		"sum is cut off":    {ModelOptions{Sums: with("card.md", good["card.md"][:60])}, "card.md: ", true},
		"sum is empty":      {ModelOptions{Sums: with("card.md", "")}, "card.md: ", true},
		"file is missing":   {ModelOptions{Sums: with("gone.txt", good["card.md"])}, "gone.txt: ", true},
		"wanted is missing": {ModelOptions{Sums: with("words.txt", good["card.md"])}, "words.txt: ", true},
	} {
		c.opts.Folder = "/some/folder"
		_, err := openFolder("m", folder, c.opts, "model.onnx", "words.txt")
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "model m in /some/folder")):
			t.Errorf("%s: error %v, want one with %q and the folder", name, err, c.want)
		case errors.Is(err, ErrSum) != c.sum:
			t.Errorf("%s: ErrSum is %t, want %t", name, !c.sum, c.sum)
		}
	}
}

func TestVerifiedFolderReadsOnlyWhatWasVerified(t *testing.T) {
	folder := fstest.MapFS{"model.onnx": {Data: []byte("graph")}, "extra": {Data: []byte("x")}}
	sum := sha256.Sum256(folder["model.onnx"].Data)
	f, err := openFolder("m", folder, ModelOptions{Sums: map[string]string{"model.onnx": hex.EncodeToString(sum[:])}}, "model.onnx", "extra")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.read("extra"); !errors.Is(err, ErrSum) {
		t.Errorf("a file that is not listed: %v", err)
	}
	if f.has("extra") {
		t.Error("a file that is not listed is there")
	}
	folder["model.onnx"].Data = []byte("changed behind our back")
	if data, err := f.readFirst("onnx/model.onnx", "model.onnx"); err != nil || string(data) != "graph" {
		t.Errorf("got %q, %v: want what was verified", data, err)
	}
}

func TestUnverifiedFolder(t *testing.T) {
	folder := fstest.MapFS{"onnx/model.onnx": {Data: []byte("graph")}}
	f, err := openFolder("m", folder, ModelOptions{Unverified: true})
	if err != nil {
		t.Fatal(err)
	}
	if data, err := f.readFirst("model.onnx", "onnx/model.onnx"); err != nil || string(data) != "graph" {
		t.Errorf("got %q, %v", data, err)
	}
	if _, err := f.readFirst("a", "b"); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "a: ") {
		t.Errorf("nothing there: %v", err)
	}
}
