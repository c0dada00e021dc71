package text

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

func TestRoles(t *testing.T) {
	view := NewView("Dr. Moss, hospital")
	for i, want := range []string{"doctor-title street", "", "", "", "facility in-facility stop"} {
		if got := view.Roles(i).String(); got != want {
			t.Errorf("token %d: %q, want %q", i, got, want)
		}
	}
}

func TestEveryRoleHasANameAndWords(t *testing.T) {
	seen := map[string]bool{}
	for i, name := range roleNames {
		if seen[name] {
			t.Errorf("two roles are named %q", name)
		}
		seen[name] = true
		if lexicon.Words("roles/"+name) == nil {
			t.Errorf("role %q has no words", name)
		}
		for _, w := range lexicon.Words("roles/" + name) {
			if RolesOf(strings.ToUpper(w))&(1<<i) == 0 {
				t.Errorf("%q does not play the role %q", w, name)
			}
		}
	}
}

func TestNoRoles(t *testing.T) {
	view := NewView("zorvakian 12 x")
	for _, i := range []int{-1, 0, 1, 3} {
		if got := view.Roles(i); got != 0 {
			t.Errorf("token %d plays %q", i, got)
		}
	}
	if got := RolesOf(strings.Repeat("a", 100)); got != 0 {
		t.Errorf("a long word plays %q", got)
	}
}

func TestRolesThatRulesAskFor(t *testing.T) {
	t.Parallel()
	for role, want := range map[Roles]string{
		RoleDoctorTitle:                "doctor-title",
		RolePersonTitle:                "person-title",
		RoleStaffTitle:                 "staff-title",
		RoleCredential:                 "credential",
		RoleSigning:                    "signing",
		RolePatientTag:                 "patient-tag",
		RoleStaffTag:                   "staff-tag",
		RoleRelative:                   "kin",
		RoleReach:                      "reach",
		RoleSubjectVerb:                "subject-verb",
		RoleParticle:                   "particle",
		RoleSuffix:                     "suffix",
		RoleBy:                         "by",
		RoleNamed:                      "named",
		RoleAnd:                        "and",
		RoleSex:                        "sex",
		RoleEponymNoun:                 "eponym-noun",
		RoleHome:                       "home",
		RoleArticle:                    "article",
		RoleSeen:                       "seen",
		RoleDoctorTitle | RoleRelative: "doctor-title kin", 0: "",
	} {
		if got := role.String(); got != want {
			t.Errorf("%b: %q, want %q", uint64(role), got, want)
		}
	}
}
