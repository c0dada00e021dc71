package models

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/onnx"
	"github.com/pgdeid/pgdeid/ensemble/vocabulary"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// Plan is a choice of members whose models are not loaded yet.
type Plan struct {
	builtin  []string // names of the built-in members; nil: all
	sources  []source
	omitted  []string
	digest   string
	decision decision

	combining combining
	remember  int
}

// Set is an ensemble's learned members with their models.
type Set struct {
	builtin  []string
	members  []ensemble.Member
	models   []loaded
	runtime  *onnx.Runtime // nil without networks
	decision decision

	combining combining
	remember  int // sentences, where a model does not say how many
}

// loaded is a model of a set.
type loaded struct {
	source
	model model
}

// Info describes a model of a set.
type Info struct {
	Name    string            `json:"name"`
	Default bool              `json:"default"` // it comes with the program
	Folder  string            `json:"folder,omitempty"`
	Members []string          `json:"members"`
	Sums    map[string]string `json:"sha256"`
}

// Stat holds the counters of a model of a set.
type Stat struct {
	Model string
	onnx.Stats
}

// NewPlan chooses members by name (nil: all), the built-in ones and those of the defined models.
// Its errors name the wrong name or definition.
func NewPlan(defs []config.Model, names []string) (*Plan, error) {
	sources, err := expand(defs)
	if err != nil {
		return nil, err
	}
	p := &Plan{}
	if err := p.choose(sources, names); err != nil {
		return nil, err
	}
	return p, p.Combine(config.Combining{})
}

// Models returns which models will be loaded.
func (p *Plan) Models() []Info {
	infos := make([]Info, len(p.sources))
	for i := range p.sources {
		infos[i] = p.sources[i].info()
	}
	return infos
}

// Omitted returns the members of the models that were not chosen.
func (p *Plan) Omitted() []string { return p.omitted }

// Digest returns 32 hexadecimal digits that identify what the models find: their files
// and the definitions of their members; "" without models.
func (p *Plan) Digest() string { return p.digest }

func (s *source) info() Info {
	info := Info{Name: s.name, Default: s.shipped, Folder: s.where, Sums: s.model.Sums}
	for _, m := range s.model.Members {
		info.Members = append(info.Members, m.Name)
	}
	return info
}

// Remember says how many sentences a network remembers of which the definition does not say it; 0: the default. It
// decides nothing about the output.
func (p *Plan) Remember(sentences int) { p.remember = sentences }

// Open loads the models, each folder once, and checks the hash of every file. Without networks it
// needs no ONNX Runtime. A missing or changed file is an error that says what to do: an ensemble
// never has fewer members than requested. The caller must close the set; a process can have only
// one at a time.
func (p *Plan) Open() (*Set, error) {
	set := &Set{builtin: p.builtin, decision: p.decision, combining: p.combining, remember: p.remember}
	if err := set.decision.load(); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(p.sources, func(s source) bool { return isNetwork(kindOf(s.files)) }) {
		var err error
		if set.runtime, err = openRuntime(); err != nil {
			return nil, err
		}
	}
	for _, s := range p.sources {
		if err := set.load(s); err != nil {
			return nil, errors.Join(err, set.Close())
		}
	}
	slices.SortStableFunc(set.members, func(a, b ensemble.Member) int { return a.Priority - b.Priority })
	return set, nil
}

// openRuntime finds and loads ONNX Runtime.
func openRuntime() (*onnx.Runtime, error) {
	const op, without = "load the neural " +
		"members", "; or do without: models: fast (a CRF, no networks) or models: none under detect, --models for a command"
	if !onnx.Built {
		return nil, fault.New(op, onnx.ErrNotBuilt, "build the program with 'make build'"+without)
	}
	library, err := onnx.FindLibrary()
	if err != nil {
		return nil, fault.New(op, err, "install "+onnx.LibraryName()+" next to the program or in ../lib/pgdeid, or set "+onnx.LibraryEnv+without)
	}
	runtime, err := onnx.Open(library)
	return runtime, fault.New(op, err, "'pgdeid version' shows which library is found"+without)
}

