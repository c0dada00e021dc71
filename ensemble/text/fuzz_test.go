package text_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

func seedTexts(f *testing.F) {
	f.Helper()
	for _, text := range ensembletest.Texts() {
		if len(text.Text) < 2000 {
			f.Add(text.Text)
		}
	}
}

// FuzzTokenize checks that tokens are sorted, disjoint, on rune borders, and
// that only white space is between them.
func FuzzTokenize(f *testing.F) {
	seedTexts(f)
	f.Fuzz(func(t *testing.T, s string) {
		if text.Check(s) != nil {
			return
		}
		end := 0
		for _, tok := range text.Tokenize(s) {
			if tok.Start < end || tok.End <= tok.Start || tok.End > len(s) {
				t.Fatalf("token [%d, %d) after one that ends at %d", tok.Start, tok.End, end)
			}
			if !utf8.RuneStart(s[tok.Start]) || tok.End < len(s) && !utf8.RuneStart(s[tok.End]) {
				t.Fatalf("token [%d, %d) is not on rune borders", tok.Start, tok.End)
			}
			between := strings.Trim(s[end:tok.Start], "\ufeff")
			if strings.Trim(strings.TrimSpace(between), "\ufeff \t\r\n") != "" && strings.TrimSpace(strings.ReplaceAll(between, "\ufeff", "")) != "" {
				t.Fatalf("bytes [%d, %d) are in no token", end, tok.Start)
			}
			if tok.Space != (tok.Start > end || tok.Start == 0) {
				t.Fatalf("token [%d, %d): Space is %v", tok.Start, tok.End, tok.Space)
			}
			end = tok.End
		}
	})
}

func FuzzSentences(f *testing.F) {
	seedTexts(f)
	f.Fuzz(func(t *testing.T, s string) {
		if text.Check(s) == nil {
			checkSentences(t, s)
		}
	})
}
