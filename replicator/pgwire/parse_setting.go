package pgwire

import "strings"

// setting reads SET, RESET and SHOW.
func (p *parser) setting(t token) (statement, bool, *failure) {
	switch t.text {
	case "set":
		stmt, err := p.setStmt()
		return stmt, true, err
	case "reset":
		if p.accept("all") {
			return &setStmt{unset: true}, true, nil
		}
		name, err := p.settingName()
		return &setStmt{name: name, unset: true}, true, err
	case "show":
		name, err := p.settingName()
		return &showStmt{name}, true, err
	}
	return nil, false, nil
}

// settingName reads a name with its dots, or one of the names of two words.
func (p *parser) settingName() (string, *failure) {
	switch {
	case p.accept("time", "zone"):
		return "timezone", nil
	case p.accept("transaction", "isolation", "level"):
		return "transaction_isolation", nil
	case p.accept("session", "authorization"):
		return "session_authorization", nil
	}
	t, err := p.name()
	if err != nil {
		return "", err
	}
	name := lowerASCII(t.text)
	for p.accept(".") {
		t, err := p.name()
		if err != nil {
			return "", err
		}
		name += "." + lowerASCII(t.text)
	}
	return name, nil
}

func (p *parser) setStmt() (statement, *failure) {
	stmt := &setStmt{}
	switch {
	case p.accept("transaction"), p.accept("session", "characteristics", "as", "transaction"):
		modes := p.tokens[p.at:]
		p.at = len(p.tokens)
		return &setStmt{name: "transaction"}, checkModes(modes)
	case p.accept("local"):
		stmt.local = true
	case p.peek().is("session") && !p.peekAt(1).is("authorization"):
		p.at++
	}
	zone := p.peek().is("time")
	name, err := p.settingName()
	if err != nil {
		return nil, err
	}
	stmt.name = name
	if !p.acceptAny("=", "to") && !zone && name != "session_authorization" {
		return nil, p.unexpected(p.peek())
	}
	if p.accept("default") {
		stmt.unset = true
		return stmt, nil
	}
	stmt.value, err = p.settingValue()
	return stmt, err
}

// settingValue reads a list of words, literals and numbers.
func (p *parser) settingValue() (string, *failure) {
	var parts []string
	for {
		sign := ""
		if p.accept("-") {
			sign = "-"
		}
		switch t := p.next(); t.kind {
		case wordToken, nameToken, textToken, numberToken:
			parts = append(parts, sign+t.text)
		default:
			return "", p.unexpected(t)
		}
		if !p.accept(",") {
			return strings.Join(parts, ", "), nil
		}
	}
}
