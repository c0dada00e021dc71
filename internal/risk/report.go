package risk

import (
	"time"

	"github.com/pgdeid/pgdeid/internal/config"
)

// Report is what was found in a replica. It has no value of any row: a category that one patient has would name that patient.
type Report struct {
	Made     time.Time `json:"made"`
	Version  string    `json:"version"`
	Mapping  string    `json:"mapping"`  // hash of what decides the output
	Patients int64     `json:"patients"` // who have a row with a quasi-identifier
	Smallest int64     `json:"smallest_class"`

	Columns []Facts   `json:"columns"`
	Omitted []Omitted `json:"omitted"`
	// Together is of all columns at once.
	Together   Anonymity   `json:"together"`
	Bins       []Bin       `json:"class_sizes"`
	Journalist *Journalist `json:"journalist,omitempty"` // where the population is known
	Sets       []Set       `json:"sets"`                 // which sets of columns make patients unique
	Depth      int         `json:"set_columns"`          // columns in the largest sets that were tried
	Sensitive  []Diversity `json:"sensitive,omitempty"`

	Codes  []Codes `json:"codes,omitempty"`
	Visits *Visits `json:"visits,omitempty"`

	Changes []Effect `json:"changes"` // each by itself
	Plan    []Effect `json:"plan"`    // each after those before it
}

// Kind is how a column's values are generalised.
type Kind string

// The kinds of columns.
const (
	Number   Kind = "number"
	Category Kind = "category"
)

// Facts are what is known of a quasi-identifier.
type Facts struct {
	Column     string        `json:"column"`
	Policy     config.Policy `json:"policy"`
	Kind       Kind          `json:"kind"`
	Categories int64         `json:"categories"` // no value is one, too
	Small      int64         `json:"small"`      // categories that fewer patients have than the smallest class may have
	InSmall    int64         `json:"in_small"`   // patients in these
	Unique     int64         `json:"unique"`     // patients with a category of their own
	// Involved is the number of patients who are unique by a minimal set with this column.
	Involved int64 `json:"involved"`
}

// Set is a set of columns and whom it makes unique.
type Set struct {
	Columns []string `json:"columns"`
	Unique  int64    `json:"unique"` // patients alone with their values of these columns
	// Minimal is the number of those whom no smaller set makes unique.
	Minimal int64 `json:"minimal"`
}

// Diversity is how much a class gives away of a sensitive column without naming anybody.
type Diversity struct {
	Column string `json:"column"`
	// L is the smallest number of values in a class; 1 means that all members of some class share theirs.
	L int64 `json:"l"`
	// Uniform is the number of patients in classes with one value.
	Uniform int64 `json:"uniform"`
	// T is the greatest distance between the values of a class and those of all.
	T float64 `json:"t"`
}

// Codes are values of a column of which patients have many.
type Codes struct {
	Column   string `json:"column"`
	Codes    int64  `json:"codes"`
	Rare     int64  `json:"rare"`     // that fewer patients have than the smallest class may have
	Patients int64  `json:"patients"` // with such a code
	Alone    int64  `json:"alone"`    // with a code of their own
}

// Visits are what shown days tell.
type Visits struct {
	Column     string    `json:"column"`
	Patients   int64     `json:"patients"`
	Visits     int64     `json:"visits"`
	TimeOfDay  bool      `json:"time_of_day"` // is shown
	Shifts     int       `json:"shifts"`      // that the configuration allows; 0: dates are not moved
	WholeWeeks bool      `json:"whole_weeks"`
	Release    string    `json:"release"`
	Unicity    []Unicity `json:"unicity"`
	Left       []Left    `json:"left"`
}

// Effect is what a change of the mapping would come to.
type Effect struct {
	Change string    `json:"change"`
	Column string    `json:"column"`
	How    string    `json:"how"`
	After  Anonymity `json:"after"`
	// Loss is the share of the column's information that is lost, by entropy.
	Loss float64 `json:"loss"`
}
