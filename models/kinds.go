package models

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/crf"
	"github.com/pgdeid/pgdeid/ensemble/onnx"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/stacking"
	"github.com/pgdeid/pgdeid/ensemble/tbed"
	"github.com/pgdeid/pgdeid/internal/config"
)

// model is a loaded model of any kind.
type model interface {
	// Types lists those that the model distinguishes.
	Types() []phi.Type
	// Member returns a detector over the model. A setting that the kind does not have is
	// an error.
	Member(m *config.Member) (ensemble.Detector, error)
	// CheckParity compares the model with its parity.json.
	CheckParity() error
	Stats() onnx.Stats
	Close() error
}

// kindOf returns the model_type of a folder's config.json, which decides how the rest is loaded,
// or "" if that can't be read. The caller checks the file's hash.
func kindOf(folder fs.FS) string {
	data, err := fs.ReadFile(folder, configFile)
	if err != nil {
		return ""
	}
	var config struct {
		ModelType string `json:"model_type"`
	}
	if json.Unmarshal(data, &config) != nil {
		return ""
	}
	return config.ModelType
}

// isNetwork reports whether models of a kind run on ONNX Runtime: all but those that
// have a package of their own.
func isNetwork(kind string) bool {
	return kind != crf.ModelType && kind != tbed.ModelType && kind != stacking.ModelType
}

// errStacker is returned for a stacking model defined as a member.
var errStacker = errors.New("a stacking model decides about the members' votes and is none itself")

// loadModel loads a model by its kind; remember is how many sentences a network keeps that does not say it. The runtime may be nil if the model is not a network.
func loadModel(from source, runtime *onnx.Runtime, remember int) (model, error) {
	kind := kindOf(from.files)
	if !isNetwork(kind) && from.model.Labels != nil {
		return nil, fmt.Errorf("labels are for networks: models of kind %s know the types of PHI", kind)
	}
	switch kind {
	case crf.ModelType:
		m, err := crf.Load(from.name, from.files, from.model.Sums)
		return crfModel{Model: m}, err
	case tbed.ModelType:
		m, err := tbed.Load(from.name, from.files, from.model.Sums)
		return rulesModel{Model: m}, err
	case stacking.ModelType:
		return nil, errStacker
	}
	m, err := runtime.Load(from.name, from.files, onnx.ModelOptions{
		Sums: from.model.Sums, Folder: from.where, Labels: from.model.Labels, Cache: cmp.Or(from.model.Cache, remember),
	})
	return network{m}, err
}

// network is a model of ensemble/onnx.
type network struct{ *onnx.Model }

func (n network) Member(m *config.Member) (ensemble.Detector, error) {
	return n.Model.Member(onnx.MemberOptions{
		Name: m.Name, Types: m.Types, Normalize: m.Normalize,
		Threshold: m.Threshold, Alone: m.Alone, Bias: m.RecallBias, Thresholds: m.Thresholds,
	})
}

// inert implements the methods of model that only networks need.
type inert struct{}

func (inert) CheckParity() error { return onnx.ErrNoParity }
func (inert) Stats() onnx.Stats  { return onnx.Stats{} }
func (inert) Close() error       { return nil }

// crfModel is a model of ensemble/crf.
type crfModel struct {
	*crf.Model
	inert
}

func (c crfModel) Member(m *config.Member) (ensemble.Detector, error) {
	rest := *m
	rest.Alone = 0 // which a CRF has, too
	if err := onlyForNetworks(crf.ModelType, &rest); err != nil {
		return nil, err
	}
	return c.Model.Member(crf.MemberOptions{
		Name: m.Name, Types: m.Types, Threshold: m.Threshold, Thresholds: m.Thresholds, Bias: m.RecallBias, Alone: m.Alone,
	})
}

// rulesModel is a model of ensemble/tbed.
type rulesModel struct {
	*tbed.Model
	inert
}

func (r rulesModel) Member(m *config.Member) (ensemble.Detector, error) {
	if err := onlyForNetworks(tbed.ModelType, m); err != nil {
		return nil, err
	}
	return r.Model.Member(tbed.MemberOptions{
		Name: m.Name, Types: m.Types, Threshold: m.Threshold, Thresholds: m.Thresholds, Bias: m.RecallBias,
	})
}

// Types lists all types: any rule may be written into the file.
func (rulesModel) Types() []phi.Type { return phi.Types() }

// onlyForNetworks returns an error for settings that only networks have.
func onlyForNetworks(kind string, m *config.Member) error {
	switch {
	case m.Normalize:
		return fmt.Errorf("normalize is for networks: models of kind %s do not have it", kind)
	case m.Alone != 0:
		return fmt.Errorf("alone is for networks: models of kind %s do not have it", kind)
	}
	return nil
}
