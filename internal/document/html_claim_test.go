package document

import (
	"testing"
)

func TestWhatIsTakenForHTML(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		input string
		want  Format
	}{
		{"<!DOCTYPE html><p>a", HTML},
		{"\ufeff \n<HTML lang=x>a</html>", HTML},
		{"<body>a", HTML},
		{"<div class=x>a</div>", HTML},
		{"<p>a</p><p>b", HTML},
		{"<br/>a", HTML},
		{"<?xml version='1.0'?>\n<!DOCTYPE html PUBLIC 'x'><html>a</html>", HTML},
		{"<p>a", Plain},
		{"<div>a</div> BP <b", Plain},
		{"<b>a</b>", Plain},
		{"<70 mmHg</", Plain},
		{"<paracetamol> given</p>", Plain},
		{"< div>a</div>", Plain},
		{"a <div>b</div>", Plain},
		{"<", Plain},
		{"<!", Plain},
		{"<div", Plain},
	} {
		if got := reads(t, Auto, c.input).Kind(); got != c.want {
			t.Errorf("%q is %s, want %s", c.input, got, c.want)
		}
	}
	if d, err := Parse(Auto, []byte("<html><body>a<!-- b")); err == nil {
		t.Errorf("a broken document is read as %s", d.Kind())
	}
}
