package sandbox

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// Copies run beside each other, with the template's password, and share nothing but what it was.
func TestCopiesOfATemplate(t *testing.T) {
	if testing.Short() {
		t.Skip("starts servers")
	}
	dir, err := MkdirTemp("pgdeid-sandbox-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	template, err := NewTemplate(t.Context(), filepath.Join(dir, "template"), Options{Settings: FastSettings()})
	if err != nil {
		t.Fatalf("%v (hint: %s)", err, fault.Hint(err))
	}
	var copies [2]*Server
	for i, name := range []string{"one", "two"} {
		if copies[i], err = template.Start(t.Context(), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = copies[i].Kill() })
	}
	if err := copies[0].exec(t.Context(), "fill", "create table filled as select 1"); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"true", "false"} {
		if got := queryText(t, copies[i], "postgres", "select (to_regclass('filled') is not null)::text"); got != want {
			t.Errorf("copy %d has the table: %s", i, got)
		}
		if got := queryText(t, copies[i], "postgres", "show fsync"); got != "off" {
			t.Errorf("copy %d: fsync is %s", i, got)
		}
	}
	const identifier = "select system_identifier::text from pg_control_system()"
	if a, b := queryText(t, copies[0], "postgres", identifier), queryText(t, copies[1], "postgres", identifier); a != b {
		t.Errorf("copies are the clusters %s and %s", a, b)
	}
	if _, err := template.Start(t.Context(), filepath.Join(dir, "one")); err == nil {
		t.Error("a copy went over another one")
	}
	if _, err := NewTemplate(t.Context(), filepath.Join(dir, "none"), Options{BinDir: dir}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a template without programs: %v", err)
	}
}
