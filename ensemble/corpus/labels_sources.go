package corpus

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

var (
	anyName  = MeaningOf(phi.Patient, phi.Doctor, phi.Username)
	anyOrg   = MeaningOf(phi.Organization, phi.Hospital)
	anyPlace = MeaningOf(phi.City, phi.Street, phi.State, phi.Country, phi.County,
		phi.Zip, phi.LocationOther, phi.Organization, phi.Hospital)
	anyNumber = MeaningOf(phi.IDNum, phi.SSN, phi.MedicalRecord, phi.HealthPlan, phi.Account,
		phi.License, phi.Vehicle, phi.Device, phi.BioID)
	anyPhone = MeaningOf(phi.Phone, phi.Fax, phi.Pager)
	dateTime = MeaningOf(phi.Date, phi.Time)
)

// sourceLabels are the labels of open annotated corpora, in English and Spanish, that are coarser
// or finer than our types.
var sourceLabels = map[string]Meaning{
	"NAME": anyName, "PERSON": anyName, "PER": anyName, "FIRST_NAME": anyName, "LAST_NAME": anyName, "STAFF": anyName,
	"NOMBRE_SUJETO_ASISTENCIA": MeaningOf(phi.Patient), "NOMBRE_PERSONAL_SANITARIO": MeaningOf(phi.Doctor),
	"USER_NAME": MeaningOf(phi.Username),

	"LOCATION": anyPlace, "LOC": anyPlace, "GPE": anyPlace, "ADDRESS": anyPlace, "STREET_ADDRESS": anyPlace,
	"ZIPCODE": MeaningOf(phi.Zip), "ZIP_CODE": MeaningOf(phi.Zip), "POSTCODE": MeaningOf(phi.Zip),
	"CALLE": MeaningOf(phi.Street), "TERRITORIO": anyPlace, "PAIS": MeaningOf(phi.Country), "NRP": MeaningOf(phi.Country),
	"ORG": anyOrg, "ORGANISATION": anyOrg, "COMPANY": anyOrg, "EMPLOYER": anyOrg, "ORGANIZATION": anyOrg, "FACILITY": anyOrg,
	"HOSPITAL": anyOrg, "INSTITUCION": anyOrg, "CENTRO_SALUD": anyOrg, "CORPORATION": anyOrg, "GROUP": anyOrg,

	"DATE": MeaningOf(phi.Date), "DATE_TIME": dateTime, "DATE_OF_BIRTH": MeaningOf(phi.Date), "DOB": MeaningOf(phi.Date),
	"FECHAS": MeaningOf(phi.Date), "EDAD_SUJETO_ASISTENCIA": MeaningOf(phi.Age),

	"PHONE": anyPhone, "PHONE_NUMBER": anyPhone, "NUMERO_TELEFONO": anyPhone, "FAX": anyPhone, "NUMERO_FAX": anyPhone,
	"EMAIL_ADDRESS": MeaningOf(phi.Email), "CORREO_ELECTRONICO": MeaningOf(phi.Email),
	"DOMAIN_NAME": MeaningOf(phi.URL), "IP": MeaningOf(phi.IPAddr), "IP_ADDRESS": MeaningOf(phi.IPAddr), "IPADDRESS": MeaningOf(phi.IPAddr),

	"ID": anyNumber, "ID_NUM": anyNumber, "OTHER_ID": anyNumber, "IDNUM": anyNumber, "MRN": anyNumber,
	"MEDICAL_RECORD_NUMBER": anyNumber, "US_SSN": anyNumber, "SSN": anyNumber, "HEALTH_PLAN": anyNumber,
	"HEALTHPLAN": anyNumber, "ACCOUNT_NUMBER": anyNumber, "ACCOUNT": anyNumber, "IBAN": anyNumber, "IBAN_CODE": anyNumber,
	"BIC": anyNumber, "CREDIT_CARD": anyNumber, "LICENSE": anyNumber, "US_DRIVER_LICENSE": anyNumber,
	"LICENSE_PLATE": anyNumber, "VIN": anyNumber, "VEHICLE": anyNumber, "DEVICE": anyNumber, "IMEI": anyNumber,
	"BIOMETRIC": anyNumber, "API_KEY": anyNumber, "ID_SUJETO_ASISTENCIA": anyNumber,
	"ID_TITULACION_PERSONAL_SANITARIO": anyNumber, "ID_ASEGURAMIENTO": anyNumber, "ID_CONTACTO_ASISTENCIAL": anyNumber,
	"ID_EMPLEO_PERSONAL_SANITARIO": anyNumber,
	"NUMERO_BENEF_PLAN_SALUD":      anyNumber, "IDENTIF_VEHICULOS_NRSERIE_PLACAS": anyNumber,
	"IDENTIF_DISPOSITIVOS_NRSERIE": anyNumber, "IDENTIF_BIOMETRICOS": anyNumber,
	"URL_WEB": MeaningOf(phi.URL), "DIREC_PROT_INTERNET": MeaningOf(phi.IPAddr),

	"PROFESION": MeaningOf(phi.Profession), "OCCUPATION": MeaningOf(phi.Profession),

	// Marked in their sources, but not PHI under Safe Harbor, or not detected here.
	"PEDIATRIC_AGE": {}, "ROOM": {}, "DEPARTMENT": {}, "TITLE": {}, "MEDICATION": {}, "DIAGNOSIS": {}, "CONDITION": {}, "GENDER": {},
	"SEXO_SUJETO_ASISTENCIA": {}, "FAMILIARES_SUJETO_ASISTENCIA": {}, "OTROS_SUJETO_ASISTENCIA": {}, "PHOTO": {},
	"CREDIT_CARD_ISSUER": {}, "AMOUNT": {}, "CURRENCY": {}, "LAB_TEST": {}, "BODY_SITE": {}, "PROCEDURE": {},
	"MISC": {}, "PRODUCT": {}, "CREATIVE-WORK": {},
}
