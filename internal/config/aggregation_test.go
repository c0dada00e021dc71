package config

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pgdeid/pgdeid/ensemble/merge"
)

// detectOf returns what a file with these lines under detect says.
func detectOf(detect string) (Detect, error) {
	file := strings.Replace(whole, "detect: {detectors: [record, patterns], threshold: 2}", detect, 1)
	c, err := Parse([]byte(file), nil)
	if err != nil {
		return Detect{}, err
	}
	c.resolveFiles("/etc/pgdeid")
	return c.Detect, nil
}

func TestAggregation(t *testing.T) {
	stacking := Aggregation{By: merge.ByStacking, Folder: "/etc/pgdeid/judge", Sums: map[string]string{"stacking.json": digest}, RecallFloor: 0.999}
	for text, want := range map[string]Aggregation{
		"detect: {threshold: 2}":            {},
		"detect: {aggregation: vote}":       {By: merge.ByVote},
		"detect: {aggregation: union}":      {By: merge.ByUnion},
		"detect: {aggregation: {by: vote}}": {By: merge.ByVote},
		"detect: {aggregation: {by: stacking, folder: judge, sha256: {stacking.json: " + digest + "}, recall_floor: 0.999}}": stacking,
	} {
		got, err := detectOf(text)
		if diff := cmp.Diff(want, got.Aggregation); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", text, err, diff)
		}
	}
}

func TestAggregationProblems(t *testing.T) {
	const sealed = "sha256: {stacking.json: " + digest + "}"
	for text, want := range map[string]string{
		"aggregation: most":                                                 "one of combine, vote, union, stacking",
		"aggregation: stacking":                                             "which model decides",
		"aggregation: {folder: a}":                                          "say which way",
		"aggregation: {by: union, folder: a}":                               "are for by: stacking",
		"aggregation: {by: stacking, " + sealed + "}":                       "where the model is",
		"aggregation: {by: stacking, folder: a}":                            "pgdeid models verify",
		"aggregation: {by: stacking, folder: a, recall: 1}":                 "unknown key",
		"aggregation: {by: stacking, folder: a, recall_floor: 2, " + sealed: "from 0.5 to 1",
		"threshold: 2, aggregation: union":                                  "threshold counts votes",
	} {
		if strings.Count(text, "{") > strings.Count(text, "}") {
			text += "}"
		}
		_, err := detectOf("detect: {" + text + "}")
		var problems Problems
		if !errors.As(err, &problems) || !strings.Contains(problems.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if d, err := detectOf("detect: {detectors: [-names], threshold: 3}"); err != nil || !LeavesOut(d.Detectors) {
		t.Errorf("a list of those left out says nothing of how many vote: %v", err)
	}
}

func TestHashOfAggregation(t *testing.T) {
	if hashOf(t, "detect: {threshold: 1}") != hashOf(t, "detect: {aggregation: combine}") {
		t.Error("what holds anyway changes the hash when it is said")
	}
	const stacking = "detect: {aggregation: {by: stacking, folder: /a, sha256: {stacking.json: " + digest + "}}}"
	if hashOf(t, stacking) != hashOf(t, strings.Replace(stacking, "/a", "/b", 1)) {
		t.Error("the folder changes the hash")
	}
	seen := map[string]bool{}
	for _, detect := range []string{
		"detect: {threshold: 1}", "detect: {aggregation: union}", stacking, strings.Replace(stacking, "ffb7", "0000", 1),
		strings.Replace(stacking, "folder", "recall_floor: 0.99, folder", 1),
	} {
		if hash := hashOf(t, detect); seen[hash] {
			t.Errorf("%s has the hash of another", detect)
		} else {
			seen[hash] = true
		}
	}
}
