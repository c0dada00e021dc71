package models

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/config"
)

func TestReadSpec(t *testing.T) {
	dir := t.TempDir()
	one := filepath.Join(dir, "one", "v2")
	makeModel(t, one, map[string]string{"moss": "PATIENT"})
	sums, err := HashFolder(os.DirFS(one))
	if err != nil || len(sums) != 4 {
		t.Fatalf("%v, %v", sums, err)
	}
	write(t, filepath.Join(dir, "file.yaml"), []byte("models:\n- {folder: one/v2, members: [{name: a, types: [PATIENT]}]}\n- default"))
	write(t, filepath.Join(dir, MembersFile), []byte("models: [{folder: one/v2}]"))
	for spec, want := range map[string][]config.Model{
		"default": {{Default: true}},
		"fast":    {{Default: true, Fast: true}},
		"none":    {},
		one:       {{Folder: one, Sums: sums, Members: []config.Member{{Name: "one-v2"}}}},
		filepath.Join(dir, "file.yaml"): {
			{Folder: one, Sums: sums, Members: []config.Member{{Name: "a", Types: []phi.Type{phi.Patient}}}},
			{Default: true},
		},
		dir: {{Folder: one, Sums: sums, Members: []config.Member{{Name: "one-v2"}}}},
	} {
		got, err := ReadSpec(spec)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", spec, err, diff)
		}
	}
	for spec, want := range map[string]string{
		filepath.Join(dir, "nowhere"): "want default, fast, none",
		filepath.Join(dir, "one"):     "neither members.yaml nor a model (model.onnx, crf.bin",
	} {
		if _, err := ReadSpec(spec); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", spec, err)
		}
	}
}

// A set with SHA256SUMS is taken only as it was sealed.
func TestReadSpecSealed(t *testing.T) {
	dir := t.TempDir()
	makeModel(t, filepath.Join(dir, "one"), map[string]string{"moss": "PATIENT"})
	write(t, filepath.Join(dir, MembersFile), []byte("models: [{folder: one}]"))
	seal := func() {
		var b strings.Builder
		for _, name := range []string{MembersFile, "one/model.onnx", "one/config.json", "one/words.txt"} {
			sum, err := hashFile(os.DirFS(dir), name)
			if err != nil {
				t.Fatal(err)
			}
			b.WriteString(sum + "  " + name + "\n")
		}
		write(t, filepath.Join(dir, SumsFile), []byte(b.String()))
	}
	seal()
	defs, err := ReadSpec(dir)
	if err != nil || len(defs) != 1 || len(defs[0].Sums) != 3 || defs[0].Folder != filepath.Join(dir, "one") {
		t.Fatalf("%+v, %v", defs, err)
	}
	for text, want := range map[string]string{
		"models: none":               MembersFile + " is not what " + SumsFile + " says",
		"models: [default]":          "",
		"models: [{folder: ../two}]": "",
		"models: [{folder: two}]":    "",
	} {
		write(t, filepath.Join(dir, MembersFile), []byte(text))
		if want == "" {
			seal()
		}
		if defs, err := ReadSpec(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %+v, %v", text, defs, err)
		}
	}
}

func defined(folder string, members ...string) config.Model {
	m := config.Model{Folder: folder, Sums: map[string]string{"model.onnx": strings.Repeat("0", 64)}}
	for _, name := range members {
		m.Members = append(m.Members, config.Member{Name: name})
	}
	return m
}

func TestNewPlan(t *testing.T) {
	defs := []config.Model{defined("/a/x", "a1", "a2"), defined("/b/x", "b")}
	plan := func(names []string) *Plan {
		t.Helper()
		p, err := NewPlan(defs, names)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	members := func(p *Plan) string {
		var words []string
		for _, m := range p.Models() {
			words = append(words, m.Name+": "+strings.Join(m.Members, " "))
		}
		return strings.Join(words, ", ")
	}
	all := plan(nil)
	if got := members(all); got != "x: a1 a2, x-2: b" || all.builtin != nil {
		t.Errorf("all: %s, %v", got, all.builtin)
	}
	some := plan([]string{"a2", "directory"})
	if got := members(some); got != "x: a2" || !cmp.Equal(some.builtin, []string{"directory"}) {
		t.Errorf("some: %s, %v", got, some.builtin)
	}
	if got := some.Omitted(); !cmp.Equal(got, []string{"a1", "b"}) || all.Omitted() != nil {
		t.Errorf("omitted: %v, of all %v", got, all.Omitted())
	}
	none := plan([]string{"directory"})
	if len(none.Models()) != 0 || none.Digest() != "" {
		t.Errorf("none: %v, digest %q", none.Models(), none.Digest())
	}
	if all.Digest() == some.Digest() || all.Digest() != plan(nil).Digest() || len(all.Digest()) != 32 {
		t.Errorf("digests %s, %s", all.Digest(), some.Digest())
	}
	if len(defs[0].Members) != 2 {
		t.Error("the definitions were changed")
	}
	for want, names := range map[string][]string{
		"unknown detector \"oracle\" (known: patterns, record, directory, templates, a1, a2, b)": {"oracle"},
	} {
		if _, err := NewPlan(defs, names); err == nil || err.Error() != want {
			t.Errorf("%v: %v", names, err)
		}
	}
	if _, err := NewPlan([]config.Model{defined("/a", "same"), defined("/b", "same")}, nil); err == nil ||
		!strings.Contains(err.Error(), `"same"`) {
		t.Errorf("two of one name: %v", err)
	}
}

// The digest identifies what the models find, not where they are stored.
func TestDigest(t *testing.T) {
	digest := func(change func(*config.Model)) string {
		m := defined("/a/x", "a")
		change(&m)
		p, err := NewPlan([]config.Model{m}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return p.Digest()
	}
	base := digest(func(*config.Model) {})
	for name, same := range map[string]func(*config.Model){
		"folder": func(m *config.Model) { m.Folder = "/other/x" },
		"cache":  func(m *config.Model) { m.Cache = 5 },
		"parity": func(m *config.Model) { m.Sums[parityFile] = "1" },
	} {
		if digest(same) != base {
			t.Errorf("%s changes the digest", name)
		}
	}
	for name, other := range map[string]func(*config.Model){
		"file":      func(m *config.Model) { m.Sums["model.onnx"] = strings.Repeat("1", 64) },
		"labels":    func(m *config.Model) { m.Labels = map[string]phi.Type{"PER": phi.Patient} },
		"threshold": func(m *config.Model) { m.Members[0].Threshold = 0.3 },
		"name":      func(m *config.Model) { m.Members[0].Name = "b" },
	} {
		if digest(other) == base {
			t.Errorf("%s does not change the digest", name)
		}
	}
}
