package itest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// bundleKind is a way to keep resources together: how they are named there, and how they refer to each other.
type bundleKind struct {
	name    string
	fullURL func(resource string, n int) string
	refer   func(resource string, n int) string
}

const server = "https://ehr.example.org/fhir/"

// bundleKinds are documents, whose references are relative; transactions, as Synthea writes them; and collections from several servers.
var bundleKinds = []bundleKind{
	{"document", func(typ string, n int) string { return server + resourceOf(typ, n) }, resourceOf},
	{"transaction", uuidOf, uuidOf},
	{
		"collection", func(typ string, n int) string { return server + resourceOf(typ, n) },
		func(typ string, n int) string { return server + resourceOf(typ, n) + "/_history/3" },
	},
}

func resourceID(typ string, n int) string { return strings.ToLower(typ) + "-" + fmt.Sprint(n) }

func resourceOf(typ string, n int) string { return typ + "/" + resourceID(typ, n) }

func uuidOf(typ string, n int) string {
	sum := 0
	for _, c := range typ {
		sum = sum*31 + int(c)
	}
	return fmt.Sprintf("urn:uuid:0b8cae0e-0000-4000-8%03d-%012x", n, sum&0xffffffffff)
}

// undecorated are members that are left as they are: elements in extensions, and what is no element.
var undecorated = []string{"resourceType", "id", "extension", "modifierExtension", "contained", "meta"}

// oneIdentifier are types of resources with a single identifier, noIdentifier those with none.
var (
	oneIdentifier = []string{"Composition", "QuestionnaireResponse"}
	noIdentifier  = []string{"Provenance"}
)

const (
	extensions = `[{"url": "{url}", "valueString": "{name}"}, {"url": "{url}", "extension": [{"url": "inner", "valueCode": "{id}"}, {"url": "more", "valueHumanName": {"family": "{name}"}},
		{"url": "file", "valueAttachment": {"title": "{name}", "data": "BASE64({name})"}}, {"url": "where", "valueAddress": {"line": ["{street}"]}}]}]`
	identifierOf = `{"use": "official", "type": {CODE}, "system": "{url}", "value": "{id}", "period": {"start": "2020"}, "assigner": {"display": "{name}"}}`
	metaOf       = `{"versionId": "{id}", "lastUpdated": "2021-03-04T05:06:07Z", "source": "{url}", "profile": ["{url}"], "security": [{"system": "{url}", "code": "{id}", "display": "{name}"}],
		"tag": [{"system": "{url}", "code": "{id}", "display": "{name}"}]}`
	containedOf = `[{"resourceType": "Patient", "id": "in-1", "name": [{"family": "{name}"}], "identifier": [{"value": "{id}"}], "telecom": [{"value": "{phone}"}]},
		{"resourceType": "Organization", "id": "in-2", "name": "{name}"}]`
)

// bundler writes a bundle.
type bundler struct {
	*testing.T
	kind bundleKind
	n    int // of the patient, whose number is in the identities of resources
}

// element returns a part of a resource that is written as JSON with words in braces.
func (b *bundler) element(text string) any {
	for fhirWord.MatchString(text) {
		text = fhirWord.ReplaceAllStringFunc(text, func(s string) string { return fhirElements[strings.Trim(s, "{}")] })
	}
	text = fhirTarget.ReplaceAllStringFunc(text, func(s string) string {
		return fmt.Sprintf(`{"reference": %q, "type": %q, "display": "{name}", "identifier": {"system": "{url}", "value": "{id}"}}`, b.kind.refer(s[1:], b.n), s[1:])
	})
	return parsed(b.T, text)
}

// decorate adds to each element what every element may have: an identity, extensions, and those of its primitive members.
func (b *bundler) decorate(v any) {
	switch v := v.(type) {
	case []any:
		for _, element := range v {
			b.decorate(element)
		}
	case map[string]any:
		for name, member := range v {
			if slices.Contains(undecorated, name) {
				continue
			}
			b.decorate(member)
			if _, isString := member.(string); isString && name != "div" {
				v["_"+name] = b.element(`{"id": "{id}", "extension": [{"url": "{url}", "valueString": "{name}"}]}`)
			}
		}
		if v["resourceType"] == nil {
			v["id"], v["extension"] = "{id}", b.element(`[{"url": "{url}", "valueString": "{name}"}]`)
		}
	}
}

// resource completes a resource.
func (b *bundler) resource(v map[string]any) map[string]any {
	typ := v["resourceType"].(string)
	b.decorate(v)
	v["id"], v["language"], v["implicitRules"] = resourceID(typ, b.n), "en", "{url}"
	v["meta"], v["contained"], v["extension"], v["text"] = b.element(metaOf), b.element(containedOf), b.element(extensions), b.element("{DIV}")
	switch identifier := b.element(identifierOf); {
	case slices.Contains(noIdentifier, typ):
	case slices.Contains(oneIdentifier, typ):
		v["identifier"] = identifier
	default:
		v["identifier"] = []any{identifier}
	}
	return v
}

// bundle returns a bundle of all resources, in which p has planted something wherever there can be a text.
func (b *bundler) bundle(p *plants) map[string]any {
	var entries []any
	var patient map[string]any
	for _, v := range b.element(fhirBundle).([]any) {
		v := b.resource(v.(map[string]any))
		typ := v["resourceType"].(string)
		if typ == "Patient" {
			patient = v
		}
		entry := map[string]any{
			"id": "{id}", "extension": b.element(extensions), "link": b.element(`[{"relation": "{name}", "url": "{url}"}]`),
			"fullUrl": b.kind.fullURL(typ, b.n), "resource": v,
		}
		if b.kind.name == "transaction" {
			entry["request"] = map[string]any{"method": "POST", "url": typ, "ifNoneExist": "identifier={url}|{id}"}
		}
		entries = append(entries, p.fillAll(entry))
	}
	for _, number := range p.told {
		patient["identifier"] = append(patient["identifier"].([]any), map[string]any{"value": number})
	}
	return p.fillAll(map[string]any{
		"resourceType": "Bundle", "id": "bundle-{id}", "type": b.kind.name, "timestamp": "2021-03-14T10:00:00Z", "meta": b.element(metaOf),
		"implicitRules": "{url}", "identifier": b.element(identifierOf), "link": b.element(`[{"relation": "self", "url": "{url}"}]`), "entry": entries,
		"signature": b.element(`{"type": [{"system": "{url}", "code": "x", "display": "{name}"}], "when": "2021-03-14T10:00:00Z", "who": {"display": "{name}"}, "data": "BASE64({name})"}`),
	}).(map[string]any)
}
