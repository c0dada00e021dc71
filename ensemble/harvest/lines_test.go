package harvest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Reading can resume wherever a batch ended.
func TestLinesGoOnAnywhere(t *testing.T) {
	m := makeNotes(7, 1300)
	src, err := NewLines([]string{writeLines(t, m.notes[:700]), writeLines(t, m.notes[700:])})
	if err != nil {
		t.Fatal(err)
	}
	read := func(after string) (texts []string, ends []string) {
		err := src.Read(t.Context(), after, true, func(b Batch) error {
			notes, err := b.Notes()
			for _, n := range notes {
				texts = append(texts, n.Texts[0]+n.Patient+n.Author)
				if (n.Record != nil) != (n.Patient == "3") {
					t.Errorf("patient %s has a record: %v", n.Patient, n.Record != nil)
				}
			}
			ends = append(ends, b.After)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return texts, ends
	}
	whole, ends := read("")
	if len(whole) != 1300 || len(ends) != 4 {
		t.Fatalf("%d notes in %d batches", len(whole), len(ends))
	}
	for i, end := range ends {
		from := []int{500, 700, 1200, 1300}[i]
		if got, _ := read(end); !slices.Equal(got, whole[from:]) {
			t.Errorf("from %s on: %d notes, want %d", end, len(got), 1300-from)
		}
	}
	for _, bad := range []string{"x", "1:2", "9:0:0", "0:-1:0", "a:b:c"} {
		if err := src.Read(t.Context(), bad, false, func(Batch) error { return nil }); err == nil {
			t.Errorf("read from %q", bad)
		}
	}
	if n := src.Estimate(t.Context()); n < 1000 || n > 1700 {
		t.Errorf("estimate: %d", n)
	}
}

func TestLinesRefuse(t *testing.T) {
	for _, paths := range [][]string{nil, {"-"}, {"notes.jsonl.gz"}} {
		if _, err := NewLines(paths); err == nil {
			t.Errorf("took %q", paths)
		}
	}
	path := filepath.Join(t.TempDir(), "bad.jsonl")
	if err := os.WriteFile(path, []byte("{\"text\":\"fine\"}\n\n{\"text\":7,\"id\":\"Quarkstein\"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := NewLines([]string{path})
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = Run(t.Context(), src, Options{InNotes: rules(t)})
	if err == nil || !strings.Contains(err.Error(), "line 3") || strings.Contains(err.Error(), "Quarkstein") {
		t.Errorf("a bad line: %v", err)
	}
	before, err := src.Identity()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("{\"text\":\"other\"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if after, err := src.Identity(); err != nil || after == before {
		t.Errorf("a changed file is the same: %v", err)
	}
}
