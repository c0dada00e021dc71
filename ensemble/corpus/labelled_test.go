package corpus

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

const labelledLines = `{"source":"made","words":["Dr",".","Ann","Moss","*"],"gaps":[2,0,1,1,2],"tags":["O","O","B-DOCTOR","I-DOCTOR","*"],"covers":["NAME"],"group":"white"}
{"id":"n1","text":"Dr. Ann Moss-Lee, 5/6/2031","spans":[{"start":4,"end":14,"label":"PERSON"},{"start":18,"end":26,"type":"DATE"}]}
{"words":["ab"],"gaps":[0],"tags":[]}
{"words":["ab"],"gaps":[7],"tags":["O"]}
{"words":["a\u0000b"],"gaps":[1],"tags":["O"]}
{"words":["ab"],"gaps":[1],"tags":["B-NOTHING"]}
{"words":["ab"],"gaps":[1],"tags":["O"],"covers":["NOTHING"]}
{"text":"ab","spans":[{"start":0,"end":2,"label":"UNHEARD"}]}
`

func TestReadLabelled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "made.jsonl")
	if err := os.WriteFile(path, []byte(labelledLines), 0o600); err != nil {
		t.Fatal(err)
	}
	var got []Labelled
	faults := 0
	for l, err := range ReadLabelled(path) {
		var doc *DocumentError
		var line *LineError
		switch {
		case err == nil:
			got = append(got, l)
		case errors.As(err, &doc) && errors.As(err, &line):
			faults++
		default:
			t.Fatalf("error %v, want one of a line", err)
		}
	}
	if len(got) != 2 || faults != 6 {
		t.Fatalf("%d read, %d faults; want 2 and 6", len(got), faults)
	}
	if want := "\nDr. Ann Moss\n*"; got[0].Note.Text != want {
		t.Errorf("text %q, want %q", got[0].Note.Text, want)
	}
	want := []string{"O", "O", "B-DOCTOR", "I-DOCTOR", "*"}
	if diff := cmp.Diff(want, got[0].Tags); diff != "" {
		t.Error(diff)
	}
	want = strings.Fields("O O B-NAME I-NAME I-NAME I-NAME O B-DATE I-DATE I-DATE I-DATE I-DATE")
	if diff := cmp.Diff(want, got[1].Tags); diff != "" {
		t.Error(diff)
	}
}

func TestTagSpans(t *testing.T) {
	note := &ensemble.Note{Text: "Dr. Ann Moss came 5/6 today"}
	spans := []phi.Span{{Start: 4, End: 12, Type: phi.Doctor}, {Start: 18, End: 21, Type: phi.Date}}
	want := strings.Fields("O O B-DOCTOR I-DOCTOR O B-DATE I-DATE I-DATE O")
	if diff := cmp.Diff(want, TagSpans(note.View().Tokens, spans)); diff != "" {
		t.Error(diff)
	}
}

func TestTagTypes(t *testing.T) {
	for tag, want := range map[string]TypeSet{
		"O": 0, "B-NAME": SetOf(phi.Patient, phi.Doctor), "I-ZIP": SetOf(phi.Zip), "B-LOCATION-OTHER": SetOf(phi.LocationOther),
	} {
		if got, first, ok := TagTypes(tag); got != want || !ok || first != (tag[0] == 'B') {
			t.Errorf("%s: %v, first %v, ok %v", tag, got.Types(), first, ok)
		}
	}
	for _, tag := range []string{"*", "", "B", "B-", "S-NAME", "I-NOTHING"} {
		if _, _, ok := TagTypes(tag); ok {
			t.Errorf("%q is taken for a tag", tag)
		}
	}
}

func TestMeaningTag(t *testing.T) {
	labels := BuiltinLabels()
	for label, want := range map[string]string{
		"PERSON": "NAME", "PATIENT": "PATIENT", "HOSPITAL": "ORG", "MRN": "ID", "LOC": Unknown, "TITLE": Unknown, "PHONE": "CONTACT",
		"DATE_TIME": "DATE",
	} {
		got := labels[label].tag()
		if got != want {
			t.Errorf("%s: %s, want %s", label, got, want)
		}
	}
}

func TestWordsOfAnotherVersion(t *testing.T) {
	const lines = `{"words":["Moss Oak","Elm","1",")"],"gaps":[0,1,0,0],"tags":["B-DOCTOR","O","B-DATE","O"]}
{"words":["a b","c","d"],"gaps":[0,1,0],"tags":["O","O","B-AGE"]}`
	want := [][]string{{"B-DOCTOR", "*", "O", "B-DATE", "O"}, {"O", "O", "B-AGE"}}
	n := 0
	for l, err := range ReadLabelledLines(strings.NewReader(lines)) {
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want[n], l.Tags); diff != "" {
			t.Error(diff)
		}
		n++
	}
	if n != 2 {
		t.Errorf("%d lines read", n)
	}
}

func FuzzReadLabelledLines(f *testing.F) {
	for line := range strings.Lines(labelledLines) {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, lines string) {
		for l, err := range ReadLabelledLines(strings.NewReader(lines)) {
			if err == nil && len(l.Tags) != len(l.Note.View().Tokens) {
				t.Fatalf("%d tags of %d tokens", len(l.Tags), len(l.Note.View().Tokens))
			}
		}
	})
}
