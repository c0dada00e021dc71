package models

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pgdeid/pgdeid/internal/config"
)

// maxShipped is what all shipped models may take in the repository.
const maxShipped = 60 << 20

func TestDefaultIsSealed(t *testing.T) {
	folder, err := fs.Sub(shipped, "default")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := fs.ReadFile(folder, SumsFile)
	if err != nil {
		t.Fatal(err)
	}
	want, err := parseSums(raw)
	if err != nil {
		t.Fatal(err)
	}
	got, size := map[string]string{}, int64(0)
	err = fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || name == SumsFile {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		size += info.Size()
		got[name], err = hashFile(folder, name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("run 'make models-sums': %s", diff)
	}
	if size > maxShipped {
		t.Errorf("%d MB of models are too many", size>>20)
	}
}

// What is shipped has a card that lists these files, and votes in the order of
// Supplementary Table 1.
func TestDefaultModels(t *testing.T) {
	sources, err := defaultSources()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sources {
		card, err := ReadCard(s.files)
		if err != nil {
			t.Errorf("%s: %v", s.name, err)
			continue
		}
		if err := card.matches(s.model.Sums); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
		network := isNetwork(kindOf(s.files))
		for _, m := range s.model.Members {
			if network && (len(m.Types) == 0 || m.Rank() > 9) {
				t.Errorf("member %s of %s is in no row of the table", m.Name, s.name)
			}
		}
		entries, err := fs.ReadDir(s.files, ".")
		if err != nil {
			t.Error(err)
		}
		for _, e := range entries {
			if !slices.Contains(append([]string{CardFile, "card.md"}, read...), e.Name()) {
				t.Errorf("%s: %s need not be shipped", s.name, e.Name())
			}
		}
		if _, err := fs.Stat(s.files, "card.md"); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
		if _, err := fs.Stat(s.files, parityFile); network && err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
	}
	plan, err := NewPlan([]config.Model{{Default: true}}, nil)
	if err != nil || len(plan.Models()) != len(sources) || (plan.Digest() == "") != (len(sources) == 0) {
		t.Errorf("%d models, digest %q, error %v", len(plan.Models()), plan.Digest(), err)
	}
}

func TestParseSums(t *testing.T) {
	sum := strings.Repeat("0a", 32)
	got, err := parseSums([]byte(sum + "  a/model.onnx\n\n" + strings.ToUpper(sum) + " *./members.yaml\r\n"))
	if err != nil || !slices.Equal(slices.Sorted(maps.Keys(got)), []string{"a/model.onnx", "members.yaml"}) || got["members.yaml"] != sum {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"x  a", sum, sum + "  ../a", sum + "  a\n" + sum + "  a", sum[1:] + "  a"} {
		if _, err := parseSums([]byte(bad)); err == nil || !strings.Contains(err.Error(), "line ") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func FuzzParseSums(f *testing.F) {
	f.Add([]byte(strings.Repeat("0a", 32) + "  a/model.onnx\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		sums, err := parseSums(data)
		if err != nil {
			return
		}
		for name, sum := range sums {
			if len(sum) != 64 || !fs.ValidPath(name) || path.IsAbs(name) {
				t.Fatalf("%q %q", name, sum)
			}
		}
	})
}
