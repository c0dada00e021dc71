package deid

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/schema"
)

// benchObservation is a resource as servers have most of.
const benchObservation = `{"resourceType": "Observation", "id": "obs-%d", "meta": {"versionId": "1", "lastUpdated": "2021-03-15T10:11:12Z"}, "status": "final",
 "category": [{"coding": [{"system": "http://terminology.hl7.org/CodeSystem/observation-category", "code": "vital-signs", "display": "Vital Signs"}]}],
 "code": {"coding": [{"system": "http://loinc.org", "code": "8867-4", "display": "Heart rate"}], "text": "Heart rate"},
 "subject": {"reference": "Patient/pat-1"}, "encounter": {"reference": "Encounter/enc-1"}, "effectiveDateTime": "2021-03-15T10:11:12+01:00",
 "issued": "2021-03-15T10:11:12.345Z", "performer": [{"reference": "Practitioner/dr-1", "display": "Dr. Hartwigsen"}],
 "valueQuantity": {"value": 80.5, "unit": "/min", "system": "http://unitsofmeasure.org", "code": "/min"}%s}`

func benchmarkResources(b *testing.B, detector Detector, note string) {
	b.Helper()
	file := filepath.Join(b.TempDir(), "config.yaml")
	err := os.WriteFile(file, []byte(`version: 1
source: {dsn: "host=localhost dbname=ehr"}
replica: {dsn: "host=localhost dbname=research"}
key_file: key
patient_key: text
tables:
  fhir.observation:
    patient: {column: resource, path: $.subject.reference}
    columns: {id: pseudonym, resource: {fhir: Observation}}
`), 0o600)
	if err != nil {
		b.Fatal(err)
	}
	cfg, err := config.Load(file)
	if err != nil {
		b.Fatal(err)
	}
	d := testDeidentifier(b)
	d.Detector, d.timeout = detector, time.Minute
	table := &schema.Table{Table: &cfg.Tables[0], ID: "fhir.observation", Key: []int{0}, Publish: []int{0, 1}, Texts: []int{1}, Via: -1}
	for i := range cfg.Tables[0].Columns {
		col := schema.Column{Column: cfg.Tables[0].Columns[i], Typ: []string{"text", "jsonb"}[i]}
		col.Describe(cfg, table)
		table.Columns = append(table.Columns, col)
	}
	doc := fmt.Sprintf(benchObservation, 1, note)
	p := quarkstein()
	b.SetBytes(int64(len(doc)))
	for b.Loop() {
		it := RowItem(&schema.Change{Op: schema.InsertOp, Table: table, Row: present("obs-1", doc)})
		it.Patient = p
		if d.Deidentify(b.Context(), it); it.Out.Reason != "" {
			b.Fatal(it.Out.Reason)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "resources/s")
}

// How many resources one worker publishes in a second: with a note that nothing is found in, so that it is the paths that count, and
// with the exact rules.
func BenchmarkResources(b *testing.B) {
	note := `, "note": [{"text": "` + strings.Repeat("Mr. Quarkstein was calm and slept well, pulse regular. ", 4) + `"}]`
	exact, err := ensemble.Default()
	if err != nil {
		b.Fatal(err)
	}
	b.Run("values", func(b *testing.B) { benchmarkResources(b, finds("nobody"), "") })
	b.Run("notes", func(b *testing.B) { benchmarkResources(b, finds("nobody"), note) })
	b.Run("rules", func(b *testing.B) { benchmarkResources(b, exact, note) })
}
