package desk

import (
	"context"
	"log/slog"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/metrics"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// finder finds each occurrence of a name, and says in whose notes it looked.
type finder struct {
	name    string
	records []*record.Gazetteer
}

func (f *finder) Detect(_ context.Context, n *ensemble.Note) ([]phi.Span, error) {
	f.records = append(f.records, n.Patient)
	if n.Text == "panic" {
		panic(n.Text)
	}
	var spans []phi.Span
	for at := 0; ; {
		i := strings.Index(n.Text[at:], f.name)
		if i < 0 {
			return spans, nil
		}
		spans = append(spans, phi.Span{Start: at + i, End: at + i + len(f.name), Type: phi.Patient, By: 1})
		at += i + len(f.name)
	}
}

func (f *finder) Names(v phi.Votes) []string {
	if v == 1 {
		return []string{"finder"}
	}
	return nil
}

// engine returns a deidentifier with a detector that finds a name.
func engine(t *testing.T, f *finder) *deid.Deidentifier {
	t.Helper()
	key := schematest.Key(t)
	maker, err := surrogate.New(key, surrogate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	o := &deid.Settings{
		Config: &config.Config{PatientKey: config.TextKey, Limits: config.Limits{NoteTimeout: time.Minute}}, Key: key, Detector: f,
		Now: time.Now, Log: slog.New(slog.DiscardHandler), Metrics: metrics.New(),
	}
	reg, err := patient.NewRegister(&schema.Plan{Config: o.Config, Hash: "h"}, key, maker, &patient.Directory{})
	if err != nil {
		t.Fatal(err)
	}
	return deid.New(reg, o)
}

func wampfler() *patient.Patient {
	gazetteer := record.NewGazetteer(record.Record{record.NameLast: {"Wampfler"}})
	return &patient.Patient{Key: "9", Pseudonym: "p9", Ledger: &patient.Ledger{}, Gazetteer: gazetteer}
}

func TestKeysOfQuestions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind     config.KeyType
		of, want string
	}{
		{config.Integer, " 007", "7"},
		{config.Integer, "7a", ""},
		{config.TextKey, "MR-7 ", "MR-7"},
		{config.TextKey, "a\x00b", ""}, // no server takes it
		{config.TextKey, "a\xffb", ""},
		{config.UUID, "0B8CAE0E-0000-4000-8000-00000000000A", "0b8cae0e-0000-4000-8000-00000000000a"},
	} {
		if got := questionKey(c.kind, c.of); got != c.want {
			t.Errorf("%s %q: %q", c.kind, c.of, got)
		}
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	const text = "Mr. Wampfler, née Wampfler."
	for _, c := range []struct {
		name   string
		q      Question
		why    vault.Reason // known before the search
		want   string       // the answer's reason
		spans  int
		shown  bool // there is a text
		record bool // the search knew the patient
	}{
		{"a text", Question{Text: text}, "", "", 0, true, true},
		{"a text in which nothing is", Question{Text: "Ate well."}, "", "", 0, true, true},
		{"spans", Question{Text: text, SpansOnly: true}, "", "", 2, false, true},
		{"spans of the text alone", Question{Text: text, SpansOnly: true, TextAlone: true}, "", "", 2, false, false},
		{"a text, and alone", Question{Text: text, TextAlone: true}, "", "", 0, true, true},
		{"as many spans as allowed", Question{Text: text, SpansOnly: true, MaxSpans: 2}, "", "", 2, false, true},
		{"too many spans", Question{Text: text, MaxSpans: 1}, "", TooManySpans, 0, false, true},
		{"no patient", Question{Text: text}, vault.NoPatient, string(vault.NoPatient), 0, false, false},
		{"no text", Question{Text: "a\x00b"}, "", string(vault.BadText), 0, false, false},
		{"a detector that breaks", Question{Text: "panic"}, "", string(vault.DetectorPanic), 0, false, true},
	} {
		f := &finder{name: "Wampfler"}
		d := engine(t, f)
		a := &asking{Question: &c.q, patient: wampfler(), why: c.why}
		var chosen vault.Choices
		searchFor(t.Context(), d, a)
		replaceFound(d, a, &chosen)
		got := answer(d, a)
		if got.Reason != c.want || len(got.Spans) != c.spans || (got.Text != "") != c.shown || strings.Contains(got.Text, "Wampfler") {
			t.Errorf("%s: %q, %d spans, %d bytes", c.name, got.Reason, len(got.Spans), len(got.Text))
		}
		if known := len(f.records) == 1 && f.records[0] != nil; known != c.record {
			t.Errorf("%s: the patient's record was known: %v", c.name, known)
		}
		if stored := c.shown && c.q.Text == text; chosen.HasEntries() != stored {
			t.Errorf("%s: surrogates to be stored: %v", c.name, chosen.HasEntries())
		}
	}
}

func TestFoundCountsCharacters(t *testing.T) {
	t.Parallel()
	d := engine(t, &finder{})
	const text = "née Zoë 李 Ada"
	ada, zoe := strings.Index(text, "Ada"), strings.Index(text, "Zoë")
	got := found(d, text, []phi.Span{
		{Start: zoe, End: zoe + len("Zoë"), Type: phi.Patient, By: 1, Score: .5},
		{Start: ada, End: len(text), Type: phi.Date},
	})
	want := []Found{{4, 7, phi.Patient.String(), []string{"finder"}, .5}, {10, 13, phi.Date.String(), nil, 0}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
	if got := found(d, text, nil); got == nil || len(got) != 0 {
		t.Errorf("nothing found is %v", got)
	}
}

// What is busy is asked again, alone, and its answer takes its place.
func TestRetryAsksAgainWhatIsBusy(t *testing.T) {
	t.Parallel()
	asked := []Question{{Patient: "1"}, {Patient: "2"}, {Patient: "3"}}
	first := []Answer{{Text: "a"}, {Reason: Busy}, {Reason: "leak"}}
	var calls [][]Question
	got, err := Retry(t.Context(), asked, func(_ context.Context, q []Question) ([]Answer, error) {
		calls = append(calls, q)
		if len(calls) == 1 {
			return first, nil
		}
		return []Answer{{Text: "b"}}, nil
	})
	if err != nil || !reflect.DeepEqual(got, []Answer{{Text: "a"}, {Text: "b"}, {Reason: "leak"}}) {
		t.Errorf("%d answers, %v", len(got), err)
	}
	if len(calls) != 2 || len(calls[1]) != 1 || calls[1][0].Patient != "2" || first[1].Reason != Busy {
		t.Errorf("%d calls", len(calls))
	}
}
