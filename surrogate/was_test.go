package surrogate

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/ensemble/synth"
)

// TestWhatASpanReplaces puts the original text back in place of each span of the output, which
// gives the input.
func TestWhatASpanReplaces(t *testing.T) {
	hospital, err := synth.NewHospital(3, synth.Options{Patients: 10, Notes: 40})
	if err != nil {
		t.Fatal(err)
	}
	replaced := 0
	for d := range hospital.Notes() {
		who := record.NewGazetteer(d.Patient.Record())
		// Every third span is left for the leak check to find.
		var spans []phi.Span
		for i, s := range d.Spans {
			if i%3 > 0 {
				spans = append(spans, s)
			}
		}
		res, err := testMaker(t, Options{}).Patient("p", who, nil, 40).Replace(d.Text, spans)
		if err != nil {
			t.Fatal(err)
		}
		var back strings.Builder
		runes, at := []rune(res.Text), 0
		for _, s := range res.Spans {
			back.WriteString(string(runes[at:s.Start]))
			back.WriteString(d.Text[s.Was.Start:s.Was.End])
			at = s.End
			replaced++
		}
		back.WriteString(string(runes[at:]))
		if back.String() != d.Text {
			t.Fatalf("note %d does not come back", d.ID)
		}
	}
	if replaced < 400 {
		t.Errorf("only %d spans", replaced)
	}
}