// load loads a model and makes its members.
func (s *Set) load(from source) error {
	op := "load model " + from.name
	model, err := loadModel(from, s.runtime, s.remember)
	switch {
	case errors.Is(err, errStacker):
		return fault.New(op, err, "take it out of detect.models and say detect.aggregation: {by: stacking, folder: "+from.where+
			", …}; --stacking for a command")
	case err != nil:
		hint := "bring the model back that was verified, or correct its definition: 'pgdeid models verify " + from.where +
			"' prints one; label maps are " + strings.Join(config.LabelMaps(), ", ")
		if from.shipped {
			hint = "this is a fault of the program: install it again"
		}
		return fault.New(op, err, hint)
	}
	s.models = append(s.models, loaded{from, model})
	for _, m := range from.model.Members {
		detector, err := model.Member(&m)
		if err != nil {
			return fault.New(op+", member "+m.Name, err, "correct the member in detect.models")
		}
		s.members = append(s.members, ensemble.Member{Detector: detector, Priority: m.Rank(), Model: from.name})
	}
	return nil
}

// Ensemble returns the ensemble of the chosen members with the plan's aggregation and a threshold
// of votes (0: 1).
func (s *Set) Ensemble(threshold int) (*ensemble.Ensemble, error) {
	stacker, err := s.decision.stacker(s.names())
	if err != nil {
		return nil, err
	}
	settings, err := s.combining.merge()
	if err != nil {
		return nil, err
	}
	words, err := vocabulary.Read(s.combining.words...)
	if err != nil {
		return nil, err
	}
	return ensemble.New(ensemble.Options{
		Detectors: s.builtin, Members: s.members, Threshold: threshold, Aggregation: s.decision.by, Stacker: stacker,
		Merge: settings, Vocabulary: words, GateOff: s.combining.Gate == config.GateOff,
		Bias: merge.Bias{All: s.combining.RecallBias, Type: s.combining.RecallBiases},
	})
}

// names lists the members that vote.
func (s *Set) names() []string {
	names := s.builtin
	if names == nil {
		names = ensemble.DetectorNames()
	}
	names = slices.Clone(names)
	for _, m := range s.members {
		names = append(names, m.Name())
	}
	return names
}

// Runtime returns what runs the set's networks, nil where there are none. It belongs to the set.
func (s *Set) Runtime() *onnx.Runtime { return s.runtime }

// Stats returns the counters of each model.
func (s *Set) Stats() []Stat {
	stats := make([]Stat, len(s.models))
	for i, m := range s.models {
		stats[i] = Stat{m.name, m.model.Stats()}
	}
	return stats
}

// Close frees the models and ONNX Runtime. The set's ensemble must not be used afterwards.
func (s *Set) Close() error {
	var errs []error
	for _, m := range s.models {
		errs = append(errs, m.model.Close())
	}
	s.models = nil
	if s.runtime != nil {
		errs = append(errs, s.runtime.Close())
		s.runtime = nil
	}
	return errors.Join(errs...)
}

func (p *Plan) digestOf() (string, error) {
	way, err := p.decision.digest()
	if err != nil {
		return "", err
	}
	sum, err := p.combining.digest()
	if err != nil || len(p.sources) == 0 && way == nil && sum == nil {
		return "", err
	}
	h := sha256.New()
	h.Write(way)
	h.Write(sum)
	for _, s := range p.sources {
		writeSums(h, s.model.Sums)
		if err := writeMembers(h, &s.model); err != nil {
			return "", fmt.Errorf("model %s: %w", s.name, err)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// writeMembers adds to a hash the settings that decide how a model votes.
func writeMembers(w io.Writer, m *config.Model) error {
	members := slices.SortedFunc(slices.Values(m.Members), byRank)
	return json.NewEncoder(w).Encode([]any{m.Labels, members})
}
