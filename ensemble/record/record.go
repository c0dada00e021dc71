package record

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
)

// Role says what a structured value identifies: "name.first", "mrn". The same
// words are used in a mapping's columns and in the patient object of JSON input.
type Role string

// The gazetteer roles.
const (
	NameFirst    Role = "name.first"
	NameMiddle   Role = "name.middle"
	NameLast     Role = "name.last"
	NameAlias    Role = "name.alias" // nickname, maiden or former name
	NameFull     Role = "name.full"  // in any order, "Last, First" too
	RelativeName Role = "relative.name"
	ProviderName Role = "provider.name"
	Username     Role = "username"
	Facility     Role = "facility"
	Employer     Role = "employer"
	Street       Role = "street"
	City         Role = "city"
	State        Role = "state"
	Zip          Role = "zip"
	Country      Role = "country"
	Phone        Role = "phone"
	Fax          Role = "fax"
	Email        Role = "email"
	MRN          Role = "mrn"
	SSN          Role = "ssn"
	Account      Role = "account"
	Plan         Role = "health_plan"
	License      Role = "license"
	Vehicle      Role = "vehicle"
	Device       Role = "device"
	ID           Role = "id"
	BirthDate    Role = "birth_date" // ISO 8601
)

var roles = []Role{
	NameFirst, NameMiddle, NameLast, NameAlias, NameFull, RelativeName, ProviderName, Username, Facility,
	Employer, Street, City, State, Zip, Country, Phone, Fax, Email, MRN, SSN,
	Account, Plan, License, Vehicle, Device, ID, BirthDate,
}

// Roles lists every gazetteer role.
func Roles() []Role { return slices.Clone(roles) }

// ParseRole returns the role named s, or an error that names it.
func ParseRole(s string) (Role, error) {
	if slices.Contains(roles, Role(s)) {
		return Role(s), nil
	}
	return "", fmt.Errorf("unknown role %q (one of %v)", s, roles)
}

// Record is what structured tables say of one patient (or of a site's staff):
// the values of each role. It prints itself redacted.
type Record map[Role][]string

// Add appends a value to a role; empty values are left out.
func (r Record) Add(role Role, value string) {
	if value != "" && !slices.Contains(r[role], value) {
		r[role] = append(r[role], value)
	}
}

// UnmarshalJSON reads an object of roles to strings or lists of strings. An
// unknown role is an error that names it; null values are left out.
func (r *Record) UnmarshalJSON(data []byte) error {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return fmt.Errorf("patient: want an object of roles to values")
	}
	rec := Record{}
	for name, v := range raw {
		role, err := ParseRole(name)
		if err != nil {
			return fmt.Errorf("patient: %w", err)
		}
		values, err := stringOrList(v)
		if err != nil {
			return fmt.Errorf("patient: %s: %w", name, err)
		}
		if values = distinctValues(values); len(values) > 0 {
			rec[role] = values
		}
	}
	*r = rec
	return nil
}

// distinctValues returns the values without empty ones and repetitions, in their order.
func distinctValues(values []string) []string {
	seen := make(map[string]bool, len(values)+1)
	seen[""] = true
	return slices.DeleteFunc(values, func(s string) bool {
		was := seen[s]
		seen[s] = true
		return was
	})
}

func stringOrList(v json.RawMessage) ([]string, error) {
	var list []string
	if err := json.Unmarshal(v, &list); err == nil {
		return list, nil
	}
	var s string
	if err := json.Unmarshal(v, &s); err != nil {
		return nil, fmt.Errorf("want a string or a list of strings")
	}
	return []string{s}, nil
}

// Format prints how many values a record holds and none of them.
func (r Record) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "record[%d roles]", len(r)) }

// LogValue keeps the values out of logs.
func (r Record) LogValue() slog.Value {
	return slog.StringValue(fmt.Sprintf("record[%d roles]", len(r)))
}
