package proposal

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/record"
)

// labelRoles are what functions of PostgreSQL Anonymizer's masking rules say of a
// column.
var labelRoles = []struct {
	word string
	role record.Role
}{
	{"first_name", record.NameFirst},
	{"last_name", record.NameLast},
	{"email", record.Email},
	{"phone", record.Phone},
	{"company", record.Employer},
	{"iban", record.Account},
	{"city", record.City},
	{"zip", record.Zip},
	{"postcode", record.Zip},
	{"address", record.Street},
	{"country", record.Country},
	{"siret", record.ID},
}

// labelRole returns what a security label ("MASKED WITH FUNCTION
// anon.fake_city()") says that a column holds, or "".
func labelRole(label string) record.Role {
	label = strings.ToLower(label)
	for _, l := range labelRoles {
		if strings.Contains(label, l.word) {
			return l.role
		}
	}
	return ""
}

// masked reports whether a label says that the column must not be shown.
func masked(label string) bool { return strings.Contains(strings.ToUpper(label), "MASKED") }
