package survey

import (
	"context"
	"fmt"
	"slices"

	"github.com/pgdeid/pgdeid/internal/risk"
)

// change is a way to publish less of a field.
type change struct {
	field   int
	text    string
	how     string
	becomes string // expression of the patients' table; "" if the column is dropped
}

// changesOf returns what can be done to a field.
func (s *surveyor) changesOf(i int) []change {
	f := &s.fields[i]
	id := f.column.ID()
	list := []change{}
	if f.kind == risk.Number {
		for _, width := range []int{5, 10} {
			list = append(list, change{
				i, fmt.Sprintf("publish %s in steps of %d", id, width), coarserHow,
				fmt.Sprintf("case when %[1]s = %[2]s then %[1]s else %[1]s / %[3]d end", f.name(), none, width),
			})
		}
	}
	if large := f.facts.Categories - f.facts.Small; f.kind == risk.Category && f.facts.Small > 1 && large > 0 {
		list = append(list, change{
			i, fmt.Sprintf("put the %d categories of %s with fewer than %d patients into one", f.facts.Small, id, s.Smallest), coarserHow,
			fmt.Sprintf("least(%s, %d)", f.name(), large+1),
		})
	}
	return append(list, change{i, "do not publish " + id, "policy drop for it, then 'pgdeid migrate up'", ""})
}

const coarserHow = "publish a generated column or a view's column of the source in its place, then 'pgdeid migrate up' and 'pgdeid snapshot --resync'"

// propose computes what each change alone would come to, and a plan of changes one after the other: always the one
// that takes most patients out of small classes for what it costs of a column.
func (s *surveyor) propose(ctx context.Context) error {
	if s.report.Together.AtRisk == 0 {
		return nil
	}
	now := s.expressions()
	for i := range s.quasi {
		for _, c := range s.changesOf(i) {
			e, err := s.effect(ctx, now, c)
			if err != nil {
				return err
			}
			s.report.Changes = append(s.report.Changes, e)
		}
	}
	before := s.report.Together
	for len(s.report.Plan) < s.Steps && before.AtRisk > 0 {
		best, chosen, err := s.bestChange(ctx, now, before)
		if err != nil || best == nil {
			return err
		}
		s.report.Plan = append(s.report.Plan, *best)
		now[chosen.field], before = chosen.becomes, best.After
	}
	return nil
}

// bestChange returns the change that gains most for its loss; nil if none helps.
func (s *surveyor) bestChange(ctx context.Context, now []string, before risk.Anonymity) (*risk.Effect, change, error) {
	var best *risk.Effect
	var chosen change
	var most float64
	for i := range s.quasi {
		if now[i] == "" {
			continue
		}
		for _, c := range s.changesOf(i) {
			if c.becomes == now[i] {
				continue
			}
			e, err := s.effect(ctx, now, c)
			if err != nil {
				return nil, c, err
			}
			gain := float64(before.AtRisk-e.After.AtRisk) / (e.Loss + 0.05)
			if gain > most {
				best, chosen, most = &e, c, gain
			}
		}
	}
	return best, chosen, nil
}

// effect computes what the classes would be after a change.
func (s *surveyor) effect(ctx context.Context, now []string, c change) (risk.Effect, error) {
	e := risk.Effect{Change: c.text, Column: s.fields[c.field].column.ID(), How: c.how, Loss: 1}
	after := slices.Clone(now)
	after[c.field] = c.becomes
	sizes, err := s.sizes(ctx, slices.DeleteFunc(after, func(expression string) bool { return expression == "" }))
	if err != nil {
		return e, err
	}
	e.After = sizes.Anonymity(s.Smallest)
	if c.becomes == "" {
		return e, nil
	}
	err = s.tx.QueryRow(ctx, lossStatement(s.fields[c.field].name(), c.becomes)).Scan(&e.Loss)
	return e, err
}

// lossStatement returns the share of a column's entropy that an expression of it lacks.
func lossStatement(name, becomes string) string {
	entropy := func(by string) string {
		return "(select -sum(p * ln(p)) from (select count(*)::float8 / sum(count(*)) over () as p from pgdeid_risk_people group by " + by + ") x)"
	}
	return fmt.Sprintf("select coalesce(1 - b / nullif(a, 0), 0)::float8 from (select %s as a, %s as b) x", entropy(name), entropy(becomes))
}
