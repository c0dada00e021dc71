package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/pgdeid/pgdeid/internal/config"
)

func packaged(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("package", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// unit returns the lines of a unit's section.
func unit(t *testing.T, name, section string) []string {
	t.Helper()
	_, text, ok := strings.Cut(packaged(t, name), "["+section+"]\n")
	text, _, _ = strings.Cut(text, "\n[")
	if !ok {
		t.Fatalf("%s has no section %s", name, section)
	}
	return slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool { return line == "" || strings.HasPrefix(line, "#") })
}

// What a service is kept from is the same for both, and each file that it is named comes from systemd.
func TestUnitsAreHardenedAlike(t *testing.T) {
	t.Parallel()
	stream, night := unit(t, "pgdeid.service", "Service"), unit(t, "pgdeid-maintain.service", "Service")
	for _, line := range night {
		if !strings.HasPrefix(line, "Type=") && !strings.HasPrefix(line, "ExecStart=") && !slices.Contains(stream, line) {
			t.Errorf("pgdeid-maintain.service alone has %s", line)
		}
	}
	for _, line := range unit(t, "pgdeid-work.service", "Service") {
		if !strings.HasPrefix(line, "ExecStart=") && !slices.Contains(stream, line) {
			t.Errorf("pgdeid-work.service alone has %s", line)
		}
	}
	for _, line := range unit(t, "pgdeid-detect.service", "Service") {
		own := strings.HasPrefix(line, "ExecStart=") || strings.Contains(line, "detect_key")
		if !own && !slices.Contains(stream, line) {
			t.Errorf("pgdeid-detect.service alone has %s", line)
		}
	}
	for _, line := range unit(t, "pgdeid-detect.service", "Service") {
		if strings.Contains(line, "PGDEID_KEY_FILE") || strings.Contains(line, "password") {
			t.Errorf("pgdeid-detect.service is given what it does not need: %s", line)
		}
	}
	for _, want := range []string{
		"DynamicUser=yes", "NoNewPrivileges=yes", "ProtectSystem=strict", "ProtectHome=yes", "CapabilityBoundingSet=", "MemoryDenyWriteExecute=yes",
	} {
		if !slices.Contains(stream, want) || !slices.Contains(night, want) {
			t.Errorf("no %s", want)
		}
	}
	for _, file := range regexp.MustCompile(`_FILE=(\S+)`).FindAllStringSubmatch(strings.Join(stream, " "), -1) {
		name, ok := strings.CutPrefix(file[1], "%d/")
		if !ok || !slices.ContainsFunc(stream, func(line string) bool { return strings.HasPrefix(line, "LoadCredential="+name+":") }) {
			t.Errorf("%s is no credential", file[1])
		}
	}
}

// Secrets are in files: no unit, no example and no manifest has one in an argument or a variable.
func TestPackagesHaveNoSecrets(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"pgdeid.service", "pgdeid-work.service", "pgdeid-detect.service", "pgdeid-maintain.service", "pgdeid.example.yaml", "kubernetes.yaml", "nfpm.yaml"} {
		text := packaged(t, name)
		for _, bad := range []string{"_PASSWORD=", "password=", "kind: Secret", "stringData", "secretKeyRef", "PGPASSWORD"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s has %s", name, bad)
			}
		}
	}
}

// loadText reads a configuration as pgdeid does.
func loadText(t *testing.T, text string) (*config.Config, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pgdeid.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return config.Load(path)
}

func TestExamplesAreConfigurations(t *testing.T) {
	t.Parallel()
	if cfg, err := loadText(t, packaged(t, "pgdeid.example.yaml")); err != nil || cfg.KeyFile != "/etc/pgdeid/credentials/key" {
		t.Errorf("pgdeid.example.yaml: %v", err)
	}
	found := false
	for document := range strings.SplitSeq(packaged(t, "kubernetes.yaml"), "\n---\n") {
		var object struct {
			Kind string
			Data map[string]string
		}
		if err := yaml.Unmarshal([]byte(document), &object); err != nil || object.Kind == "" {
			t.Fatalf("kubernetes.yaml: %v", err)
		}
		if text, ok := object.Data["pgdeid.yaml"]; ok {
			found = true
			cfg, err := loadText(t, text)
			if err != nil || cfg.HTTP != "0.0.0.0:9187" {
				t.Errorf("the ConfigMap: %v", err)
			}
		}
	}
	if !found {
		t.Error("kubernetes.yaml has no configuration")
	}
}
