package pgwire

import (
	"context"
	"errors"
	"io"
	"strings"
)

// rows makes the rows of a result: a scan, or part of a cursor.
type rows interface {
	// fetch returns up to want rows, and io.EOF with the last ones or after them.
	fetch(ctx context.Context, want int) ([]row, error)
	close()
}

// result is what a statement came to.
type result struct {
	fields []field
	rows   rows   // nil: the statement returns none
	tag    string // of the command; %d of it is the number of rows
	ended  bool   // there are no more rows
}

// cursor is a scan with a name.
type cursor struct {
	scan   *scan
	binary bool
	level  int  // savepoints that were set when it was declared
	used   bool // something was fetched
	ended  bool
	held   int64 // of the budget, by parameters and literals
}

func (k *cursor) close() {
	k.scan.close()
	k.scan.env.budget.giveBack(k.held)
	k.held = 0
}

// declare makes a cursor. Nothing is asked of the engine yet.
func (c *session) declare(st *declareStmt, params []datum) (*result, *failure) {
	if c.tx.status != txOpen {
		return nil, failf(stateNoTx, "DECLARE CURSOR can only be used in transaction blocks")
	}
	if c.cursors[st.cursor] != nil {
		return nil, failf(stateDuplicateCursor, "cursor \"%s\" already exists", shown(st.cursor))
	}
	if len(c.cursors) >= maxCursors {
		return nil, failf(stateTooLarge, "too many cursors")
	}
	p, err := c.plan(st.query)
	if err != nil {
		return nil, err
	}
	k := &cursor{binary: st.binary, level: len(c.tx.savepoints)}
	if err := c.budget.keep(c.statementSize, &k.held); err != nil {
		return nil, err
	}
	if k.scan, err = p.open(c.env, params); err != nil {
		c.budget.giveBack(k.held)
		return nil, err
	}
	c.cursors[strings.Clone(st.cursor)] = k // the name is part of the statement
	return &result{tag: "DECLARE CURSOR"}, nil
}

func (c *session) cursor(name string) (*cursor, *failure) {
	if k := c.cursors[name]; k != nil {
		return k, nil
	}
	return nil, failf(stateNoCursor, "cursor \"%s\" does not exist", shown(name))
}

// closeCursors closes those that were declared after a level; -1 closes all of them.
func (c *session) closeCursors(level int) {
	for name, k := range c.cursors {
		if k.level > level {
			k.close()
			delete(c.cursors, name)
		}
	}
}

// fetchStmt runs FETCH or MOVE.
func (c *session) fetchStmt(ctx context.Context, st *fetchStmt) (*result, *failure) {
	k, err := c.cursor(st.cursor)
	if err != nil {
		return nil, err
	}
	if st.rewind {
		if k.used {
			if err := k.scan.rewind(); err != nil {
				return nil, err
			}
			k.used, k.ended = false, false
		}
		return &result{tag: "MOVE 0"}, nil
	}
	part := &part{cursor: k, left: st.count}
	if !st.move {
		return &result{fields: k.scan.fields, rows: part, tag: "FETCH %d"}, nil
	}
	n := 0
	for {
		got, err := part.fetch(ctx, chunkNotes)
		n += len(got)
		if errors.Is(err, io.EOF) {
			return &result{tag: "MOVE " + intDatum(n).text}, nil
		}
		if err != nil {
			return nil, failureOf(ctx, err)
		}
	}
}

// part is what one FETCH takes of a cursor.
type part struct {
	*cursor
	left int // negative: all
}

func (p *part) fetch(ctx context.Context, want int) ([]row, error) {
	if p.left == 0 || p.ended {
		return nil, io.EOF
	}
	if p.left > 0 {
		want = min(want, p.left)
	}
	p.used = true
	got, err := p.scan.fetch(ctx, want)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	p.ended = err != nil
	if p.left > 0 {
		p.left -= len(got)
	}
	if p.left == 0 {
		err = io.EOF
	}
	return got, err
}

// close keeps the cursor open: only its own end closes it.
func (p *part) close() {}

// fetch makes fixed rows a result.
func (f *fixed) fetch(ctx context.Context, want int) ([]row, error) { return f.next(ctx, want) }

func (f *fixed) close() {}
