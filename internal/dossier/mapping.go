package dossier

import (
	"fmt"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/config"
)

// TablesOf returns the mapping, in the order of the file.
func TablesOf(cfg *config.Config) []Table {
	var list []Table
	for i := range cfg.Tables {
		t := &cfg.Tables[i]
		out := Table{Name: t.FullName(), Patient: pathOf(t)}
		for _, c := range t.Columns {
			out.Columns = append(out.Columns, columnOf(c.Name, &c))
			for _, p := range c.Paths {
				out.Columns = append(out.Columns, columnOf(c.Name+strings.TrimPrefix(p.Name, "$"), &p))
			}
		}
		list = append(list, out)
	}
	return list
}

func columnOf(name string, c *config.Column) Column {
	return Column{Name: name, Tells: string(c.Tells), Policy: c.Publish, Explain: c.Publish.Explain()}
}

func pathOf(t *config.Table) string {
	columns := strings.Join(t.Patient.Columns(), ", ")
	through := fmt.Sprintf("through %s to %s of %s", columns, strings.Join(t.Patient.Keys(), ", "), t.Patient.Table)
	switch {
	case !t.HasPatient():
		return "rows belong to no patient"
	case t.Patient.Divides():
		return fmt.Sprintf("patient key %s where %s, else %s", columns, t.Patient.When, through)
	case t.Patient.When != nil:
		return fmt.Sprintf("patient key %s where %s, else no patient", columns, t.Patient.When)
	case t.Patient.Table == "":
		return "patient key " + columns
	}
	return through
}

// SettingsOf returns what else of the configuration decides the output.
func SettingsOf(cfg *config.Config) []Line {
	d := cfg.Surrogates.Dates
	dates := fmt.Sprintf("moved by %d to %d days, %s", d.MinDays, d.MaxDays, d.Direction)
	if d.WholeWeeks {
		dates += ", in whole weeks"
	}
	lines := []Line{{"profile", string(cfg.Surrogates.Profile)}}
	if actions := actionsOf(cfg); actions != "" {
		lines = append(lines, Line{"actions", actions})
	}
	release := string(cfg.Release.Mode)
	if cfg.Release.Mode == config.Batches {
		release += ", every " + cfg.Release.Every.String()
	}
	lines = append(lines, Line{"dates", dates}, Line{"release", release})
	for _, f := range cfg.Filters {
		lines = append(lines, Line{"patients: " + string(f.Kind), "by rows of " + f.Table})
	}
	return lines
}

// actionsOf lists what overrules the profile, by the numbers of types.
func actionsOf(cfg *config.Config) string {
	var parts []string
	for _, t := range phi.Types() {
		if a, ok := cfg.Surrogates.Actions[t]; ok {
			parts = append(parts, t.String()+": "+string(a))
		}
	}
	return strings.Join(parts, ", ")
}
