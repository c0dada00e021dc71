package config

import (
	"maps"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// labelMaps translate the labels of public models, by the models' names. What a model
// does not distinguish goes to the type whose surrogates suit it best.
var labelMaps = map[string]map[string]phi.Type{
	"obi/deid_roberta_i2b2": robustDeid,
	"obi/deid_bert_i2b2":    robustDeid,
	"StanfordAIMI/stanford-deidentifier-base": {
		"PATIENT": phi.Patient, "HCW": phi.Doctor, "HOSPITAL": phi.Hospital,
		"VENDOR": phi.Organization, "DATE": phi.Date, "PHONE": phi.Phone, "ID": phi.IDNum,
	},
	"conll03": {
		"PER": phi.Patient, "LOC": phi.LocationOther, "ORG": phi.Organization, "MISC": phi.None,
	},
}

// robustDeid are the labels of Robust DeID, which grouped the types of i2b2 2014.
var robustDeid = map[string]phi.Type{
	"PATIENT": phi.Patient, "STAFF": phi.Doctor, "HOSP": phi.Hospital, "PATORG": phi.Organization,
	"LOC": phi.LocationOther, "AGE": phi.Age, "DATE": phi.Date, "PHONE": phi.Phone,
	"EMAIL": phi.Email, "ID": phi.IDNum, "OTHERPHI": phi.IDNum,
}

// LabelMap returns a built-in label map: labels without their B-, I- and so on, with
// the PHI type, or None for what is no PHI.
func LabelMap(name string) (map[string]phi.Type, bool) {
	m, ok := labelMaps[name]
	return maps.Clone(m), ok
}

// LabelMaps lists the built-in label maps.
func LabelMaps() []string { return slices.Sorted(maps.Keys(labelMaps)) }
