package proposal

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// Options say what to look at.
type Options struct {
	Schemas []string // default: all that are not the system's
	Preset  string   // a preset whose tables are taken as it says, where they exist
	Log     *slog.Logger
}

// Propose looks at the database of conn, changes nothing, and returns a
// configuration file to be read and corrected by a person.
func Propose(ctx context.Context, conn *pgx.Conn, opts Options) ([]byte, error) {
	db, err := read(ctx, conn, opts.Schemas)
	if err != nil {
		return nil, err
	}
	if len(db.tables) == 0 {
		return nil, fault.New("propose a mapping", errors.New("there are no tables that this role can see"),
			"check the database's name, --schema, and the role's rights")
	}
	for _, t := range db.tables {
		if err := sample(ctx, conn, t); err != nil && ctx.Err() != nil {
			return nil, ctx.Err()
		} else if err != nil && opts.Log != nil {
			opts.Log.Warn("no values looked at", "table", t.fullName(), "state", fault.State(err))
		}
	}
	preset, err := presetFor(opts.Preset, db)
	if err != nil {
		return nil, err
	}
	source, admin := connections(conn.Config())
	p := db.findPeople()
	return write(source, admin, p, db.propose(p, preset)), nil
}

// propose decides about all tables.
func (db *database) propose(p *people, preset *config.Config) []written {
	p.follow(preset, db)
	d := &decider{db, p, db.keyDomains(p), preset}
	var tables []written
	for _, t := range db.tables {
		path, ok := p.paths[t]
		w := written{table: t, path: path, patient: ok, leave: p.unclear[t]}
		for _, c := range t.columns {
			w.choices = append(w.choices, d.decide(t, c))
		}
		tables = append(tables, w.publishKey())
	}
	return reachable(tables)
}

// publishKey makes sure that of a table of which something is published the key is, too, as far as its types allow it:
// without it, nobody can join the rows.
func (w written) publishKey() written {
	published := slices.ContainsFunc(w.choices, func(c choice) bool { return c.Publish != config.Drop })
	for i, c := range w.choices {
		if !published || !slices.Contains(w.key, c.Name) || c.Publish == config.Pseudonym || c.Publish == config.Keep {
			continue
		}
		dataType := w.column(c.Name).dataType
		_, err := config.ReplicaType(config.Pseudonym, dataType)
		switch {
		case c.Publish == config.ShiftDate && config.IsDate(dataType):
		case dataType == "smallint":
			w.choices[i].Publish, w.choices[i].why = config.Keep, "a small number in the primary key"
		case err == nil:
			w.choices[i].Publish, w.choices[i].Domain, w.choices[i].why = config.Pseudonym, "", "belongs to the primary key"
		}
	}
	return w
}

// reachable takes paths back that lead through tables which are not proposed.
func reachable(tables []written) []written {
	for range tables {
		ok := map[string]bool{}
		for _, w := range tables {
			ok[w.fullName()] = w.patient && w.left() == ""
		}
		changed := false
		for i, w := range tables {
			if w.patient && w.path.Table != "" && !ok[w.path.Table] {
				tables[i] = w.withoutPatient()
				changed = true
			}
		}
		if !changed {
			break
		}
	}
	return tables
}

// withoutPatient drops what needs a patient.
func (w written) withoutPatient() written {
	w.patient, w.path = false, config.Path{}
	for i, c := range w.choices {
		if c.Publish == config.Text || c.Publish == config.ShiftDate || c.Publish == config.Surrogate {
			w.choices[i].Publish, w.choices[i].why = config.Drop, "its rows lead to no patient"
		}
	}
	return w
}

// presetFor returns a preset with its schemas renamed to those of the database
// that hold tables of the same names; nil if name is "".
func presetFor(name string, db *database) (*config.Config, error) {
	if name == "" {
		return nil, nil
	}
	data, err := config.Preset(name)
	if err != nil {
		return nil, err
	}
	cfg, err := config.Parse(data, nil)
	if err != nil {
		return nil, err
	}
	renamed := map[string]string{}
	for i := range cfg.Tables {
		t := &cfg.Tables[i]
		old := t.FullName()
		for _, have := range db.tables {
			if have.name == t.Name && (db.table(t.Schema, t.Name) == nil || have.schema == t.Schema) {
				t.Schema = have.schema
				break
			}
		}
		renamed[old] = t.FullName()
	}
	for i := range cfg.Tables {
		if p := &cfg.Tables[i].Patient; p.Table != "" {
			p.Table = renamed[p.Table]
		}
	}
	return cfg, nil
}

// follow takes paths from a preset where its tables exist.
func (p *people) follow(preset *config.Config, db *database) {
	if preset == nil {
		return
	}
	p.kind = preset.PatientKey
	for i := range preset.Tables {
		m := &preset.Tables[i]
		t := db.table(m.Schema, m.Name)
		if t == nil {
			continue
		}
		delete(p.paths, t)
		if m.HasPatient() && t.column(m.Patient.Column) != nil {
			p.paths[t] = m.Patient
			if p.key == "" {
				p.key = m.Patient.Column
			}
		}
	}
}

// connections returns connection strings for the file, without passwords.
func connections(cfg *pgx.ConnConfig) (service, admin string) {
	with := func(user string) string {
		if strings.HasPrefix(cfg.Host, "/") {
			return "host=" + cfg.Host + " port=" + strconv.Itoa(int(cfg.Port)) + " dbname=" + cfg.Database + " user=" + user
		}
		u := url.URL{Scheme: "postgres", User: url.User(user), Host: cfg.Host, Path: cfg.Database}
		if cfg.Port != 5432 {
			u.Host = cfg.Host + ":" + strconv.Itoa(int(cfg.Port))
		}
		return u.String()
	}
	return with("pgdeid_replication"), with(cfg.User)
}
