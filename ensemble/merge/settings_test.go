package merge

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const small = `{"format":1,"stages":[
{"models":["a"],"weights":[0.5],"bias":0.1,"vocabulary":2,"threshold":0.4,"thresholds":{"NAME":0.3}},
{"models":["a","b"],"weights":[0.5,1],"bias":-1,"vocabulary":1,"threshold":0.5}],
"gate":{"low":0.01,"again_low":0.1,"again_high":0.9}}`

func settings(t testing.TB) *Settings {
	t.Helper()
	s, err := Parse([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestParse(t *testing.T) {
	t.Parallel()
	s := settings(t)
	data, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Parse(data)
	if diff := cmp.Diff(s, again); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	for model, want := range map[string]int{"a": 0, "b": 1, "other": 1} {
		if got := s.StageOf(model); got != want {
			t.Errorf("%s reads in stage %d, want %d", model, got, want)
		}
	}
	if err := Default().Validate(); err != nil || Default().StageOf("any") != 0 {
		t.Errorf("default: %v", err)
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ old, with, want string }{
		{`"format":1`, `"format":2`, "format is 2"},
		{`"format":1`, `"form":1`, "unknown field"},
		{`"models":["a"],"weights":[0.5]`, `"models":["a"],"weights":[]`, "a weight for each"},
		{`["a","b"]`, `["a","a"]`, "each model once"},
		{`["a","b"]`, `["c","b"]`, "stage before"},
		{`[0.5,1]`, `[-0.5,1]`, "weight -0.5"},
		{`"bias":-1`, `"bias":1e9`, "bias"},
		{`"threshold":0.4`, `"threshold":0`, "threshold 0"},
		{`"NAME":0.3`, `"NAME":1`, "threshold 1"},
		{`"NAME":0.3`, `"NOUN":0.3`, "NOUN"},
		{`"low":0.01`, `"low":2`, "no probability"},
	} {
		if _, err := Parse([]byte(strings.Replace(small, c.old, c.with, 1))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.with, err, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte(`{"format":1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse(data)
		if err != nil {
			return
		}
		c := NewCombiner(s, []string{"a", "b", "c"})
		for set := range c.sets {
			v := Verdict{Readers: set, Type: allTypes[0]}
			if z := c.Odds(&v); z != z {
				t.Fatalf("no number for set %b", set)
			}
		}
	})
}
