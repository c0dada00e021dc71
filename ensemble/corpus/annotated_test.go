package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// madeUp returns a document of random text with everything that is hard for a format: ends of
// CDATA, markup, line ends of all kinds, characters outside the BMP.
func madeUp(rng *rand.Rand, id string) Annotated {
	bits := []string{
		"Ann Moss", "\n", "\r\n", "\r", "]]>", "<b>&amp;", "\U0001F600", "é", "e\u0301", "שלום", "\t", " ", "3/5/14", `"`, "'", "]]",
		">", "\u2028", "\u0085",
	}
	var b strings.Builder
	var cuts []int
	for range rng.IntN(40) {
		cuts = append(cuts, b.Len())
		b.WriteString(bits[rng.IntN(len(bits))])
	}
	doc := Annotated{ID: id, Text: b.String()}
	types := phi.Types()
	for i := range cuts {
		if j := i + 1 + rng.IntN(3); rng.IntN(3) == 0 && j < len(cuts) {
			doc.Marks = append(doc.Marks, Mark{Start: cuts[i], End: cuts[j], Label: types[rng.IntN(len(types))].String(), Exact: true})
		}
	}
	sortMarks(doc.Marks)
	return doc
}

func TestEveryFormatGivesBackWhatItGot(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	var docs []Annotated
	for i := range 300 {
		docs = append(docs, madeUp(rng, fmt.Sprintf("p%d/%03d", i/100, i)))
	}
	docs[5].Patient = record.Record{record.NameLast: {"Moss"}}
	docs[5].PatientID, docs[5].Kind, docs[5].Group = "77", "letter", "Asian"
	for _, format := range []Format{I2B2, BRAT, JSONLines} {
		t.Run(string(format), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "out")
			w, err := NewAnnotatedWriter(path, format, BuiltinLabels())
			if err != nil {
				t.Fatal(err)
			}
			for _, doc := range docs {
				if err := w.Write(doc); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			ignore := cmp.Options{cmpopts.EquateEmpty()}
			if format != JSONLines { // these contain only text and marks
				ignore = append(ignore, cmpopts.IgnoreFields(Annotated{}, "Patient", "PatientID", "Kind", "Group"),
					cmpopts.IgnoreFields(Mark{}, "Exact"))
			}
			if diff := cmp.Diff(docs, readAll(t, path), ignore); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func readAll(t *testing.T, path string) []Annotated {
	t.Helper()
	var docs []Annotated
	for doc, err := range ReadAnnotated(path) {
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, doc)
	}
	return docs
}

// write creates files in a folder from names and contents.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

const (
	oneI2B2 = `<?xml version="1.0" encoding="UTF-8" ?><deIdi2b2><TEXT><![CDATA[Seen by Ann Moss]]></TEXT><TAGS><NAME id="P0" ` +
		`start="8" end="16" text="Ann Moss" TYPE="DOCTOR" comment=""/></TAGS></deIdi2b2>`
	oneInline = `<ROOT><RECORD ID="9"><TEXT>Seen by <PHI TYPE="DOCTOR">Ann Moss</PHI></TEXT></RECORD></ROOT>`
	oneLined  = `{"id":"j","text":"Seen by Ann Moss","spans":[{"start":8,"end":16,"type":"DOCTOR"}]}`
)

func TestAFolderOfAllFormats(t *testing.T) {
	root := write(t, map[string]string{
		"a/110-01.xml": oneI2B2, "b/old.xml": oneInline, "c/x.txt": "Seen by Ann Moss", "c/x.ann": "T1\tDOCTOR 8 16\tAnn Moss\n",
		"d.jsonl": oneLined + "\n", "e/LICENSE.txt": "none", "e/annotation.conf": "[entities]",
	})
	var got []string
	for _, doc := range readAll(t, root) {
		if len(doc.Marks) != 1 || doc.Text[doc.Marks[0].Start:doc.Marks[0].End] != "Ann Moss" || doc.Marks[0].Label != "DOCTOR" {
			t.Errorf("%s: %d marks of %q", doc.ID, len(doc.Marks), doc.Text)
		}
		got = append(got, doc.ID)
	}
	if diff := cmp.Diff([]string{"a/110-01", "9", "c/x", "j"}, got); diff != "" {
		t.Error(diff)
	}
	got = nil
	for doc, err := range ReadAnnotatedAs(root, I2B22006) {
		if got = append(got, doc.ID); err != nil {
			t.Log(err)
		}
	}
	if len(got) != 2 { // the i2b2 2014 file is XML too, and an error then
		t.Errorf("read as one format: %v", got)
	}
}

func TestASingleFileOfAnyName(t *testing.T) {
	root := write(t, map[string]string{
		"gold": oneLined, "note": "\ufeff" + oneI2B2, "records.sgml": oneInline, "x.txt": "Ann", "x.ann": "", "empty.jsonl": "",
	})
	for name, want := range map[string]int{"gold": 1, "note": 1, "records.sgml": 1, "x.txt": 1, "x.ann": 1, "empty.jsonl": 0} {
		if docs := readAll(t, filepath.Join(root, name)); len(docs) != want {
			t.Errorf("%s: %d documents", name, len(docs))
		}
	}
}

func TestRefusals(t *testing.T) {
	root := write(t, map[string]string{
		"none/readme.md": "", "lonely/a.txt": "x", "lonely/b.txt": "x", "lonely/b.ann": "", "orphan/a.ann": "",
		"html/a.xml": "<html><body/></html>", "odd/a.dat": "PK\x03", "gz/a.jsonl.gz": "not packed",
	})
	for path, want := range map[string]string{
		"none": "no marked documents", "lonely": "a.txt: there is no matching .ann", "orphan": "there is no matching .txt",
		"html": "XML of another kind", "odd/a.dat": "neither XML nor JSON Lines", "gz": "gzip", "missing": "no such file",
	} {
		var errs []string
		for _, err := range ReadAnnotated(filepath.Join(root, path)) {
			if err != nil {
				errs = append(errs, err.Error())
			}
		}
		if len(errs) != 1 || !strings.Contains(errs[0], want) {
			t.Errorf("%s: %q, want %q", path, errs, want)
		}
	}
}

func TestWritersWriteOverNothingAndStayInTheirFolder(t *testing.T) {
	root := t.TempDir()
	doc := Annotated{ID: "../../x", Text: "Ann"}
	for _, format := range []Format{I2B2, BRAT, JSONLines} {
		path := filepath.Join(root, "in", string(format))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			w, err := NewAnnotatedWriter(path, format, BuiltinLabels())
			if err == nil {
				err = errors.Join(w.Write(doc), w.Close())
			}
			if second := err != nil; second && !errors.Is(err, os.ErrExist) {
				t.Error(err)
			}
		}
	}
	entries, err := os.ReadDir(root)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v %v", entries, err)
	}
	if _, err := NewAnnotatedWriter(root, I2B22006, nil); err == nil {
		t.Error("i2b2 2006 was taken")
	}
}

