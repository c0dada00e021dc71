package survey

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/risk"
)

// countColumns counts the categories of each field, small ones among them.
func (s *surveyor) countColumns(ctx context.Context) error {
	for i := range s.fields {
		f := &s.fields[i]
		f.facts = risk.Facts{Column: f.column.ID(), Policy: f.column.Publish, Kind: f.kind}
		err := s.tx.QueryRow(ctx, factsStatement(f), s.Smallest).Scan(&f.facts.Categories, &f.facts.Small, &f.facts.InSmall, &f.facts.Unique)
		if err != nil {
			return err
		}
	}
	return nil
}

func factsStatement(f *field) string {
	return fmt.Sprintf("select count(*), count(*) filter (where n < $1), coalesce(sum(n) filter (where n < $1), 0)::bigint, "+
		"count(*) filter (where n = 1) from (select count(*) as n from pgdeid_risk_people group by %s) x", f.name())
}

// countCodes counts the values of a column of which patients have many.
func (s *surveyor) countCodes(ctx context.Context, f *field) error {
	c := risk.Codes{Column: f.column.ID()}
	err := s.tx.QueryRow(ctx, codesStatement(s.places, f), s.Smallest).Scan(&c.Codes, &c.Rare, &c.Patients, &c.Alone)
	s.report.Codes = append(s.report.Codes, c)
	return err
}

// codesStatement counts codes, rare ones, patients with a rare one, and patients with a code of their own.
func codesStatement(p Places, f *field) string {
	return fmt.Sprintf("with pairs as materialized (select distinct %s as owner, %s as v from %s where %[1]s <> '' and %[2]s is not null), "+
		"codes as materialized (select v, count(*) as n from pairs group by v), "+
		"rare as (select p.owner, min(c.n) as n from pairs p join codes c using (v) where c.n < $1 group by 1) "+
		"select (select count(*) from codes), (select count(*) from codes where n < $1), (select count(*) from rare), "+
		"(select count(*) from rare where n = 1)", p.Owner, f.values, p.Rows(f.column.Table))
}

// countDiversity measures what classes give away of the sensitive columns.
func (s *surveyor) countDiversity(ctx context.Context) error {
	for i := s.quasi; i < len(s.fields); i++ {
		d := risk.Diversity{Column: s.fields[i].column.ID()}
		row := s.tx.QueryRow(ctx, diversityStatement(s.expressions(), s.fields[i].name()))
		if err := row.Scan(&d.L, &d.Uniform, &d.T); err != nil {
			return err
		}
		s.report.Sensitive = append(s.report.Sensitive, d)
	}
	return nil
}

// diversityStatement returns distinct l-diversity, the patients in classes of one value, and t-closeness with equal distances
// between values: half the sum of the differences between shares in the class and among all.
func diversityStatement(by []string, sensitive string) string {
	class := strings.Join(by, ", ")
	return fmt.Sprintf("with total as (select %[2]s as v, count(*)::float8 / sum(count(*)) over () as share from pgdeid_risk_people group by 1), "+
		"cells as (select %[1]s, %[2]s as v, count(*)::float8 as n from pgdeid_risk_people group by %[1]s, %[2]s), "+
		"shares as (select %[1]s, v, n, n / sum(n) over (partition by %[1]s) as share from cells), "+
		"classes as (select count(*) as l, sum(n) as n, (sum(abs(s.share - t.share)) + 1 - sum(t.share)) / 2 as t "+
		"from shares s join total t using (v) group by %[1]s) "+
		"select coalesce(min(l), 0), coalesce(sum(n) filter (where l = 1), 0)::bigint, coalesce(max(t), 0)::float8 from classes",
		class, sensitive)
}

// compareRegister measures the risk by a register of the population.
func (s *surveyor) compareRegister(ctx context.Context, p risk.Population) (*risk.Journalist, error) {
	by, err := s.Register.load(ctx, s.tx, s.fields[:s.quasi])
	if err != nil {
		return nil, err
	}
	rows, err := s.tx.Query(ctx, registerStatement(by))
	if err != nil {
		return nil, err
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[risk.Counted])
	if p.People == 0 {
		p.People = s.Register.people
	}
	j := p.Journalist(list, s.Smallest)
	for _, f := range by {
		j.Columns = append(j.Columns, f.column.ID())
	}
	return &j, err
}
