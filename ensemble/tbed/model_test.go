package tbed

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

func TestConform(t *testing.T) {
	l := learned(t, hospital(t, 11, 10), LearnOptions{MinGain: 3})
	ensembletest.Conform(t, memberOf(t, l.Rules, MemberOptions{}))
}

func memberOf(t testing.TB, rules []Rule, opts MemberOptions) ensemble.Detector {
	t.Helper()
	m, err := New("rules", rules)
	if err != nil {
		t.Fatal(err)
	}
	d, err := m.Member(opts)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func rulesOf(t testing.TB, lines ...string) []Rule {
	t.Helper()
	rules, err := ReadRules(strings.NewReader(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

func foundBy(t testing.TB, d ensemble.Detector, text string) []string {
	t.Helper()
	note := &ensemble.Note{Text: text}
	spans, err := d.Detect(t.Context(), note, nil)
	if err != nil {
		t.Fatal(err)
	}
	ensembletest.CheckSpans(t, text, spans)
	var out []string
	for _, s := range spans {
		out = append(out, s.Type.String()+" "+text[s.Start:s.End])
	}
	return out
}

// Rules are applied in order, each over all tokens at once, and see the tags made by earlier
// rules, but nothing of another sentence.
func TestOrder(t *testing.T) {
	named := []string{
		`O -> B-DOCTOR if lower[-1] is "." and lower[-2] is "dr"`,
		`O -> I-DOCTOR if tag[-1] is B-DOCTOR and form[0] is Xx   # +9 -1`,
	}
	for _, c := range []struct {
		name  string
		rules []string
		text  string
		want  []string
	}{
		{"a chain", named, "Dr. Ann Moss Lee came.", []string{"DOCTOR Ann Moss"}},
		{
			"the rule again", append(slices.Clone(named), `O -> I-DOCTOR if tag[-1] is I-DOCTOR and form[0] is Xx`), "Dr. Ann Moss Lee came.",
			[]string{"DOCTOR Ann Moss Lee"},
		},
		{"glued", named, "Dr.Moss", []string{"DOCTOR Moss"}},
		{"a date glued to a word", nil, "Results02/20/2087", []string{"DATE 02/20/2087"}},
		{"a number glued to a word", nil, "MC # 0937884Date", []string{"IDNUM 0937884"}},
		{"the number of a record glued to a word", nil, "MRN # 0937884Date", []string{"MEDICALRECORD 0937884"}},
		{"a number in a chunk", []string{`O -> B-AGE if chunk[0] is "00-xx-xx 0"`}, "a 48-year-old man", []string{"AGE 48"}},
		{
			"a bracketed number",
			[]string{`O -> B-IDNUM if chunk[0] is "[00000000(XX 1"`, `B-IDNUM -> B-MEDICALRECORD if form[1] is "("`},
			"FOUST,FAY [50294530(LHCC)]",
			[]string{"MEDICALRECORD 50294530"},
		},
		{"taken back", append(slices.Clone(named), `B-DOCTOR -> O if tag[1] is edge`), "Dr. Moss", nil},
		{"the other way round", []string{named[1], named[0]}, "Dr. Ann Moss came.", []string{"DOCTOR Ann"}},
		{"patterns come first", nil, "on 02/20/2087", []string{"DATE 02/20/2087"}},
		{"patterns are corrected", []string{`B-DATE -> O if pattern[0] is B-DATE`, `I-DATE -> O if pattern[0] is I-DATE`}, "on 02/20/2087", nil},
		{"another sentence", []string{`O -> B-CITY if lower[-1] is "."`}, "It ends.\n\nMoss begins.", nil},
		{"the edge", []string{`O -> B-CITY if form[-1] is edge`}, "One two.\n\nThree four.", []string{"CITY One", "CITY Three"}},
		{"tags alone", []string{`O -> B-CITY if tag[1] is B-DATE`}, "by Moss 02/20/2087", []string{"CITY Moss", "DATE 02/20/2087"}},
		{"an end without a beginning", []string{`O -> I-CITY if lower[0] is "moss"`}, "by Moss here", []string{"CITY Moss"}},
		{"marks alone", []string{`O -> B-CITY if lower[0] is ";"`}, "a ; b", nil},
		{
			"marks at the ends",
			[]string{`O -> B-CITY if lower[0] is "("`, `O -> I-CITY if tag[-1] is B-CITY`, `O -> I-CITY if lower[0] is ")"`},
			"a (b) c",
			[]string{"CITY (b)"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := foundBy(t, memberOf(t, rulesOf(t, c.rules...), MemberOptions{}), c.text); !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// A rule matches wherever its words are: in a long note of many batches, and at the end of a
// sentence that is longer than the limit.
func TestLongNotes(t *testing.T) {
	d := memberOf(t, rulesOf(t, `O -> B-CITY if lower[0] is "here"`), MemberOptions{})
	for name, text := range map[string]string{
		"sentences":  strings.Repeat("One two three four five.\n\n", 3000) + "It is here.",
		"a sentence": strings.Repeat("one two three, ", 9000) + "and here",
	} {
		if got := foundBy(t, d, text); len(got) != 1 || got[0] != "CITY here" {
			t.Errorf("%s: %d spans", name, len(got))
		}
	}
}

func TestMemberOptions(t *testing.T) {
	rules := rulesOf(t, `O -> B-CITY if lower[0] is "moss"   # +6 -4`, `O -> B-STATE if lower[0] is "lee"   # +990 -1`,
		`O -> B-ZIP if lower[0] is "own"`)
	const text = "moss lee own"
	for _, c := range []struct {
		name string
		opts MemberOptions
		want int
	}{
		{"all", MemberOptions{}, 3},
		{"one type", MemberOptions{Types: []phi.Type{phi.State}}, 1},
		{"sure ones", MemberOptions{Threshold: 0.8}, 2},
		{"surer ones", MemberOptions{Threshold: 1}, 1},
		{"of one type", MemberOptions{Threshold: 0.8, Thresholds: map[phi.Type]float64{phi.City: 0.5}}, 3},
		{"biased", MemberOptions{Threshold: 0.8, Bias: 2}, 3},
	} {
		if got := foundBy(t, memberOf(t, rules, c.opts), text); len(got) != c.want {
			t.Errorf("%s: %q, want %d", c.name, got, c.want)
		}
	}
	m, err := New("rules", rules)
	if err != nil {
		t.Fatal(err)
	}
	for _, opts := range []MemberOptions{{Threshold: 2}, {Thresholds: map[phi.Type]float64{phi.City: -1}}} {
		if _, err := m.Member(opts); err == nil {
			t.Errorf("%+v is taken", opts)
		}
	}
}

func TestLoad(t *testing.T) {
	files, err := Learned{Rules: rulesOf(t, `O -> B-CITY if lower[0] is "moss"   # +6 -4`)}.Files()
	if err != nil {
		t.Fatal(err)
	}
	folder, sums := fstest.MapFS{}, map[string]string{}
	put := func(name string, data []byte) string {
		sum := sha256.Sum256(data)
		folder[name] = &fstest.MapFile{Data: data}
		return hex.EncodeToString(sum[:])
	}
	for name, data := range files {
		sums[name] = put(name, data)
	}
	m, err := Load("rules", folder, sums)
	if err != nil || len(m.Rules()) != 1 || m.Rules()[0].Mended != 6 {
		t.Fatalf("error %v", err)
	}
	sum := put(RulesFile, bytes.Replace(files[RulesFile], []byte("moss"), []byte("lee"), 1))
	for name, given := range map[string]map[string]string{
		"edited": sums, "no sums": nil, "rules not listed": {ConfigFile: sums[ConfigFile]}, "a file more": {
			ConfigFile: sums[ConfigFile],
			RulesFile:  sum, "more": sum,
		},
	} {
		if _, err := Load("rules", folder, given); !errors.Is(err, ErrSum) {
			t.Errorf("%s: error %v, want %v", name, err, ErrSum)
		}
	}
	sums[RulesFile] = sum
	if m, err = Load("rules", folder, sums); err != nil || m.Rules()[0].If[0].Value != "lee" {
		t.Errorf("edited and listed: error %v", err)
	}
	for config, want := range map[string]string{
		`{"model_type":"bert","features":1}`: "pgdeid-rules", `{"model_type":"pgdeid-rules","features":999}`: "learn the rules anew",
		`{`: "config.json",
	} {
		sums[ConfigFile] = put(ConfigFile, []byte(config))
		if _, err := Load("rules", folder, sums); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", config, err, want)
		}
	}
	sums[ConfigFile], sums[RulesFile] = put(ConfigFile, files[ConfigFile]), put(RulesFile, []byte("# one\nO -> Q"))
	if _, err := Load("rules", folder, sums); err == nil || !strings.Contains(err.Error(), "rules.txt: line 2: ") {
		t.Errorf("a bad line: error %v", err)
	}
}

func TestScore(t *testing.T) {
	m, err := New("rules", rulesOf(t, `O -> B-DOCTOR if lower[0] is "moss"`, `O -> B-CITY if lower[0] is "lee"`))
	if err != nil {
		t.Fatal(err)
	}
	score := func(text, tags string, marked func(phi.Type) bool) map[string]Score {
		scores := map[string]Score{}
		e := Example{Note: &ensemble.Note{Text: text}, Tags: strings.Fields(tags), Marked: marked}
		if err := m.Score(t.Context(), e, scores); err != nil {
			t.Fatal(err)
		}
		return scores
	}
	got := score("Moss Ann and Lee", "B-PATIENT I-PATIENT O O", nil)
	if want := (Score{Counts{1, 2, 0}, Counts{2, 2, 1}}); got[AllClasses] != want {
		t.Errorf("%+v, want %+v", got[AllClasses], want)
	}
	if want := (Score{Counts{0, 1, 0}, Counts{0, 1, 0}}); got["LOCATION"] != want {
		t.Errorf("places: %+v, want %+v", got["LOCATION"], want)
	}
	names := func(t phi.Type) bool { return t.Class() == phi.ClassName }
	if got := score("Moss and Lee", "B-NAME O O", names); got[AllClasses] != (Score{}) {
		t.Errorf("unknown tags count: %+v", got)
	}
	if c := (Counts{4, 2, 1}); c.Precision() != 0.5 || c.Recall() != 0.25 || c.F1() != 1.0/3 {
		t.Errorf("%v %v %v", c.Precision(), c.Recall(), c.F1())
	}
}

// BenchmarkDetect runs many rules over a note of 3 KB.
func BenchmarkDetect(b *testing.B) {
	l := learned(b, hospital(b, 12, 30), LearnOptions{MinGain: 1, MaxRules: 2000})
	text := strings.Repeat(hospital(b, 13, 1)[0].Note.Text, 10)[:3000]
	for _, n := range []int{0, 100, len(l.Rules), 5 * len(l.Rules)} {
		rules := slices.Repeat(l.Rules, 5)[:n]
		d := memberOf(b, rules, MemberOptions{})
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := d.Detect(b.Context(), &ensemble.Note{Text: text}, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
