package corpus

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// markLine is a mark in JSON Lines with offsets in code points. "type" is exactly one of our
// types, "label" is the source's.
type markLine struct {
	phi.Redacted

	Start int     `json:"start"`
	End   int     `json:"end"`
	Type  string  `json:"type,omitempty"`
	Label string  `json:"label,omitempty"`
	Text  *string `json:"text,omitempty"`
}

type annotatedLine struct {
	phi.Redacted

	ID        json.RawMessage `json:"id,omitempty"`
	PatientID json.RawMessage `json:"patient_id,omitempty"`
	Kind      string          `json:"kind,omitempty"`
	Group     string          `json:"group,omitempty"`
	Gender    string          `json:"gender,omitempty"`
	Text      *string         `json:"text"`
	Spans     *[]markLine     `json:"spans"`
	Patient   record.Record   `json:"patient,omitempty"`
}

// ReadMarkedLines yields the documents of JSON Lines of
// {"id","text","spans":[{"start","end","label"|"type","text"?}],"patient_id"?,
// "patient"?,"kind"?,"group"?,"gender"?}; offsets count Unicode code points. An invalid line
// yields a [*LineError], which quotes no content, and reading continues; any other error is the
// last.
func ReadMarkedLines(r io.Reader) iter.Seq2[Annotated, error] {
	return eachLine(r, func(_ int, raw []byte, err error) (Annotated, error) {
		if err != nil {
			return Annotated{}, err
		}
		doc, err := parseAnnotated(raw)
		if err != nil {
			return Annotated{}, err
		}
		return doc, nil
	})
}

func parseAnnotated(raw []byte) (Annotated, error) {
	if !utf8.Valid(raw) {
		return Annotated{}, errUTF8
	}
	var line annotatedLine
	if err := json.Unmarshal(raw, &line); err != nil {
		return Annotated{}, JSONError(err)
	}
	switch {
	case line.Text == nil:
		return Annotated{}, errText
	case line.Spans == nil:
		return Annotated{}, errors.New(`no "spans": for a text without PHI, say "spans":[]`)
	}
	if err := text.Check(*line.Text); err != nil {
		return Annotated{}, err
	}
	doc := Annotated{
		ID: plainID(line.ID), Text: *line.Text, Patient: line.Patient, Kind: line.Kind, Group: line.Group, Gender: line.Gender,
	}
	var err error
	if doc.PatientID, err = keyText("patient_id", line.PatientID); err != nil {
		return Annotated{}, err
	}
	at := byteOffsets(doc.Text)
	for i, s := range *line.Spans {
		m, err := s.mark(doc.Text, at)
		if err != nil {
			return Annotated{}, fmt.Errorf("span %d: %w", i, err)
		}
		doc.Marks = append(doc.Marks, m)
	}
	sortMarks(doc.Marks)
	return doc, nil
}

func (s markLine) mark(text string, at []int) (Mark, error) {
	m, err := pointsToBytes(at, s.Start, s.End)
	if err != nil {
		return m, err
	}
	if s.Text != nil && !sameText(*s.Text, text[m.Start:m.End]) {
		return m, errOtherText
	}
	switch {
	case s.Label != "":
		m.Label = s.Label
	case s.Type != "":
		t, err := phi.ParseType(s.Type)
		if err != nil {
			return m, fmt.Errorf("unknown PHI type %q", nameLabel(s.Type))
		}
		m.Label, m.Exact = t.String(), true
	default:
		return m, errors.New(`neither "label" nor "type"`)
	}
	return m, nil
}

// plainID removes the quotes from an ID that is a string.
func plainID(raw json.RawMessage) string {
	var s string
	if err := json.Unmarshal(raw, &s); err == nil {
		return s
	}
	if string(raw) == "null" {
		return ""
	}
	return string(raw)
}

// WriteMarkedLine writes a document as one line of JSON Lines for [ReadMarkedLines].
func WriteMarkedLine(w io.Writer, doc Annotated) error {
	line := annotatedLine{
		ID: quoted(doc.ID), PatientID: quoted(doc.PatientID), Kind: doc.Kind, Group: doc.Group, Gender: doc.Gender, Text: &doc.Text,
		Patient: doc.Patient,
	}
	spans := make([]markLine, len(doc.Marks))
	for i, points := range codePointsOf(doc.Text, doc.Marks) {
		m := doc.Marks[i]
		text := doc.Text[m.Start:m.End]
		spans[i] = markLine{Start: points[0], End: points[1], Text: &text}
		if m.Exact {
			spans[i].Type = m.Label
		} else {
			spans[i].Label = m.Label
		}
	}
	line.Spans = &spans
	raw, err := encodeLine(line)
	if err != nil {
		return err
	}
	_, err = w.Write(raw)
	return err
}

func quoted(s string) json.RawMessage {
	if s == "" {
		return nil
	}
	raw, err := json.Marshal(s)
	if err != nil {
		return nil // marshalling a string never fails
	}
	return raw
}
