package harvest

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var when = time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)

func proposalsOf(texts ...string) []Proposal {
	var list []Proposal
	for i, s := range texts {
		list = append(list, Proposal{
			ID: IDOf(Sentence, s), Kind: Sentence, Text: s, Notes: int64(100 - i), Patients: 11, Authors: 5,
			Clinical: i%2 == 0,
		})
	}
	return list
}

func TestProposalsAreReadBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "proposals.jsonl")
	list := append(proposalsOf("No fever.", "a\tb & <c>", "=1+1", "“Grüße”"),
		Proposal{ID: IDOf(Template, "by <PATIENT W, W>"), Kind: Template, Text: "by <PATIENT W, W>", Detail: []byte(`{"types":["PATIENT"]}`)})
	if err := WriteProposals(path, list); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	got, err := ReadProposals(path)
	if err != nil || len(got) != 5 || got[1].Text != "a\tb & <c>" || string(got[4].Detail) != `{"types":["PATIENT"]}` {
		t.Fatalf("%d, %v", len(got), err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(string) string{
		"a changed text":  func(s string) string { return strings.Replace(s, "No fever.", "No Fevers.", 1) },
		"a line less":     func(s string) string { return s[:strings.LastIndex(s[:len(s)-1], "\n")+1] },
		"a line cut":      func(s string) string { return s[:len(s)-20] },
		"another format":  func(s string) string { return strings.Replace(s, "pgdeid", "other", 1) },
		"another version": func(s string) string { return strings.Replace(s, `"version":1`, `"version":2`, 1) },
		"no sentence":     func(s string) string { return strings.Replace(s, `"No fever."`, `" No  fever."`, 1) },
		"an unknown kind": func(s string) string { return strings.Replace(s, `"template"`, `"tune"`, 1) },
		"nothing":         func(string) string { return "" },
	} {
		_, err := parseProposals(strings.NewReader(change(string(data))))
		if err == nil || strings.Contains(err.Error(), "ever.") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestListIsReadBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list.jsonl")
	list := NewList([]Verified{
		{Kind: Template, Text: "by <PATIENT W, W>", Detail: []byte(`{"b":2, "a":1}`), Reviewer: "jlee", At: when, Origin: Harvested},
		{Kind: Sentence, Text: "No fever.", Reviewer: "jlee", At: when, Origin: Harvested, Notes: 7},
		{Kind: Sentence, Text: "No fever.", Reviewer: "other", At: when, Origin: Marked},
		{Kind: Sentence, Text: "All is well.", Reviewer: "jlee", At: when, Origin: Marked},
	})
	if len(list) != 3 || list[1].Reviewer != "jlee" {
		t.Fatalf("%d entries", len(list))
	}
	if err := WriteList(path, list); err != nil {
		t.Fatal(err)
	}
	got, err := ReadList(path)
	if err != nil || len(got) != 3 || got.Digest() != list.Digest() {
		t.Fatalf("%d, %v", len(got), err)
	}
	in := got.Inclusion()
	if in.Len() != 2 || !in.Holds("No  fever.") || in.Holds("by <PATIENT W, W>") {
		t.Errorf("%d sentences", in.Len())
	}
	if (List{}).Inclusion() != nil || (List{}).Digest() != "" {
		t.Error("an empty list is one")
	}
	again := slices.Clone(list)
	again[2].Detail, again[0].Reviewer = []byte(`{"a":1,"b":2}`), "somebody"
	if again.Digest() != list.Digest() {
		t.Error("who verified it and how JSON is written change the digest")
	}
	again[2].Detail = []byte(`{"a":1,"b":3}`)
	if again.Digest() == list.Digest() {
		t.Error("another detail has the same digest")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{
		"text": {"No fever.", "No fevers."}, "reviewer": {`"jlee"`, `""`}, "origin": {`"marked"`, `"found"`}, "time": {"2024-05-06", "yesterday"},
	} {
		if _, err := ParseList(bytes.NewReader(bytes.Replace(data, []byte(change[0]), []byte(change[1]), 1))); err == nil {
			t.Errorf("a changed %s was read", name)
		}
	}
	more := list.With(NewList([]Verified{{Kind: Sentence, Text: "New.", Reviewer: "jlee", At: when, Origin: Harvested}}),
		[]string{IDOf(Sentence, "No fever.")})
	if len(more) != 3 || more.Inclusion().Holds("No fever.") || !more.Inclusion().Holds("New.") {
		t.Errorf("%d entries after a change", len(more))
	}
	if none, err := ReadListIfAny(path + ".none"); err != nil || none != nil {
		t.Errorf("no file: %v, %v", none, err)
	}
}

func FuzzParseList(f *testing.F) {
	var file bytes.Buffer
	path := filepath.Join(f.TempDir(), "list")
	list := NewList([]Verified{{Kind: Sentence, Text: "No fever.", Reviewer: "jlee", At: when, Origin: Harvested}})
	if err := WriteList(path, list); err != nil {
		f.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	file.Write(data)
	f.Add(file.Bytes())
	f.Add([]byte(`{"format":"pgdeid verified","version":1,"entries":0}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := ParseList(bytes.NewReader(data))
		if err != nil {
			return
		}
		for i := range list {
			if err := list[i].check(); err != nil {
				t.Fatalf("entry %d was read: %v", i, err)
			}
		}
		path := filepath.Join(t.TempDir(), "again")
		if err := WriteList(path, list); err != nil {
			t.Fatal(err)
		}
		if again, err := ReadList(path); err != nil || again.Digest() != list.Digest() {
			t.Fatalf("not read back: %v", err)
		}
	})
}

func TestJournalSurvives(t *testing.T) {
	path := filepath.Join(t.TempDir(), "proposals.jsonl")
	if got, err := ReadVerdicts(path); err != nil || len(got) != 0 {
		t.Fatalf("no journal: %v, %v", got, err)
	}
	list := proposalsOf("a b", "c d", "e f")
	add := func(verdicts ...Verdict) {
		t.Helper()
		j, err := OpenJournal(path)
		if err != nil {
			t.Fatal(err)
		}
		defer j.Close()
		if err := j.Add(verdicts...); err != nil {
			t.Fatal(err)
		}
	}
	add(Verdict{ID: list[0].ID, Decision: Yes, Reviewer: "jlee", At: when}, Verdict{ID: list[1].ID, Decision: Yes, Reviewer: "jlee", At: when})
	// A crash leaves half a line.
	file, err := os.OpenFile(JournalPath(path), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString(`{"id":"` + list[2].ID + `","deci`); err != nil {
		t.Fatal(err)
	}
	file.Close()
	add(Verdict{ID: list[1].ID, Decision: No, Reviewer: "other", At: when})
	got, err := ReadVerdicts(path)
	if err != nil || len(got) != 2 || got[list[1].ID].Decision != No {
		t.Fatalf("%v, %v", got, err)
	}
	verified, refused := Judged(list, got)
	if len(verified) != 1 || verified[0].Text != "a b" || verified[0].Reviewer != "jlee" || !slices.Equal(refused, []string{list[1].ID}) {
		t.Errorf("%d verified, %v refused", len(verified), refused)
	}
	info, err := os.Stat(JournalPath(path))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	j, err := OpenJournal(path)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	for name, v := range map[string]Verdict{
		"no id": {ID: "", Decision: Yes, Reviewer: "jlee", At: when}, "no decision": {ID: "x", Decision: "maybe", Reviewer: "jlee", At: when}, "no name": {ID: "x", Decision: Yes, Reviewer: "", At: when},
		"no time": {ID: "x", Decision: Yes, Reviewer: "jlee", At: time.Time{}},
	} {
		if err := j.Add(v); err == nil {
			t.Errorf("%s: kept", name)
		}
	}
	if err := os.WriteFile(JournalPath(path), []byte("{\"id\":\"x\"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadVerdicts(path); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("a wrong line: %v", err)
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	path, list := filepath.Join(dir, "proposals"), proposalsOf("a b", "c d")
	if err := WriteProposals(path, list); err != nil {
		t.Fatal(err)
	}
	if verified, refused, err := Load(path); err != nil || len(verified)+len(refused) > 0 {
		t.Errorf("without verdicts: %v, %v, %v", verified, refused, err)
	}
	j, err := OpenJournal(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Add(Verdict{ID: list[0].ID, Decision: No, Reviewer: "jlee", At: when}, Verdict{ID: list[1].ID, Decision: Yes, Reviewer: "jlee", At: when}); err != nil {
		t.Fatal(err)
	}
	j.Close()
	verified, refused, err := Load(path)
	if err != nil || len(verified) != 1 || !slices.Equal(refused, []string{list[0].ID}) {
		t.Fatalf("%d, %v, %v", len(verified), refused, err)
	}
	if err := WriteList(path+".list", verified); err != nil {
		t.Fatal(err)
	}
	if again, refused, err := Load(path + ".list"); err != nil || again.Digest() != verified.Digest() || refused != nil {
		t.Errorf("the list: %v, %v", refused, err)
	}
	if err := os.WriteFile(path, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Load(path); err == nil {
		t.Error("loaded something else")
	}
}
