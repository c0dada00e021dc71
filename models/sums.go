package models

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/crf"
	"github.com/pgdeid/pgdeid/ensemble/stacking"
	"github.com/pgdeid/pgdeid/ensemble/tbed"
)

// configFile contains the kind of a model.
const configFile = "config.json"

// weights are the files with the model itself, one for each kind: of a network, a CRF, learned
// rules, a stacking model.
var weights = []string{"model.onnx", crf.WeightsFile, tbed.RulesFile, stacking.ModelFile}

// read are the files of a model's folder that affect its output, and parity.json, which verifies
// it. Others, such as cards, may change.
var read = append(slices.Clone(weights), configFile, "tokenizer.json", "words.txt", parityFile)

// parityFile holds sentences with the labels that the network gave them when it was exported.
const parityFile = "parity.json"

// HashFolder returns the SHA-256 of each file of a model's folder that is read when it
// is loaded, in hexadecimal, by name. It fails if none of them is a model.
func HashFolder(folder fs.FS) (map[string]string, error) {
	sums := map[string]string{}
	for _, name := range read {
		sum, err := hashFile(folder, name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, err
		}
		sums[name] = sum
	}
	if MainFile(sums) == "" {
		return nil, fmt.Errorf("none of %s is there: %w", strings.Join(weights, ", "), fs.ErrNotExist)
	}
	return sums, nil
}

// MainFile returns the name of the file among some that holds the model itself, "" if
// there is none.
func MainFile(sums map[string]string) string {
	for _, name := range weights {
		if _, ok := sums[name]; ok {
			return name
		}
	}
	return ""
}

func hashFile(folder fs.FS, name string) (string, error) {
	file, err := folder.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// parseSums reads what sha256sum prints: a hash, two blanks (or a blank and an
// asterisk), a path.
func parseSums(data []byte) (map[string]string, error) {
	sums := map[string]string{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimRight(lines.Text(), "\r")
		if line == "" {
			continue
		}
		sum, name, ok := strings.Cut(line, " ")
		name = strings.TrimPrefix(strings.TrimLeft(strings.TrimPrefix(name, "*"), " *"), "./")
		raw, err := hex.DecodeString(sum)
		if !ok || err != nil || len(raw) != sha256.Size || !fs.ValidPath(name) {
			return nil, fmt.Errorf("line %d: want a SHA-256 and a path, as sha256sum prints them", n)
		}
		if _, twice := sums[name]; twice {
			return nil, fmt.Errorf("line %d: a path occurs twice", n)
		}
		sums[name] = strings.ToLower(sum)
	}
	return sums, lines.Err()
}

// readSummed reads a file whose hash must be as listed.
func readSummed(folder fs.FS, name string, sums map[string]string) ([]byte, error) {
	data, err := fs.ReadFile(folder, name)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	if sums[name] != hex.EncodeToString(sum[:]) {
		return nil, fmt.Errorf("%s is not what %s says", name, SumsFile)
	}
	return data, nil
}

// below returns the sums of the files of a folder that are read, by their names in it.
func below(sums map[string]string, folder string) map[string]string {
	in := map[string]string{}
	for name, sum := range sums {
		if rest, ok := strings.CutPrefix(name, folder+"/"); ok && slices.Contains(read, rest) {
			in[rest] = sum
		}
	}
	return in
}

// writeSums adds sums to a hash, in a fixed order.
func writeSums(w io.Writer, sums map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		if name != parityFile { // does not affect the output
			fmt.Fprintf(w, "%s %s\n", sums[name], name)
		}
	}
}
