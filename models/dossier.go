package models

import (
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/dossier"
)

// Dossier returns what is known of the models of a plan, in their order: their cards, where there are any.
func (p *Plan) Dossier() ([]dossier.Model, error) {
	shippedVersions, err := Scan(config.ModelsDefault)
	if err != nil {
		return nil, err
	}
	var list []dossier.Model
	for _, info := range p.Models() {
		versions := shippedVersions
		if !info.Default {
			if versions, err = Scan(info.Folder); err != nil {
				return nil, err
			}
		}
		list = append(list, dossierOf(&info, versions))
	}
	return list, nil
}

// dossierOf finds the card of a model by the hash of its weights.
func dossierOf(info *Info, versions []Version) dossier.Model {
	sum := info.Sums[MainFile(info.Sums)]
	m := dossier.Model{Name: info.Name, SHA256: sum, Members: info.Members, HasNoCard: true}
	for i := range versions {
		v := &versions[i]
		if sum == "" || v.Sums[MainFile(v.Sums)] != sum {
			continue
		}
		m.Problem = v.Problem
		if v.Card == nil {
			return m
		}
		m.HasNoCard = false
		m.Name, m.Kind, m.Created, m.Licence = v.ID(), v.Card.Kind, v.Card.Created, v.Card.Licence
		m.Data, m.Parameters = v.Card.DataLine(), v.Card.Parameters
		for _, f := range v.Card.Own() {
			if f.Gold == 0 || f.Type != "" || f.Group != "" {
				continue
			}
			m.Figures = append(m.Figures, dossier.Figure{
				Set: f.Set, Class: f.Of(), Recall: f.Recall, RecallCI: f.RecallInterval(), Precision: f.Precision, Words: f.Gold,
			})
		}
		return m
	}
	return m
}
