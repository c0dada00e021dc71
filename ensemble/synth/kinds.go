package synth

import (
	"math/rand/v2"
	"strings"
)

// Kind is a kind of note, as an EHR names it.
type Kind string

// The kinds of notes: those of the main paper's Table 6, then others that every
// hospital has.
const (
	PhoneMessage       Kind = "Phone message/call"
	PatientSummary     Kind = "Ambulatory patient summary"
	OfficeMessage      Kind = "Physician office/clinic message"
	ReportNote         Kind = "Report"
	MedicationRenewal  Kind = "Medication renewal/refill"
	FamilyProgress     Kind = "Progress note, family practice"
	DischargeMeds      Kind = "Ambulatory discharge medication list"
	AnticoagSummary    Kind = "Anti-coag service visit summary"
	Electrocardiogram  Kind = "Electrocardiogram"
	AnticoagIntake     Kind = "Anticoagulation patient intake-text"
	Letter             Kind = "Letter"
	DepartSummary      Kind = "Ambulatory depart summary"
	ProgressNote       Kind = "Progress notes"
	TelephoneEncounter Kind = "Telephone encounter"
	DischargeSummary   Kind = "Discharge summary"
	Radiology          Kind = "Radiology report"
	Pathology          Kind = "Pathology report"
	Operative          Kind = "Operative note"
	Nursing            Kind = "Nursing note"
	Consult            Kind = "Consultation"
	Emergency          Kind = "Emergency department note"
	SocialWork         Kind = "Social work note"
	Pediatric          Kind = "Pediatric note"
)

var kindShares = []struct {
	kind  Kind
	share int
	slug  string
}{
	{PhoneMessage, 5, "phone"},
	{PatientSummary, 4, "summary"},
	{OfficeMessage, 5, "message"},
	{ReportNote, 3, "report"},
	{MedicationRenewal, 5, "refill"},
	{FamilyProgress, 9, "family"},
	{DischargeMeds, 3, "medlist"},
	{AnticoagSummary, 3, "anticoag"},
	{Electrocardiogram, 2, "ecg"},
	{AnticoagIntake, 2, "intake"},
	{Letter, 4, "letter"},
	{DepartSummary, 3, "depart"},
	{ProgressNote, 16, "progress"},
	{TelephoneEncounter, 4, "telephone"},
	{DischargeSummary, 22, "discharge"},
	{Radiology, 5, "radiology"},
	{Pathology, 3, "pathology"},
	{Operative, 3, "operative"},
	{Nursing, 5, "nursing"},
	{Consult, 16, "consult"},
	{Emergency, 10, "emergency"},
	{SocialWork, 3, "social"},
	{Pediatric, 2, "pediatric"},
}

// Kinds lists every kind of note.
func Kinds() []Kind {
	out := make([]Kind, len(kindShares))
	for i, k := range kindShares {
		out[i] = k.kind
	}
	return out
}

func drawKind(rng *rand.Rand) Kind {
	sum := 0
	for _, k := range kindShares {
		sum += k.share
	}
	n := rng.IntN(sum)
	for _, k := range kindShares {
		if n -= k.share; n < 0 {
			return k.kind
		}
	}
	return ProgressNote
}

func (k Kind) slug() string {
	for _, s := range kindShares {
		if s.kind == k {
			return s.slug
		}
	}
	return "progress"
}

// drawManner draws how untidy a note is.
func drawManner(rng *rand.Rand) manner {
	m := manner{typo: rng.IntN(8), nameTypo: rng.IntN(30), noStop: rng.IntN(40)}
	switch n := rng.IntN(100); {
	case n < 5:
		m.fold = strings.ToUpper
	case n < 9:
		m.fold = strings.ToLower
	case n < 16:
		m.typo, m.nameTypo, m.noStop = 40, 60, 300
	}
	if oneIn(rng, 4) {
		m.wrap = 62 + rng.IntN(40)
	}
	return m
}
