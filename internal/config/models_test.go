package config

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

const digest = "ffb75a925ba05e47b235bb66e3e3911714a80b328a9c9425539feb204aa32a23"

const models = `models:
  - default
  - folder: /opt/models/deid_roberta_i2b2
    sha256: {model.onnx: ` + digest + `, config.json: ` + digest + `}
    labels: obi/deid_roberta_i2b2
    cache: 5000
    members:
      - {name: obi-names, types: [PATIENT, doctor], priority: 10, threshold: 0.4, alone: 0.8, recall_bias: -1.5, thresholds: {DOCTOR: 0.3}}
      - {name: obi-capitals, types: [PATIENT, DOCTOR], normalize: true}
  - folder: models/Ward_2
    sha256: {model.onnx: ` + digest + `}
    labels: {per: PATIENT, MISC: ignore}
`

func TestParseModels(t *testing.T) {
	got, err := ParseModels([]byte(models), false)
	if err != nil {
		t.Fatal(err)
	}
	names := []phi.Type{phi.Patient, phi.Doctor}
	roberta, _ := LabelMap("obi/deid_roberta_i2b2")
	want := []Model{
		{Default: true},
		{
			Folder: "/opt/models/deid_roberta_i2b2", Sums: map[string]string{"model.onnx": digest, "config.json": digest},
			Labels: roberta, Cache: 5000,
			Members: []Member{
				{
					Name: "obi-names", Types: names, Priority: 10, Threshold: 0.4, Alone: 0.8, RecallBias: -1.5,
					Thresholds: map[phi.Type]float64{phi.Doctor: 0.3},
				},
				{Name: "obi-capitals", Types: names, Normalize: true},
			},
		},
		{
			Folder: "models/Ward_2", Sums: map[string]string{"model.onnx": digest},
			Labels:  map[string]phi.Type{"PER": phi.Patient, "MISC": phi.None},
			Members: []Member{{Name: "ward-2"}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestParseModelsInAWord(t *testing.T) {
	for text, want := range map[string][]Model{
		"models: none": {}, "models: []": {}, "models: default": {{Default: true}}, "models: [default]": {{Default: true}},
		"models: fast": {{Default: true, Fast: true}}, "models: [fast]": {{Default: true, Fast: true}},
	} {
		got, err := ParseModels([]byte(text), false)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", text, err, diff)
		}
	}
	if _, err := ParseModels([]byte("models: [{folder: a}]"), true); err != nil {
		t.Errorf("hashes that stand elsewhere: %v", err)
	}
}

func TestParseModelsProblems(t *testing.T) {
	const folder = "models:\n  - folder: a\n    sha256: {f: " + digest + "}\n"
	for _, tt := range []struct {
		file string
		line int
		text string
	}{
		{"other: 1", 1, "unknown key"},
		{"{}", 1, "key models"},
		{"models: most", 1, "default, fast, none"},
		{"models:\n  - most", 2, "one of default"},
		{"models:\n  - default\n  - default", 3, "twice"},
		{"models:\n  - {cache: 5}", 2, "where the model is"},
		{"models:\n  - {folder: a}", 2, "pgdeid models verify"},
		{"models:\n  - folder: a\n    sha256: {f: 12}", 3, "64 hexadecimal digits"},
		{folder + "    lables: x", 4, "unknown key"},
		{folder + "    labels: huggingface/best", 4, "StanfordAIMI/stanford-deidentifier-base"},
		{folder + "    labels: {PER: PERSON}", 4, "or ignore"},
		{folder + "    members:\n      - {types: [PATIENT]}", 5, "name: NAME"},
		{folder + "    members:\n      - {name: 'My Model'}", 5, "lower-case"},
		{folder + "    members:\n      - {name: record}", 5, "built-in"},
		{folder + "    members:\n      - {name: a, types: [PERSON]}", 5, "unknown PHI type"},
		{folder + "    members:\n      - {name: a, threshold: 1.5}", 5, "from 0.0001 to 0.9999"},
		{folder + "    members:\n      - {name: a, recall_bias: NaN}", 5, "from -20 to 20"},
		{folder + "    members:\n      - {name: a, priority: 0}", 5, "from 1 to 99"},
		{folder + "    members:\n      - {name: a, types: [CITY], thresholds: {STATE: 0.2}}", 5, "not among"},
		{folder + "    members:\n      - {name: a}\n      - {name: a}", 2, "called \"a\""},
	} {
		_, err := ParseModels([]byte(tt.file), false)
		var problems Problems
		if !errors.As(err, &problems) || problems[0].Line != tt.line || !strings.Contains(problems[0].Text, tt.text) {
			t.Errorf("%s:\n got %v, want line %d and %q", tt.file, err, tt.line, tt.text)
		}
	}
}

func TestMemberRank(t *testing.T) {
	for _, tt := range []struct {
		member Member
		want   int
	}{
		{Member{Types: []phi.Type{phi.Patient, phi.Doctor}}, 1},
		{Member{Types: []phi.Type{phi.Patient}, Normalize: true}, 2},
		{Member{Types: []phi.Type{phi.City, phi.Street}, Normalize: true}, 3},
		{Member{Types: []phi.Type{phi.Age}}, 4},
		{Member{Types: []phi.Type{phi.Hospital, phi.Organization}}, 5},
		{Member{Types: []phi.Type{phi.Patient, phi.Age}}, 6},
		{Member{Types: []phi.Type{phi.Date}}, 6},
		{Member{}, 6},
		{Member{Types: []phi.Type{phi.Age}, Priority: 9}, 9},
	} {
		if got := tt.member.Rank(); got != tt.want {
			t.Errorf("%+v: got %d, want %d", tt.member, got, tt.want)
		}
	}
}

// The labels of the public models, as their configurations list them.
func TestLabelMaps(t *testing.T) {
	const robust = "AGE DATE EMAIL HOSP ID LOC OTHERPHI PATIENT PATORG PHONE STAFF"
	for name, labels := range map[string]string{
		"obi/deid_roberta_i2b2": robust, "obi/deid_bert_i2b2": robust, "conll03": "LOC MISC ORG PER",
		"StanfordAIMI/stanford-deidentifier-base": "DATE HCW HOSPITAL ID PATIENT PHONE VENDOR",
	} {
		got, ok := LabelMap(name)
		if list := strings.Join(slices.Sorted(maps.Keys(got)), " "); !ok || list != labels {
			t.Errorf("%s has %q, want %q", name, list, labels)
		}
		clear(got)
		if again, _ := LabelMap(name); len(again) == 0 {
			t.Errorf("%s was changed from outside", name)
		}
	}
	if _, ok := LabelMap("nobody's"); ok || len(LabelMaps()) != 4 {
		t.Errorf("label maps %v", LabelMaps())
	}
}

func TestMemberName(t *testing.T) {
	for folder, want := range map[string]string{
		"/opt/models/deid_roberta_i2b2/": "deid-roberta-i2b2", "Ward 7.v2": "ward-7.v2", "...": "model",
		"models/names/v3": "names-v3", "v3": "v3", "/v3": "v3",
		strings.Repeat("x", 60): strings.Repeat("x", 40),
	} {
		if got := MemberName(folder); got != want || !memberPattern.MatchString(got) {
			t.Errorf("%s: got %q, want %q", folder, got, want)
		}
	}
}

// hashOf returns the hash of a file with these lines under detect.
func hashOf(t *testing.T, detect string) string {
	t.Helper()
	file := strings.Replace(whole, "detect: {detectors: [record, patterns], threshold: 2}", detect, 1)
	c, err := Parse([]byte(file), nil)
	if err != nil {
		t.Fatalf("%s: %v", detect, err)
	}
	return c.Hash()
}

func TestHashOfModels(t *testing.T) {
	own := "detect:\n  models:\n  - folder: /a\n    sha256: {m: " + digest + "}\n    members: [{name: x, types: [CITY, AGE], threshold: 0.4}]\n"
	if hashOf(t, "detect: {threshold: 1}") != hashOf(t, "detect: {models: default}") {
		t.Error("what holds anyway changes the hash when it is said")
	}
	for _, same := range [][2]string{{"/a", "/b"}, {"[CITY, AGE]", "[AGE, CITY]"}, {"threshold", "priority: 6, threshold"}} {
		if hashOf(t, own) != hashOf(t, strings.Replace(own, same[0], same[1], 1)) {
			t.Errorf("%s changes the hash", same[1])
		}
	}
	seen := map[string]string{}
	for _, detect := range []string{
		own, "detect: {models: default}", "detect: {models: none}",
		strings.Replace(own, "ffb7", "0000", 1), strings.Replace(own, "name: x", "name: y", 1),
		strings.Replace(own, "CITY, ", "", 1), strings.Replace(own, "0.4", "0.5", 1),
		strings.Replace(own, "threshold:", "normalize: true, threshold:", 1), strings.Replace(own, "threshold:", "recall_bias: 1, threshold:", 1),
		strings.Replace(own, "threshold:", "alone: 0.9, threshold:", 1),
		strings.Replace(own, "threshold:", "priority: 1, threshold:", 1), strings.Replace(own, "{name", "{thresholds: {AGE: 0.1}, name", 1),
		own + "    labels: conll03\n", own + "  - default\n",
	} {
		hash := hashOf(t, detect)
		if other, ok := seen[hash]; ok {
			t.Errorf("one hash for\n%s\nand\n%s", detect, other)
		}
		seen[hash] = detect
	}
}

func TestFoldersAreRelativeToTheFile(t *testing.T) {
	c := defaults()
	c.Detect.Models = []Model{{Default: true}, {Folder: "models/a"}, {Folder: "/opt/b"}}
	c.resolveFiles("/etc/pgdeid")
	got := []string{c.Detect.Models[0].Folder, c.Detect.Models[1].Folder, c.Detect.Models[2].Folder}
	if diff := cmp.Diff([]string{"", filepath.Join("/etc/pgdeid", "models/a"), "/opt/b"}, got); diff != "" {
		t.Error(diff)
	}
}

func FuzzParseModels(f *testing.F) {
	for _, seed := range []string{models, "models: none", "models: [default, {folder: a}]", "models:\n- members: {}", "models: [[1]]"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		parsed, err := ParseModels(data, true)
		if err != nil {
			return
		}
		names := map[string]bool{}
		for _, m := range parsed {
			if m.Default == (m.Folder != "") || m.Default == (len(m.Members) > 0) {
				t.Fatalf("%+v is neither the default nor a folder with members", m)
			}
			for _, member := range m.Members {
				if names[member.Name] || !memberPattern.MatchString(member.Name) {
					t.Fatalf("member %q", member.Name)
				}
				names[member.Name] = true
			}
		}
	})
}
