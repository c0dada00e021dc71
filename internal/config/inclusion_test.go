package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Where verified sentences are is no part of the mapping: what they are has a digest of
// its own, which puts notes out of date and leaves the position good.
func TestInclusion(t *testing.T) {
	dir := t.TempDir()
	load := func(detect string) *Config {
		t.Helper()
		path := filepath.Join(dir, "pgdeid.yaml")
		if err := os.WriteFile(path, []byte(minimal+detect), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	hash := load("").Hash()
	for detect, want := range map[string]string{
		"": InVault, "detect: {inclusion: vault}\n": InVault, "detect: {inclusion: none}\n": NoInclusion,
		"detect: {inclusion: verified.jsonl}\n":    filepath.Join(dir, "verified.jsonl"),
		"detect: {inclusion: /etc/verified.jsonl}": "/etc/verified.jsonl",
	} {
		c := load(detect)
		if c.Detect.Inclusion != want {
			t.Errorf("%q: %q, want %q", detect, c.Detect.Inclusion, want)
		}
		if t2 := load(strings.Replace(detect, "inclusion", "templates", 1)); t2.Detect.Templates != want || t2.Hash() != hash {
			t.Errorf("templates, %q: %q, want %q", detect, t2.Detect.Templates, want)
		}
		if c.Hash() != hash {
			t.Errorf("%q: another hash", detect)
		}
	}
}

func TestSite(t *testing.T) {
	t.Parallel()
	for detect, want := range map[string]string{"": InVault, "detect: {site: vault}\n": InVault, "detect: {site: none}\n": NoInclusion} {
		c, err := Parse([]byte(minimal+detect), nil)
		if err != nil || c.Detect.Site != want {
			t.Errorf("%q: %v", detect, err)
		}
	}
	if _, err := Parse([]byte(minimal+"detect: {site: phrases.jsonl}\n"), nil); err == nil || !strings.Contains(err.Error(), "one of vault, none") {
		t.Errorf("a file: %v", err)
	}
}
