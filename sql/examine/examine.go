// Package examine compares a mapping with the source's catalogue.
package examine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/sql/catalog"
	"github.com/pgdeid/pgdeid/sql/finding"
	"github.com/pgdeid/pgdeid/sql/quote"
)

// Mapping compares a mapping with the source's catalogue: tables and columns
// exist, types fit policies, keys are there and published, and a publication
// with these columns can't break the source's own updates.
func Mapping(cfg *config.Config, cat *catalog.Catalog) finding.List {
	var fs finding.List
	for i := range cfg.Tables {
		t := &cfg.Tables[i]
		subject := "table " + t.FullName()
		table := cat.Tables[t.FullName()]
		if table == nil {
			fs.Problem(subject, "does not exist in the source", "correct its name in the mapping, or take it out")
			continue
		}
		before := len(fs)
		examineKind(&fs, subject, table)
		examineIdentity(&fs, subject, table)
		examineColumns(&fs, subject, cfg, t, cat)
		examineKey(&fs, subject, t, table)
		examineNote(&fs, subject, t, table)
		examinePath(&fs, subject, cfg, t, cat)
		if len(fs) == before {
			fs.OK(subject, "%d of %d columns are published; key %s", len(t.Published()), len(table.Columns), strings.Join(table.PrimaryKey, ", "))
		}
		noteColumns(&fs, subject, t, table)
		for _, f := range cfg.FiltersOn(t) {
			fs.Note(subject, "its rows decide who is published, and as whom (%s)", f.Kind)
		}
	}
	return fs
}

func examineKind(fs *finding.List, subject string, table *catalog.Table) {
	switch {
	case table.Kind != "r" && table.Kind != "p":
		fs.Problem(subject, "is a view or foreign table, which logical replication does not carry", "map the tables it is made from")
	case table.Persistence != "p":
		fs.Problem(subject, "is unlogged or temporary, so its changes never reach the replication stream",
			fmt.Sprintf("alter table %s set logged", quote.Name(table.Schema, table.Name)))
	}
}

// examineIdentity makes sure that a publication of updates and deletes does not
// make the source's own UPDATE and DELETE fail.
func examineIdentity(fs *finding.List, subject string, table *catalog.Table) {
	name := quote.Name(table.Schema, table.Name)
	if len(table.PrimaryKey) == 0 {
		fs.Problem(subject, "has no primary key: rows could not be distinguished, and publishing it would make the source's own updates fail",
			fmt.Sprintf("alter table %[1]s add primary key (…); a unique index on columns that are never null can take its place: "+
				"alter table %[1]s replica identity using index …", name))
		return
	}
	remedy := fmt.Sprintf("alter table %s replica identity default", name)
	switch {
	case table.Identity == "n":
		fs.Problem(subject, "has replica identity nothing: publishing it would make the source's own updates fail", remedy)
	case table.Identity == "f":
		fs.Problem(subject, "has replica identity full: updates and deletes would send every old value, "+
			"and a publication of some columns would make the source's own updates fail", remedy)
	case table.Identity == "i" && table.Kind == "p":
		fs.Problem(subject, "is partitioned and has an index as replica identity, which partitions that are made later don't take over", remedy)
	}
	for _, leaf := range table.OddLeaves {
		fs.Problem(subject, "partition "+leaf+" has another replica identity than its table",
			fmt.Sprintf("alter table %s replica identity default", leaf))
	}
}

