package config

import (
	_ "embed" // the lists of FHIR
	"slices"
	"strings"
	"sync"

	"github.com/pgdeid/pgdeid/internal/document"
)

//go:embed fhir/r4.yaml
var fhirLists []byte

// resources has what is published of each type of resource, by its name.
var resources = sync.OnceValues(func() (map[string][]Column, error) {
	var out Problems
	root, ok := parse(fhirLists, &out)
	lists := map[string][]Column{}
	types := map[string]node{}
	if ok {
		root.setters(map[string]func(node){
			"types": func(n node) {
				for _, f := range n.fields() {
					types[f.name] = f.value
				}
			},
			"resources": func(n node) {
				for _, f := range n.fields() {
					lists[f.name] = resourcePaths(f.name, f.value, types)
				}
			},
		})
	}
	if len(out) > 0 {
		return nil, out
	}
	all := anyResource("$", lists)
	lists["Bundle"] = append(lists["Bundle"], anyResource("$.entry[*].resource", lists)...)
	lists["Resource"] = all
	return lists, nil
})

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

// fhir returns a setter of the list of a type of resource.
func fhir(dst *[]Column) func(node) {
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
		*dst = slices.Clone(list)
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

// shareDomain gives all keys of resources, and all references to them, one domain: where one column has the keys of resources of
// every type.
func shareDomain(list []Column, domain string) {
	for i := range list {
		if list[i].Publish == Pseudonym {
			list[i].Domain = domain
		}
	}
}
