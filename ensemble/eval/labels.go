package eval

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble"
)

// Meaning is what a source's label stands for.
type Meaning struct {
	// Types are the PHI types that count as right. Empty: the label is ignored, its
	// words count neither as PHI nor as ordinary.
	Types TypeSet
	// Main is the type among them that tells the class of the label.
	Main ensemble.Type
}

func meaningOf(types ...ensemble.Type) Meaning {
	if len(types) == 0 {
		return Meaning{}
	}
	return Meaning{Types: SetOf(types...), Main: types[0]}
}

// Ignored reports whether words with this label are left out of every count.
func (m Meaning) Ignored() bool { return m.Types == 0 || m.Types == SetOf(ensemble.Time) }

// Labels maps labels, in upper case, to their meaning.
type Labels map[string]Meaning

var (
	anyName  = meaningOf(ensemble.Patient, ensemble.Doctor, ensemble.Username)
	anyOrg   = meaningOf(ensemble.Organization, ensemble.Hospital)
	anyPlace = meaningOf(ensemble.City, ensemble.Street, ensemble.State, ensemble.Country, ensemble.County,
		ensemble.Zip, ensemble.LocationOther, ensemble.Organization, ensemble.Hospital)
	anyNumber = meaningOf(ensemble.IDNum, ensemble.SSN, ensemble.MedicalRecord, ensemble.HealthPlan, ensemble.Account,
		ensemble.License, ensemble.Vehicle, ensemble.Device, ensemble.BioID)
	anyPhone = meaningOf(ensemble.Phone, ensemble.Fax, ensemble.Pager)
	dateTime = meaningOf(ensemble.Date, ensemble.Time)
)

// sourceLabels are the labels of open annotated sets, in English and Spanish, that are
// coarser or finer than our types.
var sourceLabels = map[string]Meaning{
	"NAME": anyName, "PERSON": anyName, "PER": anyName, "FIRST_NAME": anyName, "LAST_NAME": anyName, "STAFF": anyName,
	"NOMBRE_SUJETO_ASISTENCIA": meaningOf(ensemble.Patient), "NOMBRE_PERSONAL_SANITARIO": meaningOf(ensemble.Doctor),
	"USER_NAME": meaningOf(ensemble.Username),

	"LOCATION": anyPlace, "LOC": anyPlace, "GPE": anyPlace, "ADDRESS": anyPlace, "STREET_ADDRESS": anyPlace,
	"ZIPCODE": meaningOf(ensemble.Zip), "ZIP_CODE": meaningOf(ensemble.Zip), "POSTCODE": meaningOf(ensemble.Zip),
	"CALLE": meaningOf(ensemble.Street), "TERRITORIO": anyPlace, "PAIS": meaningOf(ensemble.Country), "NRP": meaningOf(ensemble.Country),
	"ORG": anyOrg, "ORGANISATION": anyOrg, "COMPANY": anyOrg, "EMPLOYER": anyOrg, "ORGANIZATION": anyOrg, "FACILITY": anyOrg,
	"HOSPITAL": anyOrg, "INSTITUCION": anyOrg, "CENTRO_SALUD": anyOrg,

	"DATE": meaningOf(ensemble.Date), "DATE_TIME": dateTime, "DATE_OF_BIRTH": meaningOf(ensemble.Date), "DOB": meaningOf(ensemble.Date),
	"FECHAS": meaningOf(ensemble.Date), "EDAD_SUJETO_ASISTENCIA": meaningOf(ensemble.Age),

	"PHONE": anyPhone, "PHONE_NUMBER": anyPhone, "NUMERO_TELEFONO": anyPhone, "FAX": anyPhone, "NUMERO_FAX": anyPhone,
	"EMAIL_ADDRESS": meaningOf(ensemble.Email), "CORREO_ELECTRONICO": meaningOf(ensemble.Email),
	"DOMAIN_NAME": meaningOf(ensemble.URL), "IP": meaningOf(ensemble.IPAddr), "IP_ADDRESS": meaningOf(ensemble.IPAddr),

	"ID": anyNumber, "ID_NUM": anyNumber, "OTHER_ID": anyNumber, "IDNUM": anyNumber, "MRN": anyNumber,
	"MEDICAL_RECORD_NUMBER": anyNumber, "US_SSN": anyNumber, "SSN": anyNumber, "HEALTH_PLAN": anyNumber,
	"HEALTHPLAN": anyNumber, "ACCOUNT_NUMBER": anyNumber, "ACCOUNT": anyNumber, "IBAN": anyNumber, "IBAN_CODE": anyNumber,
	"BIC": anyNumber, "CREDIT_CARD": anyNumber, "LICENSE": anyNumber, "US_DRIVER_LICENSE": anyNumber,
	"LICENSE_PLATE": anyNumber, "VIN": anyNumber, "VEHICLE": anyNumber, "DEVICE": anyNumber, "IMEI": anyNumber,
	"BIOMETRIC": anyNumber, "API_KEY": anyNumber, "ID_SUJETO_ASISTENCIA": anyNumber,
	"ID_TITULACION_PERSONAL_SANITARIO": anyNumber, "ID_ASEGURAMIENTO": anyNumber, "ID_CONTACTO_ASISTENCIAL": anyNumber,
	"NUMERO_BENEF_PLAN_SALUD": anyNumber, "IDENTIF_VEHICULOS_NRSERIE_PLACAS": anyNumber,
	"IDENTIF_DISPOSITIVOS_NRSERIE": anyNumber, "IDENTIF_BIOMETRICOS": anyNumber,
	"URL_WEB": meaningOf(ensemble.URL), "DIREC_PROT_INTERNET": meaningOf(ensemble.IPAddr),

	"PROFESION": meaningOf(ensemble.Profession), "OCCUPATION": meaningOf(ensemble.Profession),

	// Marked in their sources, but not PHI for Safe Harbor or not what we look for.
	"PEDIATRIC_AGE": {}, "ROOM": {}, "TITLE": {}, "MEDICATION": {}, "DIAGNOSIS": {}, "CONDITION": {}, "GENDER": {},
	"SEXO_SUJETO_ASISTENCIA": {}, "FAMILIARES_SUJETO_ASISTENCIA": {}, "OTROS_SUJETO_ASISTENCIA": {}, "PHOTO": {},
	"CREDIT_CARD_ISSUER": {}, "AMOUNT": {}, "CURRENCY": {}, "LAB_TEST": {}, "BODY_SITE": {}, "PROCEDURE": {},
	"MISC": {}, "PRODUCT": {}, "CREATIVE-WORK": {},
}

