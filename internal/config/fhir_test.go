package config

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/document"
)

// closedElements are kept as they are: FHIR has a list of their codes, or they are numbers, times and truth values. State and country
// may be shown of an address.
const closedElements = `resourceType active allowedBoolean asNeededBoolean careTeamSequence[*] category code comparator
	confidentiality count countMax country criticality currency dayOfWeek deceasedBoolean deleted diagnosisSequence[*] doNotPerform docStatus duration
	durationMax durationUnit estimatedAge focal frequency frequencyMax gender informationSequence[*] intent isActive isSubpotent kind lifecycleStatus
	method mode multipleBirthBoolean multipleBirthInteger number numberOfInstances numberOfRepeatsAllowed numberOfSeries offset order outcome period
	periodMax periodUnit preferred primarySource priority procedureSequence[*] rank reportedBoolean role sequence severity state status timeOfDay total
	type use userSelected value valueBoolean valueDecimal valueInteger valueTime when`

// Each list of FHIR is a mapping of its own: no path leads into another, and nothing is published as free text and kept besides.
func TestListsOfFHIR(t *testing.T) {
	t.Parallel()
	lists, err := resources()
	if err != nil {
		t.Fatal(err)
	}
	if len(lists) < 20 {
		t.Fatalf("%d lists", len(lists))
	}
	closed := strings.Fields(closedElements)
	nobodys := []string{"Organization", "Practitioner", "PractitionerRole", "Location", "Medication"}
	for name, list := range lists {
		if _, err := document.Select(selected(list)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		needs := ""
		for i, c := range list {
			if c.needsPatient() {
				needs = c.Name
			}
			checkMediaType(node{key: name, out: &Problems{}}, list, &list[i])
			for _, word := range []string{".identifier", ".photo", ".extension", ".contained"} {
				if strings.Contains(c.Name, word) && c.Publish != Drop && c.Publish != Pseudonym {
					t.Errorf("%s publishes %s", name, c.Name)
				}
			}
			if last := c.Name[strings.LastIndexByte(c.Name, '.')+1:]; c.Publish == Keep && c.Format == "" && !slices.Contains(closed, last) {
				t.Errorf("%s keeps %s, which may be free text", name, c.Name)
			}
		}
		if nobody := slices.Contains(nobodys, name); nobody != (needs == "") {
			t.Errorf("%s: a patient is needed by %q", name, needs)
		}
	}
}

func TestFHIRColumns(t *testing.T) {
	t.Parallel()
	parse := func(column string) (*Config, error) {
		return Parse([]byte(strings.Replace(letters, "COLUMN", column, 1)), nil)
	}
	plain, err := parse("{fhir: Observation}")
	if err != nil {
		t.Fatal(err)
	}
	own, err := parse("{fhir: Observation, paths: {'$.note[*].text': drop, $.code: keep, '$.extension[*].url': keep}}")
	if err != nil {
		t.Fatal(err)
	}
	names := func(c *Config) (list []string) {
		for _, p := range c.Tables[0].Columns[1].Paths {
			list = append(list, p.Name+" "+string(p.Publish))
		}
		return list
	}
	if c := plain.Tables[0].Columns[1]; c.Publish != Text || c.Format != document.JSON || !slices.Contains(names(plain), "$.note[*].text text") ||
		!slices.Contains(names(plain), "$.component[*].valueQuantity.value keep") {
		t.Errorf("Observation: %s %s %v", c.Publish, c.Format, names(plain))
	}
	got := names(own)
	if !slices.Contains(got, "$.note[*].text drop") || slices.Contains(got, "$.note[*].text text") || !slices.Contains(got, "$.code keep") ||
		slices.Contains(got, "$.code.text text") || !slices.Contains(got, "$.extension[*].url keep") || !slices.Contains(got, "$.status keep") {
		t.Errorf("own paths do not come first: %v", got)
	}
	if plain.Hash() == own.Hash() {
		t.Error("own paths do not change the hash")
	}
	for _, tt := range []struct{ column, want string }{
		{"{fhir: Obseration}", `no list for resources of type "Obseration" (one of AllergyIntolerance`},
		{"{fhir: Observation, format: html}", "paths belong to policy text with format: json"},
		{"{fhir: Observation, publish: keep}", "paths belong to policy text with format: json"},
		{"{fhir: [Observation]}", "want a single value"},
	} {
		_, err := parse(tt.column)
		var problems Problems
		if !errors.As(err, &problems) || !strings.Contains(problems[0].Text, tt.want) {
			t.Errorf("%s: %v", tt.column, err)
		}
	}
}

// A path may have the elements of a type, and says of what is public that it stays.
func TestElementsAtPaths(t *testing.T) {
	t.Parallel()
	parse := func(column string) (*Config, error) {
		return Parse([]byte(strings.Replace(letters, "COLUMN", column, 1)), nil)
	}
	c, err := parse("{paths: {$.code: {fhir: CodeableConcept}, $.n: text, $.unit: {publish: keep, format: unit}, $.at: {publish: pseudonym, format: url}}}")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	known := 0
	for _, p := range c.Tables[0].Columns[1].Paths {
		got = append(got, p.Name+" "+string(p.Publish)+" "+string(p.Format))
		if p.known() != nil {
			known++
		}
	}
	want := []string{
		"$.code.coding[*].system pseudonym system", "$.code.coding[*].version keep version", "$.code.coding[*].code text code", "$.code.coding[*].display text ",
		"$.code.coding[*].userSelected keep ", "$.code.text text ", "$.n text ", "$.unit keep unit", "$.at pseudonym url",
	}
	if !slices.Equal(got, want) || known != 3 {
		t.Errorf("%q, %d of them with public values", got, known)
	}
	for _, tt := range []struct{ paths, want string }{
		{"{$.code: {fhir: Codable}}", `no list for elements of type "Codable" (one of Address`},
		{"{$.code: {fhir: [Coding]}}", "want a single value"},
		{"{$.unit: {publish: year, format: unit}}", "format: unit belongs to policies keep and text, without an encoding"},
		{"{$.unit: {publish: text, format: unit, encoding: base64}}", "format: unit belongs to policies keep and text, without an encoding"},
		{"{$.at: {publish: keep, format: url}}", "format: url belongs to policy pseudonym"},
		{"{$.code.text: text, $.code: {fhir: CodeableConcept}}", "path"},
	} {
		_, err := parse("{paths: " + tt.paths + "}")
		var problems Problems
		if !errors.As(err, &problems) || !strings.Contains(problems[0].Text, tt.want) {
			t.Errorf("%s: %v", tt.paths, err)
		}
	}
}

// Where one column has the keys of resources of every type, keys and references in documents have its domain.
func TestOneDomainForAllResources(t *testing.T) {
	t.Parallel()
	c, err := Parse([]byte(strings.Replace(letters, "COLUMN", "{fhir: Resource, domain: resource}", 1)), nil)
	if err != nil {
		t.Fatal(err)
	}
	keys := 0
	for _, p := range c.Tables[0].Columns[1].Paths {
		if p.Publish != Pseudonym {
			continue
		}
		if keys++; p.Domain != "resource" {
			t.Errorf("%s has domain %q", p.Name, p.Domain)
		}
	}
	if keys < 50 {
		t.Errorf("%d keys and references", keys)
	}
	lists, err := resources()
	if err != nil {
		t.Fatal(err)
	}
	if lists["Patient"][1].Domain != PatientDomain {
		t.Error("the list itself was changed")
	}
	if _, err := Parse([]byte(strings.Replace(letters, "COLUMN", "{publish: text, domain: resource}", 1)), nil); err == nil {
		t.Error("a text has a domain")
	}
}
