package mapping

import (
	"maps"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble"
)

// labelMaps translate the labels of public models, by the models' names. What a model
// does not tell apart goes to the type whose surrogates suit it best.
var labelMaps = map[string]map[string]ensemble.Type{
	"obi/deid_roberta_i2b2": robustDeid,
	"obi/deid_bert_i2b2":    robustDeid,
	"StanfordAIMI/stanford-deidentifier-base": {
		"PATIENT": ensemble.Patient, "HCW": ensemble.Doctor, "HOSPITAL": ensemble.Hospital,
		"VENDOR": ensemble.Organization, "DATE": ensemble.Date, "PHONE": ensemble.Phone, "ID": ensemble.IDNum,
	},
	"conll03": {
		"PER": ensemble.Patient, "LOC": ensemble.LocationOther, "ORG": ensemble.Organization, "MISC": ensemble.None,
	},
}

// robustDeid are the labels of Robust DeID, which grouped the types of i2b2 2014.
var robustDeid = map[string]ensemble.Type{
	"PATIENT": ensemble.Patient, "STAFF": ensemble.Doctor, "HOSP": ensemble.Hospital, "PATORG": ensemble.Organization,
	"LOC": ensemble.LocationOther, "AGE": ensemble.Age, "DATE": ensemble.Date, "PHONE": ensemble.Phone,
	"EMAIL": ensemble.Email, "ID": ensemble.IDNum, "OTHERPHI": ensemble.IDNum,
}

// LabelMap returns a built-in label map: labels without their B-, I- and so on, with
// the PHI type, or None for what is no PHI.
func LabelMap(name string) (map[string]ensemble.Type, bool) {
	m, ok := labelMaps[name]
	return maps.Clone(m), ok
}

// LabelMaps lists the built-in label maps.
func LabelMaps() []string { return slices.Sorted(maps.Keys(labelMaps)) }
