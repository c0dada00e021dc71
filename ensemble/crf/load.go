package crf

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"

	"github.com/pgdeid/pgdeid/ensemble/features"
)

// Files of a model's folder.
const (
	WeightsFile = "crf.bin"
	ConfigFile  = "config.json"
)

// maxFile limits what is read of a folder.
const maxFile = 1 << 28

// Load reads a model from a folder. sums has the SHA-256 of config.json and crf.bin in hexadecimal
// digits, by name: a file that is not listed or does not match is refused before it is parsed.
func Load(name string, folder fs.FS, sums map[string]string) (*Model, error) {
	raw, err := read(folder, ConfigFile, sums)
	if err != nil {
		return nil, err
	}
	config, err := parseConfig(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ConfigFile, err)
	}
	data, err := read(folder, WeightsFile, sums)
	if err != nil {
		return nil, err
	}
	return parse(name, config, data)
}

func read(folder fs.FS, name string, sums map[string]string) ([]byte, error) {
	file, err := folder.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxFile))
	if err != nil {
		return nil, err
	}
	want, listed := sums[name]
	if !listed {
		return nil, fmt.Errorf("%s: no SHA-256 of it is listed", name)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != want {
		return nil, fmt.Errorf("%s: its SHA-256 is another one than the one listed", name)
	}
	return data, nil
}

func parseConfig(raw []byte) (Config, error) {
	var c Config
	if err := json.NewDecoder(bytes.NewReader(raw)).Decode(&c); err != nil {
		return c, err
	}
	switch {
	case c.ModelType != ModelType:
		return c, fmt.Errorf("model_type is not %q", ModelType)
	case c.Features < features.Oldest || c.Features > features.Version:
		return c, fmt.Errorf("trained on version %d of the features, this is %d: train it anew", c.Features, features.Version)
	}
	return c, nil
}

// Files returns the content of the model's folder, by name.
func (m *Model) Files() (map[string][]byte, error) {
	config, err := json.MarshalIndent(m.config, "", "  ")
	if err != nil {
		return nil, err
	}
	return map[string][]byte{ConfigFile: append(config, '\n'), WeightsFile: m.Encode()}, nil
}
