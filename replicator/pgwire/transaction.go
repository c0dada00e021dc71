package pgwire

import "strings"

// txStatus is a transaction's state as ReadyForQuery tells it.
type txStatus byte

const (
	txIdle   txStatus = 'I'
	txOpen   txStatus = 'T'
	txFailed txStatus = 'E'
)

// transaction is what a transaction can go back to. Nothing that is read ever
// changes, so there is no more to it than the inbox, settings and cursors.
type transaction struct {
	status     txStatus
	before     mark
	savepoints []savepoint
	// implicit is where the statements of one query go back to outside of a transaction;
	// nil: nothing runs.
	implicit *mark
}

// mark is a state to go back to.
type mark struct {
	rows     []posted
	settings settings
}

type savepoint struct {
	name string
	mark mark
}

func (c *session) mark() mark { return mark{c.inbox.rows, c.settings} }

// restore goes back to a mark. What is appended to the inbox then must not overwrite
// what others still see.
func (c *session) restore(m mark) {
	c.inbox.rows = m.rows[:len(m.rows):len(m.rows)]
	c.putSettings(m.settings)
}

// putSettings replaces the settings and tells the client of those that it follows.
func (c *session) putSettings(s settings) {
	old := c.settings
	c.settings = s
	for _, name := range reported {
		if s.values[name] != old.values[name] {
			c.report(name, s.values[name])
		}
	}
}

// transactionStmt runs the statements that begin and end transactions. It returns the
// command's tag.
func (c *session) transactionStmt(stmt statement) (string, bool, *failure) {
	switch st := stmt.(type) {
	case *beginStmt:
		if c.tx.status == txIdle {
			c.tx = transaction{status: txOpen, before: c.mark()}
		}
		return "BEGIN", true, nil
	case *commitStmt:
		tag := "COMMIT"
		if c.tx.status == txFailed {
			c.restore(c.tx.before)
			tag = "ROLLBACK"
		}
		c.endTx()
		return tag, true, nil
	case *rollbackStmt:
		if st.to != "" {
			return "ROLLBACK", true, c.rollbackTo(st.to)
		}
		if c.tx.status != txIdle {
			c.restore(c.tx.before)
		}
		c.endTx()
		return "ROLLBACK", true, nil
	case *savepointStmt:
		return "SAVEPOINT", true, c.savepoint(st.name)
	case *releaseStmt:
		return "RELEASE", true, c.release(st.name)
	}
	return "", false, nil
}

// endTx ends a transaction: cursors and inbox go with it.
func (c *session) endTx() {
	open := c.tx.status != txIdle
	c.tx = transaction{status: txIdle}
	c.closeCursors(-1)
	if open {
		c.inbox.clear(c.budget)
	}
	c.audit()
}

func (c *session) savepoint(name string) *failure {
	if c.tx.status != txOpen {
		return failf(stateNoTx, "SAVEPOINT can only be used in transaction blocks")
	}
	if len(c.tx.savepoints) >= maxSavepoints {
		return failf(stateTooLarge, "too many savepoints")
	}
	c.tx.savepoints = append(c.tx.savepoints, savepoint{strings.Clone(name), c.mark()})
	return nil
}

// level returns the index of the innermost savepoint of a name, or -1.
func (c *session) level(name string) int {
	for i := len(c.tx.savepoints) - 1; i >= 0; i-- {
		if c.tx.savepoints[i].name == name {
			return i
		}
	}
	return -1
}

func (c *session) release(name string) *failure {
	i := c.level(name)
	switch {
	case c.tx.status != txOpen:
		return failf(stateNoTx, "RELEASE SAVEPOINT can only be used in transaction blocks")
	case i < 0:
		return failf(stateNoSavepoint, "savepoint \"%s\" does not exist", shown(name))
	}
	c.tx.savepoints = c.tx.savepoints[:i]
	for _, cur := range c.cursors {
		cur.level = min(cur.level, i)
	}
	return nil
}

func (c *session) rollbackTo(name string) *failure {
	if c.tx.status == txIdle {
		return failf(stateNoTx, "ROLLBACK TO SAVEPOINT can only be used in transaction blocks")
	}
	i := c.level(name)
	if i < 0 {
		return failf(stateNoSavepoint, "savepoint \"%s\" does not exist", shown(name))
	}
	c.restore(c.tx.savepoints[i].mark)
	c.tx.savepoints = c.tx.savepoints[:i+1]
	c.tx.status = txOpen
	c.closeCursors(i)
	return nil
}

// beginImplicit notes the state before a statement outside of a transaction.
func (c *session) beginImplicit() {
	if c.tx.status == txIdle && c.tx.implicit == nil {
		m := c.mark()
		c.tx.implicit = &m
	}
}

// endImplicit keeps what statements outside of a transaction did.
func (c *session) endImplicit() {
	if c.tx.status == txIdle {
		if c.inbox.held > 0 && c.tx.implicit != nil {
			c.inbox.settle(c.budget)
		}
		c.tx.implicit = nil
		c.closePortals()
		c.audit()
	}
}

func (c *session) rollbackImplicit() {
	if c.tx.implicit != nil {
		c.restore(*c.tx.implicit)
		c.tx.implicit = nil
	}
}
