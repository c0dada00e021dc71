package detect

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/commandtest"
)

type outLine struct {
	ID    json.RawMessage
	Text  string
	Spans []struct {
		Start, End int
		Type       string
		By         []string
	}
}

func readOut(t *testing.T, out string) []outLine {
	t.Helper()
	var lines []outLine
	for raw := range strings.Lines(out) {
		var line outLine
		if err := json.Unmarshal([]byte(raw), &line); err != nil {
			t.Fatalf("%q: %v", raw, err)
		}
		lines = append(lines, line)
	}
	return lines
}

const letters = `{"id":"a","patient_id":7,"text":"SMITH, JOHN seen on 3/5/2014 by Dr. Elkington. MRN ` +
	`00482913","patient":{"name.first":"John","name.last":"Smith","mrn":"00482913"}}
{"id":2,"patient_id":7,"text":"Mr. Smith came back on 3/12/2014."}
{"id":3,"patient_id":8,"text":"Mr. Smith was seen on 3/5/2014."}
not json
{"id":5,"text":"Mr. Smith was seen on 3/5/2014."}
`

func TestDeid(t *testing.T) {
	out, errs, err := runWords(t, letters, "deid", "--key-file", commandtest.Key(t), "--spans")
	if command.ExitCode(err) != command.ExitAttention || !strings.Contains(errs, "line 4") {
		t.Errorf("exit %d, standard error %q", command.ExitCode(err), errs)
	}
	lines := readOut(t, out)
	if len(lines) != 4 || string(lines[0].ID) != `"a"` || string(lines[3].ID) != "5" {
		t.Fatalf("ids or order: %q", out)
	}
	for _, gone := range []string{"Smith", "SMITH", "JOHN", "Elkington", "482913", "3/5/2014", "3/12/2014"} {
		if strings.Contains(out, gone) {
			t.Errorf("%q is in the output", gone)
		}
	}
	family, _, _ := strings.Cut(lines[0].Text, ",")
	if got := strings.Fields(lines[1].Text)[1]; !strings.EqualFold(got, family) {
		t.Errorf("one patient is called %s and %s", family, got)
	}
	if strings.Contains(strings.ToUpper(lines[2].Text), family) || strings.Contains(strings.ToUpper(lines[3].Text), family) {
		t.Errorf("%s replaces two patients' names", family)
	}
	for _, line := range lines {
		runes := []rune(line.Text)
		for _, s := range line.Spans {
			if s.Start < 0 || s.End <= s.Start || s.End > len(runes) || len(s.By) == 0 {
				t.Errorf("span %+v of %d code points", s, len(runes))
			}
		}
	}
}

func TestDeidIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	key, in := commandtest.Key(t), strings.Repeat(letters, 30)
	one, _, _ := runWords(t, in, "deid", "--key-file", key, "--workers", "1")
	many, _, _ := runWords(t, in, "deid", "--key-file", key, "--workers", "4")
	if one != many || one == "" {
		t.Error("the output depends on the number of workers")
	}
}

func TestDeidUsage(t *testing.T) {
	key := commandtest.Key(t)
	for _, words := range [][]string{
		{"--profile", "custom"}, {"--profile", "x"}, {"--threshold", "0"}, {"--workers", "-1"}, {"--detectors", "unknown"},
	} {
		if _, _, err := runWords(t, "", append([]string{"deid", "--key-file", key}, words...)...); command.ExitCode(err) != command.ExitUsage {
			t.Errorf("%v: %v", words, err)
		}
	}
	out, _, err := runWords(t, letters[:strings.Index(letters, "\n")], "deid", "--key-file", key, "--profile", "limited")
	if err != nil || !strings.Contains(out, "3/5/2014") || strings.Contains(out, "SMITH") {
		t.Errorf("limited: %q, %v", out, err)
	}
}
