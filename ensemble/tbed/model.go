package tbed

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/features"
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// ModelType is what config.json says of a folder that holds rules.
const ModelType = "pgdeid-rules"

// The files of a model's folder that are read.
const (
	ConfigFile = "config.json"
	RulesFile  = "rules.txt"
)

// ErrSum says that a model's folder is not what its sums describe.
var ErrSum = errors.New("the rules are not those that were verified")

// Config is a model's config.json.
type Config struct {
	ModelType string `json:"model_type"`
	// Features is the version of package features that the rules' values are of.
	Features int `json:"features"`
}

// Model is a list of rules that detectors apply. It is immutable and safe for
// concurrent use.
type Model struct {
	name      string
	rules     []Rule
	program   *program
	precision []float64 // by rule
	patterns  ensemble.Detector
	batches   *sync.Pool // of *batch
}

// Load reads a model's folder. Each file that sums lists, in hexadecimal SHA-256, has to
// be there and match, and the two that are read have to be listed; nil sums load a
// folder that nobody has the sums of, such as one whose rules were just edited.
func Load(name string, folder fs.FS, sums map[string]string) (*Model, error) {
	read := func(file string) ([]byte, error) {
		data, err := fs.ReadFile(folder, file)
		if err != nil {
			return nil, fmt.Errorf("model %s: %w", name, err)
		}
		got := sha256.Sum256(data)
		if sums != nil && !strings.EqualFold(sums[file], hex.EncodeToString(got[:])) {
			return nil, fmt.Errorf("model %s: %s: %w: its SHA-256 is %x, not %s", name, file, ErrSum, got, cmp.Or(sums[file], "listed"))
		}
		return data, nil
	}
	for _, file := range slices.Sorted(maps.Keys(sums)) {
		if _, err := read(file); err != nil {
			return nil, err
		}
	}
	config, err := read(ConfigFile)
	if err != nil {
		return nil, err
	}
	if err := checkConfig(config); err != nil {
		return nil, fmt.Errorf("model %s: %s: %w", name, ConfigFile, err)
	}
	data, err := read(RulesFile)
	if err != nil {
		return nil, err
	}
	rules, err := ReadRules(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("model %s: %s: %w", name, RulesFile, err)
	}
	return New(name, rules)
}

func checkConfig(data []byte) error {
	var c Config
	if err := json.Unmarshal(data, &c); err != nil {
		return err
	}
	switch {
	case c.ModelType != ModelType:
		return fmt.Errorf("model_type is %q, want %q", c.ModelType, ModelType)
	case c.Features != features.Version:
		return fmt.Errorf("features is %d, this program has version %d: learn the rules anew", c.Features, features.Version)
	}
	return nil
}

// New makes a model of rules.
func New(name string, rules []Rule) (*Model, error) {
	if err := lexicon.Load(); err != nil {
		return nil, err
	}
	p, err := compile(rules)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", name, err)
	}
	m := &Model{
		name: name, rules: slices.Clone(rules), program: p, patterns: ensemble.NewPatterns(),
		batches: &sync.Pool{New: func() any { return new(batch) }},
	}
	for _, r := range rules {
		m.precision = append(m.precision, r.Precision())
	}
	return m, nil
}

// Rules returns the rules in the order in which they are applied.
func (m *Model) Rules() []Rule { return slices.Clone(m.rules) }

// tag runs the rules over a note.
func (m *Model) tag(ctx context.Context, note *ensemble.Note) (tagged, error) {
	b, _ := m.batches.Get().(*batch)
	defer m.batches.Put(b)
	return m.program.run(ctx, m.patterns, note, b)
}

// MemberOptions say what a member makes of the rules' tags.
type MemberOptions struct {
	// Name is the detector's; the model's if empty.
	Name string
	// Types are those that the member reports; empty means all.
	Types []ensemble.Type
	// Threshold is how sure a span has to be: the share of right changes, in training, of
	// the surest rule that gave one of its words its tag. What the patterns found and what
	// a person's own rule says is sure. 0 means that every span counts.
	Threshold float64
	// Bias is added to the log-odds of that share: above 0 for recall.
	Bias float64
	// Thresholds are those of single types instead of Threshold.
	Thresholds map[ensemble.Type]float64
}

// Member returns a detector of the model.
func (m *Model) Member(opts MemberOptions) (ensemble.Detector, error) {
	d := &member{model: m, name: cmp.Or(opts.Name, m.name), bias: opts.Bias}
	if opts.Threshold < 0 || opts.Threshold > 1 || math.IsNaN(opts.Bias) {
		return nil, errors.New("threshold: want 0 to 1; recall_bias: want a number")
	}
	for _, t := range ensemble.Types() {
		d.wanted[t] = len(opts.Types) == 0 || slices.Contains(opts.Types, t)
		d.least[t] = opts.Threshold
		if own, ok := opts.Thresholds[t]; ok {
			if own < 0 || own > 1 {
				return nil, fmt.Errorf("thresholds: %s: want 0 to 1", t)
			}
			d.least[t] = own
		}
	}
	return d, nil
}

// member is a detector made of a model's rules.
type member struct {
	model  *Model
	name   string
	wanted [256]bool
	least  [256]float64 // by type
	bias   float64
}

func (d *member) Name() string { return d.name }

// Detect finds what the rules tag.
func (d *member) Detect(ctx context.Context, note *ensemble.Note, dst []ensemble.Span) ([]ensemble.Span, error) {
	t, err := d.model.tag(ctx, note)
	if err != nil {
		return dst, err
	}
	tokens := note.Tokens()
	for _, s := range t.spans(d.model.precision) {
		if !d.wanted[s.typ] || biased(s.sure, d.bias) < d.least[s.typ] {
			continue
		}
		if s.trim(note); s.from < s.to {
			dst = append(dst, ensemble.Span{Start: tokens[s.from].Start, End: tokens[s.to-1].End, Type: s.typ})
		}
	}
	return dst, ctx.Err()
}

// biased adds to the log-odds of a share.
func biased(share, bias float64) float64 {
	if bias == 0 || share <= 0 || share >= 1 {
		return share
	}
	return 1 / (1 + (1-share)/share*math.Exp(-bias))
}
