package vault

import (
	"reflect"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
	"github.com/pgdeid/pgdeid/surrogate"
)

func TestMakingIsSealedForItsText(t *testing.T) {
	t.Parallel()
	s := NewSeals(schematest.Key(t))
	at := place{"ehr.note", "body", `["7"]`, "4711"}
	for _, m := range []making{
		{at: time.Unix(1700000000, 0).UTC()},
		{at: time.Unix(0, 0).UTC(), lsn: 1<<64 - 1, spans: []surrogate.Span{
			{Start: 0, End: 4, Type: phi.Patient, By: 1<<32 - 1}, {Start: 4, End: 4, Type: phi.Date}, {Start: 90000, End: 90010, Type: phi.Phone, By: 5},
		}},
	} {
		got, err := s.openMaking(at, s.sealMaking(at, m))
		if err != nil || !reflect.DeepEqual(got, m) {
			t.Errorf("got %+v, %v, want %+v", got, err, m)
		}
	}
	sealed := s.sealMaking(at, making{})
	for _, other := range []place{
		{"ehr.note2", "body", `["7"]`, "4711"}, {"ehr.note", "title", `["7"]`, "4711"}, {"ehr.note", "body", `["8"]`, "4711"}, {"ehr.note", "body", `["7"]`, "4712"},
	} {
		if _, err := s.openMaking(other, sealed); err == nil {
			t.Errorf("what was sealed for %v is open for %v", at, other)
		}
	}
}

func TestVaultValuesAreSealedForTheirRow(t *testing.T) {
	t.Parallel()
	s := NewSeals(schematest.Key(t))
	shift := s.sealShift("1", -268)
	if days, err := s.openShift("1", shift); days != -268 || err != nil {
		t.Errorf("shift: %d, %v", days, err)
	}
	if _, err := s.openShift("2", shift); err == nil {
		t.Error("the shift of another patient was taken")
	}
	name := s.sealSurrogate("1", "name", []byte("hash"), "Hamilton")
	if text, err := s.openSurrogate("1", "name", []byte("hash"), name); text != "Hamilton" || err != nil {
		t.Errorf("surrogate: %q, %v", text, err)
	}
	if _, err := s.openSurrogate("1", "name", []byte("hush"), name); err == nil {
		t.Error("the surrogate of another original was taken")
	}
	if len(s.sealSurrogate("1", "name", nil, "Li")) != len(name) {
		t.Error("lengths of names show")
	}
	a := Origin{Key: []string{"7", "x"}, Patient: "1", LSN: 99}
	if got, err := s.OpenOrigin(s.SealOrigin(a, "ehr.note", []byte("h")), "ehr.note", []byte("h")); !reflect.DeepEqual(got, a) || err != nil {
		t.Errorf("set aside: %+v, %v", got, err)
	}
	key := s.SealKey("cursor", []string{"7"}, "ehr.note")
	if got, err := s.OpenKey("cursor", key, "ehr.note"); !reflect.DeepEqual(got, []string{"7"}) || err != nil {
		t.Errorf("key: %v, %v", got, err)
	}
	if _, err := s.OpenKey("requeue", key, "ehr.note"); err == nil {
		t.Error("a key was opened for something else")
	}
}

func FuzzDecodeMaking(f *testing.F) {
	f.Add(making{at: time.Unix(1, 0), spans: []surrogate.Span{{Start: 3, End: 5, Type: phi.Date, By: 3}}}.encode())
	f.Add([]byte{1})
	f.Fuzz(func(t *testing.T, plain []byte) {
		m, err := decodeMaking(plain)
		if err != nil {
			return
		}
		again, err := decodeMaking(m.encode())
		if err != nil || !reflect.DeepEqual(again, m) {
			t.Errorf("%x: %+v becomes %+v, %v", plain, m, again, err)
		}
	})
}

// BenchmarkSealNote seals what the vault holds of a note of twenty spans: the making and
// five new surrogates.
func BenchmarkSealNote(b *testing.B) {
	s := NewSeals(schematest.Key(b))
	m := making{at: time.Unix(1700000000, 0), lsn: 1 << 40}
	for i := range 20 {
		m.spans = append(m.spans, surrogate.Span{Start: 150 * i, End: 150*i + 9, Type: phi.Patient, By: 5})
	}
	at := place{"ehr.note", "body", `["7"]`, "4711"}
	for b.Loop() {
		s.sealMaking(at, m)
		for range 5 {
			s.entry("4711", surrogate.Entry{Kind: "name", Hash: make([]byte, 16), Surrogate: "Hamilton"})
		}
	}
}

// Which rows a part of a table has opens for that part alone.
func TestPartIsSealedForItsRow(t *testing.T) {
	t.Parallel()
	s := NewSeals(schematest.Key(t))
	for _, part := range []schema.Part{
		{}, {Alone: true}, {Patients: []string{"7", "Ümit"}}, {After: []string{"1", ""}, Until: []string{"2", "x"}},
	} {
		got, err := s.OpenPart(s.SealPart(part, "ehr.note", "3"), "ehr.note", "3")
		if err != nil || !reflect.DeepEqual(got, part) {
			t.Errorf("%v: another part, %v", part, err)
		}
	}
	sealed := s.SealPart(schema.Part{Patients: []string{"7"}}, "ehr.note", "3")
	for _, row := range [][]string{{"ehr.note", "4"}, {"ehr.note2", "3"}, {"ehr.note"}} {
		if _, err := s.OpenPart(sealed, row...); err == nil {
			t.Errorf("it opens for %v", row)
		}
	}
	if _, err := NewSeals(schematest.Key(t)).OpenPart(sealed, "ehr.note", "3"); err == nil {
		t.Error("it opens with another key")
	}
}
