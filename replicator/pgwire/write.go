package pgwire

import (
	"context"
	"strings"
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
	rows, err := c.postedRows(t, st, params)
	if err != nil {
		return nil, err
	}
	if st.returning == nil {
		if err := c.inbox.add(rows, c.budget); err != nil {
			return nil, err
		}
		return &result{tag: "INSERT 0 " + intDatum(len(rows)).text}, nil
	}
	return c.returning(ctx, t, st, rows)
}

// inboxColumns are the columns of inbox that an INSERT may fill, in the table's order.
const inboxColumns = 4

// postedRows evaluates the rows of an INSERT.
func (c *session) postedRows(t *table, st *insertStmt, params []datum) ([]posted, *failure) {
	where := make([]int, 0, len(t.columns))
	for _, name := range st.columns {
		i := t.column(name.text)
		if i < 0 {
			return nil, failf(stateNoColumn, "column \"%s\" of relation \"inbox\" does not exist", shown(name.text)).near(name)
		}
		where = append(where, i)
	}
	for i := 0; len(st.columns) == 0 && i < len(st.rows[0]); i++ {
		if where = append(where, i); i >= len(t.columns) {
			return nil, failf(stateSyntax, "INSERT has more expressions than target columns").near(st.into.at)
		}
	}
	rows := make([]posted, len(st.rows))
	for n, exprs := range st.rows {
		values := make([]datum, len(t.columns))
		for i := range values {
			values[i].null = true
		}
		for i := range exprs {
			if exprs[i].kind == defaultExpr {
				continue
			}
			d, err := c.evaluate(&exprs[i], params)
			if err != nil {
				return nil, err
			}
			if where[i] >= inboxColumns && !d.null {
				return nil, failf(stateReadOnly, "column \"%s\" can't be written to", t.columns[where[i]].name).near(exprs[i].at)
			}
			d.text = strings.Clone(d.text) // the message that it is part of must not stay
			values[where[i]] = d
		}
		rows[n] = posted{values[0], values[1], values[2], values[3]}
	}
	return rows, nil
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
	s := &scan{plan: p, env: c.env}
	out := make([]row, len(rows))
	for i, r := range rows {
		projected, err := s.project(row{r.job, r.item, r.patient, r.note, answered[i][0], answered[i][1]})
		if err != nil {
			return nil, failureOf(ctx, err)
		}
		out[i] = projected
	}
	return &result{fields: p.fields, rows: &fixed{out}, tag: "INSERT 0 %d"}, nil
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
