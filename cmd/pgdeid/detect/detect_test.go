package detect

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
)

// runDetectCommand runs detect with arguments and input, and returns what it
// printed and its error.
func runDetectCommand(t *testing.T, input string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	return runWords(t, input, append([]string{"detect", "--models", "none"}, args...)...)
}

func TestDetectPrintsCodePoints(t *testing.T) {
	in := `{"id":"é1","text":"Größe 😀: seen on 4/27/2004."}` + "\n"
	out, errs, err := runDetectCommand(t, in, "--detectors", "patterns")
	want := `{"id":"é1","spans":[{"start":17,"end":26,"type":"DATE","by":["patterns"]}]}` + "\n"
	if err != nil || errs != "" || out != want {
		t.Errorf("printed %q, %q, error %v; want %q", out, errs, err, want)
	}
}

func TestDetectReportsLines(t *testing.T) {
	in := `{"id":1,"text":"fine"}` + "\nbroken\n" + `{"id":3,"text":"x","patient":{"shoe":"1"}}` + "\n"
	out, errs, err := runDetectCommand(t, in)
	if command.ExitCode(err) != command.ExitAttention {
		t.Errorf("error %v, want exit status %d", err, command.ExitAttention)
	}
	if out != `{"id":1,"spans":[]}`+"\n" {
		t.Errorf("printed %q", out)
	}
	for _, want := range []string{"line 2: not valid JSON", `line 3: patient: unknown role "shoe"`} {
		if !strings.Contains(errs, want) {
			t.Errorf("standard error %q lacks %q", errs, want)
		}
	}
}

func TestDetectRefusesUnknownDetectors(t *testing.T) {
	_, _, err := runDetectCommand(t, "", "--detectors", "patterns,oracle")
	if command.ExitCode(err) != command.ExitUsage || !strings.Contains(err.Error(), `"oracle"`) ||
		!strings.Contains(err.Error(), "patterns") {
		t.Errorf("error %v", err)
	}
}
