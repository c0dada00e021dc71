package repair

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/surrogate"
)

func hashes(t testing.TB) review.Hashes {
	t.Helper()
	path := filepath.Join(t.TempDir(), "key")
	if err := surrogate.NewKeyFile(path); err != nil {
		t.Fatal(err)
	}
	key, err := surrogate.ReadKey(path)
	if err != nil {
		t.Fatal(err)
	}
	return review.Hashes{Key: key}
}

// decide returns a repair of words in a text that was read, by their first place. was is what was found: "words TYPE"; "" for
// nothing.
func decide(t testing.TB, h review.Hashes, id int64, read, words, typ string, v review.Verdict, was string) review.Repair {
	t.Helper()
	m := review.Mark{Type: typ, Verdict: v, Words: h.Words("p", words)}
	m.Start, m.End = chars(t, read, words)
	if was != "" {
		i := strings.LastIndex(was, " ")
		f := review.Span{Type: was[i+1:]}
		f.Start, f.End = chars(t, read, was[:i])
		m.Found = &f
	}
	return review.Repair{ID: id, Scope: review.Here, Patient: "p", By: "ann", Mark: m, Text: h.Text(read)}
}

func chars(t testing.TB, text, words string) (int, int) {
	t.Helper()
	i := strings.Index(text, words)
	if i < 0 {
		t.Fatalf("%q is not in the text", words)
	}
	start := len([]rune(text[:i]))
	return start, start + len([]rune(words))
}

// found reads spans: "words TYPE, words TYPE".
func found(t testing.TB, text, list string) []phi.Span {
	t.Helper()
	var spans []phi.Span
	for _, one := range strings.Split(list, ", ") {
		if one == "" {
			continue
		}
		i := strings.LastIndex(one, " ")
		typ, err := phi.ParseType(one[i+1:])
		if err != nil {
			t.Fatal(err)
		}
		at := strings.Index(text, one[:i])
		spans = append(spans, phi.Span{Start: at, End: at + i, Type: typ, By: 1})
	}
	phi.SortSpans(spans)
	return spans
}

func write(text string, spans []phi.Span) string {
	var list []string
	for _, s := range spans {
		list = append(list, text[s.Start:s.End]+" "+s.Type.String())
	}
	return strings.Join(list, ", ")
}

const read = "Née Żółć. Seen with Grizzlewood Vexterly by Dr. Hobbs on Grant ward."

