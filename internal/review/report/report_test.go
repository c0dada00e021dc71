package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pgdeid/pgdeid/ensemble/eval/agreement"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/acceptance"
	"github.com/pgdeid/pgdeid/internal/review"
)

var (
	morning = time.Date(2031, 5, 2, 9, 0, 0, 0, time.UTC)
	evening = morning.Add(9 * time.Hour)
)

func right(start, end int, typ string) review.Mark {
	return review.Mark{Start: start, End: end, Type: typ, Verdict: review.Right, Found: &review.Span{Start: start, End: end, Type: typ}}
}

func missing(start, end int, typ string) review.Mark {
	return review.Mark{Start: start, End: end, Type: typ, Verdict: review.Missed}
}

func wrong(start, end int, typ string) review.Mark {
	m := right(start, end, typ)
	m.Verdict = review.Wrong
	return m
}

func resized(start, end, from, to int) review.Mark {
	return review.Mark{
		Start: start, End: end, Type: "PATIENT", Verdict: review.Resized, Found: &review.Span{Start: from, End: to, Type: "PATIENT"},
	}
}

func reading(place int, reader string, marks ...review.Mark) review.Reading {
	return review.Reading{
		Place: place, Reader: reader, Part: review.Reviewer, OpenedAt: morning, FinishedAt: morning.Add(time.Duration(place) * time.Minute), Marks: marks,
	}
}

// round returns a round in which one reader has read notes of as many patients, two names in each.
func round(notes int) *Input {
	in := &Input{
		Round: review.Round{
			Name: "spring", Kind: review.Acceptance, Readers: 1, DrawnBy: "lee", DrawnAt: morning,
			Design: review.Design{Seed: "seven", Strata: []review.Stratum{{Label: "letters", Notes: int64(notes), Drawn: notes}}},
		},
		Made: map[int]Made{}, By: "kim", At: evening, Version: "v9", Config: "c0ffee",
		Claims: []review.Claim{{Types: "NAME", Claim: acceptance.Claim{Recall: .99, Confidence: .95}}},
	}
	for i := range notes {
		in.Items = append(in.Items, review.Item{Place: i + 1, Patient: fmt.Sprint("p", i)})
		in.Readings = append(in.Readings, reading(i+1, "ann", right(0, 4, "PATIENT"), right(9, 12, "DOCTOR")))
		in.Made[i+1] = Made{"v9", "c0ffee", morning.Add(-time.Hour)}
	}
	return in
}

func made(t *testing.T, in *Input) *Report {
	t.Helper()
	r, err := New(in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestReport(t *testing.T) {
	t.Parallel()
	r := made(t, round(299))
	if len(r.Verdicts) != 1 || !r.Verdicts[0].Proven || r.Verdicts[0].Types != "NAME" {
		t.Errorf("%+v", r.Verdicts)
	}
	want := Round{
		Name: "spring", Drawn: morning, DrawnBy: "lee", Seed: "seven", Readers: 1, Items: 299, Read: 299,
		Strata: []Stratum{{"letters", 299, 299, 299}},
	}
	if diff := cmp.Diff(want, r.Round); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Reader{{"ann", "reviewer", 299, morning, morning.Add(299 * time.Minute)}}, r.Readers); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Published{{"v9", "c0ffee", 299}}, r.Published); diff != "" {
		t.Error(diff)
	}
	if len(r.Remarks) != 4 || r.Pair != nil || r.By != "kim" || r.Version != "v9" || r.Config != "c0ffee" {
		t.Errorf("%+v", r)
	}
}

func TestReportOfPartOfASample(t *testing.T) {
	t.Parallel()
	in := round(320)
	in.Items = append(in.Items, review.Item{Place: 321, Patient: "q"})
	in.Round.Design.Strata[0].Drawn = 325
	in.Made[1] = Made{"v8", "c0ffee", morning.Add(-time.Hour)}
	in.Made[2] = Made{"v9", "c0ffee", evening}
	delete(in.Made, 3)
	r := made(t, in)
	if r.Verdicts[0].Proven || r.Verdicts[0].Low < .99 {
		t.Errorf("a claim is proven before all notes are read: %+v", r.Verdicts[0])
	}
	all := strings.Join(r.Remarks, "\n")
	for _, part := range []string{"1 notes of the sample were not read", "4 notes that were drawn", "1 notes are published as another", "1 notes were made anew"} {
		if !strings.Contains(all, part) {
			t.Errorf("no remark %q in %s", part, all)
		}
	}
	if diff := cmp.Diff([]Published{{"v9", "c0ffee", 318}, {"", "", 1}, {"v8", "c0ffee", 1}}, r.Published); diff != "" {
		t.Error(diff)
	}
}

