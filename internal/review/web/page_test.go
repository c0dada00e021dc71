package web

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The table of what was tried against the station names tests that there are.
func TestSecurityPageNamesTests(t *testing.T) {
	t.Parallel()
	root := "../../.."
	page, err := os.ReadFile(filepath.Join(root, "SECURITY.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(page), "\n## The review station, tried\n")
	section, _, _ = strings.Cut(section, "\n## ")
	named := regexp.MustCompile("`(Test[A-Za-z0-9]+)`").FindAllStringSubmatch(section, -1)
	if !found || len(named) < 30 {
		t.Fatalf("the table names %d tests", len(named))
	}
	var source strings.Builder
	for _, folder := range []string{"internal/review/web", "internal/login", "cmd/pgdeid/review", "itest"} {
		files, err := filepath.Glob(filepath.Join(root, folder, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			source.Write(content)
		}
	}
	for _, name := range named {
		if !strings.Contains(source.String(), "\nfunc "+name[1]+"(t *testing.T)") {
			t.Errorf("there is no %s", name[1])
		}
	}
}
