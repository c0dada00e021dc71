package note

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/document"
	"github.com/pgdeid/pgdeid/internal/document/encoding"
	"github.com/pgdeid/pgdeid/surrogate"
)

func rangesOf(spans []surrogate.Span) []phi.Range {
	var list []phi.Range
	for _, s := range spans {
		list = append(list, phi.Range{Start: s.Start, End: s.End})
	}
	return list
}

// shownAt returns what of a text is shown at ranges; "-" for none.
func shownAt(text string, ranges []phi.Range) []string {
	var list []string
	for _, r := range ranges {
		list = append(list, string([]rune(text)[r.Start:r.End]))
		if r.Start == r.End {
			list[len(list)-1] = "-"
		}
	}
	return list
}

// Where surrogates were written in a value, they are found again in the text of that value.
func TestShown(t *testing.T) {
	t.Parallel()
	pairs := [][2]string{{"Ann", "Béatrice"}, {"Lee", "𝒳 & <Roe>"}}
	want := []string{"Béatrice", "𝒳 & <Roe>"}
	for name, tt := range map[string]struct {
		form  Form
		value string
		want  []string
	}{
		"plain":             {Form{}, "é Ann met Lee.", want},
		"HTML":              {Form{Format: document.HTML}, "<p title=x>&eacute; <b>A</b>nn</p><ul><li>met<li>Lee&period;</ul>", want},
		"HTML, gzip, bytea": {Form{Format: document.HTML, Encoding: encoding.Gzip, Bytes: true}, "<p>&eacute; Ann</p> met <i>Lee</i>", want},
		"RTF":               {Form{Format: document.RTF}, `{\rtf1\ansi\deff0 \'e9 A{\b nn}\par met {\i Lee}.\par}`, want},
		"RTF, base64":       {Form{Format: document.RTF, Encoding: encoding.Base64}, `{\rtf1\ansi\deff0 \'e9 A{\b nn}\par met {\i Lee}.\par}`, want},
		"CDA": {Form{Format: document.CDA}, `<ClinicalDocument xmlns="urn:hl7-org:v3"><title>é Ann</title><component><structuredBody><component><section>` +
			`<text><table><tbody><tr><td>met</td><td>L<content>ee</content></td></tr></tbody></table></text></section></component></structuredBody></component></ClinicalDocument>`, want},
		"HL7v2":                     {Form{Format: document.HL7}, "MSH|^~\\&|LAB|x|EHR|X|20210304||ORU^R01|1|P|2.5\rOBX|1|TX|NOTE^Note||Ann met Lee||||||F\r", want},
		"JSON":                      {Form{Format: document.JSON}, `{"a": "\u00e9 Ann", "b": ["met", "Lee"]}`, want},
		"JSON with HTML in a value": {Form{Format: document.JSON}, `{"a": "\u00e9 Ann", "b": "<p>met <b>Lee</b></p>"}`, want},
		"array":                     {Form{Array: true}, `{"é Ann",NULL,"met Lee"}`, []string{"-", "-"}},
	} {
		value := tt.value
		if tt.form.Wrapped() {
			value = wrapped(t, tt.form, value)
		}
		n := open(t, tt.form, value)
		w, err := n.Write(result(t, n.Text(), pairs...))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		again := open(t, tt.form, w.Value)
		if got := shownAt(again.Text(), again.Shown(rangesOf(w.Spans))); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q in %q, want %q", name, got, again.Text(), tt.want)
		}
		for _, r := range again.Shown([]phi.Range{{Start: -1, End: 3}, {Start: 5, End: 5}}) {
			if again.doc != nil && r != (phi.Range{}) {
				t.Errorf("%s: what is no range of the value is shown at %v", name, r)
			}
		}
	}
}

// The same in notes of many rows, of each kind.
func TestShownInLines(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		form      Form
		separator string
		rows      []string
	}{
		"lines":                {Form{}, "\n", []string{"é An", "x", "Seen: Marksman", "", "slept. Ann"}},
		"pieces":               {Form{}, "", []string{"Seen: Mar", "ksman, A", "nn slept"}},
		"lines, each encoded":  {Form{Encoding: encoding.Base64}, "\n", []string{"éé: Marksman", "x", "𝒳 Ann slept"}},
		"a document in pieces": {Form{Format: document.RTF}, "", cut(`{\rtf1\ansi\deff0 Seen: |Marks{\b man},| Ann\par slept| well.\par}`)},
		"a document in lines":  {Form{Format: document.HTML}, "\n", []string{"<p>é Seen:", "<b>Marksman</b>", "and Ann</p>"}},
		"bytes in pieces":      {Form{Format: document.HTML, Bytes: true}, "", asBytes("<p>é Seen: Mark", "sman <i>A", "nn</i></p>")},
	} {
		rows := slices.Clone(tt.rows)
		if tt.form.Encoding == encoding.Base64 {
			for i := range rows {
				rows[i] = wrapped(t, tt.form, rows[i])
			}
		}
		l, err := tt.form.OpenLines(rows, tt.separator)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		made, err := l.Write(result(t, l.Text(), [2]string{"Marksman", "Réy"}, [2]string{"Ann", "Béatrice"}))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var values []string
		var spans [][]phi.Range
		for _, w := range made {
			if !w.Null {
				values, spans = append(values, w.Value), append(spans, rangesOf(w.Spans))
			}
		}
		again, err := tt.form.OpenLines(values, tt.separator)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := strings.Join(shownAt(again.Text(), again.Shown(spans)), ""); got != "RéyBéatrice" {
			t.Errorf("%s: %q in %q", name, got, again.Text())
		}
	}
}