func examineColumns(fs *finding.List, subject string, cfg *config.Config, t *config.Table, cat *catalog.Catalog) {
	table := cat.Tables[t.FullName()]
	for _, name := range cfg.Leaving(t, nil) {
		if _, ok := table.Column(name); !ok {
			fs.Problem(subject+" column "+name, "does not exist in the source", "correct its name in the mapping, or take it out")
		}
	}
	for _, col := range t.Columns {
		in, ok := table.Column(col.Name)
		if !ok {
			continue
		}
		if leaves := col.Publish != config.Drop || len(col.Roles()) > 0; leaves && in.Generated && (in.Virtual || !cat.Server.GeneratedColumns()) {
			fs.Problem(subject+" column "+col.Name, "is a generated column, which PostgreSQL publishes from version 18 on, and only if it is stored",
				"leave it at drop and map the columns it is made from")
		}
		if config.BaseType(in.Type) == "oid" && col.Publish == config.Drop {
			fs.Note(subject, "column %s refers to large objects, whose content logical replication does not carry: rows come without it", col.Name)
		}
		if _, err := col.ReplicaType(in.Type); err != nil {
			fs.Problem(subject+" column "+col.Name, err.Error(), "choose a policy, or a format, that fits, or drop")
		}
	}
	examinePatientType(fs, subject, cfg, t, cat)
	for _, f := range cfg.FiltersOn(t) {
		for _, key := range [][]string{f.Patient, f.Into} {
			if len(key) == 1 {
				examineKeyType(fs, subject, cfg, table, key[0])
			} else {
				examineParts(fs, subject, cfg, table, key, cat)
			}
		}
	}
}

// examineKeyType makes sure that a column can hold the patient key.
func examineKeyType(fs *finding.List, subject string, cfg *config.Config, table *catalog.Table, column string) {
	in, ok := table.Column(column)
	if ok && !slices.Contains(cfg.PatientKey.KeyTypes(), config.BaseType(in.Type)) {
		fs.Problem(subject+" column "+in.Name, fmt.Sprintf("holds the patient key and has type %s, but the mapping says patient_key: %s",
			in.Type, cfg.PatientKey), "set patient_key to integer, text or uuid, as the columns are")
	}
}

func examinePatientType(fs *finding.List, subject string, cfg *config.Config, t *config.Table, cat *catalog.Catalog) {
	if len(t.Patient.More) > 0 && t.Patient.Table != "" {
		return
	}
	if len(t.Patient.More) > 0 {
		examineParts(fs, subject, cfg, cat.Tables[t.FullName()], t.Patient.Columns(), cat)
		return
	}
	in, ok := cat.Tables[t.FullName()].Column(t.Patient.Column)
	if !t.HasPatient() || !ok {
		return
	}
	if text := cfg.Unfit(t, in.Type); text != "" {
		fs.Problem(subject+" column "+in.Name, text, "set patient_key to integer, text or uuid, as the columns are, and patient to the column that has it")
	} else if !t.Patient.Direct() && t.Patient.Table == "" {
		fs.Note(subject, "rows of a patient are found by an expression; where the table is large, make an index on it: "+
			"create index concurrently on %s ((%s))", quote.Name(t.Schema, t.Name), t.Patient.Expression(quote.Name(in.Name), cfg.PatientKey.SQLType()))
	}
}

// examineParts makes sure that each column of a patient key of several columns has the same kind of type as in the
// first table that has the key: 7 and 07 are one number, but two texts.
func examineParts(fs *finding.List, subject string, cfg *config.Config, table *catalog.Table, key []string, cat *catalog.Catalog) {
	for i := range cfg.Tables {
		first := &cfg.Tables[i]
		if !first.HasPatient() || first.Patient.Table != "" || cat.Tables[first.FullName()] == nil {
			continue
		}
		columns := first.Patient.Columns()
		for n, name := range key[:min(len(key), len(columns))] {
			a, ok := table.Column(name)
			b, there := cat.Tables[first.FullName()].Column(columns[n])
			if ok && there && config.KeyTypeOf(a.Type) != config.KeyTypeOf(b.Type) {
				fs.Problem(subject+" column "+name, fmt.Sprintf("is a part of the patient key and has type %s, but %s.%s has type %s",
					a.Type, first.FullName(), b.Name, b.Type), "name patients by columns of the same types everywhere")
			}
		}
		return
	}
}

