package survey

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/internal/risk"
)

// maxSets bounds how many sets of columns are tried, each with a pass over the patients.
const maxSets = 300

// shownSets is how many sets a report has.
const shownSets = 20

// countSets finds the minimal sets of columns by which patients are unique (Elliot, Manning and Ford 2002): those of whose parts
// none does it.
func (s *surveyor) countSets(ctx context.Context) error {
	s.report.Depth = depthOf(s.quasi, s.Depth)
	_, err := s.tx.Exec(ctx, "create temp table pgdeid_risk_minimal (id int, columns bigint) on commit drop; create index on pgdeid_risk_minimal (id)")
	if err != nil {
		return err
	}
	if s.report.Together.Unique > 0 {
		for _, set := range setsOf(s.quasi, s.report.Depth) {
			if err := s.countSet(ctx, set); err != nil {
				return err
			}
		}
	}
	slices.SortStableFunc(s.report.Sets, func(a, b risk.Set) int { return int(b.Minimal - a.Minimal) })
	s.report.Sets = s.report.Sets[:min(len(s.report.Sets), shownSets)]
	for i := range s.quasi {
		f := &s.fields[i]
		err := s.tx.QueryRow(ctx, "select count(distinct id) from pgdeid_risk_minimal where columns & $1 <> 0", int64(1)<<i).Scan(&f.facts.Involved)
		if err != nil {
			return err
		}
		s.report.Columns = append(s.report.Columns, f.facts)
	}
	return nil
}

// countSet counts whom a set makes unique, and for whom it is minimal.
func (s *surveyor) countSet(ctx context.Context, set uint64) error {
	var names, columns []string
	for i := range s.quasi {
		if set&(1<<i) != 0 {
			names = append(names, s.fields[i].name())
			columns = append(columns, s.fields[i].column.ID())
		}
	}
	found := risk.Set{Columns: columns}
	err := s.tx.QueryRow(ctx, setStatement(names), int64(set)).Scan(&found.Unique, &found.Minimal) //nolint:gosec // of 60 bits at most
	if found.Minimal > 0 {
		s.report.Sets = append(s.report.Sets, found)
	}
	return err
}

func setStatement(names []string) string {
	return fmt.Sprintf("with u as materialized (select min(id) as id from pgdeid_risk_people group by %s having count(*) = 1), "+
		"i as (insert into pgdeid_risk_minimal select id, $1 from u where not exists "+
		"(select from pgdeid_risk_minimal m where m.id = u.id and m.columns & $1 = m.columns) returning 1) "+
		"select (select count(*) from u), (select count(*) from i)", strings.Join(names, ", "))
}

// depthOf returns how many columns the largest sets can have so that there are not too many.
func depthOf(columns, wanted int) int {
	depth := 1
	for depth < min(wanted, columns) && len(setsOf(columns, depth+1)) <= maxSets {
		depth++
	}
	return min(depth, columns)
}

// setsOf returns the sets of up to so many columns, the smallest first.
func setsOf(columns, depth int) []uint64 {
	var all []uint64
	last := []uint64{0}
	for range depth {
		var next []uint64
		for _, set := range last {
			for i := bits.Len64(set); i < columns; i++ {
				next = append(next, set|1<<i)
			}
		}
		all, last = append(all, next...), next
		if len(all) > maxSets {
			break
		}
	}
	return all
}
