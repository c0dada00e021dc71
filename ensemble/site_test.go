package ensemble

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/ensemble/site"
)

func siteList(t *testing.T, phrases ...site.Phrase) *site.List {
	t.Helper()
	l, err := site.NewList(phrases)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestWithSite(t *testing.T) {
	t.Parallel()
	list := siteList(t, site.Phrase{Text: "The Rookery", Type: phi.Hospital}, site.Phrase{Text: "Quarkstein protocol"})
	patient := record.NewGazetteer(record.Record{"name.last": {"Quarkstein"}, "name.first": {"Zebulon"}})
	for _, way := range []merge.Aggregation{merge.ByVote, merge.ByUnion, ""} {
		plain, err := New(Options{Aggregation: way, Members: []Member{{Detector: pointer{"pointer", []string{"Quarkstein"}, phi.Doctor, false}}}})
		if err != nil {
			t.Fatal(err)
		}
		e, err := plain.WithSite(list)
		if err != nil {
			t.Fatal(err)
		}
		for _, tt := range []struct {
			name, text string
			patient    *record.Gazetteer
			want       string
		}{
			{name: "always", text: "Back on the rookery.", want: "HOSPITAL the rookery by site"},
			{name: "never", text: "By the Quarkstein protocol."},
			{name: "a name alone", text: "Saw Quarkstein.", want: "DOCTOR Quarkstein by pointer"},
			{name: "the patient's own name", text: "By the Quarkstein protocol.", patient: patient, want: "PATIENT Quarkstein by record,pointer"},
		} {
			spans, err := e.Detect(t.Context(), &Note{Text: tt.text, Patient: tt.patient})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, s := range spans {
				got = append(got, s.Type.String()+" "+tt.text[s.Start:s.End]+" by "+strings.Join(e.Names(s.By), ","))
			}
			if strings.Join(got, "; ") != tt.want {
				t.Errorf("%s, %s: %q, want %q", way, tt.name, got, tt.want)
			}
		}
		if slices.Contains(plain.Names(plain.Members()), "site") || !slices.Equal(e.Names(e.Members())[:5], plain.Names(plain.Members())) {
			t.Error("the members before have other places, or the ensemble itself has changed")
		}
	}
}

func TestWithSiteOfNothing(t *testing.T) {
	t.Parallel()
	e, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []*site.List{nil, siteList(t), siteList(t, site.Phrase{Text: "Quarkstein protocol"})} {
		with, err := e.WithSite(l)
		if err != nil || with.Members() != e.Members() {
			t.Errorf("members %b, %v", with.Members(), err)
		}
	}
}

func TestWithSiteOfTooManyMembers(t *testing.T) {
	t.Parallel()
	var members []Member
	for i := range merge.MaxVoters - len(DetectorNames()) {
		members = append(members, Member{Detector: pointer{name: "pointer" + string(rune('a'+i))}})
	}
	e, err := New(Options{Members: members})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.WithSite(siteList(t, site.Phrase{Text: "The Rookery", Type: phi.Hospital})); err == nil {
		t.Error("a member too many")
	}
}
