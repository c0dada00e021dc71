package survey

import "testing"

func TestTableStatement(t *testing.T) {
	t.Parallel()
	want := `copy (select coalesce(replace("q0"::text, chr(31), '; '), '(none)'), coalesce(replace("q1"::text, chr(31), '; '), '(none)') ` +
		`from pgdeid_risk_wide order by 1, 2) to stdout (format csv)`
	if got := tableStatement([]field{{index: 0}, {index: 1}}); got != want {
		t.Errorf("%s", got)
	}
}
