package page

import (
	"html/template"
	"strings"
	"testing"
)

func TestPageRefersToNothingElse(t *testing.T) {
	t.Parallel()
	part, err := Section("part", "<p>{{.}}, {{percent 0.126}}</p>", nil, "<b>bold</b>")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := Write(&b, "A & B", part, template.HTML("<hr>")); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<title>A &amp; B</title>", "&lt;b&gt;bold", "12.6%", "<hr>", "default-src 'none'", "@media print"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q", want)
		}
	}
	for _, bad := range []string{"http:", "https:", "src=", "<script", "<link", "@import", "url("} {
		if strings.Contains(b.String(), bad) {
			t.Errorf("it has %q", bad)
		}
	}
}

func TestSectionsThatDoNotFit(t *testing.T) {
	t.Parallel()
	if _, err := Section("part", "{{.Missing}}", nil, struct{}{}); err == nil {
		t.Error("a field that is not there is left out in silence")
	}
	if _, err := Section("part", "{{", nil, nil); err == nil {
		t.Error("a broken template is taken")
	}
}
