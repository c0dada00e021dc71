package models

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// Verified is the result of loading and running a model.
type Verified struct {
	Info
	// Types are the model's types, after its label map.
	Types []string `json:"types"`
	// Parity is set if there was a parity.json, so that the network was shown to give the labels of
	// its export.
	Parity bool `json:"parity"`
	// Found is what its members found in a made-up sentence.
	Found []string `json:"found"`
}

// testSentence is made up.
const testSentence = "Mr. John Smith, 93 years old, of 12 Elm Street, Springfield, MA, was seen by Dr. Jane Roe at Lakeview " +
	"Hospital on 03/05/2021."

// Verify runs every model of an open set: over its parity.json, if it has one, and over
// a made-up sentence.
func (s *Set) Verify(ctx context.Context) ([]Verified, error) {
	var all []Verified
	for i := range s.models {
		v, err := s.verify(ctx, &s.models[i])
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

func (s *Set) verify(ctx context.Context, m *loaded) (Verified, error) {
	v := Verified{Info: m.info()}
	for _, t := range m.model.Types() {
		v.Types = append(v.Types, t.String())
	}
	if _, there := m.source.model.Sums[parityFile]; there && isNetwork(kindOf(m.files)) {
		v.Parity = true
		if err := m.model.CheckParity(); err != nil {
			return v, fault.New("compare model "+m.name+" with its "+parityFile, err,
				"it does not do what its trainer saw: export it again, or look at the versions of ONNX Runtime on both sides")
		}
	}
	for _, member := range s.members {
		if !slices.Contains(v.Members, member.Name()) {
			continue
		}
		spans, err := member.Detect(ctx, &ensemble.Note{Text: testSentence}, nil)
		if err != nil {
			return v, fault.New("run member "+member.Name(), err, "the model can't be used")
		}
		for _, span := range spans {
			v.Found = append(v.Found, fmt.Sprintf("%s %q by %s", span.Type, testSentence[span.Start:span.End], member.Name()))
		}
	}
	return v, nil
}

// Remark summarises the result for a model in a line.
func (v *Verified) Remark() string {
	parts := []string{"knows " + strings.Join(v.Types, " ")}
	if v.Parity {
		parts = append(parts, "gives the labels of its "+parityFile)
	} else if MainFile(v.Sums) == weights[0] {
		parts = append(parts, "has no "+parityFile+" to compare with")
	}
	if len(v.Found) == 0 {
		parts = append(parts, "finds nothing in the test sentence")
	} else {
		parts = append(parts, "finds "+strings.Join(v.Found, ", "))
	}
	return v.Name + " loads, " + strings.Join(parts, "; ")
}
