package tbed

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// template is a form of rules: the attributes of neighbours that they test. Rules are instantiated
// with the values around a wrong tag.
type template struct {
	slots []slot
	// tagged is set if one of the slots is a neighbour's tag, so that the matches of the template's
	// rules change with it.
	tagged bool
}

// slot is an attribute of a neighbour.
type slot struct {
	attribute int // index of the table's attributes, or tagSlot
	offset    int
}

// tagSlot represents the tag, which is not a column.
const tagSlot = -1

// maxSlots is the maximum number of conditions of a learned rule.
const maxSlots = 4

// parseTemplates reads templates, one per line: "lower[-1] shape[0] tag[1]".
func parseTemplates(text string, attributes []string) ([]template, error) {
	var out []template
	n := 0
	for line := range strings.Lines(text) {
		n++
		line, _, _ = strings.Cut(line, "#")
		var t template
		for word := range strings.FieldsSeq(line) {
			s, err := parseSlot(word, attributes)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
			t.slots = append(t.slots, s)
			t.tagged = t.tagged || s.attribute == tagSlot
		}
		if len(t.slots) > maxSlots {
			return nil, fmt.Errorf("line %d: %d conditions, want at most %d", n, len(t.slots), maxSlots)
		}
		if len(t.slots) > 0 {
			out = append(out, t)
		}
	}
	return out, nil
}

func parseSlot(word string, attributes []string) (slot, error) {
	name, rest, ok := strings.Cut(word, "[")
	number, ok2 := strings.CutSuffix(rest, "]")
	offset, err := strconv.Atoi(number)
	if !ok || !ok2 || err != nil || offset < -maxReach || offset > maxReach {
		return slot{}, fmt.Errorf("want an attribute and a place from %d to %d, as in %s[-1]", -maxReach, maxReach, attributes[0])
	}
	if name == tagAttribute {
		if offset == 0 {
			return slot{}, fmt.Errorf("%s[0] is in every rule already", tagAttribute)
		}
		return slot{tagSlot, offset}, nil
	}
	at := slices.Index(attributes, name)
	if at < 0 {
		return slot{}, fmt.Errorf("unknown attribute %q (known: %s, %s)", name, tagAttribute, strings.Join(attributes, ", "))
	}
	return slot{at, offset}, nil
}

// values are the values of a template's slots at a token.
type values [maxSlots]valueID

// at reads the values around token i; ok is false if one of them is silent.
func (m *template) at(t *table, i int) (v values, ok bool) {
	for k, s := range m.slots {
		if s.attribute == tagSlot {
			v[k] = valueID(t.tags[i+s.offset])
			continue
		}
		v[k] = t.columns[s.attribute][i+s.offset]
		if v[k] == silent {
			return v, false
		}
	}
	return v, true
}

// holds reports whether the slots have given values at token i.
func (m *template) holds(t *table, i int, v *values) bool {
	for k, s := range m.slots {
		if s.attribute == tagSlot {
			if valueID(t.tags[i+s.offset]) != v[k] {
				return false
			}
		} else if t.columns[s.attribute][i+s.offset] != v[k] {
			return false
		}
	}
	return true
}

// hash mixes a template's number, the tag that its rule changes and the values.
func (v *values) hash(template int, from Tag, n int) uint64 {
	h := (uint64(template)<<8 | uint64(from) + 1) * 0x9e3779b97f4a7c15
	h ^= h >> 32
	for _, x := range v[:n] {
		h = (h ^ uint64(uint32(x))) * 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	return h
}

// templateOf converts a rule to a template of its own and the numbers of its values.
func (t *table) templateOf(r Rule) (m template, v values, err error) {
	if len(r.If) > maxSlots {
		return m, v, fmt.Errorf("a rule of %d conditions, want at most %d", len(r.If), maxSlots)
	}
	for k, c := range r.If {
		s, err := parseSlot(fmt.Sprintf("%s[%d]", c.Attribute, c.Offset), t.attributes)
		if err != nil {
			return m, v, err
		}
		m.slots = append(m.slots, s)
		v[k] = t.valueOf(s, c)
	}
	return m, v, nil
}

// valueOf returns the number of a condition's value, or unmet.
func (t *table) valueOf(s slot, c Condition) valueID {
	if s.attribute == tagSlot {
		tag, err := ParseTag(c.Value)
		if c.Edge {
			return valueID(edge)
		}
		if err != nil {
			return unmet
		}
		return valueID(tag)
	}
	if c.Edge {
		return beyond
	}
	if id, ok := t.dicts[s.attribute].ids[c.Value]; ok {
		return id
	}
	return unmet
}
