package risk

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/config"
)

// Column is a published column, or a path in a column of JSON, that may help to recognise a person.
type Column struct {
	Table *config.Table
	Name  string // of the column
	Path  string // in its documents; "" for the column itself
	// Publish is what of it is published: [config.Keep], [config.Year], [config.Zip3], [config.AgeCap], or, of dates of birth,
	// [config.ShiftDate].
	Publish config.Policy
}

// ID names the column: "ehr.patient.sex", "fhir.patient.resource$.gender".
func (c Column) ID() string {
	return c.Table.FullName() + "." + c.Name + strings.TrimPrefix(c.Path, "$")
}

// Omitted is a published column that is no quasi-identifier, and why.
type Omitted struct {
	Column string `json:"column"`
	Why    string `json:"why"`
}

// Choice overrules which columns are looked at.
type Choice struct {
	Columns []string // these alone, where there are any
	Ignore  []string
}

// Choose returns the published columns of patients' tables that may help to recognise one, in the order of the mapping, and what was left out.
func Choose(cfg *config.Config, c Choice) ([]Column, []Omitted, error) {
	var chosen []Column
	var omitted []Omitted
	named := map[string]bool{}
	for i := range cfg.Tables {
		t := &cfg.Tables[i]
		if !t.HasPatient() {
			continue
		}
		for _, col := range publishedOf(t) {
			id := col.column.ID()
			named[id] = true
			why := col.why
			switch {
			case slices.Contains(c.Ignore, id):
				why = "ignored as asked"
			case len(c.Columns) > 0 && !slices.Contains(c.Columns, id):
				why = "not among the columns that were named"
			case len(c.Columns) > 0 && col.column.Publish == config.Pseudonym:
				why = "" // its groups may be known
			}
			if why != "" {
				omitted = append(omitted, Omitted{id, why})
				continue
			}
			chosen = append(chosen, col.column)
		}
	}
	for _, id := range slices.Concat(c.Columns, c.Ignore) {
		if !named[id] {
			return nil, nil, fmt.Errorf("no published column of a patient's table is named %s (want schema.table.column, or of JSON schema.table.column.path)", id)
		}
	}
	return chosen, omitted, nil
}

// published is a column with the reason why it is no quasi-identifier, "" if it is one.
type published struct {
	column Column
	why    string
}

// publishedOf returns the published columns of a table, and the paths of those that hold JSON.
func publishedOf(t *config.Table) []published {
	var out []published
	for _, c := range t.Published() {
		if len(c.Paths) == 0 {
			out = append(out, published{Column{t, c.Name, "", c.Publish}, unfit(t, &c)})
			continue
		}
		for _, p := range c.Paths {
			if p.Publish != config.Drop {
				out = append(out, published{Column{t, c.Name, p.Name, p.Publish}, unfit(t, &p)})
			}
		}
	}
	return out
}

// unfit returns why a column is no quasi-identifier, or "".
func unfit(t *config.Table, c *config.Column) string {
	switch c.Publish {
	case config.Keep:
		if slices.Contains(t.Patient.Columns(), c.Name) {
			return "part of the patient key"
		}
		return ""
	case config.Year, config.Zip3, config.AgeCap:
		return ""
	case config.ShiftDate:
		if c.Tells == record.BirthDate {
			return ""
		}
		return "dates are moved: see visits"
	case config.Pseudonym:
		return "a pseudonym: who knows which one stands for which place or person may name it as a column"
	case config.Surrogate:
		return "made up"
	}
	return "text is not a table's: see the acceptance of notes"
}

// VisitColumn returns the column with the dates of visits: the named one, or the first shifted date of the table that looks most like one of visits.
func VisitColumn(cfg *config.Config, named string) (Column, bool, error) {
	var best Column
	rank := len(visitWords) + 1
	for i := range cfg.Tables {
		t := &cfg.Tables[i]
		if !t.HasPatient() {
			continue
		}
		for _, c := range t.Published() {
			if c.Publish != config.ShiftDate {
				continue
			}
			found := Column{t, c.Name, "", c.Publish}
			if found.ID() == named {
				return found, true, nil
			}
			if r := visitRank(t.Name); c.Tells == "" && r < rank {
				best, rank = found, r
			}
		}
	}
	if named != "" {
		return best, false, fmt.Errorf("no published column is named %s whose policy is date_shift (want schema.table.column)", named)
	}
	return best, best.Table != nil, nil
}

// visitWords are parts of the names of tables of visits, the most telling first.
var visitWords = []string{"encounter", "visit", "admission", "hospitalization", "stay", "appointment", "contact"}

func visitRank(name string) int {
	for i, word := range visitWords {
		if strings.Contains(strings.ToLower(name), word) {
			return i
		}
	}
	return len(visitWords)
}