func TestApply(t *testing.T) {
	t.Parallel()
	h := hashes(t)
	type decision struct {
		words, typ string
		v          review.Verdict
		was        string
	}
	const longer = read + "\nAddendum: slept."
	const moved = "New. " + read
	for name, tt := range map[string]struct {
		text, found string
		decisions   []decision
		want        string
		void        int
	}{
		"missed":                      {read, "Hobbs DOCTOR", []decision{{"Grizzlewood Vexterly", "PATIENT", review.Missed, ""}}, "Grizzlewood Vexterly PATIENT, Hobbs DOCTOR", 0},
		"missed, in letters of two":   {read, "", []decision{{"Żółć", "PATIENT", review.Missed, ""}}, "Żółć PATIENT", 0},
		"missed, a line was added":    {longer, "Hobbs DOCTOR", []decision{{"Vexterly", "PATIENT", review.Missed, ""}}, "Vexterly PATIENT, Hobbs DOCTOR", 0},
		"missed, the words moved":     {moved, "Hobbs DOCTOR", []decision{{"Vexterly", "PATIENT", review.Missed, ""}}, "Hobbs DOCTOR", 1},
		"missed, the text is short":   {"Née", "", []decision{{"Vexterly", "PATIENT", review.Missed, ""}}, "", 1},
		"missed, found by now":        {read, "Grizzlewood Vexterly DOCTOR", []decision{{"Vexterly", "PATIENT", review.Missed, ""}}, "Grizzlewood Vexterly DOCTOR", 0},
		"missed, a part is found":     {read, "Vexterly by DOCTOR", []decision{{"Grizzlewood Vexterly", "PATIENT", review.Missed, ""}}, "Grizzlewood Vexterly by PATIENT", 0},
		"missed, two parts are found": {read, "Grizzlewood PATIENT, Vexterly DOCTOR", []decision{{"Grizzlewood Vexterly", "PATIENT", review.Missed, ""}}, "Grizzlewood Vexterly PATIENT", 0},
		"wrong":                       {read, "Grant DOCTOR, Hobbs DOCTOR", []decision{{"Grant", "DOCTOR", review.Wrong, "Grant DOCTOR"}}, "Hobbs DOCTOR", 0},
		"wrong, a line was added":     {longer, "Grant DOCTOR", []decision{{"Grant", "DOCTOR", review.Wrong, "Grant DOCTOR"}}, "Grant DOCTOR", 1},
		"wrong, more is found now":    {read, "Grant ward HOSPITAL", []decision{{"Grant", "DOCTOR", review.Wrong, "Grant DOCTOR"}}, "Grant ward HOSPITAL", 0},
		"wrong, parts are found":      {read, "Gra DOCTOR, nt CITY", []decision{{"Grant", "DOCTOR", review.Wrong, "Grant DOCTOR"}}, "", 0},
		"retyped":                     {read, "Grant DOCTOR", []decision{{"Grant", "HOSPITAL", review.Retyped, "Grant DOCTOR"}}, "Grant HOSPITAL", 0},
		"retyped, a line was added":   {longer, "Grant DOCTOR", []decision{{"Grant", "HOSPITAL", review.Retyped, "Grant DOCTOR"}}, "Grant HOSPITAL", 0},
		"retyped, not found any more": {read, "", []decision{{"Grant", "HOSPITAL", review.Retyped, "Grant DOCTOR"}}, "Grant HOSPITAL", 0},
		"extended":                    {read, "Grizzlewood PATIENT", []decision{{"Grizzlewood Vexterly", "PATIENT", review.Resized, "Grizzlewood PATIENT"}}, "Grizzlewood Vexterly PATIENT", 0},
		"cut":                         {read, "Grant ward HOSPITAL", []decision{{"Grant", "HOSPITAL", review.Resized, "Grant ward HOSPITAL"}}, "Grant HOSPITAL", 0},
		"cut, a line was added":       {longer, "Grant ward HOSPITAL", []decision{{"Grant", "HOSPITAL", review.Resized, "Grant ward HOSPITAL"}}, "Grant ward HOSPITAL", 0},
		"two people: PHI wins":        {read, "Grant DOCTOR", []decision{{"Grant", "HOSPITAL", review.Retyped, "Grant DOCTOR"}, {"Grant", "DOCTOR", review.Wrong, "Grant DOCTOR"}}, "Grant HOSPITAL", 0},
	} {
		var list List
		for i, d := range tt.decisions {
			list = append(list, decide(t, h, int64(i+1), read, d.words, d.typ, d.v, d.was))
		}
		spans := found(t, tt.text, tt.found)
		before := slices.Clone(spans)
		made := list.Apply(tt.text, spans, h)
		if got := write(tt.text, made.Spans); got != tt.want || len(made.Void) != tt.void {
			t.Errorf("%s: %q, %d void; want %q, %d", name, got, len(made.Void), tt.want, tt.void)
		}
		if !slices.Equal(spans, before) {
			t.Errorf("%s: what was found is changed", name)
		}
		for _, s := range list.States(&made) {
			if s.Void != made.Void[s.ID] {
				t.Errorf("%s: %+v", name, s)
			}
		}
	}
}

