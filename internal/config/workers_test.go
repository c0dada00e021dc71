package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const workerFiles = "certificate_file: stream.pem, private_key_file: /etc/pgdeid/stream.key, authority_file: ca.pem"

func TestWorkers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, lines string
		addresses   []string
		problem     string
	}{
		{"none", "", nil, ""},
		{"two", "detect: {workers: {addresses: [\"a.example.org:9190\", \"10.0.0.2:9190\"], " + workerFiles + "}}\n", []string{"a.example.org:9190", "10.0.0.2:9190"}, ""},
		{"a worker itself", "detect: {workers: {" + workerFiles + "}}\n", nil, ""},
		{"IPv6", "detect: {workers: {addresses: [\"[fd00::1]:9190\"], " + workerFiles + "}}\n", []string{"[fd00::1]:9190"}, ""},
		{"no files", "detect: {workers: {addresses: [\"a:1\"]}}\n", nil, "authority_file are needed"},
		{"a file is missing", "detect: {workers: {certificate_file: a, private_key_file: b}}\n", nil, "authority_file are needed"},
		{"no port", "detect: {workers: {addresses: [a.example.org], " + workerFiles + "}}\n", nil, "host:port"},
		{"no host", "detect: {workers: {addresses: [\":9190\"], " + workerFiles + "}}\n", nil, "host:port"},
		{"a URL", "detect: {workers: {addresses: [\"https://a.example.org\"], " + workerFiles + "}}\n", nil, "host:port"},
		{"twice", "detect: {workers: {addresses: [\"a:1\", \"a:1\"], " + workerFiles + "}}\n", nil, "twice"},
		{"an unknown key", "detect: {workers: {insecure: true, " + workerFiles + "}}\n", nil, "insecure"},
	} {
		cfg, err := Parse([]byte(minimal+c.lines), nil)
		switch {
		case c.problem == "" && (err != nil || !slices.Equal(cfg.Detect.Workers.Addresses, c.addresses)):
			t.Errorf("%s: %v", c.name, err)
		case c.problem != "" && (err == nil || !strings.Contains(err.Error(), c.problem)):
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// Who computes decides nothing about the output.
func TestWorkersAreNoPartOfTheMapping(t *testing.T) {
	t.Parallel()
	alone, err := Parse([]byte(minimal), nil)
	if err != nil {
		t.Fatal(err)
	}
	with, err := Parse([]byte(minimal+"detect: {workers: {addresses: [\"a:1\"], "+workerFiles+"}}\n"), nil)
	if err != nil || with.Hash() != alone.Hash() || with.SchemaHash() != alone.SchemaHash() {
		t.Errorf("another hash, %v", err)
	}
}

func TestFilesOfWorkersAreBesideTheConfiguration(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "pgdeid.yaml")
	if err := os.WriteFile(path, []byte(minimal+"detect: {workers: {"+workerFiles+"}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	got := cfg.Detect.Workers.Certificate
	if got.CertFile != filepath.Join(filepath.Dir(path), "stream.pem") || got.KeyFile != "/etc/pgdeid/stream.key" ||
		got.AuthorityFile != filepath.Join(filepath.Dir(path), "ca.pem") {
		t.Errorf("%+v", got)
	}
}
