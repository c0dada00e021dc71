package tbed

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/features"
)

// Rule changes the tag of a token from one to another if all its conditions hold.
type Rule struct {
	From, To Tag
	If       []Condition
	// Mended and Broken count, over the training tokens when the rule was learned, the tags that it
	// corrected and the correct ones that it broke. Both are 0 for a handwritten rule.
	Mended, Broken int
	// Comment is a person's text after the counts.
	Comment string
}

// Condition requires a value of an attribute of a neighbour.
type Condition struct {
	Attribute string // a name of [Attributes], or "tag"
	Offset    int    // 0 is the token itself, -1 the one before it
	Value     string // of the attribute; "" at Edge
	// Edge requires a position before the first or after the last token of the sentence.
	Edge bool
}

// tagAttribute is the attribute that rules change.
const tagAttribute = "tag"

// maxOffset is the maximum distance of a condition.
const maxOffset = 9

// Gain is the number of tokens corrected less those broken.
func (r Rule) Gain() int { return r.Mended - r.Broken }

// Precision is the share of correct changes in training, smoothed so that a rule seen twice does
// not rank above one seen a thousand times; 1 for a rule without counts.
func (r Rule) Precision() float64 {
	if r.Mended == 0 && r.Broken == 0 {
		return 1
	}
	return (float64(r.Mended) + 0.5) / (float64(r.Mended+r.Broken) + 1)
}

// String writes the rule as a line of rules.txt:
//
//	O -> B-DOCTOR if lower[-1] is "dr" and shape[0] is Xx   # +412 -9
func (r Rule) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s -> %s", r.From, r.To)
	for i, c := range r.If {
		if i == 0 {
			b.WriteString(" if ")
		} else {
			b.WriteString(" and ")
		}
		b.WriteString(c.String())
	}
	counted := r.Mended != 0 || r.Broken != 0
	if counted || r.Comment != "" {
		b.WriteString("   #")
	}
	if counted {
		fmt.Fprintf(&b, " +%d -%d", r.Mended, r.Broken)
	}
	if r.Comment != "" {
		b.WriteString(" " + r.Comment)
	}
	return b.String()
}

// String writes the condition in its form in a rule.
func (c Condition) String() string {
	value := c.Value
	switch {
	case c.Edge:
		value = edgeWord
	case words(c.Attribute) || !bare(value):
		value = strconv.Quote(value)
	}
	return fmt.Sprintf("%s[%d] is %s", c.Attribute, c.Offset, value)
}

// words reports whether an attribute's values are words or parts of words.
func words(attribute string) bool {
	at := slices.Index(attributeNames, attribute)
	return at >= 0 && at < len(unified) && unified[at] <= features.Suffix4 || attribute == "section" || attribute == "field"
}

// bare reports whether a value can be written without quotes: only if it can't be taken for a word
// of the rule language. Words are always quoted.
func bare(s string) bool {
	if s == "" || s == edgeWord || s == "and" || s == "if" || s == "is" {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '+' || c == '/') {
			return false
		}
	}
	return true
}