// examineKey makes sure that somebody decided about each column of the key, and says where rows are told apart
// by what analysts don't see.
func examineKey(fs *finding.List, subject string, t *config.Table, table *catalog.Table) {
	if len(t.Published()) == 0 {
		return
	}
	for _, name := range table.PrimaryKey {
		if _, ok := t.Column(name); !ok {
			fs.Problem(subject+" column "+name, "belongs to the primary key and is not mapped",
				"publish it as pseudonym (or keep, where it says nothing of a person), or say drop")
			return
		}
	}
	for _, name := range table.PrimaryKey {
		if strings.HasSuffix(table.TypeOf(name), "[]") {
			fs.Problem(subject+" column "+name, "belongs to the primary key and is an array", "let the key have columns of single values")
		}
	}
	if !t.NamesRows(table.PrimaryKey, table.TypeOf) {
		fs.Note(subject, "what is published of its key (%s) does not tell its rows apart: a keyed hash does, which analysts don't see",
			strings.Join(table.PrimaryKey, ", "))
	}
}

// examinePath makes sure that a row can lead to one patient only, where what is
// published of it depends on whose it is. Others, such as an address that people share,
// are in the record of each.
func examinePath(fs *finding.List, subject string, cfg *config.Config, t *config.Table, cat *catalog.Catalog) {
	if !cfg.NeedsPatient(t) {
		return
	}
	for at := t; at != nil && at.Patient.Table != ""; {
		p := at.Patient
		next := cat.Tables[p.Table]
		if next == nil {
			return
		}
		keys := p.Keys()
		through, _ := cfg.Table(next.Schema, next.Name)
		chosen := through != nil && through.Patient.When != nil // a row of which several lead to different patients is set aside
		missing := func(name string) bool {                     // which is a finding of its own
			_, ok := next.Column(name)
			return !ok
		}
		if !slices.ContainsFunc(keys, missing) && !next.Unique.Has(keys) && !chosen {
			fs.Problem(subject, fmt.Sprintf("finds its patient by column %s of table %s, which is not unique: "+
				"its rows could get another patient's record", strings.Join(keys, ", "), p.Table),
				fmt.Sprintf("create unique index concurrently on %s (%s); or let the path go through a column that is unique",
					quote.Name(next.Schema, next.Name), quote.Names(keys)))
		}
		at = through
	}
}

// noteColumns reports the policy of every column.
func noteColumns(fs *finding.List, subject string, t *config.Table, table *catalog.Table) {
	var published, searched, kept, dropped, unmapped []string
	for _, in := range table.Columns {
		c, ok := t.Column(in.Name)
		if !ok {
			unmapped = append(unmapped, in.Name)
			continue
		}
		if c.Publish == config.Drop {
			if len(c.Roles()) == 0 {
				dropped = append(dropped, c.Name)
			}
		} else {
			published = append(published, c.Name+" ("+string(c.Publish)+")")
		}
		if len(c.Roles()) > 0 {
			searched = append(searched, c.Name)
		}
		if unbounded := config.BaseType(in.Type) == "text" || config.BaseType(in.Type) == "jsonb"; unbounded && c.Publish == config.Keep {
			kept = append(kept, c.Name)
		}
	}
	for _, line := range []struct {
		what  string
		names []string
	}{
		{"published: ", published},
		{"searched for in notes: ", searched},
		{"dropped: ", dropped},
		{"not mapped, so dropped: ", unmapped},
		{"kept as they are, though text of any kind fits in: ", kept},
	} {
		if len(line.names) > 0 {
			fs.Note(subject, "%s%s", line.what, strings.Join(line.names, ", "))
		}
	}
}

// examineNote makes sure that a deleted line names its note.
func examineNote(fs *finding.List, subject string, t *config.Table, table *catalog.Table) {
	if t.Note == nil {
		return
	}
	for _, name := range t.Note.Key {
		if !slices.Contains(table.PrimaryKey, name) {
			fs.Problem(subject+" column "+name, "belongs to the key of notes and not to the primary key, so that a deleted line would not name its note",
				"make the key of notes and the place of the line the primary key, or a unique index the replica identity: "+
					fmt.Sprintf("alter table %s replica identity using index …", quote.Name(t.Schema, t.Name)))
		}
	}
}
