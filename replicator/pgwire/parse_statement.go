package pgwire

import (
	"strconv"
	"strings"
)

// statement reads what begins with a word that says what it is.
func (p *parser) statement() (statement, *failure) {
	t := p.next()
	if t.is("(") { // "(SELECT …)"
		p.at--
		return p.selectStmt()
	}
	if t.kind != wordToken {
		return nil, p.unexpected(t)
	}
	switch t.text {
	case "select":
		p.at--
		return p.selectStmt()
	case "insert":
		return p.insertStmt()
	case "delete":
		return p.deleteStmt()
	case "declare":
		return p.declareStmt()
	case "fetch":
		return p.fetchStmt(false)
	case "move":
		return p.fetchStmt(true)
	case "close":
		return p.closeStmt()
	case "explain":
		return p.explainStmt()
	case "deallocate":
		return p.deallocateStmt()
	case "discard":
		p.at = len(p.tokens)
		return &discardStmt{}, nil
	}
	if stmt, ok, err := p.transaction(t); ok {
		return stmt, err
	}
	if stmt, ok, err := p.setting(t); ok {
		return stmt, err
	}
	return nil, unsupported(t)
}

// unsupported refuses a statement by its first word.
func unsupported(t token) *failure {
	return failf(stateUnsupported, "%s is not supported", strings.ToUpper(shown(t.text))).near(t).
		hinted("this server answers SELECT from its tables, INSERT INTO inbox, cursors and transactions; see 'pgdeid serve --help'")
}

// transaction reads the statements that begin and end transactions and savepoints.
func (p *parser) transaction(t token) (statement, bool, *failure) {
	switch t.text {
	case "begin", "start":
		if t.text == "start" {
			if err := p.expect("transaction"); err != nil {
				return nil, true, err
			}
		} else {
			p.acceptAny("transaction", "work")
		}
		stmt := &beginStmt{modes: p.tokens[p.at:]}
		p.at = len(p.tokens)
		return stmt, true, checkModes(stmt.modes)
	case "commit", "end":
		p.acceptAny("transaction", "work")
		if t := p.peek(); t.is("prepared") || t.is("and") {
			return nil, true, failf(stateUnsupported, "two-phase and chained transactions are not supported").near(t)
		}
		return &commitStmt{}, true, nil
	case "rollback", "abort":
		p.acceptAny("transaction", "work")
		if p.accept("to") {
			p.accept("savepoint")
			name, err := p.name()
			return &rollbackStmt{to: name.text}, true, err
		}
		return &rollbackStmt{}, true, nil
	case "savepoint":
		name, err := p.name()
		return &savepointStmt{name.text}, true, err
	case "release":
		p.accept("savepoint")
		name, err := p.name()
		return &releaseStmt{name.text}, true, err
	}
	return nil, false, nil
}

// modeWords are the words of transaction modes; none of them matters here, as
// nothing that is read ever changes.
const modeWords = " isolation level serializable repeatable read committed uncommitted only write not deferrable , "

func checkModes(modes []token) *failure {
	for _, t := range modes {
		if !t.isName() && !t.is(",") || !strings.Contains(modeWords, " "+t.text+" ") {
			return failf(stateSyntax, "syntax error in a transaction's modes").near(t)
		}
	}
	return nil
}

func (p *parser) declareStmt() (statement, *failure) {
	name, err := p.name()
	if err != nil {
		return nil, err
	}
	stmt := &declareStmt{cursor: name.text}
	for !p.accept("cursor") {
		switch t := p.next(); {
		case t.is("binary"):
			stmt.binary = true
		case t.is("insensitive"), t.is("asensitive"), t.is("no"), t.is("scroll"):
		default:
			return nil, p.unexpected(t)
		}
	}
	if p.accept("with") {
		return nil, failf(stateUnsupported, "cursors end with their transaction: WITH HOLD is not supported").near(p.peek())
	}
	p.accept("without", "hold")
	if err := p.expect("for"); err != nil {
		return nil, err
	}
	query, err := p.selectStmt()
	if err != nil {
		return nil, err
	}
	stmt.query = query
	return stmt, nil
}

// fetchStmt reads FETCH or MOVE: forward, or back to the start.
func (p *parser) fetchStmt(move bool) (statement, *failure) {
	stmt := &fetchStmt{count: 1, move: move}
	t := p.peek()
	switch {
	case p.accept("backward", "all"), p.accept("absolute") && p.zero():
		stmt.rewind, stmt.count = true, 0
	case p.accept("forward"), p.acceptAny("next"):
		if err := p.fetchCount(stmt); err != nil {
			return nil, err
		}
	case t.is("backward"), t.is("prior"), t.is("last"), t.is("absolute"), t.is("relative"), t.is("first"), t.is("-"):
		return nil, failf(stateUnsupported, "cursors go forward only, or back to the start by MOVE BACKWARD ALL").near(t)
	default:
		if err := p.fetchCount(stmt); err != nil {
			return nil, err
		}
	}
	if stmt.rewind && !move {
		return nil, failf(stateUnsupported, "cursors go forward only, or back to the start by MOVE BACKWARD ALL").near(t)
	}
	p.acceptAny("from", "in")
	name, err := p.name()
	stmt.cursor = name.text
	return stmt, err
}

func (p *parser) zero() bool {
	if t := p.peek(); t.kind == numberToken && t.text == "0" {
		p.at++
		return true
	}
	return false
}

func (p *parser) fetchCount(stmt *fetchStmt) *failure {
	switch t := p.peek(); {
	case t.is("all"):
		stmt.count = -1
		p.at++
	case t.kind == numberToken:
		n, err := strconv.ParseInt(t.text, 10, 32)
		if err != nil {
			return p.unexpected(t)
		}
		stmt.count = int(n)
		p.at++
	}
	return nil
}

func (p *parser) closeStmt() (statement, *failure) {
	if p.accept("all") {
		return &closeStmt{}, nil
	}
	name, err := p.name()
	return &closeStmt{name.text}, err
}

func (p *parser) deallocateStmt() (statement, *failure) {
	p.accept("prepare")
	if p.accept("all") {
		return &deallocateStmt{}, nil
	}
	name, err := p.name()
	return &deallocateStmt{name.text}, err
}

// explainStmt reads EXPLAIN of a statement. One that can't be answered is no error
// here: it costs so much that a planner turns to another.
func (p *parser) explainStmt() (statement, *failure) {
	if p.accept("(") {
		for !p.accept(")") {
			if p.next().kind == endToken {
				return nil, p.unexpected(p.peek())
			}
		}
	}
	p.accept("analyze") // nothing runs either way
	p.accept("verbose")
	if t := p.peek(); t.is("explain") { // it would nest without end, and PostgreSQL has no such thing
		return nil, p.unexpected(t)
	}
	inner := &parser{src: p.src, tokens: p.tokens[p.at:]}
	stmt, err := inner.statement()
	if err == nil && inner.peek().kind != endToken {
		stmt = nil
	}
	if err != nil && err.state == stateSyntax && len(inner.tokens) == 0 {
		return nil, err
	}
	if err != nil {
		stmt = nil
	}
	p.at, p.params = len(p.tokens), inner.params
	return &explainStmt{of: stmt}, nil
}
