package corpus

import "github.com/pgdeid/pgdeid/ensemble"

var (
	anyName  = MeaningOf(ensemble.Patient, ensemble.Doctor, ensemble.Username)
	anyOrg   = MeaningOf(ensemble.Organization, ensemble.Hospital)
	anyPlace = MeaningOf(ensemble.City, ensemble.Street, ensemble.State, ensemble.Country, ensemble.County,
		ensemble.Zip, ensemble.LocationOther, ensemble.Organization, ensemble.Hospital)
	anyNumber = MeaningOf(ensemble.IDNum, ensemble.SSN, ensemble.MedicalRecord, ensemble.HealthPlan, ensemble.Account,
		ensemble.License, ensemble.Vehicle, ensemble.Device, ensemble.BioID)
	anyPhone = MeaningOf(ensemble.Phone, ensemble.Fax, ensemble.Pager)
	dateTime = MeaningOf(ensemble.Date, ensemble.Time)
)

// sourceLabels are the labels of open annotated sets, in English and Spanish, that are
// coarser or finer than our types.
var sourceLabels = map[string]Meaning{
	"NAME": anyName, "PERSON": anyName, "PER": anyName, "FIRST_NAME": anyName, "LAST_NAME": anyName, "STAFF": anyName,
	"NOMBRE_SUJETO_ASISTENCIA": MeaningOf(ensemble.Patient), "NOMBRE_PERSONAL_SANITARIO": MeaningOf(ensemble.Doctor),
	"USER_NAME": MeaningOf(ensemble.Username),

	"LOCATION": anyPlace, "LOC": anyPlace, "GPE": anyPlace, "ADDRESS": anyPlace, "STREET_ADDRESS": anyPlace,
	"ZIPCODE": MeaningOf(ensemble.Zip), "ZIP_CODE": MeaningOf(ensemble.Zip), "POSTCODE": MeaningOf(ensemble.Zip),
	"CALLE": MeaningOf(ensemble.Street), "TERRITORIO": anyPlace, "PAIS": MeaningOf(ensemble.Country), "NRP": MeaningOf(ensemble.Country),
	"ORG": anyOrg, "ORGANISATION": anyOrg, "COMPANY": anyOrg, "EMPLOYER": anyOrg, "ORGANIZATION": anyOrg, "FACILITY": anyOrg,
	"HOSPITAL": anyOrg, "INSTITUCION": anyOrg, "CENTRO_SALUD": anyOrg, "CORPORATION": anyOrg, "GROUP": anyOrg,

	"DATE": MeaningOf(ensemble.Date), "DATE_TIME": dateTime, "DATE_OF_BIRTH": MeaningOf(ensemble.Date), "DOB": MeaningOf(ensemble.Date),
	"FECHAS": MeaningOf(ensemble.Date), "EDAD_SUJETO_ASISTENCIA": MeaningOf(ensemble.Age),

	"PHONE": anyPhone, "PHONE_NUMBER": anyPhone, "NUMERO_TELEFONO": anyPhone, "FAX": anyPhone, "NUMERO_FAX": anyPhone,
	"EMAIL_ADDRESS": MeaningOf(ensemble.Email), "CORREO_ELECTRONICO": MeaningOf(ensemble.Email),
	"DOMAIN_NAME": MeaningOf(ensemble.URL), "IP": MeaningOf(ensemble.IPAddr), "IP_ADDRESS": MeaningOf(ensemble.IPAddr), "IPADDRESS": MeaningOf(ensemble.IPAddr),

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
	"URL_WEB": MeaningOf(ensemble.URL), "DIREC_PROT_INTERNET": MeaningOf(ensemble.IPAddr),

	"PROFESION": MeaningOf(ensemble.Profession), "OCCUPATION": MeaningOf(ensemble.Profession),

	// Marked in their sources, but not PHI for Safe Harbor or not what we look for.
	"PEDIATRIC_AGE": {}, "ROOM": {}, "DEPARTMENT": {}, "TITLE": {}, "MEDICATION": {}, "DIAGNOSIS": {}, "CONDITION": {}, "GENDER": {},
	"SEXO_SUJETO_ASISTENCIA": {}, "FAMILIARES_SUJETO_ASISTENCIA": {}, "OTROS_SUJETO_ASISTENCIA": {}, "PHOTO": {},
	"CREDIT_CARD_ISSUER": {}, "AMOUNT": {}, "CURRENCY": {}, "LAB_TEST": {}, "BODY_SITE": {}, "PROCEDURE": {},
	"MISC": {}, "PRODUCT": {}, "CREATIVE-WORK": {},
}
