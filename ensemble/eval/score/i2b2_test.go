package score

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

func TestI2B2Ways(t *testing.T) {
	type row = map[Way]Counts
	for name, tt := range map[string]struct {
		gold, found string
		fine, hipaa row
	}{
		"the end is off by two": {
			"⟦Ann Lee|PATIENT⟧'s son", "⟦Ann Lee's|PATIENT⟧ son",
			row{
				Strict: {1, 0, 1, 1}, Relaxed: {1, 1, 1, 0}, Overlap: {1, 1, 1, 0}, Borders: {1, 0, 1, 1}, Tokens: {2, 2, 3, 1},
				BinaryTokens: {2, 2, 3, 1},
			},
			row{Strict: {1, 0, 1, 1}, Relaxed: {1, 1, 1, 0}},
		},
		"the end is off by three": {
			"on ⟦May 3|DATE⟧ 08", "on ⟦May 3 08|DATE⟧",
			row{Relaxed: {1, 0, 1, 1}, Overlap: {1, 1, 1, 0}, Tokens: {2, 2, 3, 1}},
			row{Relaxed: {1, 0, 1, 1}},
		},
		"characters, not bytes": {
			"by ⟦Ann|DOCTOR⟧éé", "by ⟦Annéé|DOCTOR⟧",
			row{Strict: {1, 0, 1, 1}, Relaxed: {1, 1, 1, 0}, Tokens: {1, 0, 1, 1}},
			row{Strict: {}, Relaxed: {}},
		},
		"the start is off by one": {
			"by Dr⟦.Ann|DOCTOR⟧", "by Dr.⟦Ann|DOCTOR⟧",
			row{Strict: {1, 0, 1, 1}, Relaxed: {1, 0, 1, 1}, Overlap: {1, 1, 1, 0}, Tokens: {1, 1, 1, 0}},
			row{},
		},
		"another type": {
			"⟦Ann|PATIENT⟧ in ⟦Salem|CITY⟧", "⟦Ann|DOCTOR⟧ in ⟦Salem|CITY⟧",
			row{
				Strict: {2, 1, 2, 1}, Overlap: {2, 1, 2, 1}, Borders: {2, 2, 2, 0}, Tokens: {2, 1, 2, 1}, CategoryTokens: {2, 2, 2, 0},
				BinaryTokens: {2, 2, 2, 0},
			},
			// DOCTOR is not one of HIPAA's types: the patient is missed.
			row{Strict: {2, 1, 1, 0}, BinaryTokens: {2, 1, 1, 0}},
		},
		"two pieces of one": {
			"⟦Ann Lee|PATIENT⟧", "⟦Ann|PATIENT⟧ ⟦Lee|PATIENT⟧",
			row{Strict: {1, 0, 2, 2}, Overlap: {1, 1, 2, 1}, Tokens: {2, 2, 2, 0}},
			row{},
		},
		"doctors, hospitals and states are not HIPAA's; years and ages are": {
			"⟦May|DOCTOR⟧ of ⟦Mercy|HOSPITAL⟧ in ⟦Ohio|STATE⟧, ⟦2014|DATE⟧, ⟦53|AGE⟧", "May of Mercy in Ohio, 2014, 53",
			row{Strict: {5, 0, 0, 0}, BinaryTokens: {5, 0, 0, 0}},
			row{Strict: {2, 0, 0, 0}, BinaryTokens: {2, 0, 0, 0}},
		},
		"pagers are phones, times are nothing": {
			"⟦5-1234|PHONE⟧ at 10:00", "⟦5-1234|PAGER⟧ at ⟦10:00|TIME⟧",
			row{Strict: {1, 1, 1, 0}, Tokens: {2, 2, 2, 0}},
			row{Strict: {1, 1, 1, 0}, BinaryTokens: {2, 2, 2, 0}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			rep := report(t, tt.gold, tt.found)
			for track, want := range map[Track]row{FineTypes: tt.fine, HIPAA: tt.hipaa} {
				for way, counts := range want {
					if got := rep.I2B2[track.String()][way.String()].Counts; got != counts {
						t.Errorf("%s %s: %+v, want %+v", track, way, got, counts)
					}
				}
			}
		})
	}
}

