// Package dossier puts what an expert determination or a privacy board asks for into one page: what was configured, what made the
// texts, what was measured, and what is open. It has counts, hashes, and names of tables, columns and people who reviewed; no value of a row.
package dossier

import (
	"time"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/review/report"
	"github.com/pgdeid/pgdeid/internal/risk"
)

// Dossier is everything that the page shows. With the same state of both databases, it differs by Made alone.
type Dossier struct {
	Title string    `json:"title"`
	Made  time.Time `json:"made"`

	Versions      []Line        `json:"versions"`
	Configuration Configuration `json:"configuration"`
	Tables        []Table       `json:"tables"`
	Models        []Model       `json:"models"`
	Texts         []Texts       `json:"texts"`
	Acceptance    *Acceptance   `json:"acceptance,omitempty"` // nil: none was given
	Risk          *risk.Report  `json:"risk,omitempty"`       // nil: not measured
	Leaks         *LeakScan     `json:"leaks,omitempty"`      // nil: not searched
	Findings      []Finding     `json:"findings"`
	Aside         []Aside       `json:"quarantine"`
	Withheld      []Withheld    `json:"withheld"`
	Open          []string      `json:"open,omitempty"` // what else needs a person
}

// Line is a name with what is to be said of it.
type Line struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Configuration is what decides the output.
type Configuration struct {
	File    string `json:"file_sha256"`
	Mapping string `json:"mapping"` // hash of what decides the output
	Schema  string `json:"schema"`  // hash of tables and policies
	Made    string `json:"made"`    // hash of mapping, models and verified sentences: that of texts that are made now
	Lines   []Line `json:"settings"`
}

// Table is a mapped table with what is published of it.
type Table struct {
	Name    string   `json:"name"`
	Patient string   `json:"patient"` // how a row leads to its patient
	Columns []Column `json:"columns"`
}

// Column is a mapped column, or a path in one.
type Column struct {
	Name    string        `json:"name"`
	Tells   string        `json:"tells,omitempty"`
	Policy  config.Policy `json:"policy"`
	Explain string        `json:"explained"`
}

// Model is what a model's card says.
type Model struct {
	Name       string    `json:"name"`
	Kind       string    `json:"kind,omitempty"`
	Created    time.Time `json:"created,omitzero"`
	Licence    string    `json:"licence,omitempty"`
	Data       string    `json:"data,omitempty"`
	SHA256     string    `json:"sha256"`
	Members    []string  `json:"members,omitempty"`
	Figures    []Figure  `json:"figures,omitempty"`
	Problem    string    `json:"problem,omitempty"` // such as files that differ from the card
	HasNoCard  bool      `json:"no_card,omitempty"`
	Parameters int64     `json:"parameters,omitempty"`
}

// Figure is what a model reaches on a set that training did not see.
type Figure struct {
	Set       string     `json:"set"`
	Class     string     `json:"class"`
	Recall    float64    `json:"recall"`
	RecallCI  [2]float64 `json:"recall_ci"`
	Precision float64    `json:"precision"`
	Words     int64      `json:"words"`
}

// Texts counts published texts by what made them.
type Texts struct {
	Version string `json:"version"`
	Config  string `json:"config"`
	Texts   int64  `json:"texts"`
	Now     bool   `json:"now"` // this version and this configuration
}

// Acceptance is an acceptance report, and how its signature was checked.
type Acceptance struct {
	Report *report.Report `json:"report"`
	SHA256 string         `json:"sha256"` // of its file
	Signer string         `json:"signer"` // fingerprint of the key that its signature was checked with; "" if it was not
}

// LeakScan is what a search of the whole replica found.
type LeakScan struct {
	Patients int64  `json:"patients"`
	Tables   int    `json:"tables"`
	Columns  int    `json:"columns"`
	Rows     int64  `json:"rows"`
	Values   int64  `json:"values"`
	Bytes    int64  `json:"bytes"`
	Unread   int64  `json:"unread"`
	Unknown  int64  `json:"unknown"`
	Leaks    int64  `json:"leaks"`
	Found    []Leak `json:"found,omitempty"`
}

// Leak counts the values of a column that show a word of their patient's record.
type Leak struct {
	Column string `json:"column"`
	Leaks  int64  `json:"leaks"`
	Chance int64  `json:"chance"`
	Kept   int64  `json:"kept"`
}

// Finding is a line of "pgdeid check" that is no "ok".
type Finding struct {
	Level   string `json:"level"`
	Subject string `json:"subject"`
	Text    string `json:"text"`
	Remedy  string `json:"remedy,omitempty"`
}

// Aside counts rows that were set aside.
type Aside struct {
	Table  string `json:"table"`
	Reason string `json:"reason"`
	Rows   int64  `json:"rows"`
}

// Withheld counts values that did not fit their policy.
type Withheld struct {
	Column string `json:"column"`
	Times  int64  `json:"times"`
}

// NeedsPerson reports whether something in the dossier is not as it should be.
func (d *Dossier) NeedsPerson() bool {
	for _, f := range d.Findings {
		if f.Level == "problem" || f.Level == "warning" {
			return true
		}
	}
	return len(d.Open) > 0 || len(d.Aside) > 0 || d.Leaks != nil && d.Leaks.Leaks > 0 || d.otherTexts() > 0
}

// otherTexts counts texts that this version and configuration did not make.
func (d *Dossier) otherTexts() int64 {
	var n int64
	for _, t := range d.Texts {
		if !t.Now {
			n += t.Texts
		}
	}
	return n
}

// Signers are who has to sign.
func (d *Dossier) Signers() []string {
	return []string{"Expert (45 CFR 164.514(b)(1)), name, date", "Privacy officer, name, date", "Data steward, name, date"}
}
