package proposal

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/record"
)

// labelRoles are what functions of PostgreSQL Anonymizer's masking rules say of a column. The first that fits decides.
var labelRoles = []struct {
	word string
	role record.Role
}{
	{"first_name", record.NameFirst},
	{"last_name", record.NameLast},
	{"email", record.Email},
	{"phone", record.Phone},
	{"cell_number", record.Phone},
	{"company", record.Employer},
	{"user_name", record.Username},
	{"username", record.Username},
	{"iban", record.Account},
	{"credit_card", record.Account},
	{"licence_plate", record.Vehicle},
	{"city", record.City},
	{"zip", record.Zip},
	{"postcode", record.Zip},
	{"post_code", record.Zip},
	{"state_name", record.State},
	{"state_abbr", record.State},
	{"street", record.Street},
	{"address", record.Street},
	{"building_number", record.Street},
	{"country", record.Country},
	{"siret", record.ID},
	{"dummy_name", record.NameFull},
	{"fake_name", record.NameFull},
	{"lorem_ipsum", freeText},
}

// freeText is in the place of a role where a label says that the column holds free text.
const freeText record.Role = "text"

// labelRole returns what a security label ("MASKED WITH FUNCTION anon.fake_city()") says that a column holds, or "".
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
func masked(label string) bool {
	label = strings.ToUpper(label)
	return strings.Contains(label, "MASKED") && !strings.Contains(label, "NOT MASKED")
}

// longestHint is the number of words up to which a column's comment names what the column holds; longer ones tell of other
// columns too.
const longestHint = 6

// commentRole returns the role that a column's comment suggests ("the patient's family name"), or "".
func commentRole(comment string) record.Role {
	if len(strings.Fields(comment)) > longestHint {
		return ""
	}
	return roleOf(strings.NewReplacer("'s", "", "’s", "").Replace(comment))
}

// confidential reports whether a column's comment says that it must not be shown.
func confidential(comment string) bool {
	return holds(wordsOf(comment), lists["confidential"]...)
}