func TestFileNames(t *testing.T) {
	for id, want := range map[string]string{
		"": "document-000003", "110-01": "110-01", "a/b": "a/b", "/etc/x": "%/etc/x", "a:b?": "a:b%3F", "é\x00": "%C3%A9%00",
	} {
		if got := fileName(id, 3); filepath.ToSlash(got) != want {
			t.Errorf("%q: %q, want %q", id, got, want)
		}
	}
	for _, id := range []string{"..", ".", "../..", "a/../../b", "//"} {
		if got := fileName(id, 1); !filepath.IsLocal(got) {
			t.Errorf("%q leaves the folder: %q", id, got)
		}
	}
}

func TestTyped(t *testing.T) {
	doc := Annotated{Text: "abc", Marks: []Mark{{0, 1, "person", false}, {1, 2, "TITLE", false}, {2, 3, "HOSPITAL", true}}}
	got, err := doc.Typed(BuiltinLabels())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Mark{{0, 1, "PATIENT", true}, {2, 3, "HOSPITAL", true}}, got.Marks); diff != "" {
		t.Error(diff)
	}
	doc.Marks[0].Label = "CLINICIAN"
	if _, err := doc.Typed(BuiltinLabels()); err == nil || !strings.Contains(err.Error(), `"CLINICIAN = TYPE`) {
		t.Errorf("error %v", err)
	}
}

