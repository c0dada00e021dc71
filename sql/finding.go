package sql

import (
	"fmt"
	"strings"
)

// Level says how much a finding matters.
type Level string

// The levels of findings.
const (
	OK      Level = "ok"
	Note    Level = "note"    // worth knowing
	Warning Level = "warning" // works, but a person should look at it
	Problem Level = "problem" // does not work, or is not safe
)

// Finding is a line of the preflight. It holds no value of any row.
type Finding struct {
	Level   Level  `json:"level"`
	Subject string `json:"subject"` // "source", "table ehr.note"
	Text    string `json:"text"`
	Remedy  string `json:"remedy,omitempty"` // what to do about it
}

// Findings is what a preflight found, in the order it looked.
type Findings []Finding

func (fs *Findings) ok(subject, format string, args ...any) {
	*fs = append(*fs, Finding{OK, subject, fmt.Sprintf(format, args...), ""})
}

func (fs *Findings) note(subject, format string, args ...any) {
	*fs = append(*fs, Finding{Note, subject, fmt.Sprintf(format, args...), ""})
}

func (fs *Findings) warn(subject, text, remedy string) {
	*fs = append(*fs, Finding{Warning, subject, text, remedy})
}

func (fs *Findings) problem(subject, text, remedy string) {
	*fs = append(*fs, Finding{Problem, subject, text, remedy})
}

// Attention reports whether a person has to look at something.
func (fs Findings) Attention() bool {
	for _, f := range fs {
		if f.Level == Problem || f.Level == Warning {
			return true
		}
	}
	return false
}

// Failed reports whether something does not work or is not safe.
func (fs Findings) Failed() bool { return fs.problems() != nil }

// refusal is the error of findings that forbid to go on.
type refusal Findings

func (r refusal) Error() string {
	var lines []string
	for _, f := range r {
		line := f.Subject + ": " + f.Text
		if f.Remedy != "" {
			line += " (" + f.Remedy + ")"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// problems returns an error that lists the problems among fs, or nil.
func (fs Findings) problems() error {
	var r refusal
	for _, f := range fs {
		if f.Level == Problem {
			r = append(r, f)
		}
	}
	if len(r) == 0 {
		return nil
	}
	return r
}
