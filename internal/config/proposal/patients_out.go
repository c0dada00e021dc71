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
		if columns := p.optsOut(t); columns != nil {
			all = append(all, fmt.Sprintf("exclude: {table: %s, patient: %s} # if it says who stays out, by its name: add when: \"…\" for which of its rows",
				scalar(t.fullName()), names(columns)))
		}
		if stays, goes := p.merges(t); stays != nil {
			all = append(all, fmt.Sprintf("merges: {table: %s, from: %s, to: %s} # looks like a list of patients who became one, by its name: "+
				"if rows of the former keep their ids, and when: \"…\" for which of its rows", scalar(t.fullName()), names(goes), names(stays)))
		}
	}
	return all
}

// optsOut returns the columns with the patient of a table that may say who stays out, or nil.
func (p *people) optsOut(t *table) []string {
	words := wordsOf(t.name)
	path, ok := p.paths[t]
	if !ok || t == p.table || path.Table != "" || !path.Direct() || !holds(words, lists["optouts"]...) {
		return nil
	}
	return path.Columns()
}

// merges returns the columns with the patient who stays and the one who goes; nil if t is no list of merges.
func (p *people) merges(t *table) (stays, goes []string) {
	if !holds(wordsOf(t.name), lists["merges"]...) || len(p.key) == 0 {
		return nil, nil
	}
	if len(p.key) > 1 && p.table == nil {
		return nil, nil
	}
	if len(p.key) > 1 {
		stays, goes = p.mergedParts(t, "stays"), p.mergedParts(t, "goes")
	} else {
		stays, goes = p.mergedKey(t, "stays"), p.mergedKey(t, "goes")
	}
	if stays == nil || goes == nil || slices.ContainsFunc(goes, func(name string) bool { return slices.Contains(stays, name) }) {
		return nil, nil
	}
	return stays, goes
}

// mergedKey returns the column of patient keys whose name has a word of a list, or nil.
func (p *people) mergedKey(t *table, list string) []string {
	i := slices.IndexFunc(t.columns, func(c *column) bool {
		return kindOf(c) == p.kind && holds(wordsOf(c.name), lists[list]...) && ends(wordsOf(c.name), "keys")
	})
	if i < 0 {
		return nil
	}
	return []string{t.columns[i].name}
}

// mergedParts returns a column for each part of the patient key: with a word of a list and those of the part, or, of the
// patient who stays, of the part's own name. It returns nil if one is missing.
func (p *people) mergedParts(t *table, list string) []string {
	var parts []string
	for _, part := range p.key {
		like := p.table.column(part)
		if like == nil {
			return nil
		}
		i := slices.IndexFunc(t.columns, func(c *column) bool {
			words := wordsOf(c.name)
			rest := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return slices.Contains(lists[list], w) })
			return kindOf(c) == kindOf(like) && len(rest) < len(words) && slices.Equal(rest, wordsOf(part))
		})
		if i < 0 && list == "stays" {
			i = slices.IndexFunc(t.columns, func(c *column) bool { return c.name == part && kindOf(c) == kindOf(like) })
		}
		if i < 0 {
			return nil
		}
		parts = append(parts, t.columns[i].name)
	}
	return parts
}
