package itest

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/document"
	"github.com/pgdeid/pgdeid/internal/document/encoding"
	"github.com/pgdeid/pgdeid/internal/note"
	"github.com/pgdeid/pgdeid/replicator/admin"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/sql/finding"
)

// letterNames and letterMarks must not be in the replica in any writing. The numbers could be in statistics by chance.
var (
	letterNames = []string{"ebulon", "arkstein", "ttilie", "ampfler"}
	letterMarks = append([]string{"4711", "4712", "123456789", "02/03/1950", "19500203"}, letterNames...)
)

// checkLetter checks one published letter against its documents in the source.
func (r *replication) checkLetter(t *testing.T, id int64, docs map[string]string) {
	t.Helper()
	for _, column := range letterColumns() {
		form, value := letterForms[column], r.letter(t, id, column)
		published, err := form.Open(value)
		if err != nil {
			t.Errorf("letter %d, %s: %v", id, column, err)
			continue
		}
		raw := unwrapped(t, form, value)
		if found := append(marksInText(raw, letterMarks), marksInText(published.Text(), letterMarks)...); len(found) > 0 {
			t.Errorf("letter %d, %s: %v in %s", id, column, found, raw)
		}
		if text := published.Text(); !strings.Contains(text, "ate") && !strings.Contains(text, "slept") {
			t.Errorf("letter %d, %s: the text is gone: %s", id, column, text)
		}
		if got, want := skeleton(raw), skeleton(stripped(t, form, docs[column])); got != want && form.Format != document.JSON {
			t.Errorf("letter %d, %s: the structure is\n%s\nwas\n%s", id, column, got, want)
		}
	}
	if got, want := shape(t, r.letter(t, id, "answers")), shape(t, docs["answers"]); got != want {
		t.Errorf("letter %d: the answers have the shape\n%s\nhad\n%s", id, got, want)
	}
	named := `{"name": [{"family": ""}], "temperature": 37.50, "text": {"div": ""}}`
	if got, want := shape(t, r.letter(t, id, "chosen")), shape(t, named); got != want {
		t.Errorf("letter %d: what paths name is\n%s\nwant\n%s", id, got, want)
	}
}

