package phrases

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/export"
)

// marked returns a note of a patient. Words in it are marked so: <missed as HOSPITAL>, {found as DOCTOR}, [found and no PHI].
func marked(t *testing.T, patient, written string) export.Note {
	t.Helper()
	n := export.Note{Item: review.Item{Patient: patient}}
	var m review.Mark
	for _, r := range written {
		at := utf8.RuneCountInString(n.Text)
		switch r {
		case '<':
			m = review.Mark{Start: at, Type: "HOSPITAL", Verdict: review.Missed}
		case '{':
			m = review.Mark{Start: at, Type: "DOCTOR", Verdict: review.Right}
		case '[':
			m = review.Mark{Start: at, Type: "DOCTOR", Verdict: review.Wrong}
		case '>', '}', ']':
			if m.End = at; m.Verdict != review.Missed {
				m.Found = &review.Span{Start: m.Start, End: m.End, Type: m.Type}
			}
			n.Marks = append(n.Marks, m)
		default:
			n.Text += string(r)
		}
	}
	if err := review.Check(n.Marks, utf8.RuneCountInString(n.Text)); err != nil {
		t.Fatal(err)
	}
	return n
}

func ward(t *testing.T) *Sample {
	t.Helper()
	s := &Sample{}
	s.Add("spring", []export.Note{
		marked(t, "a", "Über Nacht auf <the Rookery>, by [Brown] protocol."),
		marked(t, "b", "Back on <The Rookery>. {Brown} used the [Brown] Protocol, {Vexterly} not."),
		marked(t, "c", "{The Rookery} again; [Vexterly] scale."),
		marked(t, "c", "[Vexterly] scale and <Mill Row>."),
		marked(t, "d", "Nothing."),
	})
	return s
}

func TestMeasure(t *testing.T) {
	t.Parallel()
	s := ward(t)
	for _, tt := range []struct {
		phrase, typ string
		want        review.Measured
	}{
		{"the rookery", "HOSPITAL", review.Measured{Notes: 3, Patients: 3, Found: 3, PHI: 3, Missed: 2}},
		{"Brown protocol", review.Never, review.Measured{Notes: 2, Patients: 2, Found: 2, Alarms: 2}},
		{"Vexterly", "DOCTOR", review.Measured{Notes: 3, Patients: 2, Found: 3, PHI: 1, Alarms: 2}},
		{"Mill Row", "HOSPITAL", review.Measured{Notes: 1, Patients: 1, Found: 1, PHI: 1, Missed: 1}},
		{"vexterly-scale", review.Never, review.Measured{Notes: 2, Patients: 1, Found: 2, Alarms: 2}},
		{"elsewhere", "CITY", review.Measured{}},
	} {
		tt.want.Rounds, tt.want.Read = []string{"spring"}, 5
		got, err := s.Measure(t.Context(), &review.Phrase{Text: tt.phrase, Type: tt.typ})
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("%s: %s, %v", tt.phrase, diff, err)
		}
	}
	for _, bad := range []review.Phrase{{Text: "Brown", Type: review.Never}, {Text: "the mill", Type: "PLACE"}, {Text: "", Type: "CITY"}} {
		if _, err := s.Measure(t.Context(), &bad); err == nil {
			t.Errorf("%v was measured", bad)
		}
	}
}

