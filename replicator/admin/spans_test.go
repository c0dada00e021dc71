package admin

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/surrogate"
)

// markedText reads "seen by [PATIENT Jane Roe] today".
func markedText(t *testing.T, text string) marked {
	t.Helper()
	var m marked
	for {
		before, rest, found := strings.Cut(text, "[")
		m.text += before
		if !found {
			return m
		}
		mark, after, _ := strings.Cut(rest, "]")
		name, value, _ := strings.Cut(mark, " ")
		typ, err := phi.ParseType(name)
		if err != nil {
			t.Fatal(err)
		}
		start := len([]rune(m.text))
		m.text += value
		m.spans = append(m.spans, surrogate.Span{Start: start, End: len([]rune(m.text)), Type: typ})
		text = after
	}
}

func TestWhatWasFoundOtherwise(t *testing.T) {
	t.Parallel()
	type counts = map[string]int64
	for _, c := range []struct {
		name, was, now string
		added, removed counts
		retyped        map[string]counts
	}{
		{"nothing", "seen by [DOCTOR Dr. Roe] today", "seen by [DOCTOR Dr. Roe] today", counts{}, counts{}, nil},
		{"the same with longer surrogates", "by [DOCTOR Roe], of [DATE 3/4]", "by [DOCTOR Montgomery], of [DATE March 4th]", counts{}, counts{}, nil},
		{"one more", "seen by Blorg, of [DATE 3/4]", "seen by [DOCTOR Roe], of [DATE 5/6/2020]", counts{"DOCTOR": 1}, counts{}, nil},
		{"one less", "an [PATIENT Foley] was put in, [DATE 3/4]", "an apple cake was put in, [DATE 3/4]", counts{}, counts{"PATIENT": 1}, nil},
		{"another type", "seen by [DOCTOR Roe]: ate", "seen by [PATIENT Miller]: ate", counts{}, counts{}, map[string]counts{"DOCTOR": {"PATIENT": 1}}},
		{"wider", "by [DOCTOR Roe] Blorg: ate", "by [DOCTOR Jane Miller]: ate", counts{}, counts{}, nil},
		{"one becomes two", "[PATIENT Jane Roe] ate", "[PATIENT Ann] [DOCTOR Miller] ate", counts{"DOCTOR": 1}, counts{}, nil},
		{
			"much at once", "[DATE 1/2] Blorg saw [PATIENT Roe]. Café at [HOSPITAL Mercy]. End", "[DATE 2/3] [DOCTOR Foo] saw [PATIENT Moe]. Café at cherry. End",
			counts{"DOCTOR": 1},
			counts{"HOSPITAL": 1},
			nil,
		},
		{"an empty text", "", "[DATE 1/2]", counts{"DATE": 1}, counts{}, nil},
	} {
		got := newSpanChanges()
		got.add(markedText(t, c.was), markedText(t, c.now))
		if c.retyped == nil {
			c.retyped = map[string]counts{}
		}
		if want := (SpanChanges{c.added, c.removed, c.retyped}); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, want)
		}
	}
}

// Where the places do not fit the text, or two texts have little in common, types are counted.
func TestTextsThatCanNotBeComparedAreCounted(t *testing.T) {
	t.Parallel()
	date := func(start, end int) surrogate.Span { return surrogate.Span{Start: start, End: end, Type: phi.Date} }
	doctor := surrogate.Span{Start: 0, End: 3, Type: phi.Doctor}
	for name, m := range map[string]marked{
		"beyond the end": {text: "short", spans: []surrogate.Span{date(0, 99)}},
		"backwards":      {text: "short", spans: []surrogate.Span{date(4, 2)}},
		"overlapping":    {text: "short", spans: []surrogate.Span{date(0, 3), date(2, 4)}},
	} {
		got := newSpanChanges()
		got.add(m, marked{text: "Roe", spans: []surrogate.Span{doctor}})
		if n := got.Removed["DATE"] + got.Retyped["DATE"]["DOCTOR"]; n != int64(len(m.spans)) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	was, now := markedText(t, strings.Repeat("a ", 2000)+"[DATE 1/2]"), markedText(t, strings.Repeat("b ", 2000)+"[DATE 1/2] [DOCTOR Roe].")
	got := newSpanChanges()
	got.add(was, now)
	if got.Added["DOCTOR"] != 1 || len(got.Removed)+len(got.Retyped) != 0 {
		t.Errorf("other texts: %+v", got)
	}
}

// The hunks of any two lists lead from one to the other.
func TestDifferencesLeadFromOneToTheOther(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(3, 5))
	list := func() []token {
		out := make([]token, rnd.IntN(12))
		for i := range out {
			out[i] = token{word: string(rune('a' + rnd.IntN(3)))}
		}
		return out
	}
	for range 20_000 {
		was, now := list(), list()
		var built []token
		at, edits := 0, 0
		for _, h := range differences(was, now) {
			if h.was < at || h.wasEnd < h.was || h.nowEnd < h.now {
				t.Fatalf("%v to %v: hunk %+v", was, now, h)
			}
			built = append(built, was[at:h.was]...)
			built = append(built, now[h.now:h.nowEnd]...)
			at = h.wasEnd
			edits += h.wasEnd - h.was + h.nowEnd - h.now
		}
		built = append(built, was[at:]...)
		if len(built) != len(now) || len(now) > 0 && !reflect.DeepEqual(built, now) {
			t.Fatalf("%v to %v gives %v", was, now, built)
		}
		if best := len(was) + len(now) - 2*common(was, now); edits != best {
			t.Fatalf("%v to %v with %d edits, %d would do", was, now, edits, best)
		}
	}
}

// common returns the length of the longest common subsequence.
func common(a, b []token) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		before := 0
		for j, y := range b {
			up := row[j+1]
			if x == y {
				row[j+1] = before + 1
			} else {
				row[j+1] = max(up, row[j])
			}
			before = up
		}
	}
	return row[len(b)]
}

func FuzzDifferences(f *testing.F) {
	f.Add("seen by Jane", "seen by Mary Jane", 8, 12)
	f.Add("", "é", 0, 0)
	f.Fuzz(func(_ *testing.T, was, now string, start, end int) {
		c := newSpanChanges()
		span := []surrogate.Span{{Start: start, End: end, Type: phi.Patient}}
		c.add(marked{text: was, spans: span}, marked{text: now, spans: span})
	})
}
