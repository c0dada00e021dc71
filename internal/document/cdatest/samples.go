// Package cdatest has clinical documents of the open data, for tests.
package cdatest

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Folder returns the folder of clinical documents in the open data, and skips the test where there is none.
func Folder(t testing.TB) string {
	t.Helper()
	folder := filepath.Join(os.Getenv("PGDEID_DATA"), "ccda-samples")
	if os.Getenv("PGDEID_DATA") == "" {
		t.Skip("PGDEID_DATA is not set: it names the folder of the open data, with ccda-samples in it")
	}
	if _, err := os.Stat(folder); err != nil {
		t.Skip("the folder that PGDEID_DATA names has no ccda-samples")
	}
	return folder
}

// Sample is what is known of a clinical document: who is in its header, and its text.
type Sample struct {
	ID     string
	Header struct {
		IDs, Telecom, Persons, Organizations         []string
		Patient, Birth, Date, Organization, Guardian string
		Address                                      []map[string]string
	}
	Narrative string
}

// Read returns the lines of the files of samples in a folder.
func Read(t testing.TB, folder string) []Sample {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	var all []Sample
	for _, name := range files {
		all = append(all, readFile(t, name)...)
	}
	return all
}

func readFile(t testing.TB, name string) []Sample {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var all []Sample
	lines := bufio.NewScanner(unpacked)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var s Sample
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// Document returns a clinical document with what is known of a sample, in the order of the schema.
func (s Sample) Document() []byte {
	var d strings.Builder
	line := func(form string, values ...any) {
		for i := range values {
			var e strings.Builder
			_ = xml.EscapeText(&e, []byte(fmt.Sprint(values[i])))
			values[i] = e.String()
		}
		fmt.Fprintf(&d, form, values...)
	}
	line(`<ClinicalDocument xmlns="urn:hl7-org:v3"><typeId root="2.16.840.1.113883.1.3" extension="POCD_HD000040"/><id root="%s"/>`, s.ID)
	line(`<code code="34133-9" codeSystem="2.16.840.1.113883.6.1"/><title>Summary</title><effectiveTime value="%s"/>`, s.Header.Date)
	line(`<confidentialityCode code="N" codeSystem="2.16.840.1.113883.5.25"/><recordTarget><patientRole>`)
	for _, id := range s.Header.IDs {
		line(`<id root="1.2.3" extension="%s"/>`, id)
	}
	for _, address := range s.Header.Address {
		line(`<addr>`)
		for name, value := range address {
			line(`<%s>%s</%s>`, name, value, name)
		}
		line(`</addr>`)
	}
	for _, number := range s.Header.Telecom {
		line(`<telecom value="%s"/>`, number)
	}
	line(`<patient><name>%s</name><birthTime value="%s"/><guardian><guardianPerson><name>%s</name></guardianPerson></guardian></patient>`,
		s.Header.Patient, s.Header.Birth, s.Header.Guardian)
	line(`<providerOrganization><name>%s</name></providerOrganization></patientRole></recordTarget>`, s.Header.Organization)
	for _, name := range slices.Concat(s.Header.Persons, s.Header.Organizations) {
		line(`<author><time value="%s"/><assignedAuthor><id nullFlavor="NI"/><assignedPerson><name>%s</name></assignedPerson></assignedAuthor></author>`,
			s.Header.Date, name)
	}
	line(`<custodian><assignedCustodian><representedCustodianOrganization><id nullFlavor="NI"/><name>%s</name>`, s.Header.Organization)
	line(`</representedCustodianOrganization></assignedCustodian></custodian><component><structuredBody><component><section><text>`)
	for text := range strings.Lines(s.Narrative) {
		line(`<paragraph>%s</paragraph>`, text)
	}
	line(`</text></section></component></structuredBody></component></ClinicalDocument>`)
	return []byte(d.String())
}
