package pgwire

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/statement"
)

// txStatus is a transaction's state as ReadyForQuery has it.
type txStatus byte

const (
	txIdle   txStatus = 'I'
	txOpen   txStatus = 'T'
	txFailed txStatus = 'E'
)

// transaction is what a transaction can go back to. Nothing that is read ever changes, so that is the inbox and the cursors.
type transaction struct {
	phi.Redacted

	status     txStatus
	savepoints []savepoint
}

type savepoint struct {
	phi.Redacted

	name  string
	inbox []Row
}

// transactionStatement runs what begins and ends transactions, and returns the command's tag, "" for other statements.
func (c *session) transactionStatement(st *statement.Statement) (string, *Error) {
	switch st.Verb {
	case statement.Begin:
		if c.tx.status != txIdle {
			return "", failf(stateActiveTx, "there is already a transaction in progress")
		}
		c.tx.status = txOpen
		return "BEGIN", nil
	case statement.Commit, statement.Rollback:
		tag := "COMMIT"
		if c.tx.status == txFailed || st.Verb == statement.Rollback {
			tag = "ROLLBACK"
		}
		c.endTx()
		return tag, nil
	case statement.Savepoint:
		return "SAVEPOINT", c.setSavepoint(st.Name)
	case statement.Release:
		return "RELEASE", c.release(st.Name)
	case statement.RollbackTo:
		return "ROLLBACK", c.rollbackTo(st.Name)
	}
	return "", nil
}

// endTx ends a transaction: cursors and inbox go with it.
func (c *session) endTx() {
	c.tx = transaction{status: txIdle}
	c.closeCursors(-1)
	c.closePortal()
	c.budget.giveBack(c.inbox.held)
	c.inbox = inbox{}
	c.audit()
}

func (c *session) setSavepoint(name string) *Error {
	if c.tx.status != txOpen {
		return failf(stateNoTx, "SAVEPOINT can only be used in transaction blocks")
	}
	if len(c.tx.savepoints) >= maxSavepoints {
		return failf(stateTooLarge, "too many savepoints")
	}
	c.tx.savepoints = append(c.tx.savepoints, savepoint{name: strings.Clone(name), inbox: c.inbox.rows})
	return nil
}

// level returns the index of the innermost savepoint of a name.
func (c *session) level(name string) (int, *Error) {
	if c.tx.status == txIdle {
		return 0, failf(stateNoTx, "there is no transaction in progress")
	}
	for i := len(c.tx.savepoints) - 1; i >= 0; i-- {
		if c.tx.savepoints[i].name == name {
			return i, nil
		}
	}
	return 0, failf(stateNoSavepoint, "savepoint \"%s\" does not exist", shown(name))
}

func (c *session) release(name string) *Error {
	i, err := c.level(name)
	if err != nil {
		return err
	}
	c.tx.savepoints = c.tx.savepoints[:i]
	for _, k := range c.cursors {
		k.level = min(k.level, i)
	}
	return nil
}

func (c *session) rollbackTo(name string) *Error {
	i, err := c.level(name)
	if err != nil {
		return err
	}
	// What is appended from now on must not overwrite rows that an earlier scan still has.
	rows := c.tx.savepoints[i].inbox
	c.inbox.rows = rows[:len(rows):len(rows)]
	c.tx.savepoints = c.tx.savepoints[:i+1]
	c.tx.status = txOpen
	c.closeCursors(i)
	return nil
}

// cursor is a scan with a name.
type cursor struct {
	*scan

	level int   // savepoints that were set when it was declared
	kept  int64 // of the budget, by the statement and its parameters
}

// declare makes a cursor. Nothing is asked of the desk yet.
func (c *session) declare(st *statement.Statement, params []Datum, size int64) (*result, *Error) {
	switch {
	case c.tx.status != txOpen:
		return nil, failf(stateNoTx, "DECLARE CURSOR can only be used in transaction blocks")
	case c.cursors[st.Name] != nil:
		return nil, failf(stateDuplicateCursor, "cursor \"%s\" already exists", shown(st.Name))
	case len(c.cursors) >= maxCursors:
		return nil, failf(stateTooLarge, "too many cursors")
	}
	p, err := c.plan(st.From)
	if err != nil {
		return nil, err
	}
	k := &cursor{level: len(c.tx.savepoints)}
	if err := c.budget.keep(size, &k.kept); err != nil {
		return nil, err
	}
	if k.scan, err = c.open(p, params); err != nil {
		c.budget.giveBack(k.kept)
		return nil, err
	}
	c.cursors[strings.Clone(st.Name)] = k
	return &result{tag: "DECLARE CURSOR"}, nil
}

func (c *session) cursor(name string) (*cursor, *Error) {
	if k := c.cursors[name]; k != nil {
		return k, nil
	}
	return nil, failf(stateNoCursor, "cursor \"%s\" does not exist", shown(name))
}

// closeCursors closes those that were declared after a level; -1 closes all of them.
func (c *session) closeCursors(level int) {
	for name, k := range c.cursors {
		if k.level > level {
			c.closeOne(name, k)
		}
	}
}

func (c *session) closeOne(name string, k *cursor) {
	k.scan.close()
	c.budget.giveBack(k.kept)
	delete(c.cursors, name)
}

// cursorStatement runs FETCH, MOVE BACKWARD ALL and CLOSE.
func (c *session) cursorStatement(st *statement.Statement) (*result, *Error) {
	k, err := c.cursor(st.Name)
	if err != nil {
		return nil, err
	}
	switch st.Verb {
	case statement.Fetch:
		return &result{fields: k.fields, rows: &part{k.scan, st.Count}, tag: "FETCH %d"}, nil
	case statement.Rewind:
		return &result{tag: "MOVE 0"}, k.rewind()
	default:
		c.closeOne(st.Name, k)
		return &result{tag: "CLOSE CURSOR"}, nil
	}
}
