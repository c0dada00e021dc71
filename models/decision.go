package models

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/stacking"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// decision is how the members' votes become spans, with the stacking model, if any. The zero value
// counts votes.
type decision struct {
	by    merge.Aggregation
	from  source // of the stacking model
	floor float64
	model *stacking.Model
}

// PlanOf returns the plan with the members and the aggregation of a configuration.
func PlanOf(d *config.Detect) (*Plan, error) {
	p, err := NewPlan(d.Models, d.Detectors)
	if err != nil {
		return nil, err
	}
	if err := p.Combine(d.Combining); err != nil {
		return nil, err
	}
	return p, p.Aggregate(d.Aggregation)
}

// Aggregate sets the plan's aggregation.
func (p *Plan) Aggregate(a config.Aggregation) error {
	p.decision = decision{by: a.By, floor: a.RecallFloor}
	if a.Folder != "" {
		p.decision.from = source{
			name: config.MemberName(a.Folder), model: config.Model{Folder: a.Folder, Sums: a.Sums},
			files: os.DirFS(a.Folder), where: a.Folder,
		}
	}
	var err error
	p.digest, err = p.digestOf()
	return err
}

// StackingOf returns the definition of a stacking model given on a command line, with the current
// hashes of its files.
func StackingOf(folder string) (config.Aggregation, error) {
	a := config.Aggregation{By: merge.ByStacking, Folder: folder}
	var err error
	if a.Sums, err = HashFolder(os.DirFS(folder)); err != nil {
		return a, fmt.Errorf("%s: %w", folder, err)
	}
	if kind := kindOf(os.DirFS(folder)); kind != stacking.ModelType {
		return a, fmt.Errorf("%s: its model_type is %q, not %q", folder, kind, stacking.ModelType)
	}
	return a, nil
}

// VerifiedStacking is the result of loading a stacking model.
type VerifiedStacking struct {
	Name      string            `json:"name"`
	Members   []string          `json:"members"`
	Threshold float64           `json:"threshold"`
	Curve     []stacking.Point  `json:"curve"`
	Sums      map[string]string `json:"sha256"`
}

// VerifyStacking loads a stacking model as a run does.
func VerifyStacking(a config.Aggregation) (*VerifiedStacking, error) {
	p := &Plan{}
	if err := p.Aggregate(a); err != nil {
		return nil, err
	}
	if err := p.decision.load(); err != nil {
		return nil, err
	}
	m := p.decision.model
	return &VerifiedStacking{m.Name(), m.Members(), m.Threshold(), m.Curve(), a.Sums}, nil
}

// Remark summarises the result in a line.
func (v *VerifiedStacking) Remark() string {
	return fmt.Sprintf("%s loads, keeps words from a probability of %g, decides for an ensemble with %s",
		v.Name, v.Threshold, strings.Join(v.Members, ", "))
}

// WriteAggregation writes an aggregation in the form it has under detect.
func WriteAggregation(w io.Writer, a config.Aggregation) error {
	var b strings.Builder
	fmt.Fprintf(&b, "aggregation:\n  by: %s\n  folder: %s\n", a.By, scalar(a.Folder))
	if a.RecallFloor != 0 {
		fmt.Fprintf(&b, "  recall_floor: %g\n", a.RecallFloor)
	}
	b.WriteString("  sha256:\n")
	for _, file := range slices.Sorted(maps.Keys(a.Sums)) {
		fmt.Fprintf(&b, "    %s: %s\n", scalar(file), scalar(a.Sums[file]))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// load reads the stacking model, if one decides.
func (d *decision) load() error {
	if d.by != merge.ByStacking {
		return nil
	}
	if d.from.files == nil {
		return fault.New("load the stacking model", fs.ErrNotExist,
			"say where it is: folder next to by: stacking under detect.aggregation, --stacking for a command")
	}
	var err error
	d.model, err = stacking.Load(d.from.name, d.from.files, d.from.model.Sums)
	return fault.New("load stacking model "+d.from.name, err,
		"bring the model back that was verified: 'pgdeid models verify "+d.from.where+"' prints its definition")
}

// stacker returns the model at its threshold over members, nil where votes decide.
func (d *decision) stacker(members []string) (merge.Stacker, error) {
	if d.model == nil {
		return nil, nil //nolint:nilnil // no stacker is what other ways of aggregation have
	}
	return d.model.Stacker(members, d.floor)
}

// digest identifies what affects the output; nil for the default.
func (d *decision) digest() ([]byte, error) {
	if d.by == "" || d.by == merge.ByCombination {
		return nil, nil
	}
	return json.Marshal([]any{d.by, d.from.model.Sums, d.floor})
}
