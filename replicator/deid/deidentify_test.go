package deid

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

func TestHashOfATextCoversTheDirectory(t *testing.T) {
	s := keyedRegister(t)
	p := &patient.Patient{Pseudonym: "9", Ledger: &patient.Ledger{}}
	a := patient.NewDirectory(s.Key, record.Record{record.ProviderName: {"Ada Grizzlewood"}}, nil, patient.DirectoryState{})
	b := patient.NewDirectory(s.Key, record.Record{record.ProviderName: {"Ada Grizzlewood", "Bo Quill"}}, a, patient.DirectoryState{})
	d := &Deidentifier{Reg: s, key: s.Key}
	if string(d.hashText(p, a, "text", nil)) == string(d.hashText(p, b, "text", nil)) {
		t.Error("a text counts as up to date with a directory that knows more")
	}
}

// However many rows of a transaction are about a patient, the record is read once.
func TestRecordIsForgottenOnceInATransaction(t *testing.T) {
	r := &Resolver{Lookups: &patient.Lookups{Register: &patient.Register{Cache: patient.NewCache(1 << 20)}}}
	for tx := range uint32(3) {
		for range 1000 {
			r.forgetRecord(tx, "1")
			r.forgetRecord(tx, "2")
		}
	}
	if r.Cache.Generation() != 6 {
		t.Errorf("%d times", r.Cache.Generation())
	}
	r.forgetRecord(3, "")
	r.forgetRecord(3, "1")
	r.forgetRecord(3, "")
	if r.Cache.Generation() != 7 {
		t.Errorf("%d times after all were forgotten", r.Cache.Generation())
	}
}

// keyedRegister returns a register that has a key and nothing else.
func keyedRegister(t testing.TB) *patient.Register {
	t.Helper()
	key := schematest.Key(t)
	return &patient.Register{Key: key, Seals: vault.NewSeals(key)}
}
