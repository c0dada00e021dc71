package text_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/text"
)

// readCases returns the lines of a file of cases, but for comments and empty lines. "⏎" is a line break, and
// characters that can't be seen are written as Go does.
func readCases(t testing.TB, name string) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var cases []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimRight(line, "\n"); line != "" && !strings.HasPrefix(line, "//") {
			cases = append(cases, strings.ReplaceAll(line, "⏎", "\n"))
		}
	}
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	return cases
}

// unescape returns a text with its Go escapes resolved.
func unescape(t testing.TB, s string) string {
	t.Helper()
	plain, err := strconv.Unquote(`"` + strings.ReplaceAll(s, `"`, `\"`) + `"`)
	if err != nil {
		t.Fatalf("%q: %v", s, err)
	}
	return plain
}

// In each case "‖" is where a sentence ends and another begins.
func TestSentenceCases(t *testing.T) {
	t.Parallel()
	for _, want := range readCases(t, "sentences.txt") {
		body := strings.ReplaceAll(want, "‖", "")
		if got := markSentences(body); got != want {
			t.Errorf("\n got %s\nwant %s", strings.ReplaceAll(got, "\n", "⏎"), strings.ReplaceAll(want, "\n", "⏎"))
		}
	}
}

// markSentences returns a text with a mark before each sentence but the first.
func markSentences(body string) string {
	var b strings.Builder
	at := 0
	for i, s := range text.NewView(body).Sentences() {
		b.WriteString(body[at:s.Start])
		if i > 0 {
			b.WriteString("‖")
		}
		at = s.Start
	}
	return b.String() + body[at:]
}

// Each case is a text and, behind an arrow, its tokens, each with its kind and case: a word's l, T, U or M, a number's
// 9 and a mark's dot.
func TestTokenCases(t *testing.T) {
	t.Parallel()
	for _, line := range readCases(t, "tokens.txt") {
		body, want, ok := strings.Cut(line, " → ")
		if !ok {
			t.Fatalf("no arrow in %q", line)
		}
		if got := describe(unescape(t, body)); got != want {
			t.Errorf("%s: got %s, want %s", body, got, want)
		}
	}
}

// describe returns the tokens of a text as the cases write them.
func describe(body string) string {
	var parts []string
	for _, tok := range text.Tokenize(body) {
		kind := string("lTUM"[tok.Case])
		switch tok.Kind {
		case text.Number:
			kind = "9"
		case text.Punct:
			kind = "."
		}
		quoted := strconv.QuoteToGraphic(body[tok.Start:tok.End])
		parts = append(parts, strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)+":"+kind)
	}
	return strings.Join(parts, " ")
}
