package proposal

import (
	"fmt"
	"slices"

	"github.com/pgdeid/pgdeid/internal/config"
)

// remarks says which tables look as if they said who is left out of the replica, and which patients became one. A person decides.
func (db *database) remarks(p *people, preset *config.Config) []string {
	d := decider{db: db, people: p, preset: preset}
	var all []string
	for _, t := range db.tables {
		if _, known := d.inPreset(t); known {
			continue
		}
		if column := p.optsOut(t); column != "" {
			all = append(all, fmt.Sprintf("exclude: {table: %s, patient: %s} # if it says who stays out, by its name: add when: \"…\" for which of its rows",
				scalar(t.fullName()), scalar(column)))
		}
		if stays, goes := p.merges(t); stays != "" {
			all = append(all, fmt.Sprintf("%s looks like a list of patients who became one (%s into %s): rows are the one's whose key they have",
				t.fullName(), goes, stays))
		}
	}
	return all
}

// optsOut returns the column with the patient of a table that may say who stays out, or "".
func (p *people) optsOut(t *table) string {
	words := wordsOf(t.name)
	path, ok := p.paths[t]
	if !ok || t == p.table || path.Table != "" || !path.Direct() || len(path.More) > 0 || !holds(words, lists["optouts"]...) {
		return ""
	}
	return path.Column
}

// merges returns the columns with the patient who stays and the one who goes; "" if t is no list of merges.
func (p *people) merges(t *table) (stays, goes string) {
	if !holds(wordsOf(t.name), lists["merges"]...) {
		return "", ""
	}
	named := func(list string) string {
		i := slices.IndexFunc(t.columns, func(c *column) bool {
			return kindOf(c) == p.kind && holds(wordsOf(c.name), lists[list]...) && ends(wordsOf(c.name), "keys")
		})
		if i < 0 {
			return ""
		}
		return t.columns[i].name
	}
	if stays, goes = named("stays"), named("goes"); stays == "" || goes == "" || stays == goes {
		return "", ""
	}
	return stays, goes
}
