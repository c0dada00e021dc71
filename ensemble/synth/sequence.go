package synth

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// production holds the alternatives of a name, or of a choice within one.
type production struct {
	alternatives []alternative
	plain        bool // no alternative has a weight or a condition
}

// alternative is one way to write a production.
type alternative struct {
	weight int
	when   []condition
	seq    sequence
}

// condition is what must be so for an alternative to be drawn.
type condition struct {
	name string
	not  bool
}

type sequence []node

// node is one piece of an alternative. Exactly one of its fields is set.
type node struct {
	text   string
	ref    *reference
	choice *production
	call   *call
	about  *about
	span   *span
}

// reference leads to a slot, a field or a production: once, or several distinct
// alternatives as a list.
type reference struct {
	name   string
	list   byte // 0, '*' sentences in a row, '#' numbered lines, '%' lines with a mark, ',' enumeration
	lo, hi int
}

// call applies a function to what its argument writes.
type call struct {
	name string
	arg  sequence
}

// about writes a sequence about another person, place or day.
type about struct {
	subjects []subject // one of them is drawn
	seq      sequence
}

type subject struct {
	name   string
	lo, hi int
}

// span is PHI.
type span struct {
	typ phi.Type
	seq sequence
}

// newProduction joins alternatives.
func newProduction(all []alternative) *production {
	p := &production{alternatives: all, plain: true}
	for _, a := range all {
		if a.weight != 1 || len(a.when) > 0 {
			p.plain = false
		}
	}
	return p
}

// maxNesting limits brackets within brackets.
const maxNesting = 60

// The ends of a span.
const spanOpen, spanClose = "⟦", "⟧"

// parser reads one alternative.
type parser struct {
	rest  string
	depth int
}

func parseAlternative(text string) (alternative, error) {
	p := parser{rest: text}
	return p.alternative()
}

// alternative reads weight, conditions and sequence up to one of the stops.
func (p *parser) alternative(stops ...string) (alternative, error) {
	a := alternative{weight: 1}
	for strings.HasPrefix(p.rest, "{") {
		head, after, _ := strings.Cut(p.rest[1:], "}")
		name, isCondition := strings.CutPrefix(head, "?")
		weight, err := strconv.Atoi(head)
		switch {
		case isCondition:
			name, not := strings.CutPrefix(name, "-")
			a.when = append(a.when, condition{name, not})
		case err == nil && weight > 0 && weight <= 1000:
			a.weight = weight
		case err == nil:
			return a, fmt.Errorf("the weight {%s} is not between 1 and 1000", head)
		default:
			a.seq, err = p.sequence(stops...)
			return a, err
		}
		p.rest = after
	}
	var err error
	a.seq, err = p.sequence(stops...)
	return a, err
}

// sequence reads up to one of the stops, which it leaves unread, or to the end of the
// text if there are none.
func (p *parser) sequence(stops ...string) (sequence, error) {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxNesting {
		return nil, errors.New("too many brackets within brackets")
	}
	var seq sequence
	var literal strings.Builder
	flush := func() {
		if literal.Len() > 0 {
			seq = append(seq, node{text: literal.String()})
			literal.Reset()
		}
	}
	for p.rest != "" {
		if p.at(stops) {
			flush()
			return seq, nil
		}
		switch c := p.rest[0]; {
		case c == '\\' && len(p.rest) > 1:
			literal.WriteString(unescape(p.rest[1]))
			p.rest = p.rest[2:]
		case c == '{' || c == '[' || strings.HasPrefix(p.rest, spanOpen):
			flush()
			n, err := p.special()
			if err != nil {
				return nil, err
			}
			seq = append(seq, n)
		default:
			literal.WriteByte(c)
			p.rest = p.rest[1:]
		}
	}
	flush()
	if len(stops) > 0 {
		return nil, fmt.Errorf("a bracket has no end: want %s", strings.Join(stops, " or "))
	}
	return seq, nil
}

func (p *parser) at(stops []string) bool {
	for _, s := range stops {
		if strings.HasPrefix(p.rest, s) {
			return true
		}
	}
	return false
}

func unescape(c byte) string {
	switch c {
	case 'n':
		return "\n"
	case 't':
		return "\t"
	default:
		return string(c)
	}
}

// special reads what a bracket opens.
func (p *parser) special() (node, error) {
	switch {
	case p.skip("{"):
		return p.braces()
	case p.skip("["):
		return p.choice()
	default:
		p.skip(spanOpen)
		return p.span()
	}
}

