package tbed

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/features"
)

// ModelType is the model_type in config.json of a folder with rules.
const ModelType = "pgdeid-rules"

// The files of a model's folder that are read.
const (
	ConfigFile = "config.json"
	RulesFile  = "rules.txt"
)

// maxFile limits what is read of a file.
const maxFile = 1 << 26

// ErrSum means that a model's files do not match their sums.
var ErrSum = errors.New("the rules are not those that were verified")

// Config is a model's config.json.
type Config struct {
	ModelType string `json:"model_type"`
	// Features is the version of package features to which the rules' values belong.
	Features int `json:"features"`
}

// Load reads a model's folder. Each file that sums lists, with its SHA-256 in hexadecimal, must
// exist and match, and the two that are read must be listed. After editing rules, their new sum
// must be given.
func Load(name string, folder fs.FS, sums map[string]string) (*Model, error) {
	for _, file := range slices.Sorted(maps.Keys(sums)) {
		if _, err := readSummed(folder, file, sums); err != nil {
			return nil, fmt.Errorf("model %s: %s: %w", name, file, err)
		}
	}
	config, err := readSummed(folder, ConfigFile, sums)
	if err == nil {
		err = checkConfig(config)
	}
	if err != nil {
		return nil, fmt.Errorf("model %s: %s: %w", name, ConfigFile, err)
	}
	var rules []Rule
	text, err := readSummed(folder, RulesFile, sums)
	if err == nil {
		rules, err = ReadRules(bytes.NewReader(text))
	}
	if err != nil {
		return nil, fmt.Errorf("model %s: %s: %w", name, RulesFile, err)
	}
	return New(name, rules)
}

// readSummed reads a file whose hash must be as listed; it returns exactly the bytes that were
// hashed.
func readSummed(folder fs.FS, file string, sums map[string]string) ([]byte, error) {
	want, listed := sums[file]
	if !listed {
		return nil, fmt.Errorf("%w: its SHA-256 is not listed", ErrSum)
	}
	in, err := folder.Open(file)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSum, err)
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxFile {
		return nil, fmt.Errorf("more than %d bytes", maxFile)
	}
	if got := sha256.Sum256(data); !strings.EqualFold(want, hex.EncodeToString(got[:])) {
		return nil, fmt.Errorf("%w: its SHA-256 is %x, not %s", ErrSum, got, want)
	}
	return data, nil
}

func checkConfig(data []byte) error {
	var c Config
	if err := json.Unmarshal(data, &c); err != nil {
		return err
	}
	switch {
	case c.ModelType != ModelType:
		return fmt.Errorf("model_type is %q, want %q", c.ModelType, ModelType)
	case c.Features < features.Oldest || c.Features > features.Version:
		return fmt.Errorf("features is %d, this program has version %d: learn the rules anew", c.Features, features.Version)
	}
	return nil
}