// TestWeights reads every note of a small stratum and one in a hundred of a large one, where names are missed.
func TestWeights(t *testing.T) {
	t.Parallel()
	in := round(20)
	in.Round.Design.Strata = []review.Stratum{{Label: "small", Notes: 10, Drawn: 10}, {Label: "large", Notes: 1000, Drawn: 10}}
	for i := range 10 {
		in.Items[10+i].Stratum = 1
		in.Readings[10+i].Marks = []review.Mark{right(0, 4, "PATIENT"), missing(9, 12, "DOCTOR")}
	}
	r := made(t, in)
	if got, want := r.Estimate.Groups[1].Recall.Point, 1-1000./2020; math.Abs(got-want) > 1e-9 {
		t.Errorf("recall %v, want %v", got, want)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	in := round(3)
	in.Round.Kind = review.Rare
	if _, err := New(in); !errors.Is(err, ErrNotRandom) {
		t.Errorf("of notes that were not drawn: %v", err)
	}
	in = round(3)
	in.Readings = nil
	if _, err := New(in); !errors.Is(err, ErrNothingRead) {
		t.Errorf("of nothing: %v", err)
	}
	in = round(3)
	in.Round.Readers = 2
	if _, err := New(in); !errors.Is(err, ErrNothingRead) {
		t.Errorf("one of two readers is done: %v", err)
	}
	in = round(3)
	in.Claims[0].Types = "everything"
	if _, err := New(in); err == nil {
		t.Error("a claim about nothing")
	}
}

func TestCount(t *testing.T) {
	t.Parallel()
	retyped := right(40, 44, "HOSPITAL")
	retyped.Type, retyped.Verdict = "CITY", review.Retyped
	got := count([]review.Mark{
		right(0, 4, "PATIENT"), missing(5, 8, "PATIENT"), wrong(9, 12, "PATIENT"), resized(14, 20, 14, 18), resized(22, 24, 22, 28), retyped,
	})
	want := map[phi.Type]acceptance.Counts{
		phi.Patient:  {Present: 4, Missed: 2, Shown: 4, Wrong: 1},
		phi.City:     {Present: 1},
		phi.Hospital: {Shown: 1},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSettle(t *testing.T) {
	t.Parallel()
	a := reading(1, "ann", right(0, 4, "PATIENT"), wrong(6, 8, "CITY"), resized(10, 20, 10, 14))
	b := reading(1, "ben", right(0, 4, "PATIENT"), right(6, 8, "CITY"), right(10, 14, "PATIENT"), missing(30, 33, "PHONE"))
	c := reading(1, "cy", right(0, 4, "PATIENT"))
	c.Part = review.Adjudicator
	for _, tt := range []struct {
		name     string
		readings []review.Reading
		want     string
		open     bool
	}{
		{"nobody", nil, "", false},
		{"one", []review.Reading{c}, "0 right", false},
		{"two who agree", []review.Reading{b, b}, "0 right, 6 right, 10 right, 30 missed", false},
		{"two who differ", []review.Reading{a, b}, "0 right, 6 right, 10 resized, 30 missed", true},
		{"in the other order", []review.Reading{b, a}, "0 right, 6 right, 10 resized, 30 missed", true},
		{"adjudicated", []review.Reading{a, b, c}, "0 right", false},
	} {
		marks, open := Settle(tt.readings)
		var got []string
		for _, m := range marks {
			got = append(got, fmt.Sprint(m.Start, " ", m.Verdict))
		}
		if strings.Join(got, ", ") != tt.want || open != tt.open {
			t.Errorf("%s: %v, %t", tt.name, got, open)
		}
	}
}

func TestPair(t *testing.T) {
	t.Parallel()
	in := round(4)
	in.Round.Readers = 2
	add := func(place int, marks ...review.Mark) {
		in.Readings = append(in.Readings, reading(place, "ben", marks...))
	}
	base := []review.Mark{right(0, 4, "PATIENT"), right(9, 12, "DOCTOR")}
	another := right(9, 12, "DOCTOR")
	another.Type, another.Verdict = "HOSPITAL", review.Retyped
	in.Readings[2].Marks = append(base[:2:2], wrong(50, 54, "DATE"), wrong(60, 64, "DATE"))
	in.Readings[0].Marks = append(base[:2:2], missing(20, 24, "PATIENT"), missing(30, 34, "DATE"))
	add(1, append(base[:2:2], missing(20, 29, "PATIENT"))...)
	add(2, append(base[:2:2], missing(40, 44, "ZIP"))...)
	add(3, base[0], another, wrong(50, 54, "DATE"), right(60, 64, "DATE"))
	r := made(t, in)
	p := r.Pair
	if p == nil || p.Notes != 3 || r.Round.Read != 3 || r.Round.Open != 3 {
		t.Fatalf("%+v, %+v", p, r.Round)
	}
	if diff := cmp.Diff(acceptance.Recapture{First: 2, Second: 2, Both: 1}, p.Recapture); diff != "" {
		t.Error(diff)
	}
	if want := (agreement.Agreement{Both: 7, OnlyA: 1, OnlyB: 2, Neither: 1}); p.Identifiers != want || p.Typed != 6 || math.Abs(p.Marked-14./17) > 1e-9 ||
		math.Abs(p.KappaSpans-want.Kappa()) > 1e-9 {
		t.Errorf("%+v, %d of the same type, %v", p.Identifiers, p.Typed, p.KappaSpans)
	}
	if p.Misses.Both != 1 || p.Misses.OnlyB != 1 || p.Misses.Neither != 1 || math.Abs(p.Kappa-.4) > 1e-9 {
		t.Errorf("%+v, kappa %v", p.Misses, p.Kappa)
	}
	if p.Unseen != .5 || p.Recall >= 1 {
		t.Errorf("unseen %v, recall %v", p.Unseen, p.Recall)
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	r := made(t, round(30))
	var b bytes.Buffer
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var again Report
	if err := json.Unmarshal(b.Bytes(), &again); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(*r, again); diff != "" {
		t.Error(diff)
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	in := round(30)
	in.Round.Name = `<script>alert("x")</script>`
	in.Round.Readers = 2
	for i := range 30 {
		in.Readings = append(in.Readings, reading(i+1, "ben", right(0, 4, "PATIENT"), missing(9, 15, "DOCTOR")))
	}
	r := made(t, in)
	var page, text bytes.Buffer
	if err := errors.Join(r.WriteHTML(&page), r.WriteText(&text)); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"Not proven", "c0ffee", "letters", "ben", "50.00%", "kappa"} {
		if !strings.Contains(page.String(), part) {
			t.Errorf("no %q in the page", part)
		}
	}
	for _, part := range []string{"<script", "http:", "https:", "src="} {
		if strings.Contains(page.String(), part) {
			t.Errorf("%q in the page", part)
		}
	}
	for _, part := range []string{"30 of 30 notes", "not proven", "NAME", "50.00%", "30 notes had two readers"} {
		if !strings.Contains(text.String(), part) {
			t.Errorf("no %q in %s", part, text.String())
		}
	}
}

func TestRounding(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		atLeast(.989999): "98.99%",
		between(acceptance.Interval{Low: .989999, High: .990001}): "98.99% – 99.01%",
		between(acceptance.Interval{Low: 0, High: 1}):             "0.00% – 100.00%",
		percent(.123456): "12.35%",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestUnseen has readers who found nothing in common: what neither saw is not estimated.
func TestUnseen(t *testing.T) {
	t.Parallel()
	for both, want := range map[bool]string{true: "misses that neither saw", false: "can't be estimated"} {
		in := round(5)
		in.Round.Readers = 2
		for i := range 5 {
			in.Readings = append(in.Readings, reading(i+1, "ben", right(0, 4, "PATIENT"), missing(20, 24, "CITY")))
			if both {
				in.Readings[i].Marks = in.Readings[5+i].Marks
			}
		}
		var text, page bytes.Buffer
		r := made(t, in)
		if err := errors.Join(r.WriteText(&text), r.WriteHTML(&page)); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text.String(), want) || strings.Contains(page.String(), "can&#39;t be estimated") || strings.Contains(page.String(), "can't be estimated") == both {
			t.Errorf("found by both: %t: %s", both, text.String())
		}
	}
}

func TestClaimsOfTheRound(t *testing.T) {
	t.Parallel()
	in := round(299)
	in.Round.Design.Claims = []review.Claim{in.Claims[0], {Types: "C", Claim: acceptance.Claim{Recall: .999, Confidence: .95}}}
	in.Claims = append(in.Claims, review.Claim{Types: "PATIENT", Claim: acceptance.Claim{Recall: .9, Confidence: .95}})
	r := made(t, in)
	var got []string
	for _, v := range r.Verdicts {
		got = append(got, fmt.Sprint(v.Types, " ", v.Before, " ", v.Proven))
	}
	if want := "NAME true true, C true false, PATIENT false true"; strings.Join(got, ", ") != want {
		t.Errorf("%q, want %q", got, want)
	}
	var page, text bytes.Buffer
	if err := errors.Join(r.WriteHTML(&page), r.WriteText(&text)); err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{page.String(), text.String()} {
		if strings.Count(s, "named after the draw") != 1 {
			t.Error("it is not clear which claim came later")
		}
	}
}

// Names are counted by what was guessed of their bearers: missed ones too, none hidden, and what was read before is said.
func TestReportByGroupsOfNames(t *testing.T) {
	t.Parallel()
	in := round(60)
	for i := range in.Readings {
		m := in.Readings[i].Marks
		m[0].Bearer, m[1].Bearer = "wf", "am"
	}
	garcia := missing(20, 26, "PATIENT")
	garcia.Bearer = review.BearerOf("Garcia")
	city, none := missing(30, 36, "CITY"), wrong(40, 44, "PATIENT")
	none.Bearer = "nu"
	in.Readings[0].Marks = append(in.Readings[0].Marks, garcia, city, none)
	in.Readings[1].Marks[0].Bearer = ""
	r := made(t, in)
	got := map[string][3]int{}
	for _, row := range slices.Concat(r.Estimate.Origins, r.Estimate.Sexes) {
		got[row.Name] = [3]int{row.Recall.Items, row.Recall.Bad, row.Patients}
	}
	if len(r.Estimate.Origins) != 6 || len(r.Estimate.Sexes) != 4 || got["White"] != [3]int{59, 0, 59} || got["Hispanic"] != [3]int{1, 1, 1} ||
		got["Native American"] != [3]int{} || got["men"] != [3]int{60, 0, 60} || got["women"] != [3]int{59, 0, 59} {
		t.Errorf("%v", got)
	}
	all := strings.Join(r.Remarks, "\n")
	for _, part := range []string{"guessed from public lists", "\"unknown\"", "marked \"few\"", "1 of 121 names are in no group"} {
		if !strings.Contains(all, part) {
			t.Errorf("no remark %q in %s", part, all)
		}
	}
	var text, page, data bytes.Buffer
	if err := errors.Join(r.WriteText(&text), r.WriteHTML(&page), r.WriteJSON(&data)); err != nil {
		t.Fatal(err)
	}
	for what, out := range map[string]string{"text": text.String(), "page": page.String()} {
		if !strings.Contains(out, "Names by likely origin") || !strings.Contains(out, "Hispanic (few)") || strings.Contains(out, "White (few)") {
			t.Errorf("the %s says\n%s", what, out)
		}
	}
	var back Report
	if err := json.Unmarshal(data.Bytes(), &back); err != nil || len(back.Estimate.Origins) != 6 {
		t.Errorf("%+v, %v", back.Estimate, err)
	}
}
