package deid

import (
	"errors"
	"slices"
	"strings"
	"unicode"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/note"
	"github.com/pgdeid/pgdeid/internal/plain"
	"github.com/pgdeid/pgdeid/internal/terminology"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// pathPolicies applies the policies of the paths of one value.
type pathPolicies struct {
	deid *Deidentifier
	it   *Item
	col  *schema.Column
	err  error // for which the row is set aside
}

// convert applies the policy of a path. What does not fit it is left out.
func (p *pathPolicies) convert(rule int, value string, member func(name string) string) (string, bool) {
	if p.err != nil {
		return "", false
	}
	if p.isOfNothing(rule, value) {
		return "", false
	}
	out, err := p.deid.convertPath(p.it, &p.col.Rules[rule], value, member)
	if err != nil && !errors.Is(err, patient.ErrValue) {
		p.err = err
	}
	return out, err == nil
}

// isOfNothing reports whether a value is a reference to a resource within its own one, of which the column publishes none.
func (p *pathPolicies) isOfNothing(rule int, value string) bool {
	return p.col.Rules[rule].Format == config.Reference && strings.HasPrefix(value, "#") &&
		!slices.ContainsFunc(p.col.Rules, func(r schema.Column) bool { return r.Domain == containedDomain })
}

// convertPath applies the policy of a path to a value: that of a column, and what only documents have.
func (d *Deidentifier) convertPath(it *Item, rule *schema.Column, value string, member func(name string) string) (string, error) {
	switch {
	case rule.Tells == record.Phone && strings.Contains(value, "@"): // of telecom in FHIR, which has all ways to reach somebody
		mail := *rule
		mail.Tells = record.Email
		return d.convert(it, &mail, value, surrogate.Address{})
	case rule.Format == config.System && terminology.IsSystem(value):
		return value, nil
	case rule.Format == config.System:
		return systemsOfSites + d.key.PseudonymText(systemDomain, value), nil
	case rule.Format == config.URL:
		return d.pseudonymOf(rule, value, plain.ParseURL)
	case rule.Publish == config.Pseudonym && rule.Format != config.Reference:
		return d.keyIn(rule.Domain, d.Reg.Plan.KeyTypeOf(rule.Domain), value)
	case rule.Publish == config.ShiftDate && it.Patient != nil:
		if out, err := d.shiftPartial(it.Patient, rule, value); err == nil {
			return out, nil
		}
	}
	return d.convert(it, rule, value, addressIn(rule, member))
}

// containedDomain is the domain of pseudonyms of resources that are within another one.
const containedDomain = "contained"

// referenceDomain is the domain of pseudonyms of references that do not say what they lead to.
const referenceDomain = "reference"

// keyIn returns the pseudonym of a key in a document. A name where the domain's columns have numbers is no key of theirs, and has the
// pseudonym of a text: resources of a bundle can have names though the patients of the table are numbered.
func (d *Deidentifier) keyIn(domain string, kind config.KeyType, value string) (string, error) {
	id, err := patient.Pseudonym(d.key, kind, domain, value)
	if err != nil && strings.ContainsFunc(value, unicode.IsLetter) {
		return patient.Pseudonym(d.key, config.TextKey, domain, value)
	}
	return id, err
}

// systemDomain is the domain of pseudonyms of code systems that are not public.
const systemDomain = "system"

// systemsOfSites is written before the pseudonym of such a code system: it is a name in form, and nobody's.
const systemsOfSites = "https://example.org/system/"

// referencePseudonym publishes a reference to a resource, with the key that the column with it is published as.
func (d *Deidentifier) referencePseudonym(rule *schema.Column, value string) (string, error) {
	return d.pseudonymOf(rule, value, plain.ParseReference)
}

// pseudonymOf publishes what leads to a resource.
func (d *Deidentifier) pseudonymOf(rule *schema.Column, value string, parse func(string) (plain.Reference, error)) (string, error) {
	ref, err := parse(value)
	if err != nil {
		return "", patient.ErrValue
	}
	if ref.ID == "" {
		return ref.Write(""), nil
	}
	domain := rule.Domain
	kind := d.Reg.Plan.KeyTypeOf(domain)
	switch {
	case ref.Kind == plain.Contained:
		domain, kind = containedDomain, config.TextKey
	case ref.Kind == plain.UUID:
		if domain == "" {
			domain = referenceDomain
		}
		kind = config.UUID
	case domain == "":
		domain = ref.Type
		if ref.Type == "Patient" {
			domain = config.PatientDomain
		}
		kind = d.Reg.Plan.KeyTypeOf(domain)
	}
	id, err := d.keyIn(domain, kind, ref.ID)
	if err != nil {
		return "", err
	}
	return ref.Write(id), nil
}

// open reads the document of a row in column col, with the policies of its paths applied.
func (d *Deidentifier) open(it *Item, col int) (*note.Note, vault.Reason) {
	c := &it.Change.Table.Columns[col]
	policies := &pathPolicies{deid: d, it: it, col: c}
	opened, err := c.Form.OpenWith(it.Change.Row[col].Text, policies.convert)
	switch {
	case errors.Is(policies.err, surrogate.ErrLeak):
		return nil, vault.Leak
	case policies.err != nil:
		return nil, vault.SurrogateFail
	case err != nil:
		return nil, vault.BadFormat
	}
	if opened.Withheld() > 0 {
		it.Out.Withheld = append(it.Out.Withheld, col)
	}
	return opened, ""
}

// publishPaths publishes a document of which nothing is free text.
func (d *Deidentifier) publishPaths(it *Item, col int) (*string, vault.Reason) {
	opened, why := d.open(it, col)
	if why != "" {
		return nil, why
	}
	written, err := opened.Write(surrogate.Result{})
	if err != nil {
		return nil, vault.BadFormat
	}
	return &written.Value, ""
}
