package record

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

func TestRead(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"Zorvakian":                       "Zorvakian",
		"Z-o-r-v-a-k-i-a-n":               "Zorvakian",
		"saw Z o r v a k i a n, then":     "saw Zorvakian, then",
		"Zor-\nvakian":                    "Zorvakian",
		"MirelaZorvakian":                 "Mirela Zorvakian",
		"Z&#111;rvakian":                  "Zorvakian",
		"Zor</b>vakian":                   "Zorvakian",
		"Z K seven seven four one nine":   "ZK77419",
		"six one seven, five five five":   "617555",
		"212 four four 7890":              "212447890",
		"one of two":                      "one of two",
		"\u200b":                          "\u200b",
		"":                                "",
		"O'Hanrath":                       "OHanrath",
		"Zorvakain is no word of the two": "Zorvakain is no word of the two",
	} {
		if got := readings.Read(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	var none *Gazetteer
	if got := none.Read("Z&#111;r"); got != "Zor" {
		t.Errorf("without a record: %q", got)
	}
}

func TestJoinSpans(t *testing.T) {
	t.Parallel()
	span := func(start, end int, typ phi.Type, sure bool) phi.Span {
		return phi.Span{Start: start, End: end, Type: typ, Sure: sure}
	}
	for _, c := range []struct{ a, b, want []phi.Span }{
		{nil, nil, nil},
		{[]phi.Span{span(0, 2, phi.City, true)}, nil, []phi.Span{span(0, 2, phi.City, true)}},
		{nil, []phi.Span{span(5, 6, phi.City, true), span(0, 2, phi.Zip, true)}, []phi.Span{span(0, 2, phi.Zip, true), span(5, 6, phi.City, true)}},
		{[]phi.Span{span(0, 3, phi.City, false)}, []phi.Span{span(2, 9, phi.Zip, true)}, []phi.Span{span(0, 9, phi.Zip, true)}},
		{[]phi.Span{span(0, 9, phi.City, false)}, []phi.Span{span(2, 3, phi.Zip, true)}, []phi.Span{span(0, 9, phi.City, true)}},
		{[]phi.Span{span(0, 2, phi.City, true)}, []phi.Span{span(2, 3, phi.Zip, true)}, []phi.Span{span(0, 2, phi.City, true), span(2, 3, phi.Zip, true)}},
	} {
		if got := joinSpans(slices.Clone(c.a), c.b); !slices.Equal(got, c.want) {
			t.Errorf("%v and %v: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// What overlaps keeps the first span, unless the new one covers it or is sure where it is not.
func TestAddSpans(t *testing.T) {
	t.Parallel()
	span := func(start, end int, sure bool) phi.Span { return phi.Span{Start: start, End: end, Sure: sure} }
	for _, c := range []struct{ spans, want []phi.Span }{
		{[]phi.Span{span(0, 2, true), span(3, 5, false)}, []phi.Span{span(0, 2, true), span(3, 5, false)}},
		{[]phi.Span{span(2, 4, true), span(0, 5, true)}, []phi.Span{span(0, 5, true)}},
		{[]phi.Span{span(0, 4, true), span(2, 5, true)}, []phi.Span{span(0, 5, true)}},
		{[]phi.Span{span(0, 4, false), span(2, 5, true)}, []phi.Span{span(2, 5, true)}},
		{[]phi.Span{span(0, 4, true), span(0, 5, false)}, []phi.Span{span(0, 4, true)}},
		{[]phi.Span{span(0, 1, true), span(1, 2, true), span(0, 2, true)}, []phi.Span{span(0, 2, true)}},
	} {
		m := &matcher{}
		for _, s := range c.spans {
			m.add(s)
		}
		if !slices.Equal(m.out, c.want) {
			t.Errorf("%v: %v, want %v", c.spans, m.out, c.want)
		}
	}
}

func TestFindInMarkup(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		"<b>Zor</b>vakian", "Z&#x6f;rvakian", `<a title="Zorvakian">x</a>`, "<!-- Zorvakian -->", "&lt;b&gt;Zorvakian&lt;/b&gt;", "𝐙𝐨𝐫𝐯𝐚𝐤𝐢𝐚𝐧", "Zor\u200bvakian",
		"\u202enaikavroZ\u202c", "n: Wm9ydmFraWFuIHNhaWQ=", "<td>Zorva-\nkian</td>",
	} {
		for name, found := range map[string]int{"find": len(findIn(t, readings, body)), "leaks": len(readings.Leaks(body))} {
			if found == 0 {
				t.Errorf("%s: nothing in %q", name, body)
			}
		}
	}
}

func TestFindWithoutRecord(t *testing.T) {
	t.Parallel()
	before := []phi.Span{{Start: 0, End: 1}}
	for _, g := range []*Gazetteer{nil, NewGazetteer(nil), NewGazetteer(Record{NameLast: {""}})} {
		spans, err := Find(t.Context(), text.NewView("Ann Moss"), g, before)
		if err != nil || len(spans) != 1 {
			t.Errorf("%v, %v", spans, err)
		}
		if g.Holds("ann") || len(g.Leaks("Ann")) > 0 || g.Record() != nil && len(g.Record()[NameLast]) != 1 {
			t.Error("an empty gazetteer holds something")
		}
	}
}

func TestFindStopsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	long := text.NewView(strings.Repeat("no name here. ", 3*checkEvery))
	if _, err := Find(ctx, long, readings, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if _, err := FindStaff(ctx, long, readings, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// Each leak is within what a search finds, however the text is damaged.
func TestLeaksAreFound(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		"Mirela Zorvakian, zorvakian; Z o r v a k i a n and Zor-\nvakian", "MirelaZorvakian was, mzorvakian7", "ZK7741903 and Z K seven seven four one nine oh three",
		"6460 North Blairdale Ave, O'Hanrath", "Mr. Long, LONG acting",
	} {
		spans := findIn(t, readings, body)
		for _, leak := range readings.Leaks(body) {
			if !slices.ContainsFunc(spans, func(s phi.Span) bool { return s.Start <= leak.Start && leak.End <= s.End }) {
				t.Errorf("%q: %q leaks and is not found", body, body[leak.Start:leak.End])
			}
		}
	}
}
