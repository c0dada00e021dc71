package document

import (
	"testing"
)

func TestWhatIsTakenForXML(t *testing.T) {
	t.Parallel()
	const root = `ClinicalDocument xmlns="urn:hl7-org:v3"/>`
	for _, c := range []struct {
		input string
		want  Format
	}{
		{"<?xml version='1.0'?><a>b</a>", XML},
		{"\ufeff<?xml version='1.0'?>\n<a>b</a>", XML},
		{"\xff\xfe<\x00?\x00x\x00m\x00l\x00 \x00v\x00e\x00r\x00s\x00i\x00o\x00n\x00=" +
			"\x00'\x001\x00.\x000\x00'\x00?\x00>\x00<\x00a\x00/\x00>\x00", XML},
		{"<" + root, CDA},
		{"<?xml version='1.0'?>\n<!-- x --><" + root, CDA},
		{`<cda:ClinicalDocument xmlns:cda="urn:hl7-org:v3"/>`, CDA},
		{"<a>b</a>", Plain},
		{"a <" + root, Plain},
		{"<?xmlish?>", Plain},
	} {
		if got := reads(t, Auto, c.input).Kind(); got != c.want {
			t.Errorf("%q is %s, want %s", c.input, got, c.want)
		}
	}
	for _, input := range []string{"<?xml version='1.0'?><a>b", "<ClinicalDocument>", "<?xml version='1.0' encoding='EBCDIC'?><a/>"} {
		if d, err := Parse(Auto, []byte(input)); err == nil {
			t.Errorf("%q is read as %s", input, d.Kind())
		}
	}
}
