package proposal

import (
	"slices"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/record"
)

func TestWordsOf(t *testing.T) {
	for name, want := range map[string][]string{
		"pat_first_name": {"pat", "first", "name"},
		"PatFirstName":   {"pat", "first", "name"},
		"PAT-FIRST NAME": {"pat", "first", "name"},
		"address_1":      {"address", "1"},
		"MRN":            {"mrn"},
		"":               nil,
	} {
		if got := wordsOf(name); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}

func TestRoleOf(t *testing.T) {
	for name, want := range map[string]record.Role{
		"first_name": record.NameFirst, "GivenName": record.NameFirst, "fname": record.NameFirst, "last_name": record.NameLast,
		"surname": record.NameLast, "PAT_LAST_NAME": record.NameLast, "middle_initial": record.NameMiddle, "maiden_name": record.NameAlias,
		"patient_name": record.NameFull, "emergency_contact_name": record.RelativeName, "mother_first_name": record.RelativeName,
		"attending_name": record.ProviderName, "signed_by": record.ProviderName, "hospital_name": record.Facility,
		"dob": record.BirthDate, "birth_date": record.BirthDate, "BirthDateTime": record.BirthDate, "street": record.Street,
		"address_line1": record.Street, "city": record.City, "zip_code": record.Zip, "postcode": record.Zip, "state": record.State,
		"home_phone": record.Phone, "fax_number": record.Fax, "email": record.Email, "mrn": record.MRN,
		"medical_record_number": record.MRN, "medical_record_id": record.MRN, "ssn": record.SSN, "account_no": record.Account,
		"insurance_id": record.Plan, "dea_number": record.License, "employer": record.Employer, "login": record.Username,
		"city_id": "", "provider_id": "", "status": "", "name_of_test": "", "drug": "", "hospital_expire_flag": "", "race": "",
	} {
		if got := roleOf(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestShapes(t *testing.T) {
	count := func(values ...string) *shape {
		s := &shape{distinct: len(values)}
		for _, v := range values {
			s.add(v)
		}
		return s
	}
	if s := count("ann@example.org", "bob@example.com", "c@d.org"); !s.mostly(s.emails) {
		t.Error("e-mail addresses")
	}
	if s := count("617-555-0101", "(617) 555-0102", "+1 617 555 0103", "617.555.0104 x5"); !s.mostly(s.phones) {
		t.Errorf("telephone numbers: %d of 4", s.phones)
	}
	if s := count("2021-03-04", "12.50", "1234567890123"); s.phones != 0 {
		t.Errorf("dates and numbers are no telephone numbers: %d", s.phones)
	}
	if s := count("123-45-6789", "987-65-4321", "x", "y", "z"); s.mostly(s.ssns) {
		t.Error("two of five are not most")
	}
	if s := count("The patient was seen and examined by me today, with her daughter.", "No acute distress was noted during the whole of the visit."); !s.prose() {
		t.Error("sentences are prose")
	}
	if s := count("inpatient", "outpatient"); s.prose() || s.codes() {
		t.Error("two words are neither prose nor, being so few, codes")
	}
}

func TestLabels(t *testing.T) {
	for label, want := range map[string]record.Role{
		"MASKED WITH FUNCTION anon.fake_last_name()": record.NameLast, "MASKED WITH FUNCTION anon.partial_email(mail)": record.Email,
		"MASKED WITH VALUE NULL": "",
	} {
		if got := labelRole(label); got != want || !masked(label) {
			t.Errorf("%s: %q, want %q", label, got, want)
		}
	}
}
