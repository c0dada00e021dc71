package tbed

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// The first line of a rule file, and bounds of what is read.
const (
	fileHeader = "# pgdeid rules 1"
	maxRules   = 20_000
	maxLine    = 64 << 10
)

// RuleError says which line of a rule file is wrong. It quotes at most names of tags and
// attributes, never a value, which may be a word of a note.
type RuleError struct {
	Line int // counted from 1
	Err  error
}

// Error returns "line 7: …".
func (e *RuleError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns the cause.
func (e *RuleError) Unwrap() error { return e.Err }

// ReadRules reads a rule file: one rule per line, in the order of application. Empty lines and
// lines that begin with # are skipped. The error is a [*RuleError] with the line and the known
// alternatives.
func ReadRules(r io.Reader) ([]Rule, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	var rules []Rule
	n := 0
	for lines.Scan() {
		n++
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		if len(rules) == maxRules {
			return nil, &RuleError{n, fmt.Errorf("more than %d rules", maxRules)}
		}
		rule, err := ParseRule(line)
		if err != nil {
			return nil, &RuleError{n, err}
		}
		rules = append(rules, rule)
	}
	if err := lines.Err(); err != nil {
		return nil, &RuleError{n + 1, err}
	}
	return rules, nil
}

// WriteRules writes a rule file: the header, notes as comments, one rule per line.
func WriteRules(w io.Writer, rules []Rule, notes ...string) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, fileHeader)
	for _, note := range notes {
		for line := range strings.SplitSeq(note, "\n") {
			fmt.Fprintln(out, strings.TrimSpace("# "+line))
		}
	}
	fmt.Fprintln(out)
	for _, r := range rules {
		fmt.Fprintln(out, r)
	}
	return out.Flush()
}

// ParseRule reads one rule, as [Rule.String] writes it.
func ParseRule(line string) (Rule, error) {
	s := &ruleScanner{rest: line}
	var r Rule
	var err error
	if r.From, err = ParseTag(s.word()); err != nil {
		return r, err
	}
	if err := s.expect("->"); err != nil {
		return r, err
	}
	if r.To, err = ParseTag(s.word()); err != nil {
		return r, err
	}
	if r.From == r.To {
		return r, fmt.Errorf("the rule changes %s into itself", r.From)
	}
	if r.If, err = s.conditions(); err != nil {
		return r, err
	}
	s.comment(&r)
	return r, nil
}

// ruleScanner splits a line into words, brackets and quoted values.
type ruleScanner struct{ rest string }

func (s *ruleScanner) skip() { s.rest = strings.TrimLeft(s.rest, " \t") }

// word returns the letters, digits and signs up to a blank, a bracket or a comment.
func (s *ruleScanner) word() string {
	s.skip()
	end := strings.IndexAny(s.rest, " \t[]#\"")
	if end < 0 {
		end = len(s.rest)
	}
	w := s.rest[:end]
	s.rest = s.rest[end:]
	return w
}

func (s *ruleScanner) expect(token string) error {
	s.skip()
	rest, ok := strings.CutPrefix(s.rest, token)
	if !ok {
		return fmt.Errorf("want %q, as in: O -> B-DOCTOR if %s[-1] is \"dr\" and tag[1] is O", token, Attributes()[0])
	}
	s.rest = rest
	return nil
}

// conditions reads "if … and …", or nothing.
func (s *ruleScanner) conditions() ([]Condition, error) {
	s.skip()
	if s.rest == "" || s.rest[0] == '#' {
		return nil, nil
	}
	if err := s.expect("if"); err != nil {
		return nil, err
	}
	var out []Condition
	for {
		c, err := s.condition()
		if err != nil {
			return nil, err
		}
		if slices.Contains(out, c) {
			return nil, fmt.Errorf("the condition on %s[%d] occurs twice", c.Attribute, c.Offset)
		}
		out = append(out, c)
		if len(out) > maxConditions {
			return nil, fmt.Errorf("more than %d conditions: make two rules of it", maxConditions)
		}
		s.skip()
		if s.rest == "" || s.rest[0] == '#' {
			return out, nil
		}
		if err := s.expect("and"); err != nil {
			return nil, err
		}
	}
}

// maxConditions is the maximum number of conditions of a rule.
const maxConditions = 8

func (s *ruleScanner) condition() (Condition, error) {
	c := Condition{Attribute: s.word()}
	if c.Attribute != tagAttribute && !slices.Contains(Attributes(), c.Attribute) {
		return c, fmt.Errorf("unknown attribute %q (known: %s, %s)", c.Attribute, tagAttribute, strings.Join(Attributes(), ", "))
	}
	if err := s.expect("["); err != nil {
		return c, err
	}
	offset, err := strconv.Atoi(s.word())
	if err != nil || offset < -maxOffset || offset > maxOffset {
		return c, fmt.Errorf("%s[…]: want a place from %d to %d, 0 is the token itself", c.Attribute, -maxOffset, maxOffset)
	}
	c.Offset = offset
	if err := s.expect("]"); err != nil {
		return c, err
	}
	if err := s.expect("is"); err != nil {
		return c, err
	}
	return c, s.value(&c)
}

// value reads a quoted or a bare value; bare "edge" means a position beyond the sentence.
func (s *ruleScanner) value(c *Condition) error {
	s.skip()
	quoted := strings.HasPrefix(s.rest, `"`)
	if quoted {
		prefix, err := strconv.QuotedPrefix(s.rest)
		if err != nil {
			return fmt.Errorf("%s[%d]: the quotes are not closed", c.Attribute, c.Offset)
		}
		s.rest = s.rest[len(prefix):]
		if c.Value, err = strconv.Unquote(prefix); err != nil {
			return fmt.Errorf("%s[%d]: bad escape in the quotes", c.Attribute, c.Offset)
		}
	} else {
		c.Value = s.word()
	}
	switch {
	case c.Value == "":
		return fmt.Errorf("%s[%d]: the value is missing", c.Attribute, c.Offset)
	case c.Value == edgeWord && !quoted:
		c.Value, c.Edge = "", true
		if c.Offset == 0 {
			return errors.New("the token itself is never beyond the sentence: edge needs an offset")
		}
	case c.Attribute == tagAttribute || c.Attribute == patternAttribute:
		_, err := ParseTag(c.Value)
		return err
	default:
		if _, err := meant(unified[slices.Index(attributeNames, c.Attribute)], c.Value); err != nil {
			return fmt.Errorf("%s[%d]: %w", c.Attribute, c.Offset, err)
		}
	}
	return nil
}

// comment reads "# +412 -9 text of a person".
func (s *ruleScanner) comment(r *Rule) {
	s.skip()
	text, _ := strings.CutPrefix(s.rest, "#")
	text = strings.TrimSpace(text)
	plus, rest, _ := strings.Cut(text, " ")
	minus, after, _ := strings.Cut(strings.TrimSpace(rest), " ")
	mended, counted := count(plus, "+")
	broken, counted2 := count(minus, "-")
	if !counted || !counted2 {
		r.Comment = text
		return
	}
	r.Mended, r.Broken, r.Comment = mended, broken, strings.TrimSpace(after)
}

// count reads a number after its sign.
func count(word, sign string) (n int, ok bool) {
	digits, signed := strings.CutPrefix(word, sign)
	u, err := strconv.ParseUint(digits, 10, 31)
	return int(u), signed && err == nil
}
