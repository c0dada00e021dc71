package terminology

import (
	"strings"
	"testing"
)

func TestLists(t *testing.T) {
	t.Parallel()
	for system, forms := range systems {
		if !IsSystem(system) || len(forms) == 0 {
			t.Errorf("%s is no code system", system)
		}
	}
	for unit := range units {
		if !IsUnit(unit) {
			t.Errorf("%s is no unit", unit)
		}
	}
	if len(systems) < 50 || len(units) < 100 {
		t.Errorf("%d systems, %d units", len(systems), len(units))
	}
}

func TestSystems(t *testing.T) {
	t.Parallel()
	for system, want := range map[string]bool{
		"http://loinc.org": true, "2.16.840.1.113883.6.1": true, "urn:oid:2.16.840.1.113883.6.1": true, "http://snomed.info/sct": true,
		"http://terminology.hl7.org/CodeSystem/v3-ActCode": true, "http://hl7.org/fhir/observation-status": true,
		"http://hl7.org/fhir/us/core/CodeSystem/condition-category": true, "urn:ietf:bcp:47": true, "http://unitsofmeasure.org": true,
		"http://hl7.org/fhir/sid/us-ssn/Zarkovin/x": false, "http://zarkovin.example.org/codes": false, "": false, "urn:oid:1.2.3": false,
		"http://loinc.org/Zarkovin": false, "http://terminology.hl7.org/CodeSystem/": false,
		"http://terminology.hl7.org/CodeSystem/v3 Zarkovin": false, "https://ehr.example.org/http://loinc.org": false,
	} {
		if got := IsSystem(system); got != want {
			t.Errorf("%q: %t", system, got)
		}
	}
}

func TestCodes(t *testing.T) {
	t.Parallel()
	const loinc, act = "http://loinc.org", "http://terminology.hl7.org/CodeSystem/v3-ActCode"
	for _, tt := range []struct {
		system, code string
		want         bool
	}{
		{loinc, "8867-4", true},
		{"urn:oid:2.16.840.1.113883.6.1", "8867-4", true},
		{loinc, "Zarkovin", false},
		{loinc, "MR-4711", false},
		{loinc, "", false},
		{"http://snomed.info/sct", "73211009", true},
		{"http://snomed.info/sct", "73211009 Zarkovin", false},
		{"http://hl7.org/fhir/sid/us-ssn", "900-12-3456", false},
		{"http://hl7.org/fhir/sid/icd-10-cm", "E11.65", true},
		{act, "AMB", true},
		{"http://terminology.hl7.org/CodeSystem/observation-category", "vital-signs", true},
		{"http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation", "<", true},
		{"http://terminology.hl7.org/CodeSystem/v2-0203", "MR", true},
		{act, "900-12-3456", false},
		{act, "MR 4711", false},
		{act, "4711234567", false},
		{"http://unitsofmeasure.org", "mg/dL", true},
		{"http://unitsofmeasure.org", "mg/Zarkovin", false},
		{"urn:ietf:bcp:47", "en-US", true},
		{"urn:ietf:bcp:47", "Zarkovin", false},
		{"", "AMB", false},
		{"http://zarkovin.example.org", "8867-4", false},
	} {
		if got := IsCode(tt.system, tt.code); got != tt.want {
			t.Errorf("%s %q: %t", tt.system, tt.code, got)
		}
	}
}

func TestVersions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"2.72": true, "4.0.1": true, "2023-09": true, "20230901": true, "http://snomed.info/sct/731000124108/version/20230301": true, "v3": true,
		"": false, "Zarkovin": false, "900-12-3456 ": false, "4711234567": false, "http://ehr.example.org/4711": false,
	} {
		if got := IsVersion(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

func TestUnits(t *testing.T) {
	t.Parallel()
	for unit, want := range map[string]bool{
		"mg": true, "mg/dL": true, "10*3/uL": true, "/min": true, "mm[Hg]": true, "": false, "/": false, "Zarkovin": false,
		"10*Z": false, "10Z": false,
		strings.Repeat("m/", 20): false,
	} {
		if got := IsUnit(unit); got != want {
			t.Errorf("%q: %t", unit, got)
		}
	}
}

func TestForms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		form, code string
		want       bool
	}{
		{"9999999-9", "10164-2", true},
		{"9999999-9", "10164", false},
		{"9999999-9", "12345678-9", false},
		{"9999999-9", "1-23", false},
		{"LA999-9", "LA14-1", true},
		{"LA999-9", "LB14-1", true},
		{"AAA.AAAA", "E11.65", true},
		{"AAA", "", false},
		{"999AAAAAAX", "207QA0505X", true},
		{"999AAAAAAX", "0000000000", false},
		{"99", "1 ", false},
		{"AAAA", "Zarkovin", false},
	} {
		if got := Fits(c.form, c.code); got != c.want {
			t.Errorf("Fits(%q, %q) = %t", c.form, c.code, got)
		}
	}
}