func (p *parser) skip(prefix string) bool {
	rest, ok := strings.CutPrefix(p.rest, prefix)
	p.rest = rest
	return ok
}

func (p *parser) choice() (node, error) {
	var all []alternative
	for {
		a, err := p.alternative("|", "]")
		if err != nil {
			return node{}, err
		}
		all = append(all, a)
		if p.skip("]") {
			return node{choice: newProduction(all)}, nil
		}
		p.skip("|")
	}
}

// span reads "TYPE|text".
func (p *parser) span() (node, error) {
	name, after, ok := strings.Cut(p.rest, "|")
	if !ok {
		return node{}, errors.New("a span is not ⟦TYPE|text⟧")
	}
	typ, err := phi.ParseType(name)
	if err != nil {
		return node{}, err
	}
	p.rest = after
	seq, err := p.sequence(spanClose)
	p.skip(spanClose)
	return node{span: &span{typ, seq}}, err
}

// braces reads a reference "name", "name*2-4", "name#3", "name%2-5" or "name,2-3", a
// call "name:argument" or what is written about somebody or something: "name>form".
func (p *parser) braces() (node, error) {
	i := strings.IndexAny(p.rest, ":>*#%,(}")
	if i < 0 {
		return node{}, errors.New("a reference has no end: want }")
	}
	name, mark := p.rest[:i], p.rest[i]
	isList := i+1 < len(p.rest) && p.rest[i+1] >= '0' && p.rest[i+1] <= '9'
	switch {
	case mark == '}':
		p.rest = p.rest[i+1:]
		return node{ref: &reference{name: name, lo: 1, hi: 1}}, nil
	case mark == ':':
		p.rest = p.rest[i+1:]
		arg, err := p.sequence("}")
		p.skip("}")
		return node{call: &call{name, arg}}, err
	case mark == '>' || mark == '(' || mark == ',' && !isList:
		return p.about()
	default:
		return p.list(name, mark, i+1)
	}
}

func (p *parser) list(name string, mark byte, at int) (node, error) {
	size, after, ok := strings.Cut(p.rest[at:], "}")
	if !ok {
		return node{}, errors.New("a reference has no end: want }")
	}
	p.rest = after
	lo, hi, err := parseRange(size)
	if err != nil || hi > 1000 {
		return node{}, fmt.Errorf("the reference {%s%c%s} has no range of numbers", name, mark, size)
	}
	return node{ref: &reference{name: name, list: mark, lo: lo, hi: hi}}, nil
}

const maxNumber = 1_000_000

// parseRange reads "3" or "2-5".
func parseRange(text string) (lo, hi int, err error) {
	from, to, isRange := strings.Cut(text, "-")
	if !isRange {
		to = from
	}
	lo, err = strconv.Atoi(from)
	if err != nil {
		return 0, 0, err
	}
	hi, err = strconv.Atoi(to)
	if err == nil && (lo < 0 || hi < lo || hi > maxNumber) {
		err = fmt.Errorf("%q is not a range of numbers up to %d", text, maxNumber)
	}
	return lo, hi, err
}

// about reads "me>.last", "past(900)>{date.whole}" or "me,staff>full".
func (p *parser) about() (node, error) {
	head, after, ok := strings.Cut(p.rest, ">")
	if !ok {
		return node{}, errors.New("a reference is about somebody but says nothing: want >")
	}
	p.rest = after
	a := &about{}
	for text := range strings.SplitSeq(head, ",") {
		name, size, sized := strings.Cut(text, "(")
		s := subject{name: name}
		if sized {
			var err error
			s.lo, s.hi, err = parseRange(strings.TrimSuffix(size, ")"))
			if err != nil {
				return node{}, fmt.Errorf("the subject %q has no range of numbers", text)
			}
		}
		a.subjects = append(a.subjects, s)
	}
	name, after, ok := strings.Cut(p.rest, "}")
	if ok && isName(name) {
		p.rest = after
		a.seq = sequence{{ref: &reference{name: name, lo: 1, hi: 1}}}
		return node{about: a}, nil
	}
	var err error
	a.seq, err = p.sequence("}")
	p.skip("}")
	return node{about: a}, err
}

// isName reports whether text can be the name of a field or a production.
func isName(text string) bool {
	for _, c := range []byte(text) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && c != '.' && c != '\'' && c != '_' {
			return false
		}
	}
	return text != ""
}
