package config

import (
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/document"
)

// Reference is the format of values below a path that refer to a resource of FHIR: "Patient/17".
const Reference document.Format = "reference"

// columnFormats lists every format of columns, pathFormats of what is at paths.
var (
	columnFormats = append(Formats(), Reference)
	pathFormats   = append(append(Formats(), document.MediaType, Reference, URL), knownFormats...)
)

// paths returns a setter of what is published of documents in JSON: a path to a policy, or to what a column has.
func paths(dst *[]Column) func(node) {
	return func(n node) {
		var all document.Selection
		for _, f := range n.fields() {
			for _, c := range pathsAt(f) {
				*dst = append(*dst, c)
				if err := all.Add(c.selected(0)); err != nil {
					f.value.fail("%v", err)
					return
				}
			}
		}
		if len(*dst) == 0 {
			n.fail("name at least one path: {$.text: text}")
		}
	}
}

// pathsAt returns the path of a field, or those that a type of FHIR has there.
func pathsAt(f field) []Column {
	if f.value.isMapping() {
		if inner := f.value.fields(); len(inner) == 1 && inner[0].name == "fhir" {
			return typedPaths(f.name, inner[0].value)
		}
	}
	c := Column{Name: f.name, Publish: Drop}
	c.readPath(f.value)
	return []Column{c}
}

// readPath reads what the file says of a path.
func (c *Column) readPath(n node) {
	if n.isMapping() {
		setters := c.setters()
		setters["format"] = oneOf("format", &c.Format, pathFormats...)
		setters["paths"] = func(n node) { n.fail("a path can't have paths: name what is in the document by longer paths") }
		n.setters(setters)
	} else {
		oneOf("policy", &c.Publish, policies...)(n)
	}
	c.checkRules(n)
	switch {
	case c.isReference():
	case c.checkKnown(n):
	case c.IsDocument() && c.Publish != Text && c.Format != Reference:
		n.fail("format and encoding belong to policy text")
	case c.Publish == Pseudonym && c.Domain == "":
		n.fail("say which keys these are: {publish: pseudonym, domain: %s}, the column's name or %[1]s elsewhere; "+
			"of references as FHIR has them: {publish: pseudonym, format: reference}", PatientDomain)
	}
}

// checkMediaType refuses a path of format media_type where the member that names the type is not published as it is: what
// was written could not be read again.
func checkMediaType(n node, all []Column, c *Column) {
	if c.Format != document.MediaType || c.Publish != Text {
		return
	}
	want := c.Name[:max(0, strings.LastIndexByte(c.Name, '.'))] + ".contentType"
	if !slices.ContainsFunc(all, func(o Column) bool { return o.Name == want && o.Publish == Keep }) {
		n.fail("format: media_type needs the type beside it: {%s: keep}", want)
	}
}

// choosePolicy gives a column with paths the policy that these come to.
func (c *Column) choosePolicy(n node, said bool) {
	if c.Format == "" {
		c.Format = document.JSON
	}
	switch {
	case c.Format != document.JSON || said && c.Publish != Text && c.Publish != Drop:
		n.fail("paths belong to policy text with format: json")
		return
	case c.Tells != "":
		n.fail("what the column tells is said by its paths: {paths: {$.name: {tells: %s}}}", c.Tells)
		return
	case said && c.Publish == Drop && slices.ContainsFunc(c.Paths, func(p Column) bool { return p.Publish != Drop }):
		n.fail("the column is dropped, and its paths are not: leave publish: drop out")
		return
	}
	switch {
	case c.publishes(Text):
		c.Publish = Text
	case slices.ContainsFunc(c.Paths, func(p Column) bool { return p.Publish != Drop }):
		c.Publish = ByPath
	default:
		c.Publish = Drop
	}
}

// rules returns what says how values of the column are published: its paths, or else the column itself.
func (c *Column) rules() []Column {
	if len(c.Paths) > 0 {
		return c.Paths
	}
	return []Column{*c}
}

// publishes reports whether something of the column is published by a policy.
func (c *Column) publishes(p Policy) bool {
	return slices.ContainsFunc(c.rules(), func(rule Column) bool { return rule.Publish == p })
}

// needsPatient reports whether the policy publishes nothing without a patient.
func (c *Column) needsPatient() bool {
	return c.Publish == Text || c.Publish == ShiftDate || c.Publish == Surrogate
}

// NeedsPatient reports whether the column, or one of its paths, has a policy that publishes nothing without a patient.
func (c *Column) NeedsPatient() bool {
	return slices.ContainsFunc(c.rules(), func(rule Column) bool { return rule.needsPatient() })
}

// Roles returns what the column, or its paths, tell.
func (c *Column) Roles() []record.Role {
	var roles []record.Role
	for _, rule := range c.rules() {
		if rule.Tells != "" {
			roles = append(roles, rule.Tells)
		}
	}
	return roles
}

// maskedElement is what FHIR has for an element that is there and not shown. An element may not be empty, and many have to be there.
const maskedElement = `"extension": [{"url": "http://hl7.org/fhir/StructureDefinition/data-absent-reason", "valueCode": "masked"}]`

// Selection returns what the column's paths publish, nil if it has none. The rule of a path is its index.
func (c *Column) Selection() *document.Selection {
	if len(c.Paths) == 0 {
		return nil
	}
	s, err := document.Select(selected(c.Paths))
	if err != nil { // which the file is refused for
		s, _ = document.Select(nil) // publishes nothing
	}
	if c.FHIR {
		s.Mask(maskedElement)
	}
	return s
}

// Telling returns what the column's paths tell, nil if they tell nothing. The rule of a path is its index.
func (c *Column) Telling() *document.Selection {
	var list []document.Path
	for i, p := range c.Paths {
		if p.Tells != "" {
			list = append(list, document.Path{Path: p.Name, Do: document.Convert, Rule: i})
		}
	}
	if s, err := document.Select(list); err == nil && len(list) > 0 {
		return s
	}
	return nil
}

// selected returns paths as documents are read by them.
func selected(columns []Column) []document.Path {
	list := make([]document.Path, len(columns))
	for i := range columns {
		list[i] = columns[i].selected(i)
	}
	return list
}

// selected returns the path of a rule as documents are read by it.
func (c *Column) selected(rule int) document.Path {
	return document.Path{Path: c.Name, Do: c.treatment(), Rule: rule, Known: c.known(), Format: c.Format, Encoding: c.Encoding}
}

// treatment returns what is done with the values that a path names.
func (c *Column) treatment() document.Treatment {
	switch {
	case c.Publish == Drop:
		return document.LeaveOut
	case c.Publish == Keep:
		return document.Keep
	case c.Publish != Text:
		return document.Convert
	case c.IsDocument() && c.known() == nil:
		return document.Open
	}
	return document.Show
}
