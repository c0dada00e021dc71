package corpus

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Meaning is what a source's label stands for.
type Meaning struct {
	// Types are the PHI types that count as right. Empty: the label is ignored, its
	// words count neither as PHI nor as ordinary.
	Types TypeSet
	// Main is the type among them that tells the class of the label.
	Main phi.Type

	given bool // in a file of labels, so it holds for exact marks too
}

// MeaningOf returns the meaning of a label that may stand for any of the types, for
// the first most of all.
func MeaningOf(types ...phi.Type) Meaning {
	if len(types) == 0 {
		return Meaning{}
	}
	return Meaning{Types: SetOf(types...), Main: types[0]}
}

// Ignored reports whether words with this label are left out of every count.
func (m Meaning) Ignored() bool { return m.Types == 0 || m.Types == SetOf(phi.Time) }

// Labels maps labels, in upper case, to their meaning.
type Labels map[string]Meaning

// BuiltinLabels returns the map of the labels of open annotated sets and of our own
// type names. A word that some source uses more widely than we do ("HOSPITAL" for any
// organisation) has the wider meaning.
func BuiltinLabels() Labels {
	m := make(Labels)
	for _, t := range phi.Types() {
		m[t.String()] = MeaningOf(t)
	}
	maps.Copy(m, sourceLabels)
	m["UNKNOWN"] = Meaning{} // models/train/carriers marks so what may be a name or not
	return m
}

// ReadLabels reads a map of one "LABEL = TYPE[,TYPE…]" or "LABEL = ignore" a line,
// on top of the built-in one. Empty lines and lines that begin with # are skipped.
// Errors name the line.
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

// Meaning returns what a label stands for, whatever its case; ok is false for a
// label that the map does not know.
func (l Labels) Meaning(label string) (m Meaning, ok bool) {
	m, ok = l[strings.ToUpper(label)]
	return m, ok
}

// Resolve returns what a mark stands for. An exact mark means the one type that it
// names, unless a file of labels says otherwise. The error names a label that has
// no meaning and says where to give it one.
func (l Labels) Resolve(m Mark) (Meaning, error) {
	meaning, known := l.Meaning(m.Label)
	if m.Exact && !meaning.given {
		t, err := phi.ParseType(m.Label)
		return MeaningOf(t), err
	}
	if !known {
		return Meaning{}, fmt.Errorf(`unknown label %s: write "%[1]s = TYPE[,TYPE]" or "%[1]s = ignore" into a file of labels and name it with --labels`, nameLabel(m.Label))
	}
	return meaning, nil
}

// nameLabel names a label, an id or the like in an error, unless it looks like text
// that slipped in.
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

// maxLabel is the longest label that errors name, in bytes.
const maxLabel = 40
