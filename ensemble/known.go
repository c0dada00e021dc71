package ensemble

import "github.com/pgdeid/pgdeid/ensemble/phi"

// Known is what detectors that learn nothing found in a note. Members that learned are
// given it as features.
type Known struct {
	Record    []phi.Span // of the detector "record": what the patient's record holds
	Directory []phi.Span // of the detector "directory": staff and facilities
	Rules     []phi.Span // of the detector "patterns": what exact rules found
}

// knownOf sorts the votes of an ensemble's members by what they are known from.
func (e *Ensemble) knownOf(votes []phi.Span) *Known {
	known := &Known{}
	for i, m := range e.members {
		var list *[]phi.Span
		switch m.Name() {
		case "record":
			list = &known.Record
		case "directory":
			list = &known.Directory
		case "patterns":
			list = &known.Rules
		default:
			continue
		}
		for _, s := range votes {
			if s.By == 1<<i {
				*list = append(*list, s)
			}
		}
	}
	return known
}
