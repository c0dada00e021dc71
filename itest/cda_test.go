package itest

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/document/encoding"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/document"
	"github.com/pgdeid/pgdeid/internal/document/cdatest"
)

const cdaTables = `
create schema ehr;
create table ehr.patient (patient_id int primary key, name text, mrns text, phones text, born text, guardian text);
create table ehr.address (address_id serial primary key, patient_id int, street text, city text, zip text);
create table ehr.staff (staff_id serial primary key, name text);
create table ehr.site (site_id serial primary key, name text);
create table ehr.summary (summary_id int primary key, patient_id int not null, packed bytea, doc xml);`

const cdaMapping = `
tables:
  ehr.patient:
    patient: patient_id
    columns:
      patient_id: pseudonym
      name: {tells: name.full}
      mrns: {tells: mrn, separator: ";"}
      phones: {tells: phone, separator: ";"}
      born: {tells: birth_date}
      guardian: {tells: relative.name}
  ehr.address:
    patient: patient_id
    columns: {street: {tells: street}, city: {tells: city}, zip: {tells: zip}}
  ehr.staff:
    patient: none
    columns: {name: {tells: provider.name}}
  ehr.site:
    patient: none
    columns: {name: {tells: facility}}
  ehr.summary:
    patient: patient_id
    columns: {summary_id: keep, patient_id: pseudonym, packed: {publish: text, format: cda, encoding: gzip}, doc: {publish: text, format: cda}}
`

// cdaEvery is of how many samples one is taken.
const cdaEvery = 6

// Clinical documents keep the order of their schema, and nothing of what identifies anybody in their headers comes out, in no
// attribute, text or paragraph.
func TestReplicateClinicalDocuments(t *testing.T) {
	t.Parallel()
	var samples []cdatest.Sample
	for i, s := range cdatest.Read(t, cdatest.Folder(t)) {
		if i%cdaEvery == 0 {
			samples = append(samples, s)
		}
	}
	r := newReplicationOf(t, newPair(t), cdaTables, cdaMapping).exactly(t)
	half := len(samples) / 2
	r.fillDocuments(t, samples[:half], 0)
	r.run(t, exactDetector(t))
	r.caughtUp(t)
	r.fillDocuments(t, samples[half:], half)
	r.caughtUp(t)
	want(t, r.dst, "", "select coalesce(string_agg(distinct reason, ' '), '') from deid.quarantine")
	rows, err := r.dst.Query(t.Context(), "select summary_id, encode(packed, 'hex'), doc::text from ehr.summary order by 1")
	if err != nil {
		t.Fatal(err)
	}
	var n, seen int
	var packed, doc string
	_, err = pgx.ForEachRow(rows, []any{&n, &packed, &doc}, func() error {
		data, err := hex.DecodeString(packed)
		if err != nil {
			return err
		}
		if data, _, err = encoding.Decode(encoding.Gzip, data); err != nil {
			return err
		}
		seen++
		checkDocument(t, samples[n], data)
		checkDocument(t, samples[n], []byte(doc))
		return nil
	})
	if err != nil || seen != len(samples) {
		t.Errorf("%d documents of %d, %v", seen, len(samples), err)
	}
	t.Logf("%d documents", seen)
}

// fillDocuments writes samples, and what their headers say of patients, staff and sites.
func (r *replication) fillDocuments(t *testing.T, samples []cdatest.Sample, first int) {
	t.Helper()
	batch := &pgx.Batch{}
	for i, s := range samples {
		n, h := first+i, s.Header
		batch.Queue("insert into ehr.patient values ($1, $2, $3, $4, $5, $6)", n, h.Patient, strings.Join(h.IDs, ";"), strings.Join(h.Telecom, ";"), h.Birth, h.Guardian)
		for _, a := range h.Address {
			batch.Queue("insert into ehr.address (patient_id, street, city, zip) values ($1, $2, $3, $4)", n, a["streetAddressLine"], a["city"], a["postalCode"])
		}
		for _, name := range h.Persons {
			batch.Queue("insert into ehr.staff (name) values ($1)", name)
		}
		for _, name := range append(slices.Clone(h.Organizations), h.Organization) {
			batch.Queue("insert into ehr.site (name) values ($1)", name)
		}
		batch.Queue("insert into ehr.summary values ($1, $1, $2, $3)", n, gzipped(t, string(s.Document())), string(s.Document()))
	}
	if err := r.src.SendBatch(t.Context(), batch).Close(); err != nil {
		t.Fatal(err)
	}
}

// identifiesNobody has what headers hold in the place of an identifier: a constant of the standard, what a system writes where
// it knows no name, names of departments.
func identifiesNobody(value string) bool {
	return value == "POCD_HD000040" || value == "No data" || strings.HasSuffix(value, " Surgery")
}

// checkDocument compares a published document with its sample.
func checkDocument(t *testing.T, s cdatest.Sample, published []byte) {
	t.Helper()
	if _, err := document.Parse(document.CDA, published); err != nil {
		t.Errorf("%s: %v", s.ID, err)
		return
	}
	before, after := cdatest.Outline(s.Document()), cdatest.Outline(published)
	if !cdatest.Within(after, before) || len(after) < 10 {
		t.Errorf("%s: %d elements of %d, or in another order", s.ID, len(after), len(before))
	}
	_, identifiers := cdatest.Written(s.Document())
	texts, _ := cdatest.Written(published)
	all := strings.Join(texts, "\n")
	for _, value := range identifiers {
		if len(value) > 3 && !identifiesNobody(value) && (len(value) > 5 && strings.Contains(all, value) || slices.Contains(texts, value)) {
			t.Errorf("%s: an identifier of the header is left: %s", s.ID, fmt.Sprintf("%q", value))
		}
	}
}
