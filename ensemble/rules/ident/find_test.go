package ident_test

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/rules/ident"
	"github.com/pgdeid/pgdeid/ensemble/rules/rulestest"
)

var types = []phi.Type{
	phi.SSN, phi.MedicalRecord, phi.HealthPlan, phi.Account, phi.License, phi.Vehicle, phi.Device, phi.BioID, phi.IDNum, phi.Username,
}

func TestFind(t *testing.T) {
	t.Parallel()
	rulestest.Conform(t, ident.Find, "MRN: 123456, card 4111 1111 1111 1111", types...)
}

func FuzzFind(f *testing.F) { rulestest.Fuzz(f, ident.Find, types...) }
