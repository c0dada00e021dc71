package tbed

import (
	"fmt"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/features"
)

// program is a list of rules made ready to run over notes. It is immutable.
//
// A rule is tried only where it may fit. One that changes PHI, or asks for PHI beside the
// token, is tried at the tokens that have this tag just then: there are few. Of any
// other, one condition that does not depend on tags, the one that fewest rules share, is
// the key under which it is found.
type program struct {
	rules []compiled
	// attributes are those that a rule asks for; pattern says that the patterns' tags
	// are one more, behind them.
	attributes []features.Attribute
	pattern    bool
	// ids number the values that rules ask for, by attribute: see firstValue.
	ids []map[features.Key]valueID
	// index holds for each attribute and value the rules that are found by it.
	index [][][]found
}

// compiled is a rule in numbers.
type compiled struct {
	from, to Tag
	plain    []check // of attributes, the key apart
	tags     []check
	// driver is the tag of PHI at whose tokens, or driverOffset before them, the rule is
	// tried; Outside means that it is found by its key, or roams.
	driver       Tag
	driverOffset int32
	roams        bool // is tried everywhere: it needs no PHI and has no key
}

// check asks for a value of a column, or for a tag, at an offset.
type check struct {
	offset int32
	column int32
	value  valueID
}

// found is a rule and how far the token that it changes stands behind the one that
// gave it away.
type found struct {
	rule   int32
	offset int32
}

// columns is how many attributes a token has.
func (p *program) columns() int {
	if p.pattern {
		return len(p.attributes) + 1
	}
	return len(p.attributes)
}

// compile makes rules ready to run.
func compile(rules []Rule) (*program, error) {
	p := &program{rules: make([]compiled, len(rules))}
	for i, r := range rules {
		for _, c := range r.If {
			if err := p.meet(c); err != nil {
				return nil, fmt.Errorf("rule %d: %w", i+1, err)
			}
		}
	}
	for range p.columns() {
		p.ids = append(p.ids, map[features.Key]valueID{})
	}
	shared := map[check]int{}
	for i, r := range rules {
		c := &p.rules[i]
		c.from, c.to = r.From, r.To
		for _, cond := range r.If {
			k, err := p.check(cond)
			if err != nil {
				return nil, fmt.Errorf("rule %d: %w", i+1, err)
			}
			if cond.Attribute == tagAttribute {
				c.tags = append(c.tags, k)
				continue
			}
			c.plain = append(c.plain, k)
			shared[check{0, k.column, k.value}]++
		}
	}
	p.fill(shared)
	return p, nil
}

// drive looks for a tag of PHI that the rule needs.
func (r *compiled) drive() {
	r.driver = r.from
	for _, x := range r.tags {
		if tag := Tag(x.value); r.driver == Outside && tag != edge {
			r.driver, r.driverOffset = tag, x.offset
		}
	}
}

// meet takes in an attribute that a rule asks for.
func (p *program) meet(c Condition) error {
	switch at := slices.Index(attributeNames, c.Attribute); {
	case c.Attribute == tagAttribute:
	case at == patternColumn:
		p.pattern = true
	case at < 0:
		return fmt.Errorf("unknown attribute %q", c.Attribute)
	case !slices.Contains(p.attributes, unified[at]):
		p.attributes = append(p.attributes, unified[at])
	}
	return nil
}

// check turns a condition into numbers.
func (p *program) check(c Condition) (check, error) {
	k := check{offset: int32(c.Offset), column: -1, value: beyond}
	if c.Attribute == tagAttribute {
		k.value = valueID(edge)
		if c.Edge {
			return k, nil
		}
		tag, err := ParseTag(c.Value)
		k.value = valueID(tag)
		return k, err
	}
	key, column, err := p.keyOf(c)
	if err != nil {
		return k, err
	}
	k.column = int32(column)
	if c.Edge {
		return k, nil
	}
	id, known := p.ids[column][key]
	if !known {
		id = firstValue + valueID(len(p.ids[column]))
		p.ids[column][key] = id
	}
	k.value = id
	return k, nil
}

// keyOf returns the key of a condition's value, and its column. That of a pattern is
// its tag.
func (p *program) keyOf(c Condition) (features.Key, int, error) {
	if c.Attribute == patternAttribute {
		if c.Edge {
			return 0, len(p.attributes), nil
		}
		tag, err := ParseTag(c.Value)
		return features.Key(tag), len(p.attributes), err
	}
	a, err := features.ParseAttribute(c.Attribute)
	if err != nil {
		return 0, 0, err
	}
	value := c.Value
	if !c.Edge {
		if value, err = meant(a, c.Value); err != nil {
			return 0, 0, err
		}
	}
	return features.KeyOf(a, value), slices.Index(p.attributes, a), nil
}

// fill files each rule under the condition that the fewest share.
func (p *program) fill(shared map[check]int) {
	for _, ids := range p.ids {
		p.index = append(p.index, make([][]found, int(firstValue)+len(ids)))
	}
	for i := range p.rules {
		c := &p.rules[i]
		if c.drive(); c.driver != Outside {
			continue
		}
		rarest := -1
		for k, x := range c.plain {
			if x.value != beyond && (rarest < 0 || shared[check{0, x.column, x.value}] < shared[check{0, c.plain[rarest].column, c.plain[rarest].value}]) {
				rarest = k
			}
		}
		if rarest < 0 {
			c.roams = true
			continue
		}
		x := c.plain[rarest]
		c.plain = slices.Delete(c.plain, rarest, rarest+1)
		p.index[x.column][x.value] = append(p.index[x.column][x.value], found{int32(i), x.offset})
	}
}
