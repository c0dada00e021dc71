package record

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Names that are ordinary words, of a patient and of a relative.
var plainNames = NewGazetteer(Record{NameFirst: {"Will"}, NameLast: {"Long"}, RelativeName: {"Rose Head", "Penny Stone"}, ProviderName: {"Grace Pain"}})

// What makes a name of a word is what people have around their names; what things have does not.
func TestWhatMakesAName(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct{ names, words []string }{
		"title": {
			[]string{"Mr. [Long] was told", "mrs. [head] was told", "Ms [Stone] is here", "Dr. [Pain] was called", "MR [LONG] WAS TOLD"},
			[]string{"a long time", "chest pain and head injury", "kidney stone"},
		},
		"label": {
			[]string{"Patient: [Long]", "Name: [stone]\nAge: 40", "Patient name: [Will Long]"},
			[]string{"Finding: stone in the ureter", "Site: head", "Course: long"},
		},
		"relative": {
			[]string{"her sister [Penny] called", "her mother [rose] (dx 2012)", "with sister, [penny].", "his wife ([Rose]) drives", "daughter [rose]\nlives there", "sister [rose] healthy"},
			[]string{"her sister, head injury in 2012", "rose to her feet", "a penny in the stomach"},
		},
		"possessive": {
			[]string{"[Long]'s wife called", "[rose]'s brother came", "[LONG]'S GRANDSON"},
			[]string{"the head's circumference", "the stone's size"},
		},
		"verb": {
			[]string{"[Long] denies pain.", "[Stone] was seen by us.", "[Head] reports falls."},
			[]string{"Head is normal.", "Pain was worse.", "pain denies any rule"},
		},
		"modal": {
			[]string{"Per the team, [rose] may return to work.", "[Rose] can drive."},
			[]string{"long may it last", "pain may return", "the stone will pass"},
		},
		"next to a name": {
			[]string{"[Long] and [Rose Head] live with us", "[rose] and [will long] live here"},
			[]string{"head and neck", "pain and nausea", "stone and sand"},
		},
		"age and sex": {
			[]string{"[Long], 50M, seen", "12/18 [stone] 13F", "[Stone], 50 years old"},
			[]string{"stone 13 mm", "Pain, 5 of 10", "long, 50 cm"},
		},
		"called": {
			[]string{`goes by "[Rose]"`, "chart under [Stone]", "[Penny] (prefers her middle name)"},
			[]string{"under pain control", "a stone (kidney)"},
		},
		"credential": {
			[]string{"[Pain], MD", "seen by [Pain], RN"},
			[]string{"pain, rn notified", "head, neck"},
		},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			var cases []markedCase
			for _, s := range append(c.names, c.words...) {
				cases = append(cases, markedCase{s, phi.None})
			}
			checkMarkedBy(t, plainNames, cases)
		})
	}
}

// A chain of ordinary words is one name only where its parts belong together.
func TestPartsOfAName(t *testing.T) {
	t.Parallel()
	checkMarkedBy(t, plainNames, []markedCase{
		{"[Will Long] was here", phi.Patient},
		{"[Long, Will] was here", phi.Patient},
		{"saw [Will Long], [Long, Will], [Will Long]", phi.Patient},
		{"[LONG, WILL] WAS HERE", phi.Patient},
		{"[Will\nLong] was here", phi.Patient},
		{"[W. Long] was here", phi.Patient},
		{"[Long, W]. was here", phi.Patient},
		{"It will, long after that, be well", phi.None},
		{"[Will Long], M.D. of law", phi.None},
		{"[Will Long] will come", phi.Patient},
		{"[Will Long Jr] was here", phi.Patient},
	})
}