func TestCopySetsAsideWhatCantBeWritten(t *testing.T) {
	root := write(t, map[string]string{
		"in/a.jsonl": oneLined + "\n" + `{"id":"ff","text":"a\u000cb","spans":[]}` + "\nsecret\n" + strings.Replace(oneLined, `"j"`, `"k"`, 1) +
			"\n",
	})
	w, err := NewAnnotatedWriter(filepath.Join(root, "out"), I2B2, BuiltinLabels())
	if err != nil {
		t.Fatal(err)
	}
	var reported []string
	n, err := CopyAnnotated(t.Context(), w, ReadAnnotated(filepath.Join(root, "in")),
		func(err error) { reported = append(reported, err.Error()) })
	if err != nil || n != (Copied{Docs: 2, Marks: 2, Failed: 2}) {
		t.Errorf("%+v, %v", n, err)
	}
	if len(reported) != 2 || !strings.Contains(reported[0], "ff.xml: byte 1 of the text") || !strings.Contains(reported[1],
		"a.jsonl: line 3: not valid JSON") {
		t.Errorf("%q", reported)
	}
}

func TestAnnotatedPrintsItselfRedacted(t *testing.T) {
	doc := Annotated{ID: "7", Text: "Ann Moss", Marks: []Mark{{0, 3, "PATIENT", true}}}
	for _, verb := range []string{"%v", "%+v", "%s", "%#v"} {
		if got := fmt.Sprintf(verb, doc); got != "annotated[8 bytes, 1 marks]" {
			t.Errorf("%s: %q", verb, got)
		}
	}
	if doc.LogValue().String() != "annotated[8 bytes, 1 marks]" {
		t.Error("the log shows more")
	}
}

// FuzzReadAnnotated feeds bytes to every reader: what they accept is a valid document that
// survives a round trip through JSON Lines.
func FuzzReadAnnotated(f *testing.F) {
	for _, s := range []string{
		oneI2B2, oneInline, oneLined, "<deIdi2b2><TEXT>a&#0;b</TEXT></deIdi2b2>",
		"<ROOT><RECORD><TEXT>&lt;\r\n😀<PHI TYPE='ID'>1</PHI></TEXT></RECORD>",
		`<?xml version="1.0" encoding="iso-8859-1"?><a><TEXT>` + "\xe9" + `</TEXT></a>`, "<a><TEXT>\xff</TEXT></a>", `{"text":"","spans":[{}]}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if doc, err := ReadI2B2(bytes.NewReader(raw)); err == nil {
			checkSound(t, doc)
		}
		for doc, err := range ReadI2B2Inline(bytes.NewReader(raw)) {
			if err == nil {
				checkSound(t, doc)
			}
		}
		for doc, err := range ReadMarkedLines(bytes.NewReader(raw)) {
			if err == nil {
				checkSound(t, doc)
			}
		}
	})
}

func checkSound(t *testing.T, doc Annotated) {
	t.Helper()
	if err := text.Check(doc.Text); err != nil {
		t.Fatal(err)
	}
	for _, m := range doc.Marks {
		if m.Start < 0 || m.End > len(doc.Text) || m.Start >= m.End || m.Label == "" {
			t.Fatalf("mark %+v of %d bytes", m, len(doc.Text))
		}
	}
	var line bytes.Buffer
	if err := WriteMarkedLine(&line, doc); err != nil {
		t.Fatal(err)
	}
	for back, err := range ReadMarkedLines(&line) {
		if err != nil || back.Text != doc.Text || len(back.Marks) != len(doc.Marks) {
			t.Fatalf("not given back: %v", err)
		}
	}
}

// endless yields a beginning, then the same part forever.
type endless struct{ rest, part string }

func (e *endless) Read(p []byte) (int, error) {
	if e.rest == "" {
		e.rest = e.part
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// TestManyDocumentsAreReadOneAtATime reads a few documents of a file that never ends.
func TestManyDocumentsAreReadOneAtATime(t *testing.T) {
	record := oneInline[len("<ROOT>") : len(oneInline)-len("</ROOT>")]
	for name, docs := range map[string]iter.Seq2[Annotated, error]{
		"i2b2-2006": ReadI2B2Inline(&endless{rest: "<ROOT>", part: record}),
		"jsonl":     ReadMarkedLines(&endless{part: oneLined + "\n"}),
	} {
		n := 0
		for doc, err := range docs {
			if err != nil || len(doc.Marks) != 1 {
				t.Fatalf("%s: %v", name, err)
			}
			if n++; n == 1000 {
				break
			}
		}
	}
}
