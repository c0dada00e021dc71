package onnx

import (
	"maps"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble"
)

// presets are the labels of well-known public models, as their config.json and their
// cards list them, and the types they come nearest to.
var presets = map[string]map[string]ensemble.Type{
	// obi/deid_roberta_i2b2 and obi/deid_bert_i2b2: eleven labels, BILOU, trained on
	// i2b2 2014 whose categories they merge (card: "STAFF", "PATORG", ...).
	"obi-deid-i2b2": {
		"AGE": ensemble.Age, "DATE": ensemble.Date, "EMAIL": ensemble.Email, "HOSP": ensemble.Hospital,
		"ID": ensemble.IDNum, "LOC": ensemble.LocationOther, "OTHERPHI": ensemble.IDNum, "PATIENT": ensemble.Patient,
		"PATORG": ensemble.Organization, "PHONE": ensemble.Phone, "STAFF": ensemble.Doctor,
	},
	// StanfordAIMI/stanford-deidentifier-base, -v2, -only-radiology-reports and
	// -with-radiology-reports-and-i2b2: plain labels without prefix.
	"stanford-deidentifier": {
		"VENDOR": ensemble.Organization, "DATE": ensemble.Date, "HCW": ensemble.Doctor, "HOSPITAL": ensemble.Hospital,
		"ID": ensemble.IDNum, "PATIENT": ensemble.Patient, "PHONE": ensemble.Phone,
	},
	// Models trained on the CoNLL-2003 shared task, such as dslim/bert-base-NER. A
	// miscellaneous entity (a nationality, a work, an event) is no PHI.
	"conll03": {
		"PER": ensemble.Patient, "LOC": ensemble.LocationOther, "ORG": ensemble.Organization, "MISC": ensemble.None,
	},
}

// Preset returns a copy of the label map of a public model, for [ModelOptions].
func Preset(name string) (map[string]ensemble.Type, bool) {
	labels, ok := presets[name]
	return maps.Clone(labels), ok
}

// PresetNames lists the presets in order.
func PresetNames() []string { return slices.Sorted(maps.Keys(presets)) }
