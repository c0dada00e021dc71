package itest

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/internal/document/encoding"

	"github.com/pgdeid/pgdeid/internal/document"
	"github.com/pgdeid/pgdeid/internal/note"
	"github.com/pgdeid/pgdeid/replicator/schema"
)

// pageTables has documents in several rows: HTML in lines, RTF in pieces of a fixed length, and pieces of compressed bytes.
const pageTables = `
create schema ehr;
create table ehr.patient (patient_id int primary key, given text, family text);
create table ehr.page (note_id int, n int, patient_id int not null, html text, primary key (note_id, n));
create table ehr.sheet (note_id int, n int, patient_id int not null, rtf text, primary key (note_id, n));
create table ehr.file (note_id int, n int, patient_id int not null, data bytea, primary key (note_id, n));
insert into ehr.patient select n, 'Thebulon', 'Marksman' from generate_series(1, 3) n;`

const pageMapping = `
tables:
  ehr.patient:
    patient: patient_id
    columns: {patient_id: pseudonym, given: {tells: name.first}, family: {tells: name.last}}
  ehr.page:
    patient: patient_id
    note: {key: note_id, order: n, text: html}
    columns: {note_id: keep, n: keep, patient_id: pseudonym, html: {publish: text, format: html}}
  ehr.sheet:
    patient: patient_id
    note: {key: note_id, order: n, text: rtf, join: none}
    columns: {note_id: keep, n: keep, patient_id: pseudonym, rtf: {publish: text, format: rtf}}
  ehr.file:
    patient: patient_id
    note: {key: note_id, order: n, text: data, join: none}
    columns: {note_id: keep, n: keep, patient_id: pseudonym, data: {publish: text, format: auto, encoding: gzip}}
`

// pagesOf returns the document that the replica's rows of a note make up, and what a person reads in it.
func (r *replication) pagesOf(t *testing.T, id int, table, column, separator string, form note.Form) (whole, text string) {
	t.Helper()
	rows := texts(t, r.dst, fmt.Sprintf("select %s::text from ehr.%s where note_id = %d and %[1]s is not null order by n", column, table, id))
	lines, err := form.OpenLines(rows, separator)
	if err != nil {
		t.Fatalf("the rows of note %d of ehr.%s are no document: %v in %q", id, table, err, rows)
	}
	return strings.Join(rows, separator), lines.Text()
}

