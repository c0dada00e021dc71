package chart

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Light, dark and paper define the same variables, and among them all that charts name.
func TestStyleDefinesWhatChartsName(t *testing.T) {
	t.Parallel()
	css := string(Style())
	var defined [][]string
	for _, block := range regexp.MustCompile(`:root \{[^}]*\}`).FindAllString(css, -1) {
		names := regexp.MustCompile(`--[a-z-]+:`).FindAllString(block, -1)
		slices.Sort(names)
		defined = append(defined, names)
	}
	if len(defined) != 3 || !slices.Equal(defined[0], defined[1]) || !slices.Equal(defined[0], defined[2]) {
		t.Errorf("variables: %q", defined)
	}
	for _, used := range regexp.MustCompile(`var\((--[a-z-]+)\)`).FindAllStringSubmatch(css+themed("#010101 #020202 #030303 #040404 #050505"), -1) {
		if !slices.Contains(defined[0], used[1]+":") {
			t.Errorf("%s is used and not defined", used[1])
		}
	}
	if strings.Contains(css, "url(") || strings.Contains(css, "@import") {
		t.Error("the style refers to something outside of itself")
	}
}
