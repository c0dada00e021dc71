package eval

import (
	"regexp"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/eval/score"
)

// outside matches references to anything outside of the page, except namespaces.
var outside = regexp.MustCompile(`(?i)<(script|link|img|image|iframe|object|embed|video|audio|base|form|use)\b|\b(src|srcset|` +
	`href|action|data|poster|xlink:href)\s*=|url\(|@import|@font-face|//[a-z]`)

// checkPage checks that a report has no outside references and that each of its charts is drawn
// and named.
func checkPage(t *testing.T, page string, charts int) {
	t.Helper()
	if found := outside.FindString(page); found != "" {
		t.Errorf("the page refers to something outside of itself: %q", found)
	}
	if !strings.Contains(page, `http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"`) {
		t.Error("the page has no policy that forbids requests")
	}
	for _, color := range regexp.MustCompile(`(fill|stroke):#[0-9A-Fa-f]{6}`).FindAllString(page, -1) {
		t.Errorf("a chart has a colour of its own: %s", color)
	}
	parts := strings.Split(page, "<svg ")[1:]
	if len(parts) != charts {
		t.Errorf("%d charts, want %d", len(parts), charts)
	}
	for i, part := range parts {
		svg, _, closed := strings.Cut(part, "</svg>")
		if !closed || !strings.Contains(svg, `role="img"`) || !strings.Contains(svg, "<title ") || !strings.Contains(svg, "<desc ") {
			t.Errorf("chart %d is not closed or has no name", i)
		}
		if marks := strings.Count(svg, "fill:var(--mark-"); marks < 1 {
			t.Errorf("chart %d shows nothing", i)
		}
	}
}

func TestReportStandsAlone(t *testing.T) {
	for name, tt := range map[string]struct {
		result Result
		charts int
	}{
		"usual":         {runOf(t, 40, 2, 3, 5), 5},
		"nothing found": {runOf(t, 3, 99, 99, 0), 5},
		"empty":         {Result{Report: score.NewScorer(false).Report()}, 0},
	} {
		var page strings.Builder
		if err := tt.result.WriteHTML(&page, "notes", 0); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		t.Run(name, func(t *testing.T) { checkPage(t, page.String(), tt.charts) })
	}
}

// TestChartsHaveTheirMarks checks that there is a mark for each rate and each entry of the legend.
func TestChartsHaveTheirMarks(t *testing.T) {
	r := runOf(t, 40, 2, 3, 5)
	p := r.page("notes", 0)
	if err := p.draw(r.Notes); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		svg  drawn
		want int
	}{
		"groups":  {p.GroupChart, 2*4 + 2},
		"classes": {p.ClassChart, 2*1 + 2},
		"types":   {p.TypeChart, 2*2 + 2},
	} {
		if got := strings.Count(string(tt.svg.SVG), "fill:var(--mark-"); got != tt.want {
			t.Errorf("%s: %d marks, want %d", name, got, tt.want)
		}
	}
}
