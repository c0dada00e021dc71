package harvest

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// The columns of a table of proposals.
var columns = []string{"id", "decision", "reviewer", "kind", "notes", "patients", "authors", "clinical", "suspect", "text"}

// WriteTable writes proposals with their verdicts as CSV for a spreadsheet: fill the column
// decision with yes or no. It is identified text. An apostrophe is put before what a spreadsheet
// would take for a formula, which is why a table is read back by IDs and not by texts.
func WriteTable(w io.Writer, list []Proposal, verdicts map[string]Verdict) error {
	out := csv.NewWriter(w)
	if err := out.Write(columns); err != nil {
		return err
	}
	for _, p := range list {
		v := verdicts[p.ID]
		err := out.Write([]string{
			p.ID, string(v.Decision), plainCell(v.Reviewer), string(p.Kind), strconv.FormatInt(p.Notes, 10), strconv.Itoa(p.Patients),
			strconv.Itoa(p.Authors), word(p.Clinical), word(p.Suspect), plainCell(p.Text),
		})
		if err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func word(b bool) string {
	if b {
		return string(Yes)
	}
	return string(No)
}

// plainCell keeps spreadsheets from evaluating a text.
func plainCell(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}

// errColumns is returned if a table lacks a required column.
var errColumns = errors.New("the first line must name the columns, id and decision among them: 'pgdeid harvest review --export' " +
	"writes such a table")

// ReadTable reads the verdicts of a table of the given proposals; rows without a decision are
// skipped. reviewer and at are used where the table names none. It reports every error with its
// line and quotes no text.
func ReadTable(r io.Reader, list []Proposal, reviewer string, at time.Time) ([]Verdict, error) {
	in := csv.NewReader(r)
	in.FieldsPerRecord = -1
	t := tableReader{known: map[string]bool{}, at: map[string]int{}, reviewer: reviewer, when: at}
	for _, p := range list {
		t.known[p.ID] = true
	}
	head, err := in.Read()
	if err != nil {
		return nil, errColumns
	}
	for i, name := range head {
		t.at[strings.ToLower(strings.TrimSpace(strings.TrimPrefix(name, "\ufeff")))] = i
	}
	if !t.has("id") || !t.has("decision") {
		return nil, errColumns
	}
	var verdicts []Verdict
	var faults []error
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			return verdicts, errors.Join(faults...)
		}
		if err != nil {
			return nil, errors.Join(append(faults, err)...) // encoding/csv names the position and quotes nothing
		}
		line, _ := in.FieldPos(0)
		v, ok, err := t.verdict(row)
		if err != nil && len(faults) < maxFaults {
			faults = append(faults, fmt.Errorf("line %d: %w", line, err))
		}
		if ok {
			verdicts = append(verdicts, v)
		}
	}
}

// maxFaults is the maximum number of lines reported.
const maxFaults = 20

// tableReader reads rows.
type tableReader struct {
	known    map[string]bool
	at       map[string]int // index by column
	reviewer string
	when     time.Time
}

func (t *tableReader) has(column string) bool {
	_, ok := t.at[column]
	return ok
}

func (t *tableReader) cell(row []string, column string) string {
	i, ok := t.at[column]
	if !ok || i >= len(row) {
		return ""
	}
	return strings.TrimPrefix(strings.TrimSpace(row[i]), "'")
}

// verdict reads a row; ok is false if it has no decision.
func (t *tableReader) verdict(row []string) (Verdict, bool, error) {
	v := Verdict{ID: t.cell(row, "id"), Reviewer: t.cell(row, "reviewer"), At: t.when}
	if v.Reviewer == "" {
		v.Reviewer = t.reviewer
	}
	switch strings.ToLower(t.cell(row, "decision")) {
	case "":
		return v, false, nil
	case "yes", "y":
		v.Decision = Yes
	case "no", "n":
		v.Decision = No
	default:
		return v, false, errors.New("decision: want yes, no or nothing")
	}
	switch {
	case !t.known[v.ID]:
		return v, false, errors.New("id: none of these proposals has it")
	case v.Reviewer == "":
		return v, false, errors.New("reviewer: say who decided")
	}
	return v, true, nil
}
