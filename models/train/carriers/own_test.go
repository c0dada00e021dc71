package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

const ownLine = `{"id":"1","text":"Seen by Dr. Ann Moss, MD on 3/4/2015 at 10:30. Mr. Lee, a nurse, is 45. Born in May.","spans":[` +
	`{"start":12,"end":20,"type":"DOCTOR"},{"start":28,"end":36,"label":"DATE"},{"start":40,"end":45,"type":"TIME"},` +
	`{"start":51,"end":54,"label":"PERSON"},{"start":68,"end":70,"label":"AGE"},{"start":80,"end":83,"type":"DATE"}]}` + "\n"

func TestBuildOwn(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "own.jsonl"), filepath.Join(dir, "out")
	if err := os.WriteFile(in, []byte(ownLine), 0o600); err != nil {
		t.Fatal(err)
	}
	set := defaults()
	set.Folder = filepath.Join(dir, "none") // names of the lexicon
	t.Setenv("PGDEID_DATA", "")
	var report bytes.Buffer
	if err := buildOwn(options{out: out, annotated: in, errors: in}, set, &report); err != nil {
		t.Fatal(err)
	}
	all := sentencesOf(t, filepath.Join(out, "annotated.jsonl"))
	asTheyAre := map[string][]string{}
	for _, s := range all {
		if s.Source == "annotated" {
			for i, tag := range s.Tags {
				if tag != "O" {
					asTheyAre[tag] = append(asTheyAre[tag], s.Words[i])
				}
			}
			if diff := cmp.Diff([]string{"NAME", "AGE", "DATE"}, s.Covers); diff != "" {
				t.Errorf("covers: -want +got\n%s", diff)
			}
		}
	}
	want := map[string][]string{
		"B-DOCTOR": {"Ann"}, "I-DOCTOR": {"Moss"}, "B-DATE": {"3", "May"}, "I-DATE": {"/", "4", "/", "2015"}, "B-NAME": {"Lee"}, "B-AGE": {"45"},
	}
	if diff := cmp.Diff(want, asTheyAre); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	checkRefilled(t, all)
	if n := len(sentencesOf(t, filepath.Join(out, "errors.jsonl"))); n%set.ErrorWeight != 0 || n == 0 {
		t.Errorf("%d corrected sentences, want a multiple of %d", n, set.ErrorWeight)
	}
	info, err := os.Stat(filepath.Join(out, "annotated.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("what holds notes may be read by others: %v", info.Mode())
	}
	for _, word := range []string{"Moss", "Lee"} {
		if strings.Contains(report.String(), word) {
			t.Errorf("the report quotes a note")
		}
	}
}

// checkRefilled checks that no name of the note is in what was refilled.
func checkRefilled(t *testing.T, all []sentence) {
	t.Helper()
	n := 0
	for _, s := range all {
		if s.Source != "annotated-refilled" {
			continue
		}
		n++
		for i, w := range s.Words {
			if w == "Moss" || w == "Ann" || w == "Lee" && s.Tags[i] == "O" {
				t.Errorf("word %d of a refilled sentence is the note's own name", i)
			}
		}
	}
	if n < 3 {
		t.Errorf("%d refilled sentences", n)
	}
}

func sentencesOf(t *testing.T, path string) []sentence {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []sentence
	for line := range bytes.Lines(text) {
		var s sentence
		if err := json.Unmarshal(line, &s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

func TestBuildOwnErrorsQuoteNothing(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "own.jsonl")
	if err := os.WriteFile(in, []byte(strings.Replace(ownLine, "PERSON", "STRANGE", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	err := buildOwn(options{out: dir, annotated: in}, defaults(), &bytes.Buffer{})
	if err == nil || !strings.Contains(err.Error(), "STRANGE") || strings.Contains(err.Error(), "Lee") {
		t.Errorf("error %v, want one that names the label and quotes no text", err)
	}
}

func TestTagOf(t *testing.T) {
	for _, test := range []struct {
		types []phi.Type
		want  string
	}{
		{[]phi.Type{phi.Doctor}, "DOCTOR"},
		{[]phi.Type{phi.Patient, phi.Doctor, phi.Username}, "NAME"},
		{[]phi.Type{phi.Hospital, phi.Organization}, "ORG"},
		{[]phi.Type{phi.City, phi.State}, "LOCATION"},
		{[]phi.Type{phi.City, phi.Hospital}, "*"},
		{[]phi.Type{phi.Phone, phi.Fax}, "CONTACT"},
		{[]phi.Type{phi.SSN, phi.Username}, "ID"},
		{[]phi.Type{phi.Time}, ""},
		{nil, "*"},
	} {
		if got := tagOf(corpus.MeaningOf(test.types...)); got != test.want {
			t.Errorf("%v: %q, want %q", test.types, got, test.want)
		}
	}
}

func TestFormOf(t *testing.T) {
	for _, test := range []struct {
		typ         phi.Type
		value, want string
	}{
		{phi.Patient, "MOSS, ANN", "PATIENT comma"},
		{phi.Patient, "JCM", "PATIENT initials"},
		{phi.Doctor, "Moss", "DOCTOR one"},
		{phi.Doctor, "Ann\nMoss", "DOCTOR"},
		{phi.Hospital, "MGH", "HOSPITAL short"},
		{phi.Hospital, "Oak Hospital", "HOSPITAL"},
		{phi.Age, "45", "AGE number"},
		{phi.Age, "forty", "AGE"},
		{phi.Date, "3/4/2015", "DATE date"},
		{phi.Date, "2015", "DATE year"},
		{phi.Date, "the 3rd of May", "DATE"},
	} {
		if got := formOf(test.typ, test.value); got != test.want {
			t.Errorf("%s %q: %q, want %q", test.typ, test.value, got, test.want)
		}
	}
}
