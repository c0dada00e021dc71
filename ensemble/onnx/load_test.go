//go:build native

package onnx

import (
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// changed returns a folder with one file changed by a replacement, or left out.
func changed(folder fstest.MapFS, file, old, replacement string) fstest.MapFS {
	out := maps.Clone(folder)
	if old == "" && replacement == "" {
		delete(out, file)
		return out
	}
	data := strings.Replace(string(folder[file].Data), old, replacement, 1)
	out[file] = &fstest.MapFile{Data: []byte(data)}
	return out
}

func TestLoadRefuses(t *testing.T) {
	r := openForTest(t)
	pieces, words := pieceFolder(t, schemes[0], pieceOptions{}), wordFolder(t)
	for name, c := range map[string]struct {
		folder fstest.MapFS
		want   string
	}{
		"no graph":     {changed(pieces, "model.onnx", "", ""), "model.onnx"},
		"no config":    {changed(pieces, "config.json", "", ""), "config.json"},
		"no tokenizer": {changed(pieces, "tokenizer.json", "", ""), "tokenizer.json"},
		"no words":     {changed(words, "words.txt", "", ""), "words.txt"},
		"broken graph": {fstest.MapFS{
			"model.onnx": {Data: []byte("rubbish")}, "config.json": pieces["config.json"],
			"tokenizer.json": pieces["tokenizer.json"],
		}, "model.onnx"},
		"broken tokenizer":    {changed(pieces, "tokenizer.json", "WordPiece", "Unheard"), "tokenizer.json"},
		"unknown label":       {changed(pieces, "config.json", "B-CITY", "B-TOWN"), "TOWN"},
		"too few labels":      {changed(pieces, "config.json", `,"8":"I-HOSPITAL"`, ""), "9 labels, config.json has 8"},
		"words as wordpieces": {changed(words, "config.json", "pgdeid-words", "bert"), "tokenizer.json"},
		"wordpieces as words": {fstest.MapFS{
			"model.onnx": pieces["model.onnx"], "config.json": words["config.json"],
			"words.txt": words["words.txt"],
		}, "input"},
		"short positions": {changed(pieces, "config.json", `:512`, `:9`), "max_position_embeddings"},
	} {
		_, err := r.Load("m", c.folder, ModelOptions{Sums: sums(c.folder), Folder: "/models/m"})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "model m in /models/m") {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
}

// What was changed since it was verified is refused, before anything parses it.
func TestLoadVerifies(t *testing.T) {
	r := openForTest(t)
	for kind, folder := range map[string]fstest.MapFS{"pieces": pieceFolder(t, schemes[0], pieceOptions{}), "words": wordFolder(t)} {
		good := sums(folder)
		for file := range folder {
			for what, bad := range map[string]fstest.MapFS{"changed": changed(folder, file, "e", "E"), "missing": changed(folder, file, "", "")} {
				if _, err := r.Load("m", bad, ModelOptions{Sums: good}); !errors.Is(err, ErrSum) || !strings.Contains(err.Error(), file) {
					t.Errorf("%s: %s %s: %v", kind, file, what, err)
				}
			}
			unlisted := maps.Clone(good)
			delete(unlisted, file)
			if _, err := r.Load("m", folder, ModelOptions{Sums: unlisted}); !errors.Is(err, ErrSum) || !strings.Contains(err.Error(), file) {
				t.Errorf("%s: %s not listed: %v", kind, file, err)
			}
		}
		if _, err := r.Load("m", folder, ModelOptions{}); err == nil {
			t.Errorf("%s: loaded without sums", kind)
		}
		m, err := r.Load("m", folder, ModelOptions{Unverified: true})
		if err != nil {
			t.Errorf("%s: unverified: %v", kind, err)
		} else if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestLoadSubfolderAndMap(t *testing.T) {
	r := openForTest(t)
	folder := pieceFolder(t, schemes[0], pieceOptions{})
	folder["onnx/model.onnx"] = folder["model.onnx"]
	delete(folder, "model.onnx")
	labels := map[string]phi.Type{
		"PATIENT": phi.Username, "DOCTOR": phi.None, "CITY": phi.LocationOther, "HOSPITAL": phi.LocationOther,
	}
	m, err := r.Load("m", folder, ModelOptions{Sums: sums(folder), Labels: labels})
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(found(t, newMember(t, m, MemberOptions{}), "Ann seen by Wibberley in Mercy clinic, Quillburg"), " ")
	if want := "USERNAME:Ann LOCATION-OTHER:Mercy LOCATION-OTHER:Quillburg"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestModelsCloseWithTheRuntime(t *testing.T) {
	r := openForTest(t)
	m := load(t, r, wordFolder(t))
	d := newMember(t, m, MemberOptions{})
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Detect(t.Context(), &ensemble.Note{Text: "Ann"}, nil); !errors.Is(err, ErrClosed) {
		t.Errorf("error %v", err)
	}
	if _, err := r.Load("late", wordFolder(t), ModelOptions{Unverified: true}); err == nil {
		t.Error("a closed runtime loaded a model")
	}
}

func TestCheckParity(t *testing.T) {
	r := openForTest(t)
	for kind, folder := range map[string]fstest.MapFS{"pieces": pieceFolder(t, schemes[0], pieceOptions{}), "words": wordFolder(t)} {
		if err := load(t, r, folder).CheckParity(); !errors.Is(err, ErrNoParity) {
			t.Errorf("%s without parity.json: %v", kind, err)
		}
		sentence := paritySentence{
			Words: []string{"Ann", "seen", "by", "Dr", ".", "Wibberley"}, Gaps: []gap{2, 1, 1, 1, 0, 1}, Labels: []int{1, 0, 0, 0, 0, 3},
		}
		for want, label := range map[bool]int{true: 3, false: 0} {
			sentence.Labels[5] = label
			data, err := json.Marshal([]paritySentence{sentence})
			if err != nil {
				t.Fatal(err)
			}
			folder["parity.json"] = &fstest.MapFile{Data: data}
			if err := load(t, r, folder).CheckParity(); (err == nil) != want {
				t.Errorf("%s, label %d: %v", kind, label, err)
			}
		}
		for name, data := range map[string]string{
			"no list": `{}`, "empty": `[]`, "uneven": `[{"words":["Ann"],"gaps":[1],"labels":[]}]`,
			"no words": `[{"words":[],"gaps":[],"labels":[]}]`,
		} {
			folder["parity.json"] = &fstest.MapFile{Data: []byte(data)}
			if err := load(t, r, folder).CheckParity(); err == nil {
				t.Errorf("%s: %s passed", kind, name)
			}
		}
	}
}
