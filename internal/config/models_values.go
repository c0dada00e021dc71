package config

import (
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// sums returns a setter of file names with their SHA-256.
func sums(dst *map[string]string) func(node) {
	return func(n node) {
		m := map[string]string{}
		for _, f := range n.fields() {
			s, ok := f.value.scalar()
			if !ok {
				continue
			}
			if raw, err := hex.DecodeString(s); err != nil || len(raw) != 32 {
				f.value.fail("want a SHA-256: 64 hexadecimal digits")
				continue
			}
			m[f.name] = strings.ToLower(s)
		}
		*dst = m
	}
}

// decimal returns a setter of a number within bounds.
func decimal(dst *float64, low, high float64) func(node) {
	return func(n node) {
		s, ok := n.scalar()
		if !ok {
			return
		}
		v, err := strconv.ParseFloat(s, 64)
		if err != nil || !(v >= low && v <= high) {
			n.fail("want a number from %v to %v", low, high)
			return
		}
		*dst = v
	}
}

// phiTypes returns a setter of a list of PHI types without repetition.
func phiTypes(dst *[]phi.Type) func(node) {
	return func(n node) {
		var names []string
		texts(&names)(n)
		types := make([]phi.Type, 0, len(names))
		for _, name := range names {
			t, err := phi.ParseType(name)
			if err != nil {
				n.fail("unknown PHI type %q (one of %v)", short(name), phi.Types())
				continue
			}
			types = append(types, t)
		}
		*dst = types
	}
}

// thresholds returns a setter of PHI types with a probability.
func thresholds(dst *map[phi.Type]float64) func(node) {
	return func(n node) {
		m := map[phi.Type]float64{}
		for _, f := range n.fields() {
			t, err := phi.ParseType(f.name)
			if err != nil {
				f.value.fail("unknown PHI type (one of %v)", phi.Types())
				continue
			}
			var p float64
			decimal(&p, 0.0001, 0.9999)(f.value)
			m[t] = p
		}
		*dst = m
	}
}

// ignored is what a label is mapped to that is no PHI.
const ignored = "ignore"

// labels returns a setter of a label map: the name of one that is built in, or labels
// with PHI types. Labels are the same in upper and lower case.
func labels(dst *map[string]phi.Type) func(node) {
	return func(n node) {
		if !n.isMapping() {
			name, ok := n.scalar()
			if !ok {
				return
			}
			m, known := LabelMap(name)
			if !known {
				n.fail("unknown label map (one of %s, or labels with PHI types)", strings.Join(LabelMaps(), ", "))
				return
			}
			*dst = m
			return
		}
		m := map[string]phi.Type{}
		for _, f := range n.fields() {
			s, ok := f.value.scalar()
			if !ok {
				continue
			}
			t, err := phi.ParseType(s)
			if err != nil && s != ignored && !strings.EqualFold(s, phi.None.String()) {
				f.value.fail("want a PHI type (one of %v) or %s", phi.Types(), ignored)
				continue
			}
			m[strings.ToUpper(f.name)] = t
		}
		*dst = m
	}
}
