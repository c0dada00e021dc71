package crf

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

func TestAllowed(t *testing.T) {
	l, err := newLabelSet([]string{"PATIENT", "DOCTOR", "DATE"})
	if err != nil {
		t.Fatal(err)
	}
	name := corpus.SetOf(phi.Patient, phi.Doctor)
	all := corpus.SetOf(phi.Types()...)
	const o, bPatient, bDoctor, bDate, iPatient, iDoctor, iDate = 1, 2, 4, 8, 16, 32, 64
	for _, c := range []struct {
		tags   string
		covers corpus.TypeSet
		want   []set
	}{
		{"O B-PATIENT I-PATIENT", all, []set{o, bPatient, iPatient}},
		{"O B-NAME I-NAME O", all, []set{o, bPatient | bDoctor, iPatient | iDoctor, o}},
		{"O", name, []set{o | bDate}},
		{"O O", name, []set{o | bDate, o | bDate | iDate}},
		{"*", all, []set{o | bPatient | bDoctor | bDate}},
		{"B-CITY", all, []set{o}},
		{"B-TIME I-TIME", all, []set{o, o}},
		{"I-DATE I-DATE", all, []set{bDate, iDate}},
		{"B-DATE I-PATIENT", all, []set{bDate, bPatient}},
	} {
		got, err := l.allowed(strings.Fields(c.tags), c.covers)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %b, %v; want %b", c.tags, got, err, c.want)
		}
	}
	if _, err := l.allowed([]string{"S-NAME"}, all); err == nil {
		t.Error("a tag that is none is no error")
	}
}

func TestNewLabelSetRefuses(t *testing.T) {
	for _, names := range [][]string{nil, {"NOTHING"}, {"NAME", "PATIENT"}, {"DATE", "DATE"}, make([]string, 40)} {
		if _, err := newLabelSet(names); err == nil {
			t.Errorf("%q: no error", names)
		}
	}
}

func TestTemplates(t *testing.T) {
	for _, texts := range [][]string{DefaultTemplates(), HitTemplates()} {
		if _, err := newTemplateSet(texts); err != nil {
			t.Error(err)
		}
	}
	for _, text := range []string{
		"", "colour", "lower 1", "lower 2 1", "lower -9 0", "lower[0] form[9]", "lower[0] colour[1]",
		"form[0] form[1] form[2] form[3]", "lower[x]",
	} {
		if _, err := newTemplateSet([]string{text}); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}
