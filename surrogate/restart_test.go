package surrogate

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/record"
)

// fragments of made-up notes: the same persons, numbers and places in full, in part and
// abbreviated, so that collisions and links occur.
var fragments = []string{
	"{PATIENT|John Smith}", "{PATIENT|SMITH, JOHN C}", "{PATIENT|JCS}", "{PATIENT|Johnny}", "{PATIENT|Smiht}",
	"{DOCTOR|Dr. Robert O'Brien, MD}", "{DOCTOR|Bob O'Brien}", "{DOCTOR|RO}", "{DOCTOR|R. O'Brien}", "{DOCTOR|OBRIEN}",
	"{DOCTOR|William T. Hartley}", "{DOCTOR|WTH}", "{DOCTOR|Bill}", "{DOCTOR|Will Hartley}", "{DOCTOR|T. Hartley}",
	"{DOCTOR|Siqi Huang}", "{DOCTOR|Siqi}", "{DOCTOR|SH}", "{DOCTOR|Peggy}", "{DOCTOR|Margaret Lindqvist}", "{DOCTOR|K}",
	"{EMAIL|robert.obrien@care.com}", "{EMAIL|whartley@care.com}", "{USERNAME|ro14}", "{IDNUM|7}", "{IDNUM|12}", "{IDNUM|4471203}",
	"{PHONE|617-230-4571}", "{PHONE|230-4571}", "{CITY|Springfield}", "{CITY|Springfield}, {STATE|IL}", "{STATE|Illinois}", "{ZIP|62701}",
	"{HOSPITAL|Quarry General Hospital}", "{HOSPITAL|QGH}", "{STREET|9 Elm St}", "{DATE|3/5}", "{DATE|3/5/2014}", "{DATE|the 29th}",
	"{COUNTRY|Peru}", "{COUNTY|Cook County}", "{ORGANIZATION|Wexel Inc}", "{URL|wexel.com}", "{IPADDR|10.0.0.1}", "{AGE|93}", "pain",
	"seen by",
}

// A run that is killed and restarted at any point writes the same as an uninterrupted one: a text
// depends only on the note, the record and the stored entries.
func TestRestartsChangeNothing(t *testing.T) {
	m, who := testMaker(t, Options{}), record.NewGazetteer(johnSmith())
	for run := range 40 {
		patient, rng := fmt.Sprint(run), rand.New(rand.NewPCG(uint64(run), 9))
		steady := m.Patient(patient, who, nil, -100)
		fresh := m.Patient(patient, who, nil, -100)
		var stored []Entry
		for n := range 12 {
			var note strings.Builder
			for range 1 + rng.IntN(8) {
				note.WriteString(fragments[rng.IntN(len(fragments))] + ". ")
			}
			text, spans := marked(t, note.String())
			want, err := steady.Replace(text, spans)
			if err != nil {
				t.Fatal(err)
			}
			if rng.IntN(2) == 0 {
				fresh = m.Patient(patient, who, stored, -100)
			}
			got, err := fresh.Replace(text, spans)
			if err != nil {
				t.Fatal(err)
			}
			if got.Text != want.Text {
				t.Fatalf("run %d, note %d: %q after a restart, %q without", run, n, got.Text, want.Text)
			}
			stored = append(stored, got.New...)
		}
		seen := map[string]bool{}
		for _, e := range stored {
			if id := e.Kind + " " + e.Surrogate; seen[id] {
				t.Fatalf("a surrogate of kind %s is stored twice", e.Kind)
			} else {
				seen[id] = true
			}
		}
	}
}
