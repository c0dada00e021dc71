package corpus

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Meaning is the meaning of a source's label.
type Meaning struct {
	// Types are the PHI types that count as correct. If empty, the label is ignored: its words count
	// neither as PHI nor as ordinary.
	Types TypeSet
	// Main is the type that determines the label's class.
	Main phi.Type

	given bool // in a file of labels, so it holds for exact marks too
}

// MeaningOf returns the meaning of a label for any of the types; the first is the main one.
func MeaningOf(types ...phi.Type) Meaning {
	if len(types) == 0 {
		return Meaning{}
	}
	return Meaning{Types: SetOf(types...), Main: types[0]}
}

// Ignored reports whether words with this label are excluded from all counts.
func (m Meaning) Ignored() bool { return m.Types == 0 || m.Types == SetOf(phi.Time) }

// Labels maps upper-case labels to their meaning.
type Labels map[string]Meaning

// BuiltinLabels returns the labels of open annotated corpora and our own type names. A name that
// some source uses more broadly than we do ("HOSPITAL" for any organisation) has the broader
// meaning.
func BuiltinLabels() Labels {
	m := make(Labels)
	for _, t := range phi.Types() {
		m[t.String()] = MeaningOf(t)
	}
	maps.Copy(m, sourceLabels)
	m["UNKNOWN"] = Meaning{} // models/train/carriers uses it for possible names
	return m
}

// ReadLabels reads lines of "LABEL = TYPE[,TYPE…]" or "LABEL = ignore" in addition to the built-in
// labels. Empty lines and lines that begin with # are skipped. Errors name the line.
func ReadLabels(r io.Reader) (Labels, error) {
	m := maps.Clone(BuiltinLabels())
	sc := bufio.NewScanner(r)
	for n := 1; sc.Scan(); n++ {
		line := strings.TrimSpace(sc.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		label, types, ok := strings.Cut(line, "=")
		if !ok {
			return nil, fmt.Errorf("line %d: want LABEL = TYPE, TYPE or LABEL = ignore", n)
		}
		meaning, err := parseMeaning(types)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		meaning.given = true
		m[strings.ToUpper(strings.TrimSpace(label))] = meaning
	}
	return m, sc.Err()
}

func parseMeaning(s string) (Meaning, error) {
	if strings.EqualFold(strings.TrimSpace(s), "ignore") {
		return Meaning{}, nil
	}
	var list []phi.Type
	for name := range strings.SplitSeq(s, ",") {
		t, err := phi.ParseType(strings.TrimSpace(name))
		if err != nil {
			return Meaning{}, err
		}
		list = append(list, t)
	}
	return MeaningOf(list...), nil
}

// Meaning returns the meaning of a label in any case; ok is false for an unknown label.
func (l Labels) Meaning(label string) (m Meaning, ok bool) {
	m, ok = l[strings.ToUpper(label)]
	return m, ok
}

// Resolve returns the meaning of a mark. An exact mark means the type that it names, unless a file
// of labels overrides it. The error names an unknown label and says how to define it.
func (l Labels) Resolve(m Mark) (Meaning, error) {
	meaning, known := l.Meaning(m.Label)
	if m.Exact && !meaning.given {
		t, err := phi.ParseType(m.Label)
		return MeaningOf(t), err
	}
	if !known {
		return Meaning{}, fmt.Errorf(`unknown label %s: write "%[1]s = TYPE[,TYPE]" or "%[1]s = ignore" into a file of labels and `+
			`name it with --labels`, nameLabel(m.Label))
	}
	return meaning, nil
}

// nameLabel returns a label, an id or the like for an error, redacted if it looks like text.
func nameLabel(label string) string {
	for i := range len(label) {
		c := label[i]
		ok := c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
		if !ok || i >= maxLabel {
			return fmt.Sprintf("(%d bytes that are no word)", len(label))
		}
	}
	return label
}

// maxLabel is the maximum length of a label in an error, in bytes.
const maxLabel = 40
