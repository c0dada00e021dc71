package synth

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

func numberSlots() map[string]func(*scene) {
	return map[string]func(*scene){
		"mrn": func(s *scene) { s.mark(phi.MedicalRecord, s.pt.MRN) },
		"ssn": func(s *scene) {
			s.mark(phi.SSN, either(s.rng, s.pt.SSN, s.pt.SSN, strings.ReplaceAll(s.pt.SSN, "-", ""), strings.ReplaceAll(s.pt.SSN, "-", " ")))
		},
		"ssn4":    func(s *scene) { s.mark(phi.SSN, s.pt.SSN[7:]) },
		"acct":    func(s *scene) { s.mark(phi.Account, s.pt.Account) },
		"plan":    func(s *scene) { s.mark(phi.HealthPlan, s.pt.Plan.Member) },
		"payer":   func(s *scene) { s.put(either(s.rng, "Medicare", "Medicaid", "commercial", "private insurance")) },
		"license": func(s *scene) { s.mark(phi.License, s.pt.License) },
		"plate":   func(s *scene) { s.mark(phi.Vehicle, s.pt.Plate) },
		"vin":     func(s *scene) { s.mark(phi.Vehicle, vin(s.rng)) },
		"serial": func(s *scene) {
			if s.pt.Device != "" {
				s.mark(phi.Device, s.pt.Device)
				return
			}
			s.mark(phi.Device, serial(s.rng))
		},
		"model": func(s *scene) {
			s.mark(phi.Device, either(s.rng, digits(s.rng, 4), "A"+digits(s.rng, 3), digits(s.rng, 4)+"-"+digits(s.rng, 2)))
		},
		"lot": func(s *scene) {
			s.mark(phi.IDNum, either(s.rng, digits(s.rng, 2)+"-"+digits(s.rng, 2)+"-DK", "U"+digits(s.rng, 4)+"AA", digits(s.rng, 6)+"B", "EK"+digits(s.rng, 4)))
		},
		"accession": func(s *scene) {
			s.mark(phi.IDNum, either(s.rng, "S"+s.today.Format("06")+"-"+digits(s.rng, 5), "38:Z"+digits(s.rng, 7)+"G", "CT-"+digits(s.rng, 6), digits(s.rng, 9), "SP-"+s.today.Format("06")+"-"+digits(s.rng, 4)))
		},
		"order": func(s *scene) {
			s.mark(phi.IDNum, either(s.rng, digits(s.rng, 8), "RX"+digits(s.rng, 7), digits(s.rng, 7)+"-"+digits(s.rng, 2)))
		},
		"job.id": func(s *scene) {
			s.mark(phi.IDNum, either(s.rng, digits(s.rng, 6), digits(s.rng, 5)+" :"+digits(s.rng, 4), "WK:"+digits(s.rng, 5)))
		},
		"encounter": func(s *scene) {
			s.mark(phi.IDNum, either(s.rng, digits(s.rng, 9), "V"+digits(s.rng, 8), "E-"+digits(s.rng, 6)))
		},
		"case": func(s *scene) {
			s.mark(phi.IDNum, either(s.rng, digits(s.rng, 2)+"-"+digits(s.rng, 5), "SW"+digits(s.rng, 6), "CPS-"+digits(s.rng, 5)))
		},
	}
}