func TestFit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		typ  string
		m    review.Measured
		want error
	}{
		{"HOSPITAL", review.Measured{Patients: 2, Found: 2, PHI: 2}, nil},
		{"DOCTOR", review.Measured{Patients: 9, Found: 10, PHI: 9}, nil},
		{"HOSPITAL", review.Measured{Patients: 9, Found: 10, PHI: 8}, ErrIsNone},
		{"HOSPITAL", review.Measured{Patients: 1, Found: 5, PHI: 5}, ErrFew},
		{"HOSPITAL", review.Measured{}, ErrNotThere},
		{"PATIENT", review.Measured{Patients: 2, Found: 2, PHI: 2}, ErrPersonal},
		{"ZIP", review.Measured{Patients: 2, Found: 2, PHI: 2}, ErrPersonal},
		{"PHONE", review.Measured{Patients: 2, Found: 2, PHI: 2}, ErrPersonal},
		{review.Never, review.Measured{Patients: 2, Found: 400, Alarms: 1}, nil},
		{review.Never, review.Measured{Patients: 200, Found: 400, PHI: 1}, ErrIsPHI},
		{review.Never, review.Measured{Patients: 1, Found: 1}, ErrFew},
	} {
		if err := Fit(&review.Phrase{Text: "x", Type: tt.typ, Sample: tt.m}, 2); !errors.Is(err, tt.want) {
			t.Errorf("%s %+v: %v, want %v", tt.typ, tt.m, err, tt.want)
		}
	}
	if Fit(&review.Phrase{Text: "x", Type: "PLACE"}, 2) == nil {
		t.Error("an unknown type")
	}
}

func TestPropose(t *testing.T) {
	t.Parallel()
	for patients, want := range map[int]string{
		2: "never Brown protocol; HOSPITAL the Rookery",
		1: "never Brown protocol; never Vexterly scale; HOSPITAL the Rookery; HOSPITAL Mill Row",
		4: "",
	} {
		list, err := ward(t).Propose(t.Context(), patients)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range list {
			got = append(got, p.Type+" "+p.Text)
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("of %d patients: %q, want %q", patients, got, want)
		}
	}
}

// TestNeverAcrossLines marks a word at a line's end: the word below is not its next.
func TestNeverAcrossLines(t *testing.T) {
	t.Parallel()
	s := &Sample{}
	s.Add("r", []export.Note{marked(t, "a", "by [Brown]\nprotocol"), marked(t, "b", "by [Brown], protocol"), marked(t, "c", "by [Brown]")})
	list, err := s.Propose(t.Context(), 1)
	if err != nil || len(list) != 0 {
		t.Errorf("%d proposals, %v", len(list), err)
	}
}

func TestFile(t *testing.T) {
	t.Parallel()
	list, err := ward(t).Propose(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Write(&b, list); err != nil {
		t.Fatal(err)
	}
	if none, err := Read(bytes.NewReader(b.Bytes())); err != nil || len(none) != 0 {
		t.Errorf("nobody accepted %d, %v", len(none), err)
	}
	edited := strings.Replace(b.String(), `"accept":false`, `"accept":true`, 1) + "\n" + `{"accept": true, "text": "Mill Row", "type": "never"}`
	got, err := Read(strings.NewReader(edited))
	want := []review.Phrase{{Text: "Brown protocol", Type: review.Never}, {Text: "Mill Row", Type: review.Never}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%s, %v", diff, err)
	}
	for _, bad := range []string{
		`{"accept": true, "text": "Zorvak", "type": "PLACE"}`, `Zorvak`, `{"accept": true, "phrase": "Zorvak"}`, `{} {}`,
		`{"text": "` + strings.Repeat("Zorvak", maxLine) + `"}`,
	} {
		if _, err := Read(strings.NewReader("\n" + bad)); err == nil || !strings.HasPrefix(err.Error(), "line 2 ") || strings.Contains(err.Error(), "Zorvak") {
			t.Errorf("%.40s: %v", bad, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"accept": true, "text": "Mill Row", "type": "never"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		for _, p := range list {
			if _, err := p.Site(); err != nil {
				t.Errorf("%v was read", p)
			}
		}
	})
}

func TestBound(t *testing.T) {
	t.Parallel()
	if got := Bound(review.Measured{Patients: 59}); got > .0501 || got < .049 {
		t.Errorf("%v after 59 patients", got)
	}
}

func TestPrints(t *testing.T) {
	t.Parallel()
	p := Proposal{Phrase: review.Phrase{Text: "Zorvak", Type: "CITY"}}
	for _, s := range []string{fmt.Sprint(p), fmt.Sprintf("%+v %#v", p, []Proposal{p}), p.LogValue().String(), fmt.Sprint(p.Phrase), p.Phrase.LogValue().String()} {
		if strings.Contains(s, "Zorvak") {
			t.Error(s)
		}
	}
}
