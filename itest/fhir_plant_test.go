package itest

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// fhirBundle has a resource of each type that is tried, with words in braces for what identifies somebody and for elements that hold
// such words, and @Type for a reference.
//
//go:embed fhir/bundle.json
var fhirBundle string

// fhirElements are written in place of words in braces.
var fhirElements = map[string]string{
	"CODE": `{"coding": [{"system": "http://loinc.org", "version": "2.72", "code": "8867-4", "display": "Rate of {told}"},
		{"system": "{url}", "version": "{id}", "code": "{told}", "display": "{told}"}, {"system": "http://snomed.info/sct", "code": "{told}"}], "text": "Seen with {told}"}`,
	"QUANTITY": `{"value": 5.4, "unit": "for {told}", "system": "{url}", "code": "{told}"}`,
	"NOTE":     `{"authorString": "{name}", "time": "2021-03-15T10:00:00Z", "text": "{told} was calm, {told\\} was not."}`,
	"DIV": `{"status": "generated", "div": "<div xmlns=\"http://www.w3.org/1999/xhtml\" title=\"{name}\"><!-- {name} --><p id=\"{id}\">Saw {told<b>} and {told&}.</p>` +
		`<img src=\"data:image/png;base64,BASE64({name})\" alt=\"{name}\"/><a href=\"mailto:{mail}\">x</a></div>"}`,
	"ATTACHED":     `{"contentType": "text/plain; name=\"{name}.txt\"", "language": "en", "data": "BASE64(Dear {told}, bye)", "url": "{url}", "title": "{name}.txt", "hash": "BASE64({id})", "creation": "2021-03-14"}`,
	"ATTACHEDHTML": `{"contentType": "text/html", "data": "BASE64(<html><head><title>{name}</title></head><body><!-- {name} --><p title=\"{name}\">Saw {told<b>} and {told&}</p></body></html>)", "title": "{name}.html"}`,
	"ATTACHEDRTF":  `{"contentType": "application/rtf", "data": "BASE64({\\rtf1\\ansi{\\info{\\author {name}}} Dear {\\b {told}}\\par})", "title": "{name}.rtf"}`,
	"ATTACHEDXML":  `{"contentType": "text/xml", "data": "BASE64(<note by=\"{name}\"><!-- {name} --><p>{told}</p></note>)"}`,
	"ATTACHEDJSON": `{"contentType": "application/json", "data": "BASE64([\"{told}\", {\"a\": \"{told}\"}])"}`,
	"ATTACHEDPDF":  `{"contentType": "application/pdf", "data": "BASE64(%PDF-1.4 {name})", "title": "{name}.pdf"}`,
}

var (
	fhirWord   = regexp.MustCompile(`\{([A-Z]+)\}`)
	fhirTarget = regexp.MustCompile(`@([A-Za-z]+)`)
	plantWord  = regexp.MustCompile(`\{(told|name|id|uid|url|mail|phone|street|town|given|family2?)([<&\\]?)(?:b>)?\}`)
	toEncode   = regexp.MustCompile(`BASE64\(([^()]*)\)`)
)

// plants makes values that identify somebody, each of them once, and knows them again.
type plants struct {
	n     int
	all   map[string]bool // in small letters
	told  []string        // those that the record of the patient tells
	fixed map[string]string
}

// next returns a value of a kind that was not there before.
func (p *plants) next(kind string) string {
	if v, ok := p.fixed[kind]; ok {
		return v
	}
	p.n++
	letters := []byte("Zqaaaaaa")
	for i, n := len(letters)-1, p.n; n > 0; i, n = i-1, n/26 {
		letters[i] += byte(n % 26)
	}
	name, number := string(letters), fmt.Sprintf("ZQ%06d", 100000+p.n)
	switch kind {
	case "told":
		if p.n%5 == 0 {
			number = fmt.Sprintf("900-%02d-%04d", 10+p.n/5000, 1000+p.n%5000)
		}
		p.told = append(p.told, number)
	case "phone":
		number = fmt.Sprintf("413-%03d-%04d", 200+p.n/10000, p.n%10000)
	case "name", "given", "family", "family2", "town":
		number = name
	case "id", "uid":
	case "url":
		p.all[strings.ToLower(name)] = true
		return "http://ehr.example.org/" + name
	case "mail":
		p.all[strings.ToLower(name)] = true
		return name + "@example.org"
	case "street":
		p.all[strings.ToLower(name)] = true
		return "17 " + name + " Street"
	}
	p.all[strings.ToLower(number)] = true
	if kind == "uid" {
		return "1.2.840." + number
	}
	return number
}

