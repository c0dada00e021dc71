package admin

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/harvest"
)

func verified(text, detail string) harvest.Verified {
	return harvest.Verified{Kind: harvest.Sentence, Text: text, Detail: json.RawMessage(detail), Reviewer: "jlee", At: time.Unix(7, 0)}
}

func TestDifferencesOfVerifiedLists(t *testing.T) {
	t.Parallel()
	ate, slept := verified("Ate well.", ""), verified("Slept well.", "")
	marked, otherwise := verified("Seen by staff.", `{"at": 1}`), verified("Seen by staff.", `{"at": 2}`)
	for name, c := range map[string]struct {
		change VerifiedChange
		have   harvest.List
		add    []string // texts
		retire []string // texts
	}{
		"nothing to do":              {VerifiedChange{Add: harvest.List{ate}}, harvest.List{ate, slept}, nil, nil},
		"the first list":             {VerifiedChange{Add: harvest.List{ate, slept}}, nil, []string{ate.Text, slept.Text}, nil},
		"one more":                   {VerifiedChange{Add: harvest.List{slept}}, harvest.List{ate}, []string{slept.Text}, nil},
		"one refused":                {VerifiedChange{Retire: []string{ate.ID()}}, harvest.List{ate, slept}, nil, []string{ate.Text}},
		"one refused that is absent": {VerifiedChange{Retire: []string{ate.ID()}}, harvest.List{slept}, nil, nil},
		"a whole list":               {VerifiedChange{Add: harvest.List{slept}, Replace: true}, harvest.List{ate, slept}, nil, []string{ate.Text}},
		"an empty list":              {VerifiedChange{Replace: true}, harvest.List{ate, slept}, nil, []string{ate.Text, slept.Text}},
		"another detail":             {VerifiedChange{Add: harvest.List{otherwise}}, harvest.List{marked}, []string{marked.Text}, []string{marked.Text}},
		"refused and added anew":     {VerifiedChange{Add: harvest.List{ate}, Retire: []string{ate.ID()}}, harvest.List{ate}, nil, []string{ate.Text}},
	} {
		add, retire := c.change.differences(c.have)
		var texts, gone []string
		for _, v := range add {
			texts = append(texts, v.Text)
		}
		for _, text := range c.retire {
			v := verified(text, "")
			gone = append(gone, string(v.Kind)+" "+v.ID())
		}
		if !slices.Equal(texts, c.add) || !slices.Equal(retire, gone) {
			t.Errorf("%s: add %q, retire %q", name, texts, retire)
		}
	}
}

func TestImportNeedsAName(t *testing.T) {
	t.Parallel()
	if _, err := StoreVerified(t.Context(), nil, VerifiedChange{}); err == nil || !strings.Contains(err.Error(), "who imports") {
		t.Errorf("%v", err)
	}
}

// Each column of an entry arrives in its place; a detail that there is none of is NULL.
func TestVerifiedEntriesAreQueuedByColumn(t *testing.T) {
	t.Parallel()
	batch := &pgx.Batch{}
	queueVerified(batch, 3, harvest.List{verified("Ate well.", ""), verified("Seen by staff.", `{"at": 1}`)})
	if batch.Len() != 1 || len(batch.QueuedQueries[0].Arguments) != 9 {
		t.Fatalf("%d statements", batch.Len())
	}
	args := batch.QueuedQueries[0].Arguments
	details, ok := args[4].([]*string)
	if !ok || len(details) != 2 || details[0] != nil || details[1] == nil || *details[1] != `{"at": 1}` {
		t.Errorf("details: %v", args[4])
	}
	if texts, ok := args[3].([]string); !ok || !slices.Equal(texts, []string{"Ate well.", "Seen by staff."}) {
		t.Errorf("texts: %v", args[3])
	}
	if version, ok := args[0].(int); !ok || version != 3 {
		t.Errorf("version: %v", args[0])
	}
}
