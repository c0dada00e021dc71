package pgwire

import (
	"context"
)

// insert takes notes in, or answers them at once where the statement returns something.
func (c *session) insert(ctx context.Context, st *insertStmt, params []datum) (*result, *failure) {
	t, err := c.lookUp(&st.into)
	if err != nil {
		return nil, err
	}
	if t.name != "inbox" {
		return nil, failf(stateReadOnly, "table \"%s\" can't be written to", t.name).near(st.into.at).hinted("INSERT INTO inbox")
	}
	rows, held, err := c.postedRows(t, st, params)
	if err != nil {
		c.budget.giveBack(held)
		return nil, err
	}
	if st.returning == nil {
		c.inbox.add(rows, held)
		return &result{tag: "INSERT 0 " + intDatum(len(rows)).text}, nil
	}
	defer c.budget.giveBack(held)
	return c.returning(ctx, t, st, rows)
}

// inboxColumns are the columns of inbox that an INSERT may fill, in the table's order.
const inboxColumns = 4

// postedRows evaluates the rows of an INSERT. held is what they hold of the budget, also
// after an error.
func (c *session) postedRows(t *table, st *insertStmt, params []datum) (rows []posted, held int64, err *failure) {
	where := make([]int, 0, len(t.columns))
	for _, name := range st.columns {
		i := t.column(name.text)
		if i < 0 {
			return nil, 0, failf(stateNoColumn, "column \"%s\" of relation \"inbox\" does not exist", shown(name.text)).near(name)
		}
		where = append(where, i)
	}
	for i := 0; len(st.columns) == 0 && i < len(st.rows[0]); i++ {
		if where = append(where, i); i >= len(t.columns) {
			return nil, 0, failf(stateSyntax, "INSERT has more expressions than target columns").near(st.into.at)
		}
	}
	values := make([]datum, len(t.columns))
	for _, exprs := range st.rows {
		for i := range values {
			values[i] = datum{null: true}
		}
		for i := range exprs {
			if exprs[i].kind == defaultExpr {
				continue
			}
			d, err := c.evaluate(&exprs[i], params)
			if err != nil {
				return nil, held, err
			}
			if where[i] >= inboxColumns && !d.null {
				return nil, held, failf(stateReadOnly, "column \"%s\" can't be written to", t.columns[where[i]].name).near(exprs[i].at)
			}
			values[where[i]] = d
		}
		r := posted{values[0], values[1], values[2], values[3]}
		if err := c.budget.keep(r.size(), &held); err != nil {
			return nil, held, err.hinted("put fewer notes into inbox at a time: COMMIT or DELETE FROM inbox makes room; " +
				"or raise --session-memory and --memory")
		}
		rows = append(rows, r.clone())
	}
	return rows, held, nil
}

// returning answers rows at once, without keeping them.
func (c *session) returning(ctx context.Context, t *table, st *insertStmt, rows []posted) (*result, *failure) {
	p, err := c.plan(&selectStmt{items: st.returning, from: &st.into})
	if err != nil {
		return nil, err
	}
	answered := make([][2]datum, len(rows))
	if p.wants[t.column(colText)] || p.wants[t.column(colReason)] {
		got, err := c.answerPosted(ctx, t, rows, p.wants[t.column(colReason)])
		if err != nil {
			return nil, failureOf(ctx, err)
		}
		answered = got
	}
	held, err := c.keepAnswers(answered)
	if err != nil {
		return nil, err
	}
	s := &scan{plan: p, env: c.env}
	out := make([]row, len(rows))
	for i, r := range rows {
		projected, err := s.project(row{r.job, r.item, r.patient, r.note, answered[i][0], answered[i][1]})
		if err != nil {
			c.budget.giveBack(held)
			return nil, failureOf(ctx, err)
		}
		out[i] = projected
	}
	return &result{fields: p.fields, rows: &paid{fixed{out}, c.budget, held}, tag: "INSERT 0 %d"}, nil
}

// keepAnswers accounts for answers, and returns how much they hold of the budget.
func (c *session) keepAnswers(answered [][2]datum) (held int64, err *failure) {
	for _, a := range answered {
		held += a[0].size() + a[1].size()
	}
	if err := c.budget.take(held); err != nil {
		return 0, err
	}
	return held, nil
}

// paid is rows that hold some of the budget until they are closed.
type paid struct {
	fixed

	budget *sessionBudget
	held   int64
}

func (p *paid) close() {
	p.budget.giveBack(p.held)
	p.held = 0
}

// delete takes notes out of the inbox, of some jobs or all of them.
func (c *session) delete(st *deleteStmt, params []datum) (*result, *failure) {
	t, err := c.lookUp(&st.from)
	if err != nil {
		return nil, err
	}
	if t.name != "inbox" && t.name != "outbox" {
		return nil, failf(stateReadOnly, "table \"%s\" can't be written to", t.name).near(st.from.at)
	}
	s := &scan{env: c.env, params: params}
	defer s.close()
	var jobs []datum
	for _, cond := range st.where {
		if cond.column != colJob || len(st.where) > 1 || cond.op != "=" && cond.op != "any" {
			return nil, failf(stateUnsupported, "DELETE takes no condition but job = … or job = ANY (…)").near(cond.at)
		}
		if jobs, err = s.values(cond); err != nil {
			return nil, err
		}
	}
	n := c.inbox.remove(jobs, len(st.where) == 0)
	return &result{tag: "DELETE " + intDatum(n).text}, nil
}
