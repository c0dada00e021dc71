package wordlist

import (
	"maps"
	"slices"
	"testing"
)

func TestLists(t *testing.T) {
	t.Parallel()
	text := "# A header: no line.\n\na b: x y\nc: z\na: v | w\nno colon\nxml:d: e\n"
	got := ByName(text)
	want := map[string][]string{"a": {"x", "y", "v", "|", "w"}, "b": {"x", "y"}, "c": {"z"}, "xml:d": {"e"}}
	if !maps.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got %q", got)
	}
	before, behind := Halves([]string{"a", "|", "b", "c"})
	if !slices.Equal(before, []string{"a"}) || !slices.Equal(behind, []string{"b", "c"}) {
		t.Errorf("halves are %q and %q", before, behind)
	}
	for range Lines(text) {
		break // a caller may stop
	}
}
