package config

import (
	_ "embed" // the lists of FHIR
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/pgdeid/pgdeid/internal/document"
)

//go:embed fhir/r4.yaml
var fhirLists []byte

// fhirPaths has what is published of each type of resource and of each type of element, by its name.
type fhirPaths struct {
	resources map[string][]Column
	elements  map[string]node
}

var readFHIR = sync.OnceValues(func() (*fhirPaths, error) {
	var out Problems
	root, ok := parse(fhirLists, &out)
	lists, withPatient := map[string][]Column{}, map[string][]Column{}
	types := map[string]node{}
	if ok {
		root.setters(map[string]func(node){
			"types": func(n node) {
				for _, f := range n.fields() {
					types[f.name] = f.value
				}
			},
			"resources": func(n node) {
				searched := maps.Clone(types) // what leads to no patient by itself
				searched["PublicCode"] = types["Coded"]
				for _, f := range n.fields() {
					lists[f.name] = resourcePaths(f.name, f.value, types)
					withPatient[f.name] = resourcePaths(f.name, f.value, searched)
				}
			},
		})
	}
	if len(out) > 0 {
		return nil, out
	}
	lists["Bundle"] = append(lists["Bundle"], anyResource("$.entry[*].resource", withPatient)...)
	lists["Resource"] = anyResource("$", withPatient)
	return &fhirPaths{resources: lists, elements: types}, nil
})

// resources returns what is published of each type of resource, by its name.
func resources() (map[string][]Column, error) {
	all, err := readFHIR()
	if err != nil {
		return nil, err
	}
	return all.resources, nil
}

// typedPaths returns the paths of an element whose type a node says.
func typedPaths(path string, n node) []Column {
	name, ok := n.scalar()
	if !ok {
		return nil
	}
	all, err := readFHIR()
	if err != nil {
		n.fail("the lists of FHIR are broken: %v", err)
		return nil
	}
	t, ok := all.elements[name]
	if !ok {
		n.fail("no list for elements of type %q (one of %s); say with longer paths what is published", short(name),
			strings.Join(keys(all.elements), ", "))
		return nil
	}
	return elementPaths(path, t, all.elements)
}

// anyResource returns the paths of resources of each type, at a path where any of them may be.
func anyResource(at string, lists map[string][]Column) []Column {
	var list []Column
	for _, name := range keys(lists) {
		if name == "Bundle" {
			continue
		}
		for _, c := range lists[name] {
			c.Name = at + "(" + name + ")" + strings.TrimPrefix(c.Name, "$")
			list = append(list, c)
		}
	}
	return list
}

// resourcePaths returns the paths of a type of resource.
func resourcePaths(name string, n node, types map[string]node) []Column {
	domain := name
	if name == "Patient" {
		domain = PatientDomain
	}
	list := []Column{{Name: "$.resourceType", Publish: Keep}, {Name: "$.id", Publish: Pseudonym, Domain: domain}}
	return append(list, elementPaths("$", n, types)...)
}

// elementPaths returns the paths of elements below another one.
func elementPaths(below string, n node, types map[string]node) []Column {
	var list []Column
	for _, f := range n.fields() {
		path := below + "." + f.name
		if !f.value.isMapping() {
			name, _ := f.value.scalar()
			if t, ok := types[name]; ok {
				list = append(list, elementPaths(path, t, types)...)
				continue
			}
		}
		c := Column{Name: path, Publish: Drop}
		c.readPath(f.value)
		list = append(list, c)
	}
	return list
}

// FHIRList is the list of FHIR from which a column has paths.
type FHIRList struct {
	Name   string // a type of resource, "Resource" or "Bundle"; "" for no list
	Domain string // of all keys of resources; "" for those of the list
	Own    int    // how many paths come before those of the list: the file's own
}

// fhir returns a setter of the list of a type of resource, and of its name.
func fhir(dst *[]Column, name *string) func(node) {
	return func(n node) {
		s, ok := n.scalar()
		if !ok {
			return
		}
		lists, err := resources()
		if err != nil {
			n.fail("the lists of FHIR are broken: %v", err)
			return
		}
		list, ok := lists[s]
		if !ok {
			n.fail("no list for resources of type %q (one of %s); say with paths what is published", short(s), strings.Join(keys(lists), ", "))
			return
		}
		*dst, *name = slices.Clone(list), s
	}
}

// besides returns the paths of own and those of a list that do not lead into them, or through them.
func besides(own, list []Column) []Column {
	all := slices.Clone(own)
	for _, c := range list {
		if _, err := document.Select(selected(append(slices.Clone(own), c))); err == nil {
			all = append(all, c)
		}
	}
	return all
}

// identifierDomain is the domain of identifiers of bundles, which are no keys.
const identifierDomain = "identifier"

// shareDomain gives all keys of resources, and all references to them, one domain: where one column has the keys of resources of
// every type.
func shareDomain(list []Column, domain string) {
	for i := range list {
		if list[i].Publish == Pseudonym && list[i].Domain != identifierDomain {
			list[i].Domain = domain
		}
	}
}
