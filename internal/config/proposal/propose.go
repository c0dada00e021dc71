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
	Preset  string   // a preset whose tables are taken as it says, where they exist; Auto for the one that fits
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
	if err := db.sample(ctx, conn, opts.Log); err != nil {
		return nil, err
	}
	name, seen, err := db.recognise(opts.Preset)
	if err != nil {
		return nil, err
	}
	preset, err := presetFor(name, db)
	if err != nil {
		return nil, err
	}
	source, admin := connections(conn.Config())
	p := db.findPeople()
	tables := db.propose(p, preset)
	var remarks []string
	for _, r := range []string{seen, db.doubt(p)} {
		if r != "" {
			remarks = append(remarks, r)
		}
	}
	return write(source, admin, append(remarks, db.remarks(p, preset)...), p, tables), nil
}

// sample looks at values of all tables, as far as the role may.
func (db *database) sample(ctx context.Context, conn *pgx.Conn, log *slog.Logger) error {
	for _, t := range db.tables {
		err := sample(ctx, conn, t)
		if err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			t.unseen = "no values were looked at (SQLSTATE " + fault.State(err) + "), only names and types"
		}
		if t.unseen != "" && log != nil {
			log.Warn(t.unseen, "table", t.fullName())
		}
	}
	return nil
}

// propose decides about all tables.
func (db *database) propose(p *people, preset *config.Config) []written {
	p.follow(preset, db)
	d := &decider{db, p, db.keyDomains(p), preset}
	var tables []written
	for _, t := range db.tables {
		path, ok := p.paths[t]
		w := written{table: t, path: path, whyPath: p.why[t], patient: ok, leave: p.unclear[t]}
		for _, c := range t.columns {
			w.choices = append(w.choices, d.decide(t, c))
		}
		if !ok {
			w = w.withoutPatient()
		}
		if m, ok := d.inPreset(t); ok {
			w.note = t.noteOf(m)
		} else {
			w = w.publishKey().asNotes()
		}
		tables = append(tables, w)
	}
	return reachable(tables)
}

// noteOf returns what a preset says of notes in a table's rows, if the table has the columns.
func (t *table) noteOf(m *config.Table) *config.Note {
	n := m.Note
	if n == nil || slices.ContainsFunc(append([]string{n.Order, n.Text}, n.Key...), func(name string) bool { return t.column(name) == nil }) {
		return nil
	}
	return n
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
			w.choices[i] = choice{config.Column{Name: c.Name, Tells: c.Tells, Publish: config.Keep}, "a small number in the primary key"}
		case err == nil:
			w.choices[i] = choice{config.Column{Name: c.Name, Tells: c.Tells, Publish: config.Pseudonym}, "belongs to the primary key"}
		}
	}
	return w
}

// reachable takes paths back that lead through tables which are not proposed.
func reachable(tables []written) []written {
	for i, w := range tables {
		tables[i].onPath = slices.ContainsFunc(tables, func(o written) bool { return o.patient && o.path.Table == w.fullName() })
	}
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
	w.patient, w.path, w.note = false, config.Path{}, nil
	for i, c := range w.choices {
		if c.NeedsPatient() {
			dropped := config.Column{Name: c.Name, Tells: c.Tells, Publish: config.Drop, Separator: c.Separator}
			if !dropped.TakesSeparator() {
				dropped.Separator = ""
			}
			w.choices[i].Column = dropped
			w.choices[i].why = "its rows lead to no patient"
		}
	}
	return w
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
