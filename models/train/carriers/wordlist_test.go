package main

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/features"
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// listed returns the numbers of a list's lines by word.
func listed(t *testing.T, list wordList) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, line := range list.lines() {
		word, numbers, ok := strings.Cut(strings.TrimSuffix(string(line), "\n"), "\t")
		if !ok || out[word] != "" {
			t.Fatalf("line %q", line)
		}
		out[word] = numbers
	}
	return out
}

// TestWordListHasTheColumns compares what training is given of each word of a text with what
// a network is given of it when it runs.
func TestWordListHasTheColumns(t *testing.T) {
	t.Parallel()
	const body = "MARY Moss of Boston, Texas took aspirin on Monday the 12th of January; nurse O'Brien: Parkinson's, qqzzx 4x 24 XIV."
	note := &ensemble.Note{Text: body}
	s := whole("test", body, nil, nil)
	list := wordList{}
	list.add(s)
	got, columns := listed(t, list), features.Columns(note)
	blank := strings.TrimSpace(strings.Repeat("0 ", features.NumColumns-features.ColumnFirst))
	for i, word := range s.Words {
		var numbers []string
		for _, n := range columns[i*features.NumColumns+features.ColumnFirst : (i+1)*features.NumColumns] {
			numbers = append(numbers, strconv.Itoa(int(n)))
		}
		want := strings.Join(numbers, " ")
		have, there := got[strings.ToLower(word)]
		if !there {
			have = blank
		}
		if have != want {
			t.Errorf("%q: %s, want %s", word, have, want)
		}
	}
	for _, word := range []string{"mary", "moss", "boston", "aspirin"} {
		if got[word] == "" || got[word] == blank {
			t.Errorf("nothing is known of %q", word)
		}
	}
	if _, there := got["qqzzx"]; there {
		t.Error("an unknown word is there")
	}
}

func TestWordListIsSortedAndWithoutDoubles(t *testing.T) {
	t.Parallel()
	list := wordList{}
	for range 2 {
		list.add(sentence{Words: []string{"pain", "Moss", "MOSS", "moss", "ann"}})
	}
	lines := list.lines()
	if len(lines) != 3 || !slices.IsSortedFunc(lines, bytes.Compare) {
		t.Errorf("lines %q", lines)
	}
}

func TestNoWordList(t *testing.T) {
	t.Parallel()
	var list wordList
	list.add(sentence{Words: []string{"pain"}}) // held-out files ask for none
	if lines := list.lines(); len(lines) != 0 {
		t.Errorf("lines %q", lines)
	}
}

// The numbers of a line follow from the folded word, so that one line does for all cases.
func TestWordListDoesNotDependOnCase(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"Mary", "Parkinson", "Foley", "Rice", "García", "TX"} {
		as, _ := lexicon.Lookup(word)
		for _, other := range []string{strings.ToLower(word), strings.ToUpper(word)} {
			if e, _ := lexicon.Lookup(other); features.WordColumns(&e) != features.WordColumns(&as) {
				t.Errorf("%q is known as %v, %q as %v", word, as, other, e)
			}
		}
	}
}
