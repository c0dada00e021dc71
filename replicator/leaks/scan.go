package leaks

import (
	"cmp"
	"context"
	"log/slog"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/metrics"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/session"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/sql/research"
	"github.com/pgdeid/pgdeid/surrogate"
)

// batch is how many patients are looked at together.
const batch = 200

// known is a patient of whom the source tells something.
type known struct {
	phi.Redacted
	pseudonym, key string
}

// scanner holds what a scan works with.
type scanner struct {
	phi.Redacted

	look   *patient.Lookups
	maker  *surrogate.Maker
	reader *vault.Reader
	tx     pgx.Tx
	feeds  []*feed
	res    Result
	hits   []*hit // of the patients at hand
}

// Scan searches what analysts see. It writes to neither database. progress is called with how many patients are done, of how many.
func Scan(ctx context.Context, cfg *config.Config, key *surrogate.Key, log *slog.Logger, progress func(done, all int)) (*Result, error) {
	r := &session.Session{Cfg: cfg, Key: key, Opts: &session.Options{Config: cfg, Log: log, Metrics: metrics.New()}, Log: log}
	defer r.Close()
	if err := r.Connect(ctx); err != nil {
		return nil, err
	}
	if err := research.CheckKey(ctx, r.Control, key.Check(), key.Epoch()); err != nil {
		return nil, err
	}
	p, err := schema.NewPlan(ctx, cfg, r.Source, r.Control)
	if err != nil {
		return nil, err
	}
	s := &scanner{reader: vault.NewReader(r.Control, key)}
	if s.maker, err = surrogate.New(key, cfg.Surrogates); err != nil {
		return nil, err
	}
	if r.Reg, err = patient.NewRegister(p, key, s.maker, &patient.Directory{}); err != nil {
		return nil, err
	}
	if err := r.Reg.ReadMerges(ctx, r.Control); err != nil {
		return nil, err
	}
	if s.look, err = r.NewLookups(ctx); err != nil {
		return nil, err
	}
	conn, err := connect.Replica(ctx, cfg)
	if err != nil {
		return nil, err
	}
	defer connect.Close(conn)
	return &s.res, s.run(ctx, conn, p, progress)
}

// run goes through all patients in one transaction, which sees the replica at one moment.
func (s *scanner) run(ctx context.Context, conn *pgx.Conn, p *schema.Plan, progress func(done, all int)) (err error) {
	const op = "search the replica for what records tell"
	s.tx, err = conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return fault.New(op, err, "")
	}
	defer func() { _ = s.tx.Rollback(context.WithoutCancel(ctx)) }()
	for i, t := range p.Tables {
		if !t.HasPatient() || len(t.Publish) == 0 {
			continue
		}
		f, err := openFeed(ctx, s.tx, t, shown(p, t), i)
		if err != nil {
			return fault.New(op, err, "run 'pgdeid migrate up'")
		}
		s.feeds = append(s.feeds, f)
		s.res.Tables++
		s.res.Columns += len(f.columns)
	}
	patients, err := s.patients(ctx)
	if err != nil {
		return err
	}
	s.res.Patients = int64(len(patients))
	for i := 0; i < len(patients); i += batch {
		part := patients[i:min(i+batch, len(patients))]
		if err := s.search(ctx, part); err != nil {
			return fault.New(op, err, "")
		}
		progress(i+len(part), len(patients))
	}
	for _, f := range s.feeds { // patients behind the last known one
		if err := f.through(ctx, s.tx, "\U0010ffff", func(r *row) error { s.res.Rows++; s.res.Unknown++; return nil }); err != nil {
			return fault.New(op, err, "")
		}
	}
	return nil
}

// shown is the table with the rows that analysts see.
func shown(p *schema.Plan, t *schema.Table) string {
	if p.Config.Release.Mode == config.Live {
		return t.Rows()
	}
	return research.ReleasedTable(t.Table)
}

