package review

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	found := &Span{Start: 4, End: 8, Type: "DATE"}
	for name, tt := range map[string]struct {
		marks []Mark
		ok    bool
	}{
		"none":                      {nil, true},
		"missed":                    {[]Mark{{Start: 0, End: 3, Type: "PATIENT", Verdict: Missed}}, true},
		"right":                     {[]Mark{{Start: 4, End: 8, Type: "DATE", Verdict: Right, Found: found}}, true},
		"wrong":                     {[]Mark{{Start: 4, End: 8, Type: "DATE", Verdict: Wrong, Found: found}}, true},
		"retyped":                   {[]Mark{{Start: 4, End: 8, Type: "AGE", Verdict: Retyped, Found: found}}, true},
		"resized":                   {[]Mark{{Start: 2, End: 8, Type: "DATE", Verdict: Resized, Found: found}}, true},
		"two that touch":            {[]Mark{{Start: 0, End: 4, Type: "ZIP", Verdict: Missed}, {Start: 4, End: 8, Type: "ZIP", Verdict: Missed}}, true},
		"overlap":                   {[]Mark{{Start: 0, End: 5, Type: "ZIP", Verdict: Missed}, {Start: 4, End: 8, Type: "ZIP", Verdict: Missed}}, false},
		"out of order":              {[]Mark{{Start: 4, End: 8, Type: "ZIP", Verdict: Missed}, {Start: 0, End: 3, Type: "ZIP", Verdict: Missed}}, false},
		"empty":                     {[]Mark{{Start: 4, End: 4, Type: "ZIP", Verdict: Missed}}, false},
		"before the text":           {[]Mark{{Start: -1, End: 4, Type: "ZIP", Verdict: Missed}}, false},
		"behind the text":           {[]Mark{{Start: 4, End: 11, Type: "ZIP", Verdict: Missed}}, false},
		"unknown type":              {[]Mark{{Start: 4, End: 8, Type: "<b>", Verdict: Missed}}, false},
		"unknown verdict":           {[]Mark{{Start: 4, End: 8, Type: "ZIP", Verdict: "perhaps"}}, false},
		"missed what was found":     {[]Mark{{Start: 4, End: 8, Type: "DATE", Verdict: Missed, Found: found}}, false},
		"right, nothing found":      {[]Mark{{Start: 4, End: 8, Type: "DATE", Verdict: Right}}, false},
		"right, of another type":    {[]Mark{{Start: 4, End: 8, Type: "AGE", Verdict: Right, Found: found}}, false},
		"retyped, of the same type": {[]Mark{{Start: 4, End: 8, Type: "DATE", Verdict: Retyped, Found: found}}, false},
		"resized, the same":         {[]Mark{{Start: 4, End: 8, Type: "DATE", Verdict: Resized, Found: found}}, false},
		"resized, elsewhere":        {[]Mark{{Start: 0, End: 3, Type: "DATE", Verdict: Resized, Found: found}}, false},
	} {
		if err := Check(tt.marks, 10); (err == nil) != tt.ok || err != nil && !errors.Is(err, ErrMark) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFresh(t *testing.T) {
	t.Parallel()
	at := time.Now()
	marks := Fresh([]Span{{Start: 1, End: 3, Type: "DATE"}, {Start: 5, End: 9, Type: "CITY"}}, at)
	if err := Check(marks, 9); err != nil || len(marks) != 2 || marks[1].Found.Type != "CITY" || marks[0].Found == marks[1].Found ||
		!marks[0].At.Equal(at) {
		t.Errorf("%+v, %v", marks, err)
	}
}

func TestDifferences(t *testing.T) {
	t.Parallel()
	mark := func(start, end int, typ string, v Verdict) Mark {
		return Mark{Start: start, End: end, Type: typ, Verdict: v}
	}
	a := []Mark{mark(0, 2, "DATE", Right), mark(3, 5, "CITY", Right), mark(6, 8, "ZIP", Wrong), mark(10, 14, "PATIENT", Missed)}
	b := []Mark{mark(0, 2, "DATE", Right), mark(3, 5, "HOSPITAL", Retyped), mark(6, 8, "ZIP", Right), mark(10, 18, "PATIENT", Missed)}
	show := func(m *Mark) string {
		if m == nil {
			return "none"
		}
		return fmt.Sprintf("%d-%d %s", m.Start, m.End, m.Type)
	}
	var got []string
	for _, d := range Differences(a, b) {
		got = append(got, show(d.A)+" / "+show(d.B))
	}
	slices.Sort(got) // two begin at one place
	want := []string{"10-14 PATIENT / none", "3-5 CITY / 3-5 HOSPITAL", "none / 10-18 PATIENT", "none / 6-8 ZIP"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if d := Differences(a, a); len(d) != 0 {
		t.Errorf("a reader differs from themselves: %v", d)
	}
}

func TestItemPrintsNoKey(t *testing.T) {
	t.Parallel()
	it := Item{Round: 3, Place: 2, Key: []string{"Quarkstein"}, Note: Note{Row: "Quarkstein"}, Patient: "Quarkstein"}
	for _, s := range []string{fmt.Sprint(it), fmt.Sprintf("%+v %#v", it, &it), it.LogValue().String()} {
		if strings.Contains(s, "Quarkstein") || !strings.Contains(s, "item[2 of round 3]") {
			t.Errorf("%q", s)
		}
	}
}

func TestJoin(t *testing.T) {
	t.Parallel()
	found := &Span{Start: 4, End: 8, Type: "DATE"}
	a := []Mark{{Start: 4, End: 8, Type: "DATE", Verdict: Wrong, Found: found}, {Start: 20, End: 25, Type: "PATIENT", Verdict: Missed}}
	b := []Mark{
		{Start: 0, End: 3, Type: "CITY", Verdict: Right, Found: &Span{Start: 0, End: 3, Type: "CITY"}},
		{Start: 4, End: 8, Type: "DATE", Verdict: Right, Found: found},
		{Start: 10, End: 12, Type: "AGE", Verdict: Wrong},
		{Start: 19, End: 25, Type: "PATIENT", Verdict: Missed},
	}
	got := Join(a, b)
	if len(got) != 3 || got[0].Type != "CITY" || got[0].Verdict != Missed || got[0].Found != nil || got[1].Verdict != Wrong ||
		got[2].Start != 20 {
		t.Errorf("%+v", got)
	}
	if err := Check(got, 30); err != nil || len(a) != 2 || b[0].Verdict != Right {
		t.Errorf("%v; the readers' marks are changed: %+v", err, b[0])
	}
}
