package preflight

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/document"
	"github.com/pgdeid/pgdeid/internal/note"
	"github.com/pgdeid/pgdeid/sql/catalog"
	"github.com/pgdeid/pgdeid/sql/finding"
)

func zipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return b.String()
}

func TestLooksLike(t *testing.T) {
	t.Parallel()
	wrap := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	for _, tt := range []struct{ value, want string }{
		{"Mrs. Marksman slept well.", ""},
		{"[**2018-3-4**] Mrs. Marksman slept well.", ""},
		{"{see letter}", ""},
		{`{"note": "Mrs. Marksman slept well."}`, "format: json"},
		{` [{"given": "Ann"}]`, "format: json"},
		{wrap(`{"note": "Mrs. Marksman slept well, and ate, and went home."}`), "format: json, encoding: base64"},
		{wrap("Mrs. Marksman slept well, and ate, and went home. She is fine."), "encoding: base64"},
		{wrap(zipped("Mrs. Marksman slept well, and ate, and went home. She is fine.")), "encoding: base64+gzip"},
		{wrap(strings.Repeat("\x00\xff\xfe", 40)), ""},
		{hex.EncodeToString([]byte("0123456789abcdef0123456789abcdef")), ""},
		{wrap("short"), ""},
	} {
		if got := looksLike(tt.value); got != tt.want {
			t.Errorf("%q looks like %q, want %q", tt.value, got, tt.want)
		}
	}
}

func TestJudgeDocuments(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		column  config.Column
		source  string
		values  []string
		level   finding.Level
		text    string
		mending string
	}{
		{"plain text", config.Column{Publish: config.Text}, "text", []string{"Ann slept.", "", " "}, "", "", ""},
		{
			"documents",
			config.Column{Publish: config.Text},
			"text",
			[]string{`{"a": "Marksman"}`, "Ann slept."},
			finding.Problem,
			"1 of 2", "{publish: text, format: json}",
		},
		{
			"some documents",
			config.Column{Publish: config.Text},
			"text",
			[]string{`["Marksman"]`, "Ann", "ate", "and slept"},
			finding.Warning,
			"1 of 4", "format: json",
		},
		{"what they are", config.Column{Publish: config.Text, Format: document.JSON}, "jsonb", []string{`{"a": "Ann"}`, "null"}, "", "", ""},
		{
			"what they are not",
			config.Column{Publish: config.Text, Format: document.JSON},
			"text",
			[]string{"Marksman", "{", `["Ann"]`},
			finding.Problem,
			"2 of 3 values looked at can't be read as json", "format: auto",
		},
		{
			"bytes that are no text",
			config.Column{Publish: config.Text, Format: document.Plain},
			"bytea",
			[]string{`\xff`, `\x416e6e`, `\x41`, `\x42`},
			finding.Warning,
			"1 of 4 values looked at can't be read as plain", "encoding",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := &texts{Column: tt.column, form: note.FormOf(&tt.column, tt.source), unnamed: map[string]int{}, kinds: map[string]int{}}
			for i := range tt.values {
				c.look(&tt.values[i])
			}
			c.look(nil)
			p := &run{}
			p.judgeDocuments("column", c)
			if tt.level == "" {
				if len(p.List) > 0 {
					t.Errorf("found %+v", p.List)
				}
				return
			}
			if len(p.List) != 1 {
				t.Fatalf("%d findings: %+v", len(p.List), p.List)
			}
			f := p.List[0]
			if f.Level != tt.level || !strings.Contains(f.Text, tt.text) || !strings.Contains(f.Remedy, tt.mending) ||
				strings.Contains(f.Text+f.Remedy, "Marksman") {
				t.Errorf("found %+v", f)
			}
		})
	}
}

func TestJudgePaths(t *testing.T) {
	t.Parallel()
	column := config.Column{Publish: config.Text, Format: document.JSON, Paths: []config.Column{
		{Name: "$.text", Publish: config.Text}, {Name: "$.photo", Publish: config.Drop},
	}}
	c := &texts{Column: column, form: note.FormOf(&column, "jsonb"), unnamed: map[string]int{}, kinds: map[string]int{}}
	for _, value := range []string{
		`{"text": "x", "photo": "y", "name": [{"family": "Marksman"}]}`, `{"Ann Marksman": 1, "status": "x"}`,
		`{"name": [], "status": "x", "MR4711": 1}`, `{"Bea Marksman": 1, "name": [{}], "status": "x", "marksman": 1}`,
	} {
		c.look(&value)
	}
	p := &run{}
	p.judgeDocuments("column", c)
	want := "left out, as paths do not name them, in 4 values looked at: $.name, $.status, $[unusual key], and 1 more, which are not named here"
	if len(p.List) != 1 || p.List[0].Level != finding.Note || p.List[0].Text != want {
		t.Errorf("found %+v", p.List)
	}
}

func TestSampledDocuments(t *testing.T) {
	t.Parallel()
	table := &catalog.Table{Columns: []catalog.Column{
		{Name: "id", Type: "integer"},
		{Name: "body", Type: "text"},
		{Name: "scan", Type: "bytea"},
		{Name: "other", Type: "jsonb"},
		{Name: "unmapped", Type: "text"},
	}}
	mapped := &config.Table{Columns: []config.Column{
		{Name: "id", Publish: config.Pseudonym},
		{Name: "body", Publish: config.Text},
		{Name: "scan", Publish: config.Text, Format: document.RTF},
		{Name: "other", Publish: config.Text},
	}}
	var got []string
	for _, c := range sampledDocuments(mapped, table) {
		got = append(got, c.expression())
	}
	want := []string{
		`case when octet_length("body"::text) <= 1048576 then "body"::text end`,
		`case when octet_length("scan") <= 1048576 then '\x' || encode("scan", 'hex') end`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q, want %q", got, want)
	}
}