// gzipped returns a packed document.
func gzipped(t *testing.T, doc string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write([]byte(doc)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// A document in several rows is searched as a whole, however its rows arrive, and is a document afterwards.
func TestDocumentsInSeveralRows(t *testing.T) {
	t.Parallel()
	r := newReplicationOf(t, newPair(t), pageTables, pageMapping).exactly(t)
	zipped := func(doc string) string { return fmt.Sprintf("%x", gzipped(t, doc)) }
	file := zipped(`{\rtf1\ansi Seen: Marks{\b man}, who slept. ` + strings.Repeat("Lungs clear. ", 9) + `}`)
	do(t, r.src, fmt.Sprintf(`
		insert into ehr.page values (1, 1, 1, '<p>Seen by <b>Marks</b>man,'), (1, 2, 1, 'born <!-- Thebulon'), (1, 3, 1, 'Marksman -->here</p>'), (2, 1, 2, '<p>x</p>');
		insert into ehr.sheet select 1, n, 1, substr(doc, 20 * n - 19, 20) from (values ('{\rtf1\ansi\deff0 Seen by Theb{\b ulon} Marksm{\i an}, who slept.\par}')) d (doc), generate_series(1, 4) n;
		insert into ehr.file select 1, n, 1, substr(doc, 30 * n - 29, 30) from (values ('\x%s'::bytea)) d (doc), generate_series(1, (length(doc) + 29) / 30) n`, file))
	r.run(t, exactDetector(t))
	r.caughtUp(t)
	check := func(what, page, sheet, file string) {
		t.Helper()
		for _, c := range []struct {
			table, column, separator, want string
			form                           note.Form
		}{
			{"page", "html", "\n", page, note.Form{Format: document.HTML}},
			{"sheet", "rtf", "", sheet, note.Form{Format: document.RTF}},
			{"file", "data", "", file, note.Form{Format: document.Auto, Encoding: encoding.Gzip, Bytes: true}},
		} {
			whole, text := r.pagesOf(t, 1, c.table, c.column, c.separator, c.form)
			if !strings.Contains(text, c.want) || marksInText(whole+" "+text, []string{"Marksman", "Thebulon", "Marks", "ulon"}) != nil {
				t.Errorf("%s: the rows of ehr.%s read %q, want %q", what, c.table, text, c.want)
			}
		}
	}
	check("copied", "born here", "who slept.", "who slept.")
	want(t, r.dst, "NULL", "select coalesce(html, 'NULL') from ehr.page where note_id = 1 and n = 3") // its part is in the row before
	do(t, r.src, fmt.Sprintf(`
		delete from ehr.file; insert into ehr.file select 1, n, 1, substr(doc, 30 * n - 29, 30) from (values ('\x%s'::bytea)) d (doc), generate_series(1, 9) n where n %% 2 = 1;
		update ehr.page set html = '<p>Now by Theb<i></i>' where note_id = 1 and n = 1; update ehr.page set html = 'ulon Marksman' where n = 2; update ehr.page set html = 'here</p>' where n = 3`,
		zipped("<html><title>Marksman</title><body>Marks<b>man</b> ate "+strings.Repeat("<p>and slept again</p>", 20)+"</body></html>")))
	do(t, r.src, fmt.Sprintf(`insert into ehr.file select 1, n, 1, substr(doc, 30 * n - 29, 30) from (values ('\x%s'::bytea)) d (doc), generate_series(1, 9) n where n %% 2 = 0;
		delete from ehr.sheet where n > 1; update ehr.sheet set rtf = '{\rtf1 Thebulon ate}'`,
		zipped("<html><title>Marksman</title><body>Marks<b>man</b> ate "+strings.Repeat("<p>and slept again</p>", 20)+"</body></html>")))
	r.caughtUp(t)
	check("followed", "here", " ate", "and slept again")
	want(t, r.dst, "0", "select count(*)::text from deid.quarantine")
	do(t, r.src, "update ehr.sheet set rtf = '{\\rtf1 Thebulon'; delete from ehr.page where note_id = 1 and n = 2")
	r.caughtUp(t)
	want(t, r.dst, "ehr.sheet bad_format", "select string_agg(table_name || ' ' || reason, ', ') from deid.quarantine")
	found := ""
	for _, f := range attention(findingsOf(t, r.cfg)) {
		found += f.Subject + ": " + f.Text + "\n"
	}
	if !strings.Contains(found, "table ehr.sheet column rtf: 1 of 1 values looked at can't be read as rtf join:none") || strings.Contains(found, "ehr.page column") {
		t.Errorf("check says:\n%s", found)
	}
	want(t, r.dst, "0 2", "select count(*) || ' ' || (select count(*) from ehr.page where note_id = 1) from ehr.sheet")
}

// A long note and large documents, in one row and in pieces, pass through bounded memory. With PGDEID_LARGEST set they are the
// largest there are: a note of 100,000 lines and documents of 50 MB, which take minutes.
func TestLargeDocumentsInBoundedMemory(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	lines, paragraphs := 10_000, 40_000
	if os.Getenv("PGDEID_LARGEST") != "" {
		lines, paragraphs = schema.MaxNoteLines, 850_000
	}
	r := newReplicationOf(t, newPair(t), pageTables+`
		create table ehr.letter (note_id int primary key, patient_id int not null, body text);`, pageMapping+`
  ehr.letter:
    patient: patient_id
    columns: {note_id: keep, patient_id: pseudonym, body: {publish: text, format: html}}
`).exactly(t)
	d := startPgdeid(t, nil, "run", "--config", r.cfg.Path)
	r.streaming(t)
	for _, step := range []struct{ name, sql, query string }{
		{
			"lines", fmt.Sprintf(`insert into ehr.page select 7, n, 1, case n when 1 then '<pre>' when %[1]d then 'slept</pre>'
				else 'Lungs clear, heart regular, no edema. Mr. Marks<b>man</b>' end from generate_series(1, %[1]d) n`, lines),
			fmt.Sprintf("select count(*) = %d and not bool_or(html ~ 'Marks|man<') from ehr.page where note_id = 7", lines),
		},
		{
			"one row", fmt.Sprintf(`insert into ehr.letter select 1, 1, '<html><body>' ||
				repeat('<p>Lungs clear, heart <b>regular</b>, no edema today.</p>' || chr(10), %d) || 'Mr. Marks<i>man</i></body></html>'`, paragraphs),
			fmt.Sprintf("select length(body) > 50 * %d and body !~ 'Marks|man<' from ehr.letter", paragraphs),
		},
		{
			"pieces", fmt.Sprintf(`insert into ehr.sheet select 9, n, 1, case n when 1 then '{\rtf1\ansi ' when 1000 then 'man}' else
				repeat('Lungs clear, heart {\b regular}, no edema today.\par' || chr(10), %d) || case n when 999 then 'Mr. Marks' else '' end end
				from generate_series(1, 1000) n`, paragraphs/1000),
			fmt.Sprintf("select count(*) = 1000 and sum(length(rtf)) > 50 * %d and not bool_or(rtf ~ 'Marks|^man') from ehr.sheet where note_id = 9", paragraphs-paragraphs/100),
		},
	} {
		start := time.Now()
		do(t, r.src, step.sql)
		r.caughtUp(t)
		t.Logf("%s: %s, at most %d MB so far", step.name, time.Since(start), d.peakMemory(t)>>20)
		want(t, r.dst, "true", "select v::text from ("+step.query+") q (v)")
	}
	want(t, r.dst, "0", "select count(*)::text from deid.quarantine")
	if peak := d.peakMemory(t); peak > 2<<30 {
		t.Errorf("peak resident memory is %d MB", peak>>20)
	}
}
