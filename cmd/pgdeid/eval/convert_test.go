package eval

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
)

const noteXML = `<?xml version="1.0" encoding="UTF-8" ?>
<deIdi2b2><TEXT><![CDATA[Seen by Dr. Quisenberry.]]></TEXT><TAGS>
<NAME id="P0" start="12" end="23" text="Quisenberry" TYPE="DOCTOR" comment=""/></TAGS></deIdi2b2>`

func TestConvertThereAndBack(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.MkdirAll(at("xml"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"110-01.xml", "110-02.xml"} {
		if err := os.WriteFile(at("xml/"+name), []byte(noteXML), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, words := range [][]string{
		{"--to", "brat", at("xml"), at("brat")},
		{"--from", "brat", "--to", "jsonl", at("brat"), at("notes.jsonl")},
		{"--to", "i2b2", "--types", at("notes.jsonl"), at("again")},
	} {
		if _, errs, err := runWords(t, "", append([]string{"convert"}, words...)...); err != nil ||
			!strings.Contains(errs, "2 notes with 2 marks") {
			t.Fatalf("%v: %v, %s", words, err, errs)
		}
	}
	raw, err := os.ReadFile(at("again/110-02.xml"))
	if err != nil || !strings.Contains(string(raw), `<NAME id="P0" start="12" end="23" text="Quisenberry" TYPE="DOCTOR"`) {
		t.Errorf("%v\n%s", err, raw)
	}
	for _, folder := range []string{"xml", "brat", "notes.jsonl", "again"} {
		out, code, err := call(t, "", "eval", "--models", "none", at(folder))
		if err != nil || code != 0 || !strings.Contains(out, "2 documents") {
			t.Errorf("eval %s: exit %d, %v", folder, code, err)
		}
	}
}

func TestConvertSetsAsideAndRefuses(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out.jsonl")
	good := `{"text":"Seen by Quisenberry","spans":[{"start":8,"end":19,"label":"WHO"}]}` + "\n"
	printed, errs, err := runWords(t, good+"Quisenberry\n", "convert", "--to", "jsonl", "-", "-")
	if command.ExitCode(err) != command.ExitAttention || strings.Count(printed, "\n") != 1 || !strings.Contains(errs, "line 2: not valid JSON") ||
		strings.Contains(errs, "Quisenberry") {
		t.Errorf("%v, %q, %q", err, printed, errs)
	}
	for name, tt := range map[string]struct {
		words []string
		code  int
		want  string
	}{
		"no format":   {[]string{"-", out}, command.ExitUsage, "--to: unknown format"},
		"2006":        {[]string{"--to", "i2b2-2006", "-", out}, command.ExitUsage, "can be read and not written"},
		"from":        {[]string{"--to", "jsonl", "--from", "word", "-", out}, command.ExitUsage, "--from: unknown format"},
		"stdout":      {[]string{"--to", "brat", "-", "-"}, command.ExitUsage, "only jsonl"},
		"exists":      {[]string{"--to", "jsonl", "-", dir}, command.ExitUsage, "exists"},
		"no input":    {[]string{"--to", "jsonl", "/no/such/file", out}, command.ExitFailure, "/no/such/file"},
		"one file":    {[]string{"--to", "jsonl", "-"}, command.ExitFailure, "accepts 2 arg"},
		"labels":      {[]string{"--to", "jsonl", "--labels", "/no/such/file", "-", out}, command.ExitUsage, "--labels"},
		"meaningless": {[]string{"--to", "jsonl", "--types", "-", "-"}, command.ExitAttention, "1 note left out"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := runWords(t, good, append([]string{"convert"}, tt.words...)...)
			if command.ExitCode(err) != tt.code || err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("exit %d, %v; want exit %d and %q", command.ExitCode(err), err, tt.code, tt.want)
			}
		})
	}
}