func TestHIPAAAsScriptedLeavesOutIDNum(t *testing.T) {
	rep := report(t, "⟦12-345|IDNUM⟧ ⟦7654321|MEDICALRECORD⟧", "⟦12-345|IDNUM⟧ ⟦7654321|MEDICALRECORD⟧")
	for track, want := range map[Track]int{FineTypes: 2, HIPAA: 2, HIPAAScript: 1} {
		if got := rep.I2B2[track.String()][Strict.String()]; got.Gold != want || got.Found != want || got.Predicted != want {
			t.Errorf("%s: %+v, want %d", track, got.Counts, want)
		}
	}
}

// TestEqualGoldCountsOnce: the organisers' script compares sets.
func TestEqualGoldCountsOnce(t *testing.T) {
	doc := gold(t, "⟦Ann|PATIENT⟧ came")
	doc.Spans = append(doc.Spans, doc.Spans[0])
	s := NewScorer(false)
	s.Add(&doc, []phi.Span{doc.Spans[0].span()})
	if got := s.Report().Strict.Counts; got != (Counts{1, 1, 1, 0}) {
		t.Errorf("%+v", got)
	}
}

func TestI2B2TypesAddUp(t *testing.T) {
	rep := report(t, "⟦Ann|PATIENT⟧ ⟦May|DOCTOR⟧ ⟦Salem|CITY⟧", "⟦Ann|PATIENT⟧ ⟦May|PATIENT⟧ ⟦Salem|CITY⟧")
	var sum Counts
	for _, ways := range rep.I2B2Types {
		sum.Add(ways[Strict.String()])
	}
	if sum != rep.Strict.Counts || rep.I2B2Types["PATIENT"]["strict"] != (Counts{1, 1, 2, 1}) ||
		rep.I2B2Types["DOCTOR"]["strict"] != (Counts{1, 0, 0, 0}) {
		t.Errorf("%+v, of types %+v", rep.Strict.Counts, rep.I2B2Types)
	}
	if got := rep.Entities["NAME"].Counts; got != (Counts{2, 1, 2, 1}) {
		t.Errorf("names: %+v", got)
	}
}

// made is a document of random gold with random predictions.
type made struct {
	doc   Document
	found []phi.Span
}

// TestCategories: a town found as a hospital has the right category LOCATION, a name has not.
func TestCategories(t *testing.T) {
	rep := report(t, "⟦Salem|CITY⟧ ⟦Mercy|HOSPITAL⟧ ⟦May 3|DATE⟧", "⟦Salem|HOSPITAL⟧ ⟦Mercy|PATIENT⟧ ⟦May 3|DATE⟧")
	got := map[string]Counts{}
	for name, r := range rep.Categories {
		got[name] = r.Counts
	}
	if diff := cmp.Diff(map[string]Counts{"LOCATION": {2, 1, 1, 0}, "DATE": {2, 2, 2, 0}, "NAME": {}}, got); diff != "" {
		t.Error(diff)
	}
}

// randomDocs makes documents with hits, misses and false alarms.
func randomDocs(seed uint64, n int) []made {
	rng := rand.New(rand.NewPCG(seed, 4))
	types := []phi.Type{phi.Patient, phi.Doctor, phi.City, phi.Date, phi.Hospital, phi.IDNum, phi.Age, phi.Pager}
	out := make([]made, n)
	for i := range out {
		var b strings.Builder
		var m made
		for range 3 + rng.IntN(30) {
			start := b.Len()
			b.WriteString([]string{"Ann", "Lee's", "1/2/2014", "St. Mary", "the", "94", "May,", "Zoë"}[rng.IntN(8)])
			end, typ := b.Len(), types[rng.IntN(len(types))]
			b.WriteByte(' ')
			if rng.IntN(3) > 0 {
				if rng.IntN(8) == 0 {
					m.found = append(m.found, phi.Span{Start: start, End: end, Type: typ})
				}
				continue
			}
			m.doc.Spans = append(m.doc.Spans, GoldSpan{Start: start, End: end, Label: typ.String(), Meaning: corpus.MeaningOf(typ)})
			if rng.IntN(4) == 0 {
				typ = types[rng.IntN(len(types))]
			}
			switch cut := rng.IntN(5); {
			case cut == 0:
			case cut == 1 && end-start > 3:
				m.found = append(m.found, phi.Span{Start: start, End: start + 2, Type: typ})
			default:
				m.found = append(m.found, phi.Span{Start: start, End: end, Type: typ})
			}
		}
		m.doc.ID, m.doc.Text = fmt.Sprint(i), b.String()
		m.doc.Kind, m.doc.Group = []string{"", "letter", "note"}[rng.IntN(3)], []string{"", "Asian", "White"}[rng.IntN(3)]
		out[i] = m
	}
	return out
}

