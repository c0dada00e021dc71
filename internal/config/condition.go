package config

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// Condition is what the columns of a row must hold: all of its tests. The zero value holds
// for every row. It is read by a closed grammar and never sent to a server.
type Condition struct{ Tests []Test }

// Test is what one column must hold.
type Test struct {
	Column string
	Not    bool     // the opposite, which NULL does not fulfil either
	Null   bool     // the column is NULL
	Values []string `json:",omitempty"` // or one of these
}

// Columns returns the columns that the condition looks at.
func (c Condition) Columns() []string {
	names := make([]string, len(c.Tests))
	for i, t := range c.Tests {
		names[i] = t.Column
	}
	return names
}

// Holds reports whether a column with a value, or with NULL, passes the test. As in SQL, a
// comparison with NULL is not true.
func (t *Test) Holds(value string, null bool) bool {
	switch {
	case t.Null:
		return null != t.Not
	case null:
		return false
	}
	for _, v := range t.Values {
		if same(v, value) {
			return !t.Not
		}
	}
	return t.Not
}

// same compares values as PostgreSQL writes them: char(n) is padded, and a boolean is t or f.
func same(want, have string) bool {
	want, have = strings.TrimRight(want, " "), strings.TrimRight(have, " ")
	return want == have || want == "true" && have == "t" || want == "false" && have == "f"
}

var errCondition = errors.New(`want tests of columns joined by and: column = 'value', column <> 'value', column in ('a', 'b'), ` +
	`column not in ('a', 'b'), column is null, column is not null`)

// ParseCondition reads a condition: tests of columns, joined by "and".
func ParseCondition(text string) (Condition, error) {
	p := conditionParser{left: text}
	var c Condition
	for {
		t, err := p.test()
		if err != nil {
			return Condition{}, err
		}
		c.Tests = append(c.Tests, t)
		if p.done() {
			return c, nil
		}
		if !p.word("and") {
			return Condition{}, errCondition
		}
	}
}

// readCondition returns the condition in a node, nil if it holds none.
func readCondition(n node) *Condition {
	s, ok := n.scalar()
	if !ok {
		return nil
	}
	when, err := ParseCondition(s)
	if err != nil {
		n.fail("%v", err)
		return nil
	}
	return &when
}

// conditionParser takes tokens off the front of a text.
type conditionParser struct{ left string }

func (p *conditionParser) space() { p.left = strings.TrimLeftFunc(p.left, unicode.IsSpace) }

func (p *conditionParser) done() bool {
	p.space()
	return p.left == ""
}

// word takes a keyword, in any case.
func (p *conditionParser) word(want string) bool {
	p.space()
	n := len(want)
	if len(p.left) < n || !strings.EqualFold(p.left[:n], want) || len(p.left) > n && isNamePart(rune(p.left[n])) {
		return false
	}
	p.left = p.left[n:]
	return true
}

// sign takes punctuation.
func (p *conditionParser) sign(want string) bool {
	p.space()
	rest, ok := strings.CutPrefix(p.left, want)
	if ok {
		p.left = rest
	}
	return ok
}

func isNamePart(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) || r > unicode.MaxASCII
}

// name takes the name of a column, as PostgreSQL has it: in lower case unless it is quoted.
func (p *conditionParser) name() (string, error) {
	p.space()
	if strings.HasPrefix(p.left, `"`) {
		return p.quoted('"')
	}
	n := strings.IndexFunc(p.left, func(r rune) bool { return !isNamePart(r) })
	if n < 0 {
		n = len(p.left)
	}
	name := strings.ToLower(p.left[:n])
	if name == "" || unicode.IsDigit(rune(name[0])) {
		return "", errCondition
	}
	p.left = p.left[n:]
	return name, nil
}

// quoted takes a text between quotes, which are doubled within.
func (p *conditionParser) quoted(quote byte) (string, error) {
	var b strings.Builder
	for i := 1; i < len(p.left); i++ {
		if p.left[i] != quote {
			b.WriteByte(p.left[i])
			continue
		}
		if i+1 < len(p.left) && p.left[i+1] == quote {
			b.WriteByte(quote)
			i++
			continue
		}
		p.left = p.left[i+1:]
		return b.String(), nil
	}
	return "", fmt.Errorf("a quote is not closed: %w", errCondition)
}

// value takes a quoted text, a number, true or false.
func (p *conditionParser) value() (string, error) {
	p.space()
	if strings.HasPrefix(p.left, "'") {
		return p.quoted('\'')
	}
	n := strings.IndexFunc(p.left, func(r rune) bool { return !isNamePart(r) && r != '.' && r != '-' })
	if n < 0 {
		n = len(p.left)
	}
	word := p.left[:n]
	p.left = p.left[n:]
	switch lower := strings.ToLower(word); {
	case lower == "true" || lower == "false":
		return lower, nil
	case numberForm(word):
		return word, nil
	case lower == "null":
		return "", errors.New("compare with null by: column is null, or column is not null")
	}
	return "", fmt.Errorf("put values between quotes: %w", errCondition)
}

// numberForm reports whether a word is a number as PostgreSQL writes one.
func numberForm(word string) bool {
	digits := strings.TrimPrefix(word, "-")
	whole, part, point := strings.Cut(digits, ".")
	only := func(s string) bool {
		return s != "" && strings.Trim(s, "0123456789") == ""
	}
	return only(whole) && (!point || only(part))
}

func (p *conditionParser) test() (Test, error) {
	name, err := p.name()
	if err != nil {
		return Test{}, err
	}
	t := Test{Column: name}
	switch {
	case p.word("is"):
		t.Not, t.Null = p.word("not"), true
		if !p.word("null") {
			err = errCondition
		}
		return t, err
	case p.sign("<>"), p.sign("!="):
		t.Not = true
	case p.sign("="):
	default:
		t.Not = p.word("not")
		if !p.word("in") {
			return t, errCondition
		}
		t.Values, err = p.list()
		return t, err
	}
	v, err := p.value()
	t.Values = []string{v}
	return t, err
}

// list takes values in parentheses.
func (p *conditionParser) list() ([]string, error) {
	if !p.sign("(") {
		return nil, errCondition
	}
	var values []string
	for {
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		values = append(values, v)
		if p.sign(")") {
			return values, nil
		}
		if !p.sign(",") {
			return nil, errCondition
		}
	}
}
