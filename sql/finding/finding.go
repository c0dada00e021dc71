// Package finding is what a check says: a line each, with a remedy, and how much it matters.
package finding

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

// Finding is a line of a check. It holds no value of any row.
type Finding struct {
	Level   Level  `json:"level"`
	Subject string `json:"subject"` // "source", "table ehr.note"
	Text    string `json:"text"`
	Remedy  string `json:"remedy,omitempty"` // what to do about it
}

// List is what a check found, in the order it looked.
type List []Finding

// OK adds that something is as it has to be.
func (fs *List) OK(subject, format string, args ...any) {
	*fs = append(*fs, Finding{OK, subject, fmt.Sprintf(format, args...), ""})
}

// Note adds what is worth knowing.
func (fs *List) Note(subject, format string, args ...any) {
	*fs = append(*fs, Finding{Note, subject, fmt.Sprintf(format, args...), ""})
}

// Warn adds what works, but a person should look at.
func (fs *List) Warn(subject, text, remedy string) {
	*fs = append(*fs, Finding{Warning, subject, text, remedy})
}

// Problem adds what does not work, or is not safe.
func (fs *List) Problem(subject, text, remedy string) {
	*fs = append(*fs, Finding{Problem, subject, text, remedy})
}

// Attention reports whether a person has to look at something.
func (fs List) Attention() bool {
	for _, f := range fs {
		if f.Level == Problem || f.Level == Warning {
			return true
		}
	}
	return false
}

// Failed reports whether something does not work or is not safe.
func (fs List) Failed() bool { return fs.Problems() != nil }

// refusal is the error of findings that forbid to go on.
type refusal List

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

// Problems returns an error that lists the problems among fs, or nil.
func (fs List) Problems() error {
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
