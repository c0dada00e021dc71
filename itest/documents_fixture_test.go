package itest

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/document/encoding"

	"github.com/pgdeid/pgdeid/internal/document"
	"github.com/pgdeid/pgdeid/internal/note"
)

const letterTable = `
create table ehr.letter (letter_id bigint primary key, patient_id int not null, version int default 1,
	rtf text, html text, answers jsonb, chosen jsonb, packed bytea, coded varchar(100000), message text, summary xml);
alter table ehr.letter alter html set storage external;`

const letterMapping = `  ehr.letter:
    patient: patient_id
    columns:
      letter_id: pseudonym
      patient_id: pseudonym
      version: keep
      rtf: {publish: text, format: rtf}
      html: {publish: text, format: html}
      answers: {publish: text, format: json}
      chosen: {publish: text, format: json, paths: {$.text.div: text, "$.name[*].family": text, $.temperature: keep}}
      packed: {publish: text, format: html, encoding: gzip}
      coded: {publish: text, format: auto, encoding: base64}
      message: {publish: text, format: hl7v2}
      summary: {publish: text, format: cda}
`

// letterForms are the columns with documents.
var letterForms = map[string]note.Form{
	"rtf":     {Format: document.RTF},
	"html":    {Format: document.HTML},
	"answers": {Format: document.JSON},
	"chosen": {Format: document.JSON, Paths: mustSelect(
		document.Path{Path: "$.text.div"}, document.Path{Path: "$.name[*].family"}, document.Path{Path: "$.temperature", Do: document.Keep},
	)},
	"packed":  {Format: document.HTML, Encoding: encoding.Gzip, Bytes: true},
	"coded":   {Format: document.Auto, Encoding: encoding.Base64},
	"message": {Format: document.HL7},
	"summary": {Format: document.CDA},
}

func mustSelect(paths ...document.Path) *document.Selection {
	s, err := document.Select(paths)
	if err != nil {
		panic(err)
	}
	return s
}

// letterColumns returns their names in order.
func letterColumns() []string {
	names := make([]string, 0, len(letterForms))
	for name := range letterForms {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Documents with the patient's names (%[1]s and %[2]s, and %[3]s with its letters written otherwise in each) in every corner.
const (
	letterRTF = `{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fswiss Arial;}}{\info{\title About %[1]s}{\author %[2]s}}
\pard\f0\fs20 Dear {\b %[2]s}, this is about Mr. %[3]s, MRN MR-4711, born 02/03/1950.\par
{\*\comment by %[2]s}{\v hidden %[2]s}
\trowd\cellx1000\cellx2000\intbl Patient\cell %[1]s %[2]s\cell\row
\pard He {\field{\*\fldinst HYPERLINK "http://ehr/%[2]s"}{\fldrslt ate well}} and slept.\par}`
	letterHTML = `<!DOCTYPE html><!-- for %[2]s --><html><head><title>%[1]s %[2]s</title><meta name="author" content="%[2]s"></head><body>
<h1 title="%[2]s">Letter</h1><p class="x">Dear Mr. %[3]s, MRN <b>MR-</b>4711, born 02/03/1950.</p><p style="display: none">%[2]s</p>
<table border="1"><tr><th>Patient</th><td>%[1]s</td><td>%[2]s</td></tr></table>
<script>var name = "%[2]s"</script>
<img src="%[2]s.png" alt="%[1]s %[2]s"> He <a href="mailto:%[2]s@example.org">ate</a> well &amp; slept.</body></html>`
	letterJSON = `{"name": [{"given": ["%[1]s"], "family": "%[2]s"}], "mrn": "MR-4711", "ssn": 123456789, "born": "02/03/1950",
"text": {"div": "<p>Mr. %[3]s ate well.</p>"}, "temperature": 37.50, "beds": 12, "smokes": false, "more": [null, {}, [], "slept"]}`
	letterHL7 = "MSH|^~\\&|LAB|%[1]s %[2]s|EHR|X|20210304||ORU^R01|1|P|2.5\rPID|1||MR-4711||%[2]s^%[1]s||19500203|M\r" +
		"OBR|1|||NOTE^Note\rOBX|1|TX|NOTE^Note||Mr. %[2]s ate well and slept.||||||F\rNTE|1||Dear Mr. %[3]s, MRN MR-4711\r"
	letterCDA = `<ClinicalDocument xmlns="urn:hl7-org:v3"><!-- %[2]s --><typeId root="2.16.840.1.113883.1.3" extension="POCD_HD000040"/>
<title>Letter about %[1]s %[2]s</title><recordTarget><patientRole><id extension="MR-4711" root="1.2.3"/>
<patient><name><given>%[1]s</given><family>%[2]s</family></name><birthTime value="19500203"/></patient></patientRole></recordTarget>
<component><structuredBody><component><section><title>Note</title><text><table><tbody><tr><td>%[1]s</td><td>%[2]s</td></tr></tbody></table>
<paragraph>Mr. %[3]s, MRN <content styleCode="Bold">MR-</content>4711, born 02/03/1950, ate well and slept.</paragraph></text>
</section></component></structuredBody></component></ClinicalDocument>`
)

// letter returns the documents of a letter as PostgreSQL reads them.
func letter(t *testing.T, given, family string) map[string]string {
	t.Helper()
	fill := func(doc, other string) string { return fmt.Sprintf(doc, given, family, other) }
	head, tail := family[:2], family[2:]
	rtf := fill(letterRTF, head+`{\i `+tail+`}`)
	html := fill(letterHTML, fmt.Sprintf("&#%d;%s<i>%s</i>", head[0], head[1:], tail))
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte(html)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return map[string]string{
		"rtf": rtf, "html": html, "answers": fill(letterJSON, fmt.Sprintf(`\u%04x%s`, head[0], head[1:]+tail)),
		"chosen": fill(letterJSON, head+tail),
		"packed": `\x` + hex.EncodeToString(packed.Bytes()), "coded": base64.StdEncoding.EncodeToString([]byte(rtf)),
		"message": fill(letterHL7, head+`\H\`+tail+`\N\`),
		"summary": fill(letterCDA, fmt.Sprintf(`&#%d;%s<content>%s</content>`, head[0], head[1:], tail)),
	}
}

// writeLetter writes a row of ehr.letter.
func (r *replication) writeLetter(t *testing.T, id, patient int, docs map[string]string) {
	t.Helper()
	columns := letterColumns()
	values, set := make([]string, len(columns)), make([]string, len(columns))
	args := []any{id, patient}
	for i, c := range columns {
		args = append(args, docs[c])
		values[i] = fmt.Sprintf("nullif($%d::text, '')", len(args))
		values[i] += map[string]string{"packed": "::bytea", "answers": "::jsonb", "chosen": "::jsonb", "summary": "::xml"}[c]
		set[i] = c + " = excluded." + c
	}
	_, err := r.src.Exec(t.Context(), fmt.Sprintf(`insert into ehr.letter (letter_id, patient_id, %s) values ($1, $2, %s)
		on conflict (letter_id) do update set %s`,
		strings.Join(columns, ", "), strings.Join(values, ", "), strings.Join(set, ", ")), args...)
	if err != nil {
		t.Fatal(err)
	}
}

func (r *replication) letterKey(id int64) string {
	return fmt.Sprint(r.key.PseudonymInt("letter_id", id))
}

// letter returns what the replica has in a column of a letter.
func (r *replication) letter(t *testing.T, id int64, column string) string {
	t.Helper()
	return one(t, r.dst, "select "+column+"::text from ehr.letter where letter_id = $1::text::bigint", r.letterKey(id))
}
