package onnx

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// labelSet says what a model's outputs mean.
type labelSet struct {
	types []phi.Type // that the model distinguishes, in the order of their constants
	class []int      // by label: index in types, or outside
	first []bool     // by label: it marks the first word of an entity (B, U, S)
}

// outside is the class of labels that are no PHI.
const outside = -1

// coarse are labels that are no type's name and still need no map: those of the
// coarse classes, and of types that the networks trained here don't distinguish.
var coarse = map[string]phi.Type{
	"NAME": phi.Patient, "LOCATION": phi.LocationOther, "ORG": phi.Organization,
	"ID": phi.IDNum, "CONTACT": phi.Phone,
}

// parseLabels reads the values of id2label, in the order of their numbers.
func parseLabels(names []string, mapping map[string]phi.Type) (*labelSet, error) {
	found := make([]phi.Type, len(names))
	set := &labelSet{class: make([]int, len(names)), first: make([]bool, len(names))}
	hasO := false
	for i, name := range names {
		prefix, label := splitLabel(name)
		if label == "O" && prefix == 0 {
			hasO = true
			continue
		}
		t, err := labelType(label, mapping)
		if err != nil {
			return nil, err
		}
		found[i] = t
		set.first[i] = strings.ContainsRune("BUS", prefix)
		if t != phi.None && !slices.Contains(set.types, t) {
			set.types = append(set.types, t)
		}
	}
	if !hasO {
		return nil, errors.New(`config.json: id2label has no label "O" for what is no entity`)
	}
	if len(set.types) == 0 {
		return nil, errors.New("config.json: no label of id2label is a PHI type: say in labels which are")
	}
	slices.Sort(set.types)
	for i, t := range found {
		set.class[i] = slices.Index(set.types, t) // outside for None
	}
	return set, nil
}

// splitLabel takes the prefix off a label: B and I of BIO, L and U of BILOU, E and S
// of BIOES, M of BMES; 0 where there is none, as in plain schemes. The rest comes in
// upper case.
func splitLabel(name string) (prefix rune, label string) {
	label = strings.ToUpper(strings.TrimSpace(name))
	if len(label) > 2 && (label[1] == '-' || label[1] == '_') && strings.IndexByte("BILUESM", label[0]) >= 0 {
		return rune(label[0]), label[2:]
	}
	return 0, label
}

func labelType(label string, mapping map[string]phi.Type) (phi.Type, error) {
	if mapping != nil {
		for key, t := range mapping {
			if strings.EqualFold(key, label) {
				return t, nil
			}
		}
		return phi.None, fmt.Errorf("config.json: label %q is not in labels: give it a type, or NONE if it is no PHI", label)
	}
	if t, ok := coarse[label]; ok {
		return t, nil
	}
	t, err := phi.ParseType(strings.ReplaceAll(label, "_", "-"))
	if err != nil {
		return phi.None, fmt.Errorf("config.json: label %q is no PHI type: say in labels what it is", label)
	}
	return t, nil
}

// orderLabels makes a list of id2label, whose keys are the numbers from 0.
func orderLabels(id2label map[string]string) ([]string, error) {
	names := make([]string, len(id2label))
	seen := make([]bool, len(id2label))
	for key, name := range id2label {
		i, err := strconv.Atoi(key)
		if err != nil || i < 0 || i >= len(names) || seen[i] {
			return nil, fmt.Errorf("config.json: id2label has key %q: want the numbers from 0 to %d", key, len(names)-1)
		}
		names[i], seen[i] = name, true
	}
	if len(names) == 0 {
		return nil, errors.New("config.json: id2label is missing")
	}
	return names, nil
}