// A repair of another patient's words has no effect, nor one whose range or type is none.
func TestApplyRefuses(t *testing.T) {
	t.Parallel()
	h := hashes(t)
	for name, change := range map[string]func(*review.Repair){
		"another patient":  func(r *review.Repair) { r.Patient = "q" },
		"before the text":  func(r *review.Repair) { r.Mark.Start = -1 },
		"behind the text":  func(r *review.Repair) { r.Mark.End = 1000 },
		"no words":         func(r *review.Repair) { r.Mark.End = r.Mark.Start },
		"an unknown type":  func(r *review.Repair) { r.Mark.Type = "x" },
		"without its hash": func(r *review.Repair) { r.Mark.Words = nil },
	} {
		r := decide(t, h, 1, read, "Vexterly", "PATIENT", review.Missed, "")
		change(&r)
		if made := (List{r}).Apply(read, nil, h); len(made.Spans) > 0 {
			t.Errorf("%s: %v", name, made.Spans)
		}
	}
	if made := List(nil).Apply(read, found(t, read, "Hobbs DOCTOR"), h); len(made.Spans) != 1 || List(nil).Label() != "" {
		t.Error("without repairs something changes")
	}
}

// Whatever is decided, spans stay in order, within the text, on borders of characters and apart, and what was missed is in one.
func TestApplyKeepsSpansApart(t *testing.T) {
	t.Parallel()
	h := hashes(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	at := offsets(read)
	pick := func() (int, int) {
		a, b := rnd.IntN(len(at)), rnd.IntN(len(at))
		return min(a, b), max(a, b)
	}
	verdicts := []review.Verdict{review.Missed, review.Wrong, review.Retyped, review.Resized}
	for range 3000 {
		var spans []phi.Span
		end := 0
		for range rnd.IntN(5) {
			if s, e := pick(); s >= end && s < e {
				spans, end = append(spans, phi.Span{Start: at[s], End: at[e], Type: phi.Doctor}), e
			}
		}
		var list List
		for i := range rnd.IntN(4) {
			s, e := pick()
			if s == e {
				continue
			}
			m := review.Mark{Start: s, End: e, Type: "PATIENT", Verdict: verdicts[rnd.IntN(len(verdicts))], Words: h.Words("p", read[at[s]:at[e]])}
			if f, g := pick(); m.Verdict != review.Missed && f < g {
				m.Found = &review.Span{Start: f, End: g, Type: "DOCTOR"}
			}
			list = append(list, review.Repair{ID: int64(i), Patient: "p", Mark: m, Text: h.Text(read)})
		}
		made := list.Apply(read, spans, h)
		end = 0
		for _, s := range made.Spans {
			if s.Start < end || s.End <= s.Start || s.End > len(read) || !slices.Contains(at, s.Start) || !slices.Contains(at, s.End) {
				t.Fatalf("%v of %v", made.Spans, spans)
			}
			end = s.End
		}
		for i := range list {
			m := &list[i].Mark
			if m.Verdict == review.Missed && !slices.ContainsFunc(made.Spans, func(s phi.Span) bool { return s.Start <= at[m.Start] && at[m.End] <= s.End }) {
				t.Fatalf("%d to %d is in none of %v", at[m.Start], at[m.End], made.Spans)
			}
		}
	}
}

func TestLabel(t *testing.T) {
	t.Parallel()
	a, b := List{{ID: 1}, {ID: 23}}, List{{ID: 12}, {ID: 3}}
	if a.Label() == b.Label() || a.Label() == "" {
		t.Errorf("%q, %q", a.Label(), b.Label())
	}
}

func TestRepairsPrintNothingOfANote(t *testing.T) {
	t.Parallel()
	r := decide(t, hashes(t), 7, read, "Vexterly", "PATIENT", review.Missed, "")
	r.SourceKey = "source-17"
	for _, got := range []string{fmt.Sprintf("%v", r), fmt.Sprintf("%+v", &r), fmt.Sprintf("%#v", List{r})} {
		if strings.Contains(got, "source-17") || !strings.Contains(got, "repair[7 here]") {
			t.Errorf("%s", got)
		}
	}
}
