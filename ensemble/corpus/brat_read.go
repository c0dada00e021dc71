package corpus

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/text"
)

// ParseBRAT joins a text with its standoff annotation, the content of a .ann file with lines of
// "T1<tab>LABEL 0 4;8 12<tab>quoted text". Offsets count code points; each fragment of a
// discontinuous annotation becomes a mark. Relations, events, attributes, normalisations and other
// comments are counted in PassedOver; annotators' notes are not. No label is exact. Errors name
// the line and quote no content.
func ParseBRAT(s, ann string) (Annotated, error) {
	doc := Annotated{Text: s}
	if err := text.Check(s); err != nil {
		return doc, fmt.Errorf("the text: %w", err)
	}
	if err := text.Check(ann); err != nil {
		return doc, fmt.Errorf("the annotation: %w", err)
	}
	at := byteOffsets(s)
	number := 0
	for line := range strings.Lines(ann) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if err := doc.bratLine(line, at); err != nil {
			return Annotated{}, &LineError{Number: number, Err: err}
		}
	}
	sortMarks(doc.Marks)
	return doc, nil
}

func (a *Annotated) bratLine(line string, at []int) error {
	if strings.TrimSpace(line) == "" {
		return nil
	}
	id, rest, ok := strings.Cut(line, "\t")
	if !ok || !bratID(id) {
		return errors.New("not an annotation of BRAT: want an id, such as T1, R1 or #1, and a tab")
	}
	switch {
	case id[0] == 'T':
		marks, err := bratMarks(rest, a.Text, at)
		a.Marks = append(a.Marks, marks...)
		return err
	case !strings.HasPrefix(rest, "AnnotatorNotes"):
		a.PassedOver++
	}
	return nil
}

// bratID reports whether s names a text mark, relation, event, attribute,
// modification, normalisation, equivalence or comment.
func bratID(s string) bool {
	if s == "*" {
		return true
	}
	return len(s) > 1 && strings.IndexByte("TREAMN#", s[0]) >= 0 && strings.Trim(s[1:], "0123456789") == ""
}

// bratMarks parses what follows the id of a text mark.
func bratMarks(rest, text string, at []int) ([]Mark, error) {
	head, quoted, hasText := strings.Cut(rest, "\t")
	label, ranges, ok := strings.Cut(head, " ")
	if !ok || label == "" {
		return nil, errors.New("want a label, a blank and offsets after the id")
	}
	var marks []Mark
	var parts []string
	for fragment := range strings.SplitSeq(ranges, ";") {
		m, err := bratRange(fragment, at)
		if err != nil {
			return nil, err
		}
		m.Label = label
		marks = append(marks, m)
		parts = append(parts, text[m.Start:m.End])
	}
	if hasText && !sameText(quoted, strings.Join(parts, " ")) {
		return nil, errOtherText
	}
	return marks, nil
}

func bratRange(fragment string, at []int) (Mark, error) {
	from, to, _ := strings.Cut(fragment, " ")
	start, err := strconv.Atoi(from)
	end, err2 := strconv.Atoi(to)
	if err != nil || err2 != nil {
		return Mark{}, errors.New("offsets are not two numbers")
	}
	return pointsToBytes(at, start, end)
}