// patients returns those of whom the source tells something, in the order of pseudonyms.
func (s *scanner) patients(ctx context.Context) ([]known, error) {
	keys, err := s.look.PatientsWithRecords(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]known, 0, len(keys))
	for _, key := range keys {
		name, err := s.look.PseudonymOf(key)
		if err != nil {
			return nil, fault.New("make pseudonyms", err, "")
		}
		list = append(list, known{pseudonym: name, key: key})
	}
	slices.SortFunc(list, func(a, b known) int { return cmp.Compare(a.pseudonym, b.pseudonym) })
	return list, nil
}

// search looks at the rows of some patients, and at those of patients between them of whom the source tells nothing.
func (s *scanner) search(ctx context.Context, part []known) error {
	keys := make([]string, len(part))
	for i, k := range part {
		keys[i] = k.key
	}
	records, err := s.look.Records(ctx, keys)
	if err != nil {
		return err
	}
	gazetteers := map[string]*record.Gazetteer{}
	for _, k := range part {
		if y := records[k.key]; y != nil {
			gazetteers[k.pseudonym] = record.NewGazetteer(s.replaced(y.Record))
		}
	}
	s.hits = s.hits[:0]
	for _, f := range s.feeds {
		lines := &gathered{feed: f}
		err := f.through(ctx, s.tx, part[len(part)-1].pseudonym, func(r *row) error {
			if !lines.holds(r) {
				s.lookAtNote(lines, gazetteers[lines.owner])
				lines.begin(r)
			}
			s.lookAt(lines, r, gazetteers[r.owner])
			return nil
		})
		if err != nil {
			return err
		}
		s.lookAtNote(lines, gazetteers[lines.owner])
	}
	return s.decide(ctx)
}

// replaced returns what of a record may not be shown: an action can keep the types of a role.
func (s *scanner) replaced(rec record.Record) record.Record {
	out := record.Record{}
	for role, values := range rec {
		if !s.maker.Keeps(role) {
			out[role] = values
		}
	}
	return out
}

// lookAt searches a row, but for texts that say something only together with other rows.
func (s *scanner) lookAt(lines *gathered, r *row, who *record.Gazetteer) {
	s.res.Rows++
	if who == nil {
		s.res.Unknown++
		return
	}
	for i, c := range lines.feed.columns {
		value := r.values[i]
		if value == "" && !lines.gathers(c) {
			continue
		}
		s.res.Values++
		s.res.Bytes += int64(len(value))
		if lines.gathers(c) {
			if lines.add(value); !c.plain {
				continue
			}
		}
		texts, ok := c.texts(value)
		if !ok {
			s.res.Unread++
		}
		for _, text := range texts {
			for _, at := range who.Leaks(text) {
				s.hits = append(s.hits, &hit{column: c, row: r.key, word: text[at.Start:at.End], at: at, value: text, raw: value, patient: r.owner})
			}
		}
	}
}

// texts returns what is searched of a value: the value, and what a person reads of a document. It reports false where that
// can't be read.
func (c *column) texts(value string) ([]string, bool) {
	if c.plain || !c.text {
		return []string{value}, true
	}
	n, err := c.form.Open(value)
	if err != nil {
		return nil, false
	}
	if c.form.Wrapped() {
		return []string{n.Text()}, true
	}
	return []string{value, n.Text()}, true
}

// decide judges the hits at hand by what the vault knows of their patients.
func (s *scanner) decide(ctx context.Context) error {
	if len(s.hits) == 0 {
		return nil
	}
	var patients []string
	for _, h := range s.hits {
		if !slices.Contains(patients, h.patient) {
			patients = append(patients, h.patient)
		}
	}
	m := newMade()
	if err := s.look.Seals.Entries(ctx, s.look.Replica, patients, m.addEntry); err != nil {
		return err
	}
	for _, name := range patients {
		err := s.reader.Texts(ctx, vault.Filter{Patient: name}, func(t vault.MadeText) error {
			key := textKey{t.Table, t.Column, t.Key}
			for _, span := range t.Spans {
				m.spans[key] = append(m.spans[key], phi.Range{Start: span.Start, End: span.End})
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	verdicts := make([]verdict, len(s.hits))
	for i, h := range s.hits {
		verdicts[i] = m.judge(h)
	}
	s.res.count(s.hits, verdicts)
	return nil
}
