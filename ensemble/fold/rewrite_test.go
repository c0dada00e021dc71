package fold

import (
	"strings"
	"testing"
)

func TestRewrite(t *testing.T) {
	t.Parallel()
	text := "Seen Zor-\nvakian today, M1rela too"
	at := func(part string) Edit { i := strings.Index(text, part); return Edit{From: i, To: i + len(part)} }
	broken, scanned := at("Zor-\nvakian"), at("M1rela")
	broken.As, scanned.As = "Zorvakian", "Mirela"
	got := Rewrite(text, []Edit{broken, scanned})
	if want := "Seen Zorvakian today, Mirela too"; got.S != want {
		t.Fatalf("%q, want %q", got.S, want)
	}
	for _, e := range []Edit{broken, scanned} {
		i := strings.Index(got.S, e.As)
		if from, to := got.Range(i, i+len(e.As)); from != e.From || to != e.To {
			t.Errorf("%q is [%d, %d), want [%d, %d)", e.As, from, to, e.From, e.To)
		}
	}
	if none := Rewrite(text, nil); none.S != "" || none.Odd() {
		t.Errorf("without edits %q is read", none.S)
	}
}

// What is far from an edit is not read, and what is near is in its place.
func TestRewriteReadsAroundEdits(t *testing.T) {
	t.Parallel()
	far := strings.Repeat("é ", 2000)
	text := far + "Near M1rela here" + far
	i := strings.Index(text, "M1rela")
	got := Rewrite(text, []Edit{{From: i, To: i + len("M1rela"), As: "Mirela"}})
	if len(got.S) > 3*nearEdit || !strings.Contains(got.S, "Near Mirela here") {
		t.Errorf("%d bytes are read: %q", len(got.S), got.S)
	}
	at := strings.Index(got.S, "here")
	if from, to := got.Range(at, at+len("here")); text[from:to] != "here" {
		t.Errorf("here is %q", text[from:to])
	}
}
