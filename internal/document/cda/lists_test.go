package cda

import (
	"strings"
	"testing"
)

func TestListsOfCDAAgree(t *testing.T) {
	t.Parallel()
	for name, e := range elements {
		if e.kind == kindUnknown || e.name == "" || !strings.HasSuffix(name, e.name) {
			t.Errorf("%s is %+v", name, e)
		}
	}
	for name, kind := range types {
		if !keptValues["xsi:type"][name] {
			t.Errorf("the type %s of kind %d may not stay", name, kind)
		}
	}
	for name := range innerNames {
		if name != "name" && name != "value" && name != "reference" {
			t.Errorf("%s means more than one thing", name)
		}
	}
}
