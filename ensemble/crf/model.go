package crf

import (
	"fmt"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Model is a trained CRF. It is immutable and safe for concurrent use.
type Model struct {
	name      string
	config    Config
	labels    *labelSet
	templates *templateSet
	table     *table
	keys      int
	chain     *chain
	soft      *chain // exponentials of chain
	links     *links
}

// Config is the content of a model's config.json.
type Config struct {
	// ModelType is [ModelType].
	ModelType string `json:"model_type"`
	// Features is the version of package features in training.
	Features int `json:"features"`
	// Types are the labels without B- and I-: PHI types, or the classes NAME, LOCATION,
	// ORG, ID and CONTACT.
	Types []string `json:"types"`
	// Templates are the attributes used, alone and in combination.
	Templates []string `json:"templates"`
}

// ModelType is the model_type of these models in config.json.
const ModelType = "pgdeid-crf"

// newModel assembles a model; weights are those of the chain.
func newModel(name string, config Config, t *table, keys int, weights *chain) (*Model, error) {
	m := &Model{name: name, config: config, table: t, keys: keys, chain: weights}
	var err error
	if m.labels, err = newLabelSet(config.Types); err != nil {
		return nil, err
	}
	if m.templates, err = newTemplateSet(config.Templates); err != nil {
		return nil, err
	}
	if n := m.labels.size(); weights.labels != n {
		return nil, fmt.Errorf("weights of %d labels for %d types", weights.labels, len(config.Types))
	}
	m.soft = weights.clone()
	weights.exp(m.soft)
	m.links = newLinks(weights)
	return m, nil
}

// Name returns the model's name.
func (m *Model) Name() string { return m.name }

// Config returns the content of config.json.
func (m *Model) Config() Config { return m.config }

// Size returns the numbers of keys and weights.
func (m *Model) Size() (keys, weights int) { return m.keys, len(m.table.entries) }

// Types returns the types that the model's members can report, in the order of its labels.
func (m *Model) Types() []phi.Type { return append([]phi.Type(nil), m.labels.out...) }
