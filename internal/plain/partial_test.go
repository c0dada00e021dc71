package plain

import (
	"fmt"
	"testing"
	"time"
)

func TestParsePartial(t *testing.T) {
	t.Parallel()
	moved := time.Date(1969, 11, 30, 0, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		text, first string
		days        int
		moved       string
	}{
		{"1970", "1970-01-01", 365, "1969"},
		{"1972", "1972-01-01", 365, "1969"},
		{"1970-05", "1970-05-01", 31, "1969-11"},
		{"1972-02", "1972-02-01", 29, "1969-11"},
		{"1970-12", "1970-12-01", 31, "1969-11"},
	} {
		p, err := ParsePartial(tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		first, days := p.Days()
		if first.Format(time.DateOnly) != tt.first || days != tt.days || p.Write(moved) != tt.moved {
			t.Errorf("%s: %v, %d days, written %s", tt.text, first, days, p.Write(moved))
		}
	}
	for _, text := range []string{"", "70", "197", "0900", "2500", "1970-13", "1970-00", "1970-5", "1970-05-01", " 1970", "1970\n", "19700", "MR-4711"} {
		if _, err := ParsePartial(text); err == nil {
			t.Errorf("%q is a date", text)
		}
	}
}

func TestParseURL(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want string }{
		{"Patient/17", "Patient/new"},
		{"https://ehr.example.org/fhir/Patient/17", "https://example.org/fhir/Patient/new"},
		{"http://ehr.example.org/Patient/17/_history/2", "https://example.org/fhir/Patient/new"},
		{"urn:uuid:0B8CAE0E-0000-4000-8000-00000000000A", "urn:uuid:new"},
		{"Patient", "Patient"},
		{"Patient?identifier=MR-4711", "Patient"},
		{"https://ehr.example.org/fhir/Patient?name=Quarkstein", "Patient"},
	} {
		r, err := ParseURL(tt.text)
		if err != nil || r.Write("new") != tt.want {
			t.Errorf("%s: %v, %s", tt.text, err, r.Write("new"))
		}
	}
	for _, text := range []string{"", "Quarkstein", "Quarkstein?x", "https://ehr.example.org/", "patient", "Patient ", "Patient\n", "https://ehr.example.org/Quarkstein"} {
		if r, err := ParseURL(text); err == nil {
			t.Errorf("%q is a place: %s", text, r.Write("new"))
		}
	}
	if !IsResourceType("Patient") || IsResourceType("Quarkstein") {
		t.Error("types of resources")
	}
}

func TestParseReference(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want string }{
		{"Patient/17", "Patient/new"},
		{"Patient/17/_history/3", "Patient/new"},
		{"https://ehr.example.org/fhir/r4/Encounter/a-1.B", "Encounter/new"},
		{"urn:uuid:0B8CAE0E-0000-4000-8000-00000000000A", "urn:uuid:new"},
		{"#p1", "#new"},
	} {
		r, err := ParseReference(tt.text)
		if err != nil || r.Write("new") != tt.want {
			t.Errorf("%s: %v, %s", tt.text, err, r.Write("new"))
		}
	}
	for _, text := range []string{
		"", "17", "#", "Smith/17", "Patient/", "Patient/1 7", "Patient/17/more", "Patient?identifier=MR-4711", "urn:oid:1.2.3", "urn:uuid:Ann",
		"patient/17", "Patient/17#x", "https://Patient/", "Ann Lee Patient/17", "Patient/17\n",
	} {
		if r, err := ParseReference(text); err == nil {
			t.Errorf("%q is a reference: %s", text, r.Write("new"))
		}
	}
	if got := fmt.Sprintf("%v %+v %s", Reference{ID: "MR-4711"}, Reference{Type: "MR-4711"}, Partial{}); got !=
		"[redacted] [redacted] [redacted]" {
		t.Error(got)
	}
}
