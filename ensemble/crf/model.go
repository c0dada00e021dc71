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

// Config is what config.json of a model's folder says.
type Config struct {
	// ModelType is [ModelType].
	ModelType string `json:"model_type"`
	// Features is the version of package features that it was trained on.
	Features int `json:"features"`
	// Types are the labels without B- and I-: PHI types, or the classes NAME, LOCATION,
	// ORG, ID and CONTACT.
	Types []string `json:"types"`
	// Templates say which attributes are looked at, and which of them together.
	Templates []string `json:"templates"`
}

// ModelType is the model_type of these models in config.json.
const ModelType = "pgdeid-crf"

// newModel puts a model together; weights are those of the chain.
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

// Name is the model's name.
func (m *Model) Name() string { return m.name }

// Config returns what config.json says.
func (m *Model) Config() Config { return m.config }

// Size returns how many keys and weights the model has.
func (m *Model) Size() (keys, weights int) { return m.keys, len(m.table.entries) }

// Types returns what the model's members can report, in the order of its labels.
func (m *Model) Types() []phi.Type { return append([]phi.Type(nil), m.labels.out...) }
