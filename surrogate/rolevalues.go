package surrogate

import (
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/surrogate/letter"
)

// roleValues finds the roles of a record that contain a text.
type roleValues struct {
	phi.Redacted

	byWord map[string][]roleValue // the values that contain a word
	whole  map[string][]record.Role
	asked  map[string][]record.Role // cache, by text
}

type roleValue struct {
	phi.Redacted

	role  record.Role
	words string // folded, between blanks
}

func newRoleValues(rec record.Record) *roleValues {
	v := &roleValues{byWord: map[string][]roleValue{}, whole: map[string][]record.Role{}, asked: map[string][]record.Role{}}
	for _, role := range record.Roles() {
		for _, value := range rec[role] {
			v.add(role, value)
		}
	}
	return v
}

func (v *roleValues) add(role record.Role, value string) {
	if k := letter.Alnum(value); !slices.Contains(v.whole[k], role) {
		v.whole[k] = append(v.whole[k], role)
	}
	held, seen := roleValue{role: role, words: " " + joined(value) + " "}, map[string]bool{}
	for word := range strings.FieldsSeq(held.words) {
		if !seen[word] {
			seen[word] = true
			v.byWord[word] = append(v.byWord[word], held)
		}
	}
}

// roles returns the roles with a value that equals a text or contains its words in the same order.
func (v *roleValues) roles(text string) []record.Role {
	if found, ok := v.asked[text]; ok {
		return found
	}
	found := slices.Clone(v.whole[letter.Alnum(text)])
	part := joined(text)
	first, _, _ := strings.Cut(part, " ")
	for _, held := range v.byWord[first] {
		if !slices.Contains(found, held.role) && strings.Contains(held.words, " "+part+" ") {
			found = append(found, held.role)
		}
	}
	v.asked[text] = found
	return found
}

// heldUnder returns the roles of the patient's record that contain a text.
func (b *Book) heldUnder(text string) []record.Role {
	if b.values == nil {
		b.values = newRoleValues(b.who.Record())
	}
	return b.values.roles(text)
}
