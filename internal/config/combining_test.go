package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

func TestCombining(t *testing.T) {
	t.Parallel()
	d, err := detectOf("detect: {recall_bias: 1.5, recall_biases: {DATE: -1, patient: 2}, vocabulary: [ours.txt, /etc/words.txt], gate: off, weights: merge.json}")
	if err != nil {
		t.Fatal(err)
	}
	want := Combining{
		RecallBias: 1.5, RecallBiases: map[phi.Type]float64{phi.Date: -1, phi.Patient: 2},
		Vocabulary: []string{"/etc/pgdeid/ours.txt", "/etc/words.txt"}, Gate: GateOff, Weights: "/etc/pgdeid/merge.json",
	}
	if diff := cmp.Diff(want, d.Combining); diff != "" || d.Combining.Default() {
		t.Error(diff)
	}
}

func TestCombiningProblems(t *testing.T) {
	t.Parallel()
	for detect, want := range map[string]string{
		"recall_bias: 11": "from -10 to 10", "recall_bias: much": "from -10 to 10", "recall_biases: {NOUN: 1}": "unknown PHI type",
		"recall_biases: {DATE: 99}": "from -10 to 10", "gate: ajar": "one of on, off",
	} {
		if _, err := detectOf("detect: {" + detect + "}"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", detect, err, want)
		}
	}
}

func TestHashOfCombining(t *testing.T) {
	t.Parallel()
	if hashOf(t, "detect: {threshold: 1}") != hashOf(t, "detect: {gate: on, recall_bias: 0}") {
		t.Error("what holds anyway changes the hash when it is said")
	}
	seen := map[string]bool{}
	for _, detect := range []string{
		"threshold: 1", "recall_bias: 1", "recall_biases: {DATE: 1}", "recall_biases: {DATE: 1, AGE: 1}", "gate: off", "weights: a.json", "vocabulary: [a.txt]",
	} {
		hash := hashOf(t, "detect: {"+detect+"}")
		if seen[hash] {
			t.Errorf("%s has the hash of another", detect)
		}
		seen[hash] = true
	}
}
