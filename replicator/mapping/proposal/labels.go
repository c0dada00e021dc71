package proposal

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble"
)

// labelRoles are what functions of PostgreSQL Anonymizer's masking rules say of a
// column.
var labelRoles = []struct {
	word string
	role ensemble.Role
}{
	{"first_name", ensemble.NameFirst},
	{"last_name", ensemble.NameLast},
	{"email", ensemble.RoleEmail},
	{"phone", ensemble.RolePhone},
	{"company", ensemble.Employer},
	{"iban", ensemble.RoleAccount},
	{"city", ensemble.RoleCity},
	{"zip", ensemble.RoleZip},
	{"postcode", ensemble.RoleZip},
	{"address", ensemble.RoleStreet},
	{"country", ensemble.RoleCountry},
	{"siret", ensemble.RoleID},
}

// labelRole returns what a security label ("MASKED WITH FUNCTION
// anon.fake_city()") says that a column tells, or "".
func labelRole(label string) ensemble.Role {
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
