package eval

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/ensemble/eval"
	"github.com/pgdeid/pgdeid/ensemble/eval/agreement"
	"github.com/pgdeid/pgdeid/ensemble/eval/score"
)

// evalNotes are made-up notes: offsets count characters, as i2b2 and BRAT do.
var evalNotes = []struct {
	text  string
	marks [][3]string // tag, type, text; in order
}{
	{
		"Record date: 2087-02-20\n\nMr. José Quisenberry (MRN 1234567) was seen by Dr. Wendy Vandersloot at Harbor Light Hospital.\n",
		[][3]string{
			{"DATE", "DATE", "2087-02-20"},
			{"NAME", "PATIENT", "José Quisenberry"},
			{"ID", "MEDICALRECORD", "1234567"},
			{"NAME", "DOCTOR", "Wendy Vandersloot"},
			{"LOCATION", "HOSPITAL", "Harbor Light Hospital"},
		},
	},
	{"She is 53, lives in Dunmore, and can be called at 212-555-0143. tp\n", [][3]string{
		{"AGE", "AGE", "53"}, {"LOCATION", "CITY", "Dunmore"}, {"CONTACT", "PHONE", "212-555-0143"}, {"NAME", "DOCTOR", "tp"},
	}},
}

// writeNotes writes the notes as i2b2 2014 XML and as BRAT, each into its folder.
func writeNotes(t *testing.T) (i2b2, brat string) {
	t.Helper()
	i2b2, brat = t.TempDir(), t.TempDir()
	write := func(folder, name, content string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i, n := range evalNotes {
		var tags, ann strings.Builder
		from := 0
		for j, m := range n.marks {
			at := from + strings.Index(n.text[from:], m[2])
			from = at + len(m[2])
			start := len([]rune(n.text[:at]))
			end := start + len([]rune(m[2]))
			fmt.Fprintf(&tags, "<%s id=\"P%d\" start=\"%d\" end=\"%d\" text=%q TYPE=%q comment=\"\" />\n", m[0], j, start, end, m[2], m[1])
			fmt.Fprintf(&ann, "T%d\t%s %d %d\t%s\n", j+1, m[1], start, end, m[2])
		}
		name := fmt.Sprintf("22%d-01", i)
		write(i2b2, name+".xml", fmt.Sprintf("<?xml version=\"1.0\" encoding=\"UTF-8\" "+
			"?>\n<deIdi2b2>\n<TEXT><![CDATA[%s]]></TEXT>\n<TAGS>\n%s</TAGS>\n</deIdi2b2>\n", n.text, tags.String()))
		write(brat, name+".txt", n.text)
		write(brat, name+".ann", ann.String())
	}
	return i2b2, brat
}

func evalJSON(t *testing.T, words ...string) eval.Result {
	t.Helper()
	out, code, err := call(t, "", append([]string{"eval", "--json"}, words...)...)
	if err != nil || code != command.ExitOK {
		t.Fatalf("exit %d: %v", code, err)
	}
	res, err := eval.ReadResult(strings.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	res.Elapsed = 0
	return res
}

func TestEvalOfTwoFormatsIsTheSame(t *testing.T) {
	i2b2, brat := writeNotes(t)
	a, b := evalJSON(t, i2b2), evalJSON(t, brat)
	words := score.Counts{Gold: 13, Found: a.Groups["all"].Found, Predicted: a.Groups["all"].Predicted, False: a.Groups["all"].False}
	if a.Docs != 2 || a.Groups["all"].Counts != words || a.Strict.Gold != 9 || a.I2B2["HIPAA"]["strict"].Gold != 6 ||
		a.I2B2["HIPAA"]["binary tokens"].Gold != 11 {
		t.Errorf("all %+v, strict %+v, HIPAA %+v", a.Groups["all"].Counts, a.Strict.Counts, a.I2B2["HIPAA"])
	}
	if a.Strict.Found < 6 || a.Errors.Instances != 8 || a.TableS4.All.Support != 9 {
		t.Errorf("%d of %d strict, %d instances, %d words of group B", a.Strict.Found, a.Strict.Gold, a.Errors.Instances, a.TableS4.All.Support)
	}
	// BRAT has no fixed labels: HOSPITAL may mean any organisation there, and so
	// belongs to group A. What does not ask for types is the same.
	same := func(r eval.Result) []any {
		return []any{
			r.Docs, r.Bytes, r.Words, r.Perfect, r.Overscrub, r.Groups["C"], r.Groups["all"], r.Errors.PerNote, r.Genders,
			r.I2B2["i2b2"]["binary tokens"],
		}
	}
	if diff := cmp.Diff(same(a), same(b)); diff != "" {
		t.Error(diff)
	}
}

func TestEvalDetails(t *testing.T) {
	i2b2, _ := writeNotes(t)
	short, _, err := call(t, "", "eval", i2b2)
	if err != nil || strings.Contains(short, "HIPAA as scripted") {
		t.Errorf("%v:\n%s", err, short)
	}
	long, _, err := call(t, "", "eval", "--details", i2b2)
	if err != nil || !strings.HasPrefix(long, short[:strings.Index(short, "detection:")]) {
		t.Errorf("%v: the details don't begin with the table", err)
	}
	for _, want := range []string{"HIPAA as scripted", "PII coverage", "category of error", "false positives"} {
		if !strings.Contains(long, want) {
			t.Errorf("no %q in\n%s", want, long)
		}
	}
}

func TestEvalKappa(t *testing.T) {
	i2b2, brat := writeNotes(t)
	out, code, err := call(t, "", "eval", "--kappa", i2b2, brat)
	if err != nil || code != command.ExitOK || !strings.Contains(out, "2 documents, ") || !strings.Contains(out, "Cohen's kappa 1.0000") {
		t.Errorf("exit %d, %v:\n%s", code, err, out)
	}
	ann := filepath.Join(brat, "221-01.ann")
	raw, err := os.ReadFile(ann)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(raw), "\n")
	if err := os.WriteFile(ann, []byte(strings.Join(lines[1:], "")), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _, err = call(t, "", "eval", "--kappa", "--json", i2b2, brat)
	var report agreement.Report
	if err := errors.Join(err, json.Unmarshal([]byte(out), &report)); err != nil {
		t.Fatal(err)
	}
	if report.Words.OnlyA != 1 || report.Words.OnlyB != 0 || report.Types["AGE"].OnlyA != 1 ||
		!slices.Contains(slices.Collect(maps.Keys(report.Types)), "PATIENT") {
		t.Errorf("%+v", report)
	}
	for want, words := range map[string][]string{"want two files": {i2b2}, "no such file": {i2b2, "/no/such/file"}} {
		if _, code, err := call(t, "", append([]string{"eval", "--kappa"}, words...)...); code == command.ExitOK || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: exit %d, %v", words, code, err)
		}
	}
}

func TestEvalLeakage(t *testing.T) {
	const line = `{"id":"a","text":"Seen by Dr. Quisenberry on 03/05/2020. Had porridge.","spans":[` +
		`{"start":12,"end":23,"type":"DOCTOR"},{"start":27,"end":37,"type":"DATE"},{"start":43,"end":51,"type":"PATIENT"}]}` + "\n"
	out, code, err := call(t, line, "eval", "--leakage", "-")
	if err != nil || code != command.ExitOK || !strings.Contains(out, "in 1 of 1 documents a word of group C is left") ||
		strings.Contains(out, "porridge") {
		t.Errorf("exit %d, %v:\n%s", code, err, out)
	}
	if _, code, err = call(t, line, "eval", "--leakage", "--max-leakage", "10", "-"); code != command.ExitAttention ||
		!strings.Contains(err.Error(), "33.333%") {
		t.Errorf("exit %d, %v", code, err)
	}
	if _, code, err = call(t, line, "eval", "--leakage", "--max-leakage", "50", "-"); code != command.ExitOK {
		t.Errorf("exit %d, %v", code, err)
	}
	for want, words := range map[string][]string{
		"--max-leakage":  {"--max-leakage", "101"},
		"does not exist": {"--key-file", "/no/such/file"},
	} {
		if _, code, err := call(t, line, append([]string{"eval", "--leakage", "-"}, words...)...); code == command.ExitOK ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v: exit %d, %v", words, code, err)
		}
	}
}
