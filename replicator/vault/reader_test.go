package vault

import (
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
	"github.com/pgdeid/pgdeid/surrogate"
)

func TestReaderOpensWhatWasSealed(t *testing.T) {
	t.Parallel()
	key := schematest.Key(t)
	s := NewSeals(key)
	at := time.Date(2021, 3, 4, 12, 0, 0, 0, time.UTC)
	at4711 := place{"ehr.note", "body", `["7"]`, "4711"}
	hash := s.RowHash("ehr.note", []string{"7"})
	origin := func(patient string) []byte {
		return s.SealOrigin(Origin{Key: []string{"7"}, Patient: patient, LSN: 99}, "ehr.note", hash)
	}
	db := &fakeDB{tables: [][][]any{
		{{"4711", "name", []byte("h"), s.sealSurrogate("4711", "name", []byte("h"), "Hamilton")}},
		{{"4711", s.sealShift("4711", -7)}},
		{{"c0", int16(0), "patterns"}, {"c0", int16(2), "names"}, {"c1", int16(1), "other"}},
		{{"ehr.note", "body", `["7"]`, "4711", "1.2", "c0", s.sealMaking(at4711, making{at, 0, []surrogate.Span{{Start: 1, End: 4, Type: phi.Date, By: 7}}})}},
		{
			{int64(1), "ehr.note", hash, origin("4711"), "leak", at, at},
			{int64(2), "ehr.note", hash, origin("12"), "leak", at, at},
		},
	}}
	r := NewReader(db, key)
	var got []any
	err := errors.Join(
		r.Surrogates(t.Context(), Filter{}, func(v Surrogate) error { got = append(got, v); return nil }),
		r.Shifts(t.Context(), Filter{}, func(v Shift) error { got = append(got, v); return nil }),
		r.Texts(t.Context(), Filter{}, func(v MadeText) error { got = append(got, v); return nil }),
		r.Quarantine(t.Context(), Filter{Patient: "4711"}, func(v Quarantined) error { got = append(got, v); return nil }),
	)
	want := []any{
		Surrogate{Patient: "4711", Kind: "name", Surrogate: "Hamilton"},
		Shift{Patient: "4711", Days: -7},
		MadeText{Table: "ehr.note", Column: "body", Key: `["7"]`, Patient: "4711", Version: "1.2", Config: "c0", At: at, LSN: "", Spans: []Span{{1, 4, phi.Date.String(), []string{"patterns", "names"}}}},
		Quarantined{ID: 1, Table: "ehr.note", Key: []string{"7"}, Patient: "4711", LSN: "0/63", Reason: "leak", First: at, Last: at},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %#v, %v", got, err)
	}
}

// A sample asks for the share of the rows that makes as many, and for all where nobody has counted them.
func TestSample(t *testing.T) {
	t.Parallel()
	key := schematest.Key(t)
	sealed := NewSeals(key).sealMaking(place{"ehr.note", "body", `["7"]`, "4711"}, making{at: time.Unix(0, 0).UTC()})
	for texts, percent := range map[float64]float64{0: 100, 300: 100, 40_000: 2.5} {
		db := &fakeDB{tables: [][][]any{{{texts}}, nil, {{"ehr.note", "body", `["7"]`, "4711", "1.2", "c0", sealed}}}}
		n := 0
		err := NewReader(db, key).Sample(t.Context(), 1000, func(v MadeText) error { n++; return nil })
		if err != nil || n != 1 || !reflect.DeepEqual(db.args[2], []any{percent, 2000}) {
			t.Errorf("of %v: %d texts, asked with %v, %v", texts, n, db.args, err)
		}
	}
}

// Another key, and a value that was moved to another row, are errors and show nothing.
func TestReaderRefusesWhatDoesNotOpen(t *testing.T) {
	t.Parallel()
	key := schematest.Key(t)
	for name, sealed := range map[string][]byte{
		"of another key":     NewSeals(schematest.Key(t)).sealShift("4711", 3),
		"of another patient": NewSeals(key).sealShift("12", 3),
		"damaged":            []byte("x"),
		"nothing":            nil,
	} {
		db := &fakeDB{tables: [][][]any{{{"4711", sealed}}}}
		err := NewReader(db, key).Shifts(t.Context(), Filter{}, func(Shift) error { t.Errorf("a value %s was opened", name); return nil })
		if err == nil || !strings.Contains(fault.Hint(err), "key_file") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestStoredChoicesOfPatients(t *testing.T) {
	t.Parallel()
	s := NewSeals(schematest.Key(t))
	db := &fakeDB{tables: [][][]any{
		{
			{"a", "name", []byte("1"), s.sealSurrogate("a", "name", []byte("1"), "Lee")},
			{"b", RecordKind, []byte("2"), []byte(nil)},
		},
		{{"b", s.sealShift("b", 12)}},
	}}
	var got []string
	err := errors.Join(
		s.Entries(t.Context(), db, []string{"a", "b"}, func(p string, e surrogate.Entry) {
			got = append(got, fmt.Sprintf("%s %s %s %q", p, e.Kind, e.Hash, e.Surrogate))
		}),
		s.Shifts(t.Context(), db, []string{"a", "b"}, func(p string, days int) { got = append(got, fmt.Sprint(p, " ", days)) }),
	)
	want := []string{`a name 1 "Lee"`, `b record 2 ""`, "b 12"}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	for _, args := range db.args {
		if !reflect.DeepEqual(args, []any{[]string{"a", "b"}}) {
			t.Errorf("asked for %v", args)
		}
	}
}

// Whatever verb prints them, and whatever holds them, these types show nothing of a row.
func TestVaultPrintsRedacted(t *testing.T) {
	t.Parallel()
	const secret, days = "Zorvakian", 123456
	chosen := Choices{}
	chosen.AddEntries("1", []surrogate.Entry{entry("name", "h", secret)})
	chosen.AddShift("1", days)
	origin := Origin{Key: []string{secret}}
	for _, v := range []any{
		Surrogate{Surrogate: secret},
		Shift{Days: days},
		Quarantined{Key: []string{secret}},
		origin,
		SetAside{Origin: origin},
		&SetAside{Origin: origin},
		RowName{Key: []string{secret}},
		chosen, &chosen,
	} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			for _, in := range []any{v, []any{v}, map[string]any{"x": v}} {
				got := fmt.Sprintf(verb, in)
				if strings.Contains(got, secret) || strings.Contains(got, fmt.Sprintf("%x", secret)) || strings.Contains(got, fmt.Sprint(days)) {
					t.Errorf("%T with %s: %s", v, verb, got)
				}
			}
		}
		var b strings.Builder
		slog.New(slog.NewTextHandler(&b, nil)).Info("x", "v", v)
		if strings.Contains(b.String(), secret) || strings.Contains(b.String(), fmt.Sprint(days)) {
			t.Errorf("%T in a log: %s", v, b.String())
		}
	}
}
