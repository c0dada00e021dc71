package pgwire

import "strings"

// maxDepth bounds how deep parentheses may nest.
const maxDepth = 64

// parser reads one statement.
type parser struct {
	src    string
	tokens []token
	at     int
	depth  int
	params []paramUse
}

// parseAll reads the statements of a query, which semicolons part. Statements beyond one
// that is wrong are not read. held is what they take of the budget, besides the query itself:
// the caller gives it back, also after an error.
func parseAll(src string, b *sessionBudget) (list []statement, held int64, err *failure) {
	tokens, err := lex(src, b, &held)
	if err != nil {
		return nil, held, err
	}
	for start, i := 0, 0; i <= len(tokens); i++ {
		if i < len(tokens) && !tokens[i].is(";") {
			continue
		}
		if i > start {
			stmt, err := parseOne(src, tokens[start:i])
			if err != nil {
				return list, held, err
			}
			list = append(list, stmt)
		}
		start = i + 1
	}
	return list, held, nil
}

// parseOne reads one statement.
func parseOne(src string, tokens []token) (statement, *failure) {
	p := &parser{src: src, tokens: tokens}
	if stmt := p.catalogue(); stmt != nil {
		return stmt, nil
	}
	stmt, err := p.statement()
	if err != nil {
		return nil, err
	}
	if t := p.peek(); t.kind != endToken {
		return nil, p.unexpected(t)
	}
	switch s := stmt.(type) {
	case *selectStmt:
		s.params = p.params
	case *declareStmt:
		s.query.params = p.params
	case *insertStmt:
		s.params = p.params
	case *deleteStmt:
		s.params = p.params
	}
	return stmt, nil
}

func (p *parser) peek() token { return p.peekAt(0) }

func (p *parser) peekAt(n int) token {
	if p.at+n < len(p.tokens) {
		return p.tokens[p.at+n]
	}
	return token{kind: endToken, pos: p.end()}
}

// end is where the statement ends in the query.
func (p *parser) end() int {
	if len(p.tokens) == 0 {
		return 0
	}
	last := p.tokens[len(p.tokens)-1]
	return min(last.pos+1, len(p.src))
}

func (p *parser) next() token {
	t := p.peek()
	if t.kind != endToken {
		p.at++
	}
	return t
}

// accept takes the words or signs if they come next, all of them or none.
func (p *parser) accept(words ...string) bool {
	for i, w := range words {
		if !p.peekAt(i).is(w) {
			return false
		}
	}
	p.at += len(words)
	return true
}

// acceptAny takes one of the words if it comes next.
func (p *parser) acceptAny(words ...string) bool {
	for _, w := range words {
		if p.accept(w) {
			return true
		}
	}
	return false
}

func (p *parser) expect(word string) *failure {
	if t := p.next(); !t.is(word) {
		return p.unexpected(t).hinted("%q is wanted here", strings.ToUpper(word))
	}
	return nil
}

// maxName bounds names in bytes, as PostgreSQL does (NAMEDATALEN): many outlive their
// statement.
const maxName = 63

// name takes a name.
func (p *parser) name() (token, *failure) {
	t := p.next()
	if !t.isName() {
		return t, p.unexpected(t).hinted("a name is wanted here")
	}
	if len(t.text) > maxName {
		return t, failf(stateLongName, "identifier too long").near(t).hinted("at most %d bytes", maxName)
	}
	return t, nil
}

// unexpected tells where the statement leaves what is understood. It quotes words
// and signs only: literals and quoted names may be anything.
func (p *parser) unexpected(t token) *failure {
	switch t.kind {
	case endToken:
		return failf(stateSyntax, "syntax error at end of input").near(t)
	case wordToken, signToken:
		if s := shown(t.text); s != "?" || t.kind == signToken {
			if t.kind == signToken {
				s = t.text
			}
			return failf(stateSyntax, "syntax error at or near \"%s\"", s).near(t)
		}
	}
	return failf(stateSyntax, "syntax error").near(t)
}

// enter counts a level of nesting, until leave.
func (p *parser) enter() *failure {
	if p.depth++; p.depth > maxDepth {
		return failf(stateTooLarge, "the statement is nested too deeply").near(p.peek())
	}
	return nil
}

func (p *parser) leave() { p.depth-- }
