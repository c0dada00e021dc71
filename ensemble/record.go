package ensemble

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
)

// Role says what a structured value identifies: "name.first", "mrn". The same
// words stand in a mapping's columns and in the patient object of JSON input.
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
	RoleUsername Role = "username"
	Facility     Role = "facility"
	Employer     Role = "employer"
	RoleStreet   Role = "street"
	RoleCity     Role = "city"
	RoleState    Role = "state"
	RoleZip      Role = "zip"
	RoleCountry  Role = "country"
	RolePhone    Role = "phone"
	RoleFax      Role = "fax"
	RoleEmail    Role = "email"
	MRN          Role = "mrn"
	RoleSSN      Role = "ssn"
	RoleAccount  Role = "account"
	RolePlan     Role = "health_plan"
	RoleLicense  Role = "license"
	RoleVehicle  Role = "vehicle"
	RoleDevice   Role = "device"
	RoleID       Role = "id"
	BirthDate    Role = "birth_date" // ISO 8601
)

var roles = []Role{
	NameFirst, NameMiddle, NameLast, NameAlias, NameFull, RelativeName, ProviderName, RoleUsername, Facility,
	Employer, RoleStreet, RoleCity, RoleState, RoleZip, RoleCountry, RolePhone, RoleFax, RoleEmail, MRN, RoleSSN,
	RoleAccount, RolePlan, RoleLicense, RoleVehicle, RoleDevice, RoleID, BirthDate,
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
