package document

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// samples returns the folder of clinical documents in the open data.
func samples(t *testing.T) string {
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

// patientSample is what is known of a clinical document: who is in its header, and its text.
type patientSample struct {
	ID     string
	Header struct {
		IDs, Telecom, Persons, Organizations         []string
		Patient, Birth, Date, Organization, Guardian string
		Address                                      []map[string]string
	}
	Narrative string
}

// readSamples returns the lines of the files of samples in a folder.
func readSamples(t *testing.T, folder string) []patientSample {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	var all []patientSample
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		unpacked, err := gzip.NewReader(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(unpacked)
		lines.Buffer(nil, 16<<20)
		for lines.Scan() {
			var s patientSample
			if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
				t.Fatal(err)
			}
			all = append(all, s)
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
		_ = file.Close()
	}
	return all
}

// document returns a clinical document with what is known of a sample.
func (s patientSample) document() []byte {
	var d strings.Builder
	escaped := func(text string) string {
		var e strings.Builder
		_ = xml.EscapeText(&e, []byte(text))
		return e.String()
	}
	line := func(form string, values ...any) {
		for i := range values {
			values[i] = escaped(fmt.Sprint(values[i]))
		}
		fmt.Fprintf(&d, form, values...)
	}
	line(`<ClinicalDocument xmlns="urn:hl7-org:v3"><id root="%s"/><effectiveTime value="%s"/><recordTarget><patientRole>`, s.ID,
		s.Header.Date)
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
		line(`<author><time value="%s"/><assignedAuthor><assignedPerson><name>%s</name></assignedPerson></assignedAuthor></author>`,
			s.Header.Date, name)
	}
	line(`<component><structuredBody><component><section><text>`)
	for text := range strings.Lines(s.Narrative) {
		line(`<paragraph>%s</paragraph>`, text)
	}
	line(`</text></section></component></structuredBody></component></ClinicalDocument>`)
	return []byte(d.String())
}

// written returns the values of attributes and the text of a document, as another parser reads them, and those of them
// that are in elements of a list or are values of identifying attributes.
func written(t *testing.T, document []byte) (all, identifiers []string) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(string(document)))
	within := 0
	for {
		token, err := decoder.Token()
		if err != nil {
			return all, identifiers
		}
		switch e := token.(type) {
		case xml.StartElement:
			if within > 0 || e.Name.Local == "name" || e.Name.Local == "addr" {
				within++
			}
			for _, a := range e.Attr {
				all = append(all, a.Value)
				if identifies(e.Name.Local, a.Name.Local) {
					identifiers = append(identifiers, a.Value)
				}
			}
		case xml.EndElement:
			within = max(0, within-1)
		case xml.CharData:
			text := strings.TrimSpace(string(e))
			all = append(all, text)
			if within > 0 {
				identifiers = append(identifiers, text)
			}
		}
	}
}

// identifies reports whether an attribute of the header holds what identifies somebody.
func identifies(element, attribute string) bool {
	switch element {
	case "id", "setId":
		return attribute == "extension"
	case "telecom", "birthTime", "effectiveTime", "time":
		return attribute == "value"
	}
	return false
}

// withoutText returns a document with other text in the place of all that it shows.
func withoutText(t *testing.T, d *Document) []byte {
	t.Helper()
	var edits []Edit
	for _, piece := range pieces(d) {
		edits = append(edits, Edit{piece[0], piece[1], "-"})
	}
	return replaced(t, d, edits)
}

func verifySample(t *testing.T, name string, input []byte) {
	t.Helper()
	d, err := Parse(CDA, input)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	out := replaced(t, d, nil)
	if !wellFormed(out) {
		t.Errorf("%s is broken by replacing nothing", name)
	}
	if before, after := outline(t, d.raw, opaque), outline(t, out, opaque); !isWithin(after, before) {
		t.Errorf("%s: the order of elements is another", name)
	}
	rest, _ := written(t, withoutText(t, d))
	left := strings.Join(rest, "\n")
	_, identifiers := written(t, d.raw)
	for _, value := range identifiers {
		if len(value) > 3 && value != fixedExtension && (len(value) > 5 && strings.Contains(left, value) || slices.Contains(rest, value)) {
			t.Errorf("%s: an identifier of the header is left, of %d characters", name, len(value))
		}
	}
}

// isWithin reports whether all names of a list are in another one, in the same order.
func isWithin(names, all []string) bool {
	for _, name := range all {
		if len(names) > 0 && names[0] == name {
			names = names[1:]
		}
	}
	return len(names) == 0
}

func TestSamplesOfCDA(t *testing.T) {
	t.Parallel()
	folder := samples(t)
	known := readSamples(t, folder)
	for i, s := range known {
		verifySample(t, s.ID, s.document())
		if i%50 == 0 {
			verify(t, CDA, s.document(), uint64(i))
		}
	}
	documents := 0
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.EqualFold(filepath.Ext(path), ".xml") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil || !beginsCDA(data) {
			return err
		}
		documents++
		verifySample(t, path, data)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d documents written from samples, %d documents as they are", len(known), documents)
	if len(known)+documents == 0 {
		t.Error("the folder has no samples")
	}
}