func reportOf(docs []made) Report {
	s := NewScorer(false)
	for i := range docs {
		s.Add(&docs[i].doc, docs[i].found)
	}
	return s.Report()
}

func TestStricterWaysFindLess(t *testing.T) {
	for seed := range uint64(20) {
		rep := reportOf(randomDocs(seed, 30))
		for _, k := range Tracks() {
			ways := rep.I2B2[k.String()]
			of := func(w Way) Rates { return ways[w.String()] }
			for _, pair := range [][2]Way{
				{Strict, Relaxed},
				{Relaxed, Overlap},
				{Strict, Borders},
				{Tokens, CategoryTokens},
				{CategoryTokens, BinaryTokens},
			} {
				a, b := of(pair[0]), of(pair[1])
				if a.Gold != b.Gold || a.Found > b.Found || a.Precision > b.Precision || a.F1 > b.F1 {
					t.Errorf("seed %d, %s: %s %+v, %s %+v", seed, k, pair[0], a.Counts, pair[1], b.Counts)
				}
			}
		}
	}
}

func TestWhatIsPerfectScoresOne(t *testing.T) {
	docs := randomDocs(5, 40)
	for i := range docs {
		docs[i].found = nil
		for _, g := range docs[i].doc.Spans {
			docs[i].found = append(docs[i].found, g.span())
		}
	}
	rep := reportOf(docs)
	rates := slices.Concat([]Rates{rep.Strict, rep.Relaxed, rep.Overlap, rep.Groups["A"], rep.Groups["B"], rep.Groups["C"], rep.Groups["all"]})
	for _, k := range Tracks() {
		for _, w := range Ways() {
			rates = append(rates, rep.I2B2[k.String()][w.String()])
		}
	}
	for i, r := range rates {
		if r.Precision != 1 || r.Recall != 1 || r.F1 != 1 || r.Gold == 0 {
			t.Errorf("score %d: %+v", i, r)
		}
	}
	if s := rep.TableS4.All; s.Precision() != 1 || s.Recall() != 1 || rep.Errors.Missed != 0 || rep.Errors.PerNote[0].Coverage != 1 {
		t.Errorf("%+v %+v", s, rep.Errors)
	}
}

func TestOrderOfDocumentsIsNoMatter(t *testing.T) {
	docs := randomDocs(6, 40)
	a := reportOf(docs)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(docs), func(i, j int) { docs[i], docs[j] = docs[j], docs[i] })
	b := reportOf(docs)
	intervals := cmpopts.IgnoreFields(Rates{}, "PrecisionCI", "RecallCI", "F1CI")
	if diff := cmp.Diff(a, b, intervals, cmpopts.IgnoreFields(Slice{}, "RecallCI"), cmpopts.IgnoreFields(Report{}, "Notes")); diff != "" {
		t.Error(diff)
	}
}

func TestIntervalsHoldTheScore(t *testing.T) {
	rep := reportOf(randomDocs(7, 60))
	in := func(name string, ci [2]float64, rate float64) {
		if ci[0] > rate || ci[1] < rate || ci[0] == ci[1] {
			t.Errorf("%s: %v is not in %v", name, rate, ci)
		}
	}
	for name, r := range map[string]Rates{
		"C": rep.Groups["C"], "strict": rep.Strict, "HIPAA": rep.I2B2["HIPAA"]["binary tokens"],
		"NAME": rep.Classes["NAME"],
	} {
		in(name, r.RecallCI, r.Recall)
		in(name, r.PrecisionCI, r.Precision)
		in(name, r.F1CI, r.F1)
	}
	for _, s := range rep.NameGroup {
		in(s.Name, s.RecallCI, s.Recall())
	}
	if diff := cmp.Diff(rep, reportOf(randomDocs(7, 60))); diff != "" {
		t.Errorf("the same documents give another report:\n%s", diff)
	}
}
