package proposal

import (
	"slices"
	"strings"
	"unicode"

	"github.com/pgdeid/pgdeid/ensemble"
)

// wordsOf splits a name into lower-case words: "PatFirstName", "pat_first_name"
// and "PAT-FIRST-NAME" are the same three.
func wordsOf(name string) []string {
	var words []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
			word = nil
		}
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case unicode.IsDigit(r) != (len(word) > 0 && unicode.IsDigit(word[len(word)-1])) && len(word) > 0:
			flush()
		case unicode.IsUpper(r) && i > 0 && unicode.IsLower(runes[i-1]):
			flush()
		}
		word = append(word, r)
	}
	flush()
	return words
}

// rule gives a role to columns whose name holds one word of each group, as words
// of their own or run together ("firstname").
type rule struct {
	role   ensemble.Role
	groups [][]string
}

func any1(words ...string) []string { return words }

// rules are tried in order: the first that fits decides.
var rules = []rule{
	{ensemble.RelativeName, [][]string{any1("emergency", "kin", "nok", "relative", "guardian", "mother", "father", "spouse", "contact", "guarantor"), any1("name", "first", "last")}},
	{ensemble.ProviderName, [][]string{any1("provider", "doctor", "physician", "attending", "author", "nurse", "surgeon", "signed", "clinician", "prescriber", "referring", "caregiver", "pcp"), any1("name", "first", "last", "by")}},
	{ensemble.Facility, [][]string{any1("facility", "hospital", "clinic", "site", "organization", "department", "ward"), any1("name")}},
	{ensemble.NameAlias, [][]string{any1("maiden", "alias", "nickname", "nick", "former", "birthname", "aka", "preferred")}},
	{ensemble.NameFirst, [][]string{any1("first", "given", "fore", "christian"), any1("name", "nm")}},
	{ensemble.NameFirst, [][]string{any1("firstname", "forename", "givenname", "fname", "first")}},
	{ensemble.NameMiddle, [][]string{any1("middle", "mname", "middlename"), any1("name", "nm", "initial", "middle", "mname", "middlename")}},
	{ensemble.NameLast, [][]string{any1("last", "family", "sur"), any1("name", "nm")}},
	{ensemble.NameLast, [][]string{any1("lastname", "surname", "familyname", "lname", "last")}},
	{ensemble.NameFull, [][]string{any1("patient", "person", "full", "pat", "member", "client", "display", "legal"), any1("name", "nm")}},
	{ensemble.RoleEmail, [][]string{any1("email", "mail", "e-mail")}},
	{ensemble.RoleFax, [][]string{any1("fax")}},
	{ensemble.RolePhone, [][]string{any1("phone", "telephone", "tel", "mobile", "cell", "pager", "beeper")}},
	{ensemble.RoleSSN, [][]string{any1("ssn", "social", "sin")}},
	{ensemble.MRN, [][]string{any1("mrn", "medrec", "chartno")}},
	{ensemble.MRN, [][]string{any1("medical", "chart", "hospital"), any1("record", "number", "no", "num"), any1("number", "no", "num", "id", "record")}},
	{ensemble.RolePlan, [][]string{any1("insurance", "member", "policy", "subscriber", "plan", "medicare", "medicaid", "beneficiary", "hicn", "mbi"), any1("id", "number", "no", "num", "hicn", "mbi")}},
	{ensemble.RoleAccount, [][]string{any1("account", "acct", "iban", "billing"), any1("id", "number", "no", "num", "account", "iban")}},
	{ensemble.RoleLicense, [][]string{any1("license", "licence", "dea", "drivers", "passport")}},
	{ensemble.RoleVehicle, [][]string{any1("vin", "plate", "vehicle")}},
	{ensemble.RoleDevice, [][]string{any1("udi", "serial", "imei", "implant"), any1("number", "no", "num", "id", "udi", "imei", "serial")}},
	{ensemble.RoleID, [][]string{any1("npi")}},
	{ensemble.BirthDate, [][]string{any1("dob", "birthdate", "birthday", "birthdt")}},
	{ensemble.BirthDate, [][]string{any1("birth"), any1("date", "datetime", "dt", "time", "day")}},
	{ensemble.RoleStreet, [][]string{any1("street", "address", "addr", "addressline", "line"), any1("street", "address", "addr", "addressline")}},
	{ensemble.RoleCity, [][]string{any1("city", "town", "municipality", "birthplace")}},
	{ensemble.RoleZip, [][]string{any1("zip", "zipcode", "postal", "postcode", "postalcode")}},
	{ensemble.RoleCountry, [][]string{any1("country")}},
	{ensemble.RoleState, [][]string{any1("state", "province")}},
	{ensemble.Employer, [][]string{any1("employer", "company", "workplace")}},
	{ensemble.RoleUsername, [][]string{any1("username", "login", "userid", "logon")}},
}

// numbers are the roles that a column may have whose name ends in "id".
var numbers = []ensemble.Role{ensemble.MRN, ensemble.RolePlan, ensemble.RoleAccount, ensemble.RoleLicense, ensemble.RoleDevice, ensemble.RoleVehicle}

// roleOf returns what a column's name says that it tells, or "".
func roleOf(name string) ensemble.Role {
	words := wordsOf(name)
	for _, r := range rules {
		if !fits(words, r.groups) {
			continue
		}
		if len(words) > 1 && words[len(words)-1] == "id" && !slices.Contains(numbers, r.role) {
			return "" // the key of something, not its name
		}
		return r.role
	}
	if len(words) == 1 && (words[0] == "name" || words[0] == "fullname") {
		return ensemble.NameFull // of whom, the table says
	}
	return ""
}

func fits(words []string, groups [][]string) bool {
	for _, g := range groups {
		if !holds(words, g...) {
			return false
		}
	}
	return true
}

// holds reports whether one of wanted is among words.
func holds(words []string, wanted ...string) bool {
	for _, w := range words {
		for _, want := range wanted {
			if w == want {
				return true
			}
		}
	}
	return false
}

// proseWords are in the names of columns of free text.
var proseWords = []string{
	"note", "notes", "text", "narrative", "comment", "comments", "remark", "remarks", "body", "report", "history", "impression",
	"findings", "instructions", "summary", "description", "complaint", "plan", "assessment", "message", "blob", "reason", "sig", "diagnosis", "title",
}
