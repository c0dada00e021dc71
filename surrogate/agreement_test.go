package surrogate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/ensemble/synth"
	"github.com/pgdeid/pgdeid/surrogate/letter"
	"github.com/pgdeid/pgdeid/surrogate/place"
)

// written is an address as a text has it: parts that are not there are empty.
type written struct{ town, state, zip string }

// disagreement says what of an address does not fit together, or nothing. Towns that the lexicon does not know fit
// everywhere.
func (a written) disagreement() string {
	state, area := stateIndex(a.state), areaOf(a.zip)
	name := squeeze(letter.Plain(a.town))
	switch {
	case a.zip != "" && (area == nil || area.State != state):
		return "ZIP code and state"
	case a.town == "" || place.Home(name) < 0:
		return ""
	case !place.InState(name, state):
		return "town and state"
	}
	if town := place.TownOf(name, state); area != nil && town.Area != nil && town.Area != area {
		return "town and ZIP code"
	}
	return ""
}

// addressesIn returns the addresses in a text and, by the index of their first span, where they are.
func addressesIn(text string, spans []phi.Span, show func(i int) string) map[int]written {
	out := map[int]written{}
	for i := range spans {
		at, first := i, i
		var a written
		if spans[i].Type == phi.City {
			a.town = show(i)
			at++
		}
		if at >= len(spans) || spans[at].Type != phi.State || at > i && spans[at].Start-spans[i].End > near {
			continue
		}
		if at == i && i > 0 && spans[i-1].Type == phi.City && spans[i].Start-spans[i-1].End <= near {
			continue // with its town
		}
		a.state = show(at)
		if at+1 < len(spans) && spans[at+1].Type == phi.Zip && spans[at+1].Start-spans[at].End <= near {
			a.zip = show(at + 1)
		}
		if len(strings.TrimSpace(a.state)) > 1 && stateIndex(a.state) >= 0 {
			out[first] = a
		}
	}
	return out
}

// shown returns what a result has for a span of the input.
func shown(text string, res Result, s phi.Span) string {
	for _, g := range res.Segments {
		if g.In.Start == s.Start && g.In.End == s.End {
			return res.Text[g.Out.Start:g.Out.End]
		}
	}
	return text[s.Start:s.End]
}

// TestAddressesOfNotesAgree goes through the notes of a made-up hospital: what fits together in a note does in what is
// published of it, and a town of the patient's record is the same town wherever it is.
func TestAddressesOfNotesAgree(t *testing.T) {
	t.Parallel()
	hospital, err := synth.NewHospital(11, synth.Options{Patients: 40, Notes: 700})
	if err != nil {
		t.Fatal(err)
	}
	m := testMaker(t, Options{})
	books := map[string]*Book{}
	towns := map[string]map[string]bool{} // patient and town to its surrogates
	figures := map[string]int{}
	for d := range hospital.Notes() {
		id := fmt.Sprint(d.Patient.ID)
		if books[id] == nil {
			books[id] = m.Patient(id, record.NewGazetteer(d.Patient.Record()), nil, -40)
		}
		b := books[id]
		res, err := b.Replace(d.Text, d.Spans)
		if err != nil {
			t.Fatal(err)
		}
		in := addressesIn(d.Text, d.Spans, func(i int) string { return d.Text[d.Spans[i].Start:d.Spans[i].End] })
		out := addressesIn(d.Text, d.Spans, func(i int) string { return shown(d.Text, res, d.Spans[i]) })
		for i, a := range in {
			if a.disagreement() != "" {
				continue // the note itself has a ZIP code of another state
			}
			figures["addresses"]++
			if why := out[i].disagreement(); why != "" {
				figures[why]++
				t.Errorf("note %d: %s do not fit together: %v", d.ID, why, out[i])
			}
		}
		for _, s := range d.Spans {
			was, is := d.Text[s.Start:s.End], shown(d.Text, res, s)
			switch {
			case s.Type == phi.City && strings.EqualFold(was, d.Patient.Home.City):
				key := id + " " + letter.Plain(squeeze(was))
				if towns[key] == nil {
					towns[key] = map[string]bool{}
				}
				towns[key][letter.Plain(squeeze(is))] = true
			case isPhone(s.Type):
				from, to := letter.Alnum(was), letter.Alnum(is)
				if len(from) != 10 || len(to) != 10 || place.OfCode(from[:3]) < 0 {
					continue
				}
				figures["telephones"]++
				w := &work{Book: b}
				if !slices.Contains(place.States()[w.newState(place.OfCode(from[:3]))].Codes, to[:3]) {
					t.Errorf("note %d: the area code of %s is not of the state's surrogate", d.ID, is)
				}
			}
		}
	}
	for key, shown := range towns {
		figures["towns"]++
		if len(shown) > 1 {
			t.Errorf("%s: %v", key, shown)
		}
	}
	if figures["addresses"] < 200 || figures["telephones"] < 200 || figures["towns"] < 20 {
		t.Errorf("too few to say anything: %v", figures)
	}
}