// escaped marks a character that is written as an escape of JSON.
const escaped = "\ue000"

// fill puts values into a string, and encodes what is to be encoded.
func (p *plants) fill(text string) string {
	text = plantWord.ReplaceAllStringFunc(text, func(word string) string {
		m := plantWord.FindStringSubmatch(word)
		v := p.next(m[1])
		switch m[2] {
		case "<":
			return v[:2] + "<b>" + v[2:4] + "</b>" + v[4:]
		case "&":
			return fmt.Sprintf("&#x%x;%s", v[0], v[1:])
		case `\`:
			return escaped + v
		}
		return v
	})
	return toEncode.ReplaceAllStringFunc(text, func(s string) string {
		return base64.StdEncoding.EncodeToString([]byte(toEncode.FindStringSubmatch(s)[1]))
	})
}

// fillAll puts values into all strings of a value of JSON, in an order that does not change.
func (p *plants) fillAll(v any) any {
	switch v := v.(type) {
	case string:
		return p.fill(v)
	case []any:
		for i := range v {
			v[i] = p.fillAll(v[i])
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			v[name] = p.fillAll(v[name])
		}
	}
	return v
}

// prefixes of planted values, with the sizes of these. A value can be anywhere in a text.
var plantPrefixes = map[string]int{"zq": 8, "900-": 11, "413-": 12}

// in returns the planted values that are in a text.
func (p *plants) in(text string) (found []string) {
	text = strings.ToLower(text)
	for prefix, size := range plantPrefixes {
		for at := 0; ; at++ {
			i := strings.Index(text[at:], prefix)
			if i < 0 {
				break
			}
			at += i
			if at+size <= len(text) && p.all[text[at:at+size]] {
				found = append(found, text[at:at+size])
			}
		}
	}
	return found
}

// shortBase64 matches what may be a planted value alone.
var shortBase64 = regexp.MustCompile(`[A-Za-z0-9+/]{8,}={0,2}`)

var anyTag = regexp.MustCompile(`<[^>]*>|\\[a-z]+ ?`)

// decoded returns what a person can read in a text, however it is written there: entities, tags, base64, percent signs.
func decoded(text string) string {
	plain := anyTag.ReplaceAllString(html.UnescapeString(text), "")
	all := text + "\n" + html.UnescapeString(text) + "\n" + plain
	if unquoted, err := url.PathUnescape(text); err == nil && unquoted != text {
		all += "\n" + decoded(unquoted)
	}
	for _, m := range shortBase64.FindAllString(text, -1) {
		if data, err := base64.StdEncoding.DecodeString(m); err == nil {
			all += "\n" + decoded(string(data))
		}
	}
	return all
}

// everyText passes each string and number of a value of JSON, and each name of a member, with its path.
func everyText(v any, path string, each func(path, text string)) {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			each(path+" (name)", name)
			everyText(member, path+"."+name, each)
		}
	case []any:
		for i, element := range v {
			everyText(element, fmt.Sprintf("%s[%d]", path, i), each)
		}
	default:
		each(path, fmt.Sprint(v))
	}
}

// parsed returns a value of JSON.
func parsed(t *testing.T, text string) any {
	t.Helper()
	var v any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %.300s", err, text)
	}
	return v
}

// asJSON returns the JSON of a value, with the escapes that it asks for.
func asJSON(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(escaped+".").ReplaceAllStringFunc(b.String(), func(s string) string {
		return fmt.Sprintf(`\u%04x`, s[len(escaped)])
	})
}
