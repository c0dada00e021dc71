package sandbox

import (
	"fmt"
	"iter"
	"math/big"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"github.com/pgdeid/pgdeid/ensemble/synth"
)

var (
	siteColumns      = []string{"site_id", "name", "short_name", "abbreviation", "street", "city", "state", "zip", "phone", "fax", "has_beds"}
	providerColumns  = []string{"provider_id", "site_id", "full_name", "sex", "credential", "specialty", "login", "pager", "phone", "email", "npi"}
	encounterColumns = []string{"encounter_id", "patient_id", "provider_id", "site_id", "class", "started_at", "ended_at", "reason"}
	patientColumns   = []string{
		"patient_id", "mrn", "ssn", "first_name", "middle_name", "last_name", "suffix", "sex", "birth_date", "race", "language",
		"marital_status", "occupation", "employer", "home_phone", "mobile_phone", "email", "account_no", "driver_license", "plate",
		"implant_serial", "pcp_id", "home_site_id", "internal_comment",
	}
)

func siteRows(h *synth.Hospital) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for _, s := range h.Sites {
			a := s.Address
			if !yield([]any{s.ID, s.Name, s.Short, s.Abbrev, a.Street, a.City, a.State, a.Zip, s.Phone, s.Fax, s.Inhouse}) {
				return
			}
		}
	}
}

func providerRows(h *synth.Hospital) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for _, p := range h.Providers {
			row := []any{p.ID, h.Sites[p.Site].ID, p.Name.Full(), sex(p.Female), p.Credential, p.Specialty, p.Login, p.Pager, p.Phone, p.Email, p.NPI}
			if !yield(row) {
				return
			}
		}
	}
}

func patientRows(h *synth.Hospital) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for i := range h.Patients {
			p := &h.Patients[i]
			n := p.Name
			row := []any{
				p.ID, p.MRN, p.SSN, n.First, orNull(n.Middle), n.Last, orNull(n.Suffix), sex(p.Female), p.Birth, synth.GroupName(p.Group),
				p.Language, p.Marital, p.Job, p.Employer, p.Phone, p.Mobile, orNull(p.Email), p.Account, p.License, p.Plate, orNull(p.Device),
				h.Providers[p.Primary].ID, h.Sites[p.Site].ID, fmt.Sprintf("%s owes for 3 visits, call %s", n.Full(), p.Mobile),
			}
			if !yield(row) {
				return
			}
		}
	}
}

func aliasRows(h *synth.Hospital) iter.Seq[[]any] {
	return perPatient(h, func(p *synth.Patient) (rows [][]any) {
		for _, a := range p.Aliases() {
			rows = append(rows, []any{p.ID, a.First, a.Last})
		}
		return rows
	})
}

func addressRows(h *synth.Hospital) iter.Seq[[]any] {
	return perPatient(h, func(p *synth.Patient) (rows [][]any) {
		for i, a := range p.Addresses() {
			rows = append(rows, []any{p.ID, i == 0, a.Street, a.City, a.State, a.Zip})
		}
		return rows
	})
}

func contactRows(h *synth.Hospital) iter.Seq[[]any] {
	return perPatient(h, func(p *synth.Patient) (rows [][]any) {
		for _, r := range p.Relatives {
			rows = append(rows, []any{p.ID, r.Kind, r.Name.Full(), r.Phone})
		}
		return rows
	})
}

func insuranceRows(h *synth.Hospital) iter.Seq[[]any] {
	return perPatient(h, func(p *synth.Patient) [][]any {
		return [][]any{{p.ID, p.Plan.Payer, p.Plan.Member, p.Plan.GroupNo}}
	})
}

func deskRows(h *synth.Hospital) iter.Seq[[]any] {
	return perPatient(h, func(p *synth.Patient) [][]any {
		return [][]any{{p.ID, p.Name.Full() + " came in, phone " + p.Phone + ", SSN " + p.SSN}}
	})
}

// perPatient yields the rows of each patient, each with a key of its own in front.
func perPatient(h *synth.Hospital, rows func(*synth.Patient) [][]any) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		key := int64(0)
		for i := range h.Patients {
			for _, row := range rows(&h.Patients[i]) {
				key++
				if !yield(append([]any{key}, row...)) {
					return
				}
			}
		}
	}
}

func encounterRows(h *synth.Hospital) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for _, e := range h.Encounters {
			row := []any{
				e.ID, h.Patients[e.Patient].ID, h.Providers[e.Provider].ID, h.Sites[e.Site].ID, e.Class,
				e.Start.Truncate(time.Minute), e.End.Truncate(time.Minute), e.Reason,
			}
			if !yield(row) {
				return
			}
		}
	}
}

// labRows gives every encounter two results that follow from its key.
func labRows(h *synth.Hospital) iter.Seq[[]any] {
	tests := []string{"Hemoglobin", "Sodium", "Creatinine", "INR", "Glucose"}
	return func(yield func([]any) bool) {
		for i, e := range h.Encounters {
			for j := range 2 {
				value := pgtype.Numeric{Int: big.NewInt(int64(10 + (i*7+j*13)%140)), Exp: -1, Valid: true}
				row := []any{int64(2*i + j + 1), e.ID, tests[(i+j)%len(tests)], value, e.Start.Add(time.Duration(20+j) * time.Minute).Truncate(time.Minute)}
				if !yield(row) {
					return
				}
			}
		}
	}
}

func sex(female bool) string {
	if female {
		return "F"
	}
	return "M"
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}
