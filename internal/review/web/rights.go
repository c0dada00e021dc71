package web

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Role is what a person may do.
type Role string

// The roles.
const (
	Reviewer    Role = "reviewer"    // reads notes of rounds and marks them
	Adjudicator Role = "adjudicator" // settles what two reviewers decided differently
	Steward     Role = "steward"     // sees who was shown what
	Verifier    Role = "verifier"    // verifies harvested sentences and templates
)

var roles = []Role{Reviewer, Adjudicator, Steward, Verifier}

// Rights are what a person may do, and as which role of the source they read. The zero value is nothing.
type Rights struct {
	Roles  []Role
	Source string // role of the source; "": that of the configuration
}

// Has reports whether the person has one of the roles.
func (r Rights) Has(one ...Role) bool {
	return slices.ContainsFunc(r.Roles, func(have Role) bool { return slices.Contains(one, have) })
}

// ParseRights reads what follows the verifier in a user's line: "reviewer adjudicator steward source=NAME", in any order.
func ParseRights(words []string) (Rights, error) {
	var r Rights
	for _, word := range words {
		name, value, given := strings.Cut(word, "=")
		switch {
		case !given && slices.Contains(roles, Role(name)):
			r.Roles = append(r.Roles, Role(name))
		case given && name == "source" && value != "" && len(value) <= 63:
			r.Source = value
		default:
			return Rights{}, errors.New("after the verifier may come reviewer, adjudicator, steward, verifier and source=ROLE")
		}
	}
	if len(r.Roles) == 0 {
		return Rights{}, errors.New("after the verifier has to come one of reviewer, adjudicator, steward and verifier")
	}
	return r, nil
}

// Words returns what follows the verifier in the line of a user with roles and a role of the source, "" for none.
func Words(as []string, source string) (string, error) {
	words := slices.Clone(as)
	if source != "" {
		words = append(words, "source="+source)
	}
	if strings.ContainsAny(source, " \t\r\n") {
		return "", fmt.Errorf("the role %q of the source has blanks", source)
	}
	_, err := ParseRights(words)
	return strings.Join(words, " "), err
}

// rolesOf returns the roles among names; others are of other programs.
func rolesOf(names []string) []Role {
	var list []Role
	for _, name := range names {
		if r := Role(name); slices.Contains(roles, r) && !slices.Contains(list, r) {
			list = append(list, r)
		}
	}
	return list
}
