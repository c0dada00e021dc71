package tbed

import (
	"fmt"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/features"
)

// program is a list of rules compiled for running over notes. It is immutable.
//
// A rule is tried only where it may match. One that changes PHI, or requires PHI at a neighbour,
// is tried at the few tokens that currently have this tag. Any other is found by a key: among its
// conditions that do not depend on tags, the one shared by the fewest rules.
type program struct {
	rules []compiled
	// attributes are those that rules test; if pattern is set, the patterns' tag follows them.
	attributes []features.Attribute
	pattern    bool
	// ids number the values that rules test, by attribute: see firstValue.
	ids []map[features.Key]valueID
	// index holds, by attribute and value, the rules found by it.
	index [][][]found
}

// compiled is a rule with numbers for its values.
type compiled struct {
	from, to Tag
	plain    []check // of attributes, without the key
	tags     []check
	// driver is the tag of PHI at which the rule is tried, driverOffset tokens before; Outside means
	// that it is found by its key, or roams.
	driver       Tag
	driverOffset int32
	roams        bool // is tried everywhere, as it has neither driver nor key
}

// check requires a value of a column, or a tag, at an offset.
type check struct {
	offset int32
	column int32
	value  valueID
}

// found is a rule and the distance from the token with the key to the token that it changes.
type found struct {
	rule   int32
	offset int32
}

// columns is the number of attributes of a token.
func (p *program) columns() int {
	if p.pattern {
		return len(p.attributes) + 1
	}
	return len(p.attributes)
}

// compile compiles rules.
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

// drive sets the driver to a tag of PHI that the rule requires.
func (r *compiled) drive() {
	r.driver = r.from
	for _, x := range r.tags {
		if tag := Tag(x.value); r.driver == Outside && tag != edge {
			r.driver, r.driverOffset = tag, x.offset
		}
	}
}

// meet registers an attribute that a rule tests.
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

// check converts a condition to numbers.
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

// keyOf returns the key of a condition's value, and its column. A pattern's key is its tag.
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

// fill files each rule under the condition shared by the fewest.
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
			if x.value != beyond && (rarest < 0 || shared[check{0, x.column, x.value}] < shared[check{
				0, c.plain[rarest].column,
				c.plain[rarest].value,
			}]) {
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
