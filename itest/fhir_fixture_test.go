package itest

import (
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

//go:embed fhir/resources.json
var fhirResources string

// fhirMarks are words that identify somebody in the resources, whoever it is.
var fhirMarks = []string{
	"Quarkstein", "Zebulon", "Wampfler", "Ottilie", "Marksman", "Hartwigsen", "Odalys", "Trillenbach", "Vexterly", "Ambrosius",
	"MR-4711", "MR-4712", "617-555-7788", "413-555-0119", "413-555-0163", "900-12-3456", "900-65-4321", "1950-02-03", "1931-05-06",
}

// fhirPeople are patients: what is written in place of each word.
var fhirPeople = []map[string]string{
	{
		"pat-N": "pat-1", "GIVEN": "Zebulon", "FAMILY": "Quarkstein", "MAIDEN": "Trillenbach", "MRN": "MR-4711", "SSN": "900-12-3456", "PHONE": "413-555-0119",
		"BORN": "1950-02-03", "RELATIVE": "Vexterly",
	},
	{
		"pat-N": "pat-2", "GIVEN": "Ottilie", "FAMILY": "Wampfler", "MAIDEN": "Ambrosius", "MRN": "MR-4712", "SSN": "900-65-4321", "PHONE": "413-555-0163",
		"BORN": "1931-05-06", "RELATIVE": "Vexterly",
	},
}

var (
	inBase64 = regexp.MustCompile(`"BASE64\((.*?)\)"[,}]`)
	identity = regexp.MustCompile(`\b(org|dr|enc|obs|con|doc|rep|med|all|imm)-N\b`)
)

// resourcesOf returns the resources of a patient, by their types. n is in their identities.
func resourcesOf(t *testing.T, person map[string]string, n int) map[string]string {
	t.Helper()
	var list []json.RawMessage
	if err := json.Unmarshal([]byte(fhirResources), &list); err != nil {
		t.Fatal(err)
	}
	family := person["FAMILY"]
	replace := []string{
		"FA<b>MILY", family[:2] + "<b>" + family[2:], "FA<i>MILY", family[:2] + "<i>" + family[2:],
		`\u004641MILYTAIL`, fmt.Sprintf(`\u%04x%s`, family[0], family[1:]),
	}
	for word, value := range person {
		replace = append(replace, word, value)
	}
	all := map[string]string{}
	for _, raw := range list {
		doc := strings.NewReplacer(replace...).Replace(string(raw))
		doc = identity.ReplaceAllString(doc, fmt.Sprintf("${1}-%d", n))
		doc = inBase64.ReplaceAllStringFunc(doc, func(s string) string {
			var text string
			if err := json.Unmarshal([]byte(s[:len(s)-1]), &text); err != nil {
				t.Fatal(err)
			}
			text = strings.TrimSuffix(strings.TrimPrefix(text, "BASE64("), ")")
			return `"` + base64.StdEncoding.EncodeToString([]byte(text)) + `"` + s[len(s)-1:]
		})
		var named struct{ ResourceType, ID string }
		if err := json.Unmarshal([]byte(doc), &named); err != nil {
			t.Fatalf("%v: %s", err, doc)
		}
		all[named.ResourceType] = doc
	}
	return all
}

// fhirTables makes a table for each type of resource, and maps it.
func fhirTables(t *testing.T) (tables, mapped string) {
	t.Helper()
	var b strings.Builder
	b.WriteString("patient_key: text\ntables:\n")
	tables = "create schema fhir;"
	for name := range resourcesOf(t, fhirPeople[0], 1) {
		table, patient, domain := strings.ToLower(name), "{column: resource, path: $.subject.reference}", "domain: "+name
		switch name {
		case "Patient":
			patient, domain = "id", "domain: patient"
		case "Organization", "Practitioner":
			patient = "none"
		case "AllergyIntolerance", "Immunization":
			patient = "{column: resource, path: $.patient.reference}"
		}
		tables += fmt.Sprintf("create table fhir.%s (id text primary key, version int default 1, resource jsonb);", table)
		fmt.Fprintf(&b, "  fhir.%s:\n    patient: %s\n    columns: {id: {publish: pseudonym, %s}, version: keep, resource: {fhir: %s}}\n", table, patient, domain, name)
	}
	b.WriteString(`  fhir.bundle:
    patient: {column: subject, format: reference}
    columns: {id: {publish: pseudonym, domain: Bundle}, resource: {fhir: Bundle}}
  fhir.remark:
    patient: {column: subject, format: reference}
    columns: {id: pseudonym, subject: {publish: pseudonym, format: reference}, lines: text, forms: {paths: {$.x: text, $.on: date_shift}}}
`)
	tables += `create table fhir.bundle (id text primary key, subject text, resource jsonb); create table fhir.remark (id int primary key, subject text, lines text[], forms jsonb[]);
		insert into fhir.remark values (1, 'https://ehr/Patient/pat-1', '{"Mr. Quarkstein slept",NULL,"","call 413-555-0119"}',
			array['{"x": "Zebulon ate", "on": "2021-03-14", "y": "Quarkstein"}', null]::jsonb[]), (2, 'Group/3', '{Quarkstein}', null);`
	return tables + "alter table fhir.documentreference alter resource set storage external;", b.String()
}

// bundleOf returns a bundle of resources.
func bundleOf(all map[string]string) string {
	var entries []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		entries = append(entries, `{"fullUrl": "urn:uuid:0b8cae0e-0000-4000-8000-0000000000`+fmt.Sprint(10+len(entries))+`", "resource": `+all[name]+`}`)
	}
	return `{"resourceType": "Bundle", "id": "bun-1", "type": "collection", "timestamp": "2021-03-14T10:00:00Z", "identifier": {"value": "MR-4711"},
		"entry": [` + strings.Join(entries, ", ") + `, {"resource": {"resourceType": "Basic", "id": "Quarkstein", "code": {"text": "Quarkstein"}}}]}`
}

// shown returns every text that somebody could read in a value of JSON: decoded, and without tags.
func shown(v any) string {
	tags := regexp.MustCompile(`<[^>]*>|\\[a-z]+ ?`)
	switch v := v.(type) {
	case map[string]any:
		var b strings.Builder
		for name, member := range v {
			b.WriteString(name + " " + shown(member) + "\n")
		}
		return b.String()
	case []any:
		var b strings.Builder
		for _, element := range v {
			b.WriteString(shown(element) + "\n")
		}
		return b.String()
	case string:
		text := v + "\n" + tags.ReplaceAllString(v, "")
		if data, err := base64.StdEncoding.DecodeString(v); err == nil {
			text += "\n" + string(data) + "\n" + tags.ReplaceAllString(string(data), "")
		}
		return text
	}
	return fmt.Sprint(v)
}
