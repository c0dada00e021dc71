package harvest

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// FromMarked returns the sentences that annotated documents leave unmarked: a person has read them
// and found no PHI (main paper: "sentences marked as being devoid of PII during the validation
// phase"). The corrected output of 'pgdeid eval --errors' consists of such documents.
//
// It excludes sentences that are marked anywhere in the documents and those longer than
// [Options.MaxBytes] (0: the default).
func FromMarked(docs iter.Seq2[corpus.Annotated, error], reviewer string, at time.Time, longest int) (List, error) {
	split := splitter{longest: Options{MaxBytes: longest}.withDefaults().MaxBytes}
	clean, marked := map[string]int64{}, map[string]bool{}
	for doc, err := range docs {
		if err != nil {
			return nil, err
		}
		if reviewer == "" {
			return nil, fmt.Errorf("say who marked the documents")
		}
		seen := map[string]bool{}
		split.each(&ensemble.Note{Text: doc.Text}, func(s sentence) {
			key := string(s.key)
			if touched(doc.Marks, s.where) {
				marked[key] = true
			} else if !seen[key] {
				seen[key] = true
				clean[key]++
			}
		})
	}
	var entries []Verified
	for _, text := range slices.Sorted(maps.Keys(clean)) {
		if !marked[text] {
			entries = append(entries, Verified{Kind: Sentence, Text: text, Reviewer: reviewer, At: at, Origin: Marked, Notes: clean[text]})
		}
	}
	return NewList(entries), nil
}

func touched(marks []corpus.Mark, r phi.Range) bool {
	return slices.ContainsFunc(marks, func(m corpus.Mark) bool { return m.Start < r.End && r.Start < m.End })
}