// BuiltinLabels returns the map of the labels of open annotated sets and of our own
// type names. A word that some source uses more widely than we do ("HOSPITAL" for any
// organisation) has the wider meaning.
func BuiltinLabels() Labels {
	m := make(Labels)
	for _, t := range ensemble.Types() {
		m[t.String()] = meaningOf(t)
	}
	maps.Copy(m, sourceLabels)
	return m
}

// ReadLabels reads a map of one "LABEL = TYPE[,TYPE…]" or "LABEL = ignore" a line,
// on top of the built-in one. Empty lines and lines that begin with # are skipped.
// Errors name the line.
func ReadLabels(r io.Reader) (Labels, error) {
	m := maps.Clone(BuiltinLabels())
	sc := bufio.NewScanner(r)
	for n := 1; sc.Scan(); n++ {
		line := strings.TrimSpace(sc.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		label, types, ok := strings.Cut(line, "=")
		if !ok {
			return nil, fmt.Errorf("line %d: want LABEL = TYPE, TYPE or LABEL = ignore", n)
		}
		meaning, err := parseMeaning(types)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		m[strings.ToUpper(strings.TrimSpace(label))] = meaning
	}
	return m, sc.Err()
}

func parseMeaning(s string) (Meaning, error) {
	if strings.EqualFold(strings.TrimSpace(s), "ignore") {
		return Meaning{}, nil
	}
	var list []ensemble.Type
	for name := range strings.SplitSeq(s, ",") {
		t, err := ensemble.ParseType(strings.TrimSpace(name))
		if err != nil {
			return Meaning{}, err
		}
		list = append(list, t)
	}
	return meaningOf(list...), nil
}

// Meaning returns what a label stands for, whatever its case; ok is false for a
// label that the map does not know.
func (l Labels) Meaning(label string) (m Meaning, ok bool) {
	m, ok = l[strings.ToUpper(label)]
	return m, ok
}
