package preflight

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/config"
)

func TestRowsThatLookLikeTheOtherKind(t *testing.T) {
	t.Parallel()
	lengths := func(full, others int) []int {
		list := slices.Repeat([]int{80}, full)
		for i := range others {
			list = append(list, 10+i%60)
		}
		return list
	}
	for _, tt := range []struct {
		name    string
		join    config.Join
		lengths []int
		want    string
	}{
		{"lines", config.JoinLine, lengths(1, 99), ""},
		{"some lines are as long as the longest", config.JoinLine, lengths(10, 90), ""},
		{"pieces", config.JoinLine, lengths(60, 40), "join: none"},
		{"pieces that are said to be some", config.JoinNone, lengths(60, 40), ""},
		{"lines that are said to be pieces", config.JoinNone, lengths(1, 99), "join: line"},
		{"too few to tell", config.JoinLine, lengths(10, 2), ""},
		{"words", config.JoinLine, slices.Repeat([]int{3}, 100), ""},
	} {
		p := &run{}
		p.judgeLines("table ehr.line", tt.join, tt.lengths)
		if len(p.List) > 0 != (tt.want != "") || tt.want != "" && !strings.Contains(p.List[0].Remedy, tt.want) {
			t.Errorf("%s: %v", tt.name, p.List)
		}
	}
}
