package document

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAuto(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, input string
		want        Format
	}{
		{"RTF", `{\rtf1\ansi a}`, RTF},
		{"RTF behind a mark", "\ufeff\r\n{\\rtf1 a}\r\n\x00", RTF},
		{"RTF without a version", `{\rtf\ansi a}`, RTF},
		{"HL7", "MSH|^~\\&|A\rPID|1", HL7},
		{"HL7 in a frame", "\vMSH|^~\\&|A\rPID|1\x1c\r", HL7},
		{"HL7 with five delimiters", "MSH|^~\\&#|A\r", HL7},
		{"XML", "<?xml version=\"1.0\"?>\n<a>b</a>", XML},
		{"JSON", `{"a": "b"}`, JSON},
		{"HTML", "<!doctype html><p>a", HTML},
		{"HTML without a doctype", "<html><body>a</body></html>", HTML},

		{"empty", "", Plain},
		{"a note", "Jane Poe was seen.", Plain},
		{"less than", "<70 mmHg, HR <60 and >50", Plain},
		{"address in brackets", "<jane@example.org> wrote: pain <3/10", Plain},
		{"braces", "{see above} pain {3}", Plain},
		{"braces at the begin", "{\"not\" closed", Plain},
		{"placeholders", "[**First Name**] was seen [see note]", Plain},
		{"dots of a template", "{Blank single:19197} {NAME} was {seen}", Plain},
		{"backslashes", `\rtf1 is a word, {\b so is this}`, Plain},
		{"a word of RTF", `{\rtfx a}`, Plain},
		{"RTF in a note", `pasted: {\rtf1 a}`, Plain},
		{"MSH as a word", "MSH levels were normal. MSH|x", Plain},
		{"MSH in a table", "MSH | FSH | LH\n1 | 2 | 3", Plain},
		{"MSH with other delimiters", "MSH|5.1|", Plain},
		{"HL7 in a note", "copied:\nMSH|^~\\&|A", Plain},
		{"PID", "PID|1|", Plain},
		{"a question", "<?xm", Plain},
		{"XML in a note", "as <?xml version='1.0'?>", Plain},
		{"a word like XML", "<?xmlfoo ?>", Plain},
	} {
		if got := reads(t, Auto, c.input).Kind(); got != c.want {
			t.Errorf("%s is read as %s, want %s", c.name, got, c.want)
		}
	}
}

func TestBrokenDocumentsAreNoText(t *testing.T) {
	t.Parallel()
	for name, input := range map[string]string{
		"RTF": `{\rtf1 a`, "HL7": "MSH|^~\\&|a\rNTE|1||\xff", "XML": "<?xml version='1.0'?><a>", "HTML": "<html>a<!-- b",
	} {
		if d, err := Parse(Auto, []byte(input)); err == nil {
			t.Errorf("%s is read as %s", name, d.Kind())
		}
	}
}

// TestNotesOfTheOpenData reads all notes of the open data. Few are documents: those that begin as one.
func TestNotesOfTheOpenData(t *testing.T) {
	data := os.Getenv("PGDEID_DATA")
	if data == "" {
		t.Skip("PGDEID_DATA does not name the open data")
	}
	begins := map[Format]string{RTF: "{\\rtf1", HL7: "MSH|^~", HTML: "<", JSON: "{\"", Plain: ""}
	for _, name := range []string{"notes-messy/dev.jsonl", "notes-messy/train.jsonl", "mtsamples/mtsamples.jsonl.gz"} {
		notes := map[Format]int{}
		eachNote(t, filepath.Join(data, name), func(text string) {
			notes[""]++
			d, err := Parse(Auto, []byte(text))
			if err != nil {
				t.Logf("%s: note %d: %v", name, notes[""], err)
				notes["refused"]++
				return
			}
			notes[d.Kind()]++
			if !strings.HasPrefix(text, begins[d.Kind()]) || d.Kind() == Plain && d.Text() != text {
				t.Errorf("%s: note %d is read as %s", name, notes[""], d.Kind())
			}
		})
		t.Logf("%s: %v", name, notes)
		if notes[Plain] < notes[""]*98/100 || notes["refused"] > 1 || notes[""] == 0 {
			t.Errorf("%s: %v", name, notes)
		}
	}
}

// eachNote calls f with each text of a file of JSON lines.
func eachNote(t *testing.T, path string, f func(text string)) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Skip(err)
	}
	defer file.Close()
	var r io.Reader = file
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(file); err != nil {
			t.Fatal(err)
		}
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var note struct{ Text string }
		if err := json.Unmarshal(lines.Bytes(), &note); err != nil {
			t.Fatal(err)
		}
		f(note.Text)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}