// unwrapped returns the document in a value, by other means than those of the package that wrote it.
func unwrapped(t *testing.T, f note.Form, value string) string {
	t.Helper()
	switch {
	case f.Bytes:
		data, err := hex.DecodeString(strings.TrimPrefix(value, `\x`))
		if err != nil {
			t.Fatal(err)
		}
		r, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		doc, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		return string(doc)
	case f.Encoding == encoding.Base64:
		data, err := base64.StdEncoding.DecodeString(value)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	return value
}

// stripped returns a document of the source as it is published where nothing in it is PHI.
func stripped(t *testing.T, f note.Form, value string) string {
	t.Helper()
	d, err := document.Parse(f.Format, []byte(unwrapped(t, f, value)))
	if err != nil {
		t.Fatal(err)
	}
	out, err := d.Replace(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

var (
	markup    = regexp.MustCompile(`<[^>]*>|\\[a-z]+-?[0-9]*|[{}]`)
	delimiter = regexp.MustCompile(`(?m)^[A-Z0-9]{3}\||[|^~&\r]`)
)

// skeleton returns the markup of a document, or the segments and fields of a message.
func skeleton(doc string) string {
	of := markup
	if strings.HasPrefix(doc, "MSH") {
		of = delimiter
	}
	return strings.Join(of.FindAllString(doc, -1), "")
}

// shape returns JSON with every string and every long number made the same.
func shape(t *testing.T, doc string) string {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(doc))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	var level func(v any) any
	level = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			for k := range v {
				v[k] = level(v[k])
			}
		case []any:
			for i := range v {
				v[i] = level(v[i])
			}
		case string:
			return "text"
		case json.Number:
			if len(v) > 4 && !strings.Contains(string(v), ".") {
				return "text" // a number that identifies becomes a string where its surrogate is no number
			}
		}
		return v
	}
	data, err := json.MarshalIndent(level(v), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Documents are published as documents, from the first copy and from the stream, without what identifies in any corner of them.
func TestReplicateDocuments(t *testing.T) {
	t.Parallel()
	r := newReplicationOf(t, newPair(t), ward+letterTable, wardTables+letterMapping)
	do(t, r.src, patients)
	first, second := letter(t, "Zebulon", "Quarkstein"), letter(t, "Ottilie", "Wampfler")
	r.writeLetter(t, 1, 1, first)
	r.writeLetter(t, 2, 2, second)
	run := r.run(t, nil)
	r.caughtUp(t)
	r.checkLetter(t, 1, first)
	r.checkLetter(t, 2, second)

	r.writeLetter(t, 3, 1, first) // inserted
	r.writeLetter(t, 4, 1, map[string]string{"rtf": first["rtf"]})
	r.writeLetter(t, 2, 2, map[string]string{"html": second["html"]}) // and updated
	do(t, r.src, "update ehr.letter set version = 2 where letter_id = 1")
	r.caughtUp(t)
	r.checkLetter(t, 1, first) // its html is out of line and not in the stream
	r.checkLetter(t, 3, first)
	want(t, r.dst, "bytea,jsonb,text,xml", `select string_agg(distinct data_type, ',' order by data_type) from information_schema.columns
		where table_schema = 'ehr' and table_name = 'letter' and column_name = any('{rtf,html,answers,chosen,packed,coded,message,summary}')`)
	want(t, r.dst, "text html gzip", "select policy from deid_info.column_policy where table_name = 'letter' and column_name = 'packed'")
	want(t, r.dst, "0", "select count(*)::text from deid.quarantine")
	if found := marksInDatabase(t, r.dst, letterNames); len(found) > 0 {
		t.Errorf("marks are in %v", found)
	}
	r.checkLetterSpans(t, 3)

	// What is unchanged is known again, whatever the form in which the replica writes it.
	run.stop(t)
	o, _ := r.options(t, nil)
	res, err := (admin.Reprocess{Tables: []string{"ehr.letter"}}).Run(t.Context(), o, nil)
	if err != nil || res.Changed != 0 || res.Aside != 0 {
		t.Errorf("made again: %+v, %v", res, err)
	}
	if log := run.log.String(); len(marksInText(log, letterMarks)) > 0 {
		t.Errorf("log: %s", log)
	}
}

// checkLetterSpans checks that the vault's spans lie where the surrogates are.
func (r *replication) checkLetterSpans(t *testing.T, id int64) {
	t.Helper()
	family := one(t, r.dst, "select family from ehr.patient where patient_id = $1::text::int", r.patient(1))
	for _, text := range r.made(t, vault.Filter{Table: "ehr.letter", Key: `["` + r.letterKey(id) + `"]`}) {
		doc := []rune(unwrapped(t, letterForms[text.Column], r.letter(t, id, text.Column)))
		found := false
		for _, s := range text.Spans {
			if s.End > len(doc) || s.Start >= s.End {
				t.Fatalf("%s: span %d-%d of %d", text.Column, s.Start, s.End, len(doc))
			}
			found = found || strings.Contains(string(doc[s.Start:s.End]), family)
		}
		if !found {
			t.Errorf("%s: no span is at %s in %s", text.Column, family, string(doc))
		}
	}
}

// A document that can't be read whole is set aside, and published when it is mended.
func TestBrokenDocumentsAreSetAside(t *testing.T) {
	t.Parallel()
	r := newReplicationOf(t, newPair(t), ward+letterTable, wardTables+letterMapping)
	do(t, r.src, patients)
	good := letter(t, "Zebulon", "Quarkstein")
	broken := map[string]string{
		"rtf": `{\rtf1 Quarkstein`, "packed": `\x` + hex.EncodeToString([]byte("Quarkstein")), "coded": "Quarkstein!", "message": "Quarkstein",
		"summary": "<a>Quarkstein</a>",
	}
	id := 1
	for _, column := range letterColumns() {
		if broken[column] != "" {
			r.writeLetter(t, id, 1, map[string]string{column: broken[column], "answers": good["answers"]})
			id++
		}
	}
	run := r.run(t, nil)
	r.caughtUp(t)
	r.writeLetter(t, id, 1, good)
	r.caughtUp(t)
	r.writeLetter(t, id, 1, map[string]string{"rtf": broken["rtf"]}) // what was published goes
	r.caughtUp(t)
	want(t, r.dst, "0", "select count(*)::text from ehr.letter")
	want(t, r.dst, fmt.Sprintf("bad_format %d", id), "select string_agg(distinct reason, ',') || ' ' || count(*) from deid.quarantine")
	if found := marksInDatabase(t, r.dst, letterNames); len(found) > 0 {
		t.Errorf("marks are in %v", found)
	}
	if log := run.log.String(); len(marksInText(log, letterMarks)) > 0 {
		t.Errorf("log: %s", log)
	}
	for n := range id {
		r.writeLetter(t, n+1, 1, good)
	}
	r.caughtUp(t)
	want(t, r.dst, "0", "select count(*)::text from deid.quarantine")
	for n := range id {
		r.checkLetter(t, int64(n+1), good)
	}
}

// The check names the documents that the mapping does not mention, and those that are of another format.
func TestCheckLooksAtDocuments(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	src := p.onSource(t)
	do(t, src, ward+letterTable)
	r := &replication{pair: p, src: src}
	for id := range 4 {
		r.writeLetter(t, id+1, 1, letter(t, "Zebulon", "Quarkstein"))
	}
	do(t, src, "update ehr.letter set message = 'Quarkstein' where letter_id = 1")
	plain := strings.NewReplacer("{publish: text, format: rtf}", "text", "format: html}", "format: rtf}",
		"{publish: text, format: auto, encoding: base64}", "text")
	cfg := p.config(t, p.settings(t)+wardTables+plain.Replace(letterMapping))
	migrateUp(t, cfg)
	fs := findingsOf(t, cfg)
	for _, want := range []struct {
		column       string
		level        finding.Level
		text, remedy string
	}{
		{"rtf", finding.Problem, "4 of 4 values looked at are documents", "format: rtf"},
		{"coded", finding.Problem, "4 of 4 values looked at are documents", "format: rtf, encoding: base64"},
		{"html", finding.Problem, "4 of 4 values looked at can't be read as rtf", "format"},
		{"chosen", finding.Note, "in 4 values looked at: $.beds, $.born, $.more, $.mrn, $.name[*].given, $.smokes, $.ssn", ""},
		{"message", finding.Warning, "1 of 4 values looked at can't be read as hl7v2", "format"},
	} {
		has := func(f finding.Finding) bool {
			return f.Subject == "table ehr.letter column "+want.column && f.Level == want.level && strings.Contains(f.Text, want.text) &&
				strings.Contains(f.Text+f.Remedy, want.remedy)
		}
		if !slices.ContainsFunc(fs, has) {
			t.Errorf("%s: nothing like %q", want.column, want.text)
		}
	}
	looked := 0
	for _, f := range fs {
		if strings.Contains(f.Text, "values looked at") {
			looked++
		}
		if strings.Contains(f.Text+f.Remedy, "Quarkstein") {
			t.Errorf("a finding quotes a value: %+v", f)
		}
	}
	if looked != 5 {
		t.Errorf("%d findings of values, want 5", looked)
	}
	cfg.Tables[len(cfg.Tables)-1].Columns[5].Format = ""
	wrong := func(f finding.Finding) bool {
		return f.Subject == "table ehr.letter column answers" && strings.Contains(f.Text, "does not fit type jsonb without its format")
	}
	if !slices.ContainsFunc(findingsOf(t, cfg), wrong) {
		t.Error("policy text of a jsonb column is accepted without a format")
	}
}
