package tbed

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestParseRule(t *testing.T) {
	const line = `O -> B-DOCTOR if lower[-1] is "dr" and form[0] is Xx and tag[1] is edge   # +412 -9 by hand`
	got, err := ParseRule(line)
	if err != nil {
		t.Fatal(err)
	}
	want := Rule{
		From: Outside, To: 3, Mended: 412, Broken: 9, Comment: "by hand",
		If: []Condition{
			{Attribute: "lower", Offset: -1, Value: "dr"}, {Attribute: "form", Value: "Xx"}, {Attribute: "tag", Offset: 1, Edge: true},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got.Gain() != 403 {
		t.Errorf("gain %d", got.Gain())
	}
}

func TestRoundTrip(t *testing.T) {
	for _, line := range []string{
		`B-DATE -> O`,
		`B-LOCATION-OTHER -> I-LOCATION-OTHER if tag[-1] is B-CITY   # +5 -0`,
		`O -> I-HOSPITAL if lower[-9] is "\"\\ # if" and glue[9] is "_."`,
		`O -> B-ZIP if lower[1] is "edge" and lower[2] is edge   # a person's`,
		`O -> B-STATE if kinds[0] is city+state and chunk[0] is "00/00 1"`,
	} {
		r, err := ParseRule(line)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if got := r.String(); got != line {
			t.Errorf("%s\nbecame\n%s", line, got)
		}
	}
}

func TestInitialRulesAreWrittenAsRead(t *testing.T) {
	rules, err := InitialRules()
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := WriteRules(&file, rules, "two\nlines"); err != nil {
		t.Fatal(err)
	}
	if head := "# pgdeid rules 1\n# two\n# lines\n\nO -> "; !strings.HasPrefix(file.String(), head) {
		t.Errorf("begins with %.60q, want %q", file.String(), head)
	}
	again, err := ReadRules(&file)
	if err != nil || !reflect.DeepEqual(again, rules) {
		t.Errorf("%d rules became %d others, error %v", len(rules), len(again), err)
	}
}

// An error tells the person who edits the file which line is wrong and what would be right, and
// quotes no value, which may come from a note.
func TestRuleErrors(t *testing.T) {
	for line, want := range map[string]string{
		`Q -> O`:                                         "want O, B-TYPE or I-TYPE",
		`O -> B-SMITH`:                                   "known: PATIENT, DOCTOR",
		`O => B-DATE`:                                    `want "->"`,
		`O -> O`:                                         "into itself",
		`O -> B-DATE when x`:                             `want "if"`,
		`O -> B-DATE if lowr[0] is x`:                    "known: tag, lower, stem",
		`O -> B-DATE if lower(0) is x`:                   "known: tag, lower",
		`O -> B-DATE if lower[10] is x`:                  "from -9 to 9",
		`O -> B-DATE if lower[a] is x`:                   "from -9 to 9",
		`O -> B-DATE if lower[0 is x`:                    `want "]"`,
		`O -> B-DATE if lower[0] = x`:                    `want "is"`,
		`O -> B-DATE if lower[0] is`:                     "value is missing",
		`O -> B-DATE if lower[0] is "Smith`:              "quotes are not closed",
		`O -> B-DATE if lower[0] is edge`:                "edge needs an offset",
		`O -> B-DATE if tag[1] is Smith`:                 "no tag",
		`O -> B-DATE if kinds[0] is Smith`:               "known: city, state",
		`O -> B-DATE if number[0] is Smith`:              "known: long, year",
		`O -> B-DATE if glue[0] is Smith`:                "want two of _",
		`O -> B-DATE if form[0] is Xx form[1] is Xx`:     `want "and"`,
		`O -> B-DATE if form[0] is Xx and form[0] is Xx`: "occurs twice",
		`O -> B-DATE if ` + strings.Repeat("form[1] is x and ", 1) + long(): "more than 8 conditions",
	} {
		_, err := ReadRules(strings.NewReader("# pgdeid rules 1\n\n" + line + "\n"))
		var at *RuleError
		if !errors.As(err, &at) || at.Line != 3 || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want line 3 and %q", line, err, want)
		}
		if err != nil && strings.Contains(line, "is \"Smith") && strings.Contains(err.Error(), "Smith") {
			t.Errorf("%s: the error quotes a value", line)
		}
	}
}

func long() string {
	var words []string
	for i := range 9 {
		words = append(words, "lower["+string(rune('0'+i))+"] is x")
	}
	return strings.Join(words, " and ")
}

func FuzzReadRules(f *testing.F) {
	f.Add(initialText)
	f.Add("O -> B-DOCTOR if lower[-1] is \"dr\" and tag[1] is edge # +1 -2 x\nB-DATE -> O")
	f.Fuzz(func(t *testing.T, text string) {
		rules, err := ReadRules(strings.NewReader(text))
		if err != nil {
			return
		}
		var file bytes.Buffer
		if err := WriteRules(&file, rules); err != nil {
			t.Fatal(err)
		}
		written := file.String()
		again, err := ReadRules(&file)
		if err != nil || len(again) != len(rules) {
			t.Fatalf("%d rules became %d: %v", len(rules), len(again), err)
		}
		file.Reset()
		if err := WriteRules(&file, again); err != nil || file.String() != written {
			t.Fatalf("another file the second time: %v", err)
		}
		if _, err := New("fuzz", rules); err != nil {
			t.Fatalf("rules that can be read can't be run: %v", err)
		}
	})
}
