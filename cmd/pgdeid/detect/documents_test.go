package detect

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/commandtest"
	"github.com/pgdeid/pgdeid/ensemble/corpus"
)

// line writes a line of JSON Lines.
func line(t *testing.T, fields map[string]any) string {
	t.Helper()
	data, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return string(data) + "\n"
}

func TestDetectCountsInTheDocument(t *testing.T) {
	for _, tt := range []struct{ format, doc, want string }{
		{"", "é seen 4/27/2004", "4/27/2004"},
		{"plain", "é seen 4/27/2004", "4/27/2004"},
		{"json", `{"é": "seen 4\/27/2004 ok"}`, `4\/27/2004`},
		{"html", "<p>é seen <b>4/27</b>/2004&#33;</p>", "4/27</b>/2004"},
		{"auto", `["seen 4/27/2004"]`, "4/27/2004"},
	} {
		out, errs, err := runDetectCommand(t, line(t, map[string]any{"id": 1, "text": tt.doc, "format": tt.format}), "--detectors", "patterns")
		var got corpus.DetectLine
		if err != nil || json.Unmarshal([]byte(out), &got) != nil || len(got.Spans) != 1 {
			t.Errorf("%s: printed %q, %q, error %v", tt.format, out, errs, err)
			continue
		}
		s := got.Spans[0]
		if place := string([]rune(tt.doc)[s.Start:s.End]); place != tt.want {
			t.Errorf("%s: found %q, want %q", tt.format, place, tt.want)
		}
	}
}

func TestDocumentsThatCannotBeRead(t *testing.T) {
	in := line(t, map[string]any{"text": `{"a": "Marksman`, "format": "json"}) +
		line(t, map[string]any{"text": "Marksman", "format": "docx"}) +
		line(t, map[string]any{"text": "Marksman", "encoding": "zip"}) + line(t, map[string]any{"id": 4, "text": `["Ann"]`, "format": "json"})
	for _, words := range [][]string{{"detect"}, {"deid", "--key-file", commandtest.Key(t)}} {
		out, errs, err := runWords(t, in, words...)
		if command.ExitCode(err) != command.ExitAttention || strings.Count(out, "\n") != 1 || strings.Contains(errs, "Marksman") {
			t.Errorf("%s: exit %d, printed %q, %q", words[0], command.ExitCode(err), out, errs)
		}
		for _, want := range []string{
			"line 1: read a document as json: a string without an end, at byte 6", "line 2: unknown format", "line 3: unknown encoding",
		} {
			if !strings.Contains(errs, want) {
				t.Errorf("%s: standard error %q lacks %q", words[0], errs, want)
			}
		}
	}
}

func TestDeidWritesDocuments(t *testing.T) {
	who := map[string]any{"name.first": "John", "name.last": "Smith", "mrn": "10482913"}
	in := line(t, map[string]any{
		"id": "a", "patient_id": 7, "patient": who, "format": "json",
		"text": `{"name": ["\u004aohn", "Smith"],  "mrn": 10482913, "n": 1.50}`,
	}) +
		line(t, map[string]any{"id": "b", "patient_id": 7, "format": "html", "text": "<p>Mr. <b>Sm</b>ith &amp; wife<!-- Smith --></p>"}) +
		line(t, map[string]any{"id": "c", "patient_id": 7, "text": "Mr. Smith, MRN 10482913"})
	out, errs, err := runWords(t, in, "deid", "--key-file", commandtest.Key(t), "--spans")
	if err != nil || errs != "" {
		t.Fatalf("%q, %v", errs, err)
	}
	lines := readOut(t, out)
	for _, l := range lines {
		if strings.Contains(l.Text, "ith") || strings.Contains(l.Text, "ohn") || strings.Contains(l.Text, "10482913") || len(l.Spans) == 0 {
			t.Errorf("%s: %s", l.ID, l.Text)
		}
		for _, s := range l.Spans {
			if s.Start < 0 || s.End <= s.Start || s.End > len([]rune(l.Text)) {
				t.Errorf("%s: span %+v", l.ID, s)
			}
		}
	}
	var doc struct {
		Name []string
		MRN  json.Number
		N    json.RawMessage
	}
	if err := json.Unmarshal([]byte(lines[0].Text), &doc); err != nil || len(doc.Name) != 2 || len(doc.MRN) != 8 || string(doc.N) != "1.50" {
		t.Fatalf("%v in %s", err, lines[0].Text)
	}
	html, plain := lines[1].Text, lines[2].Text
	if !strings.HasPrefix(html, "<p>Mr. <b>") || !strings.HasSuffix(html, "</b> &amp; wife</p>") {
		t.Errorf("the markup is another one: %s", html)
	}
	if plain != "Mr. "+doc.Name[1]+", MRN "+string(doc.MRN) || !strings.Contains(html, doc.Name[1]) {
		t.Errorf("one patient, several surrogates: %s %s %s", lines[0].Text, html, plain)
	}
}

func TestFilesOfDocuments(t *testing.T) {
	path := filepath.Join(t.TempDir(), "letter.html")
	doc := "<p>é Seen by Dr. <i>Elk</i>ington on 4/27/2004.</p>"
	if err := os.WriteFile(path, []byte(doc), 0o600); err != nil {
		t.Fatal(err)
	}
	out, errs, err := runDetectCommand(t, "", "--detectors", "patterns", "--format", "html", path)
	var got corpus.DetectLine
	if err != nil || json.Unmarshal([]byte(out), &got) != nil || string(got.ID) != `"`+path+`"` || len(got.Spans) == 0 {
		t.Fatalf("printed %q, %q, error %v", out, errs, err)
	}
	if s := got.Spans[len(got.Spans)-1]; doc[s.Start:s.End] != "4/27/2004" {
		t.Errorf("found %q", doc[s.Start:s.End])
	}
	key := commandtest.Key(t)
	out, errs, err = runWords(t, "", "deid", "--key-file", key, "--format", "html", "--patient-id", "7", path)
	if err != nil || strings.Contains(out, "ington") || strings.Contains(out, "4/27/2004") ||
		!strings.HasPrefix(out, "<p>é Seen by Dr. <i>") {
		t.Errorf("printed %q, %q, error %v", out, errs, err)
	}
	again, _, _ := runWords(t, doc, "deid", "--key-file", key, "--format", "auto", "--patient-id", "7")
	if again != out {
		t.Errorf("from standard input: %q, want %q", again, out)
	}
}

func TestFlagsOfDocuments(t *testing.T) {
	key := commandtest.Key(t)
	for _, words := range [][]string{
		{"detect", "--format", "docx"},
		{"detect", "--encoding", "zip"},
		{"deid", "--key-file", key, "--format", "docx"},
		{"deid", "--key-file", key, "--patient-id", "7"},
		{"deid", "--key-file", key, "--format", "rtf", "a", "b"},
		{"deid", "--key-file", key, "--format", "rtf", "--spans", "a"},
	} {
		if _, _, err := runWords(t, "", words...); command.ExitCode(err) != command.ExitUsage {
			t.Errorf("%v: %v", words, err)
		}
	}
	if _, _, err := runWords(t, "{", "deid", "--key-file", key, "--format", "json"); err == nil || command.ExitCode(err) == 0 {
		t.Errorf("a broken document: %v", err)
	}
}
