package preflight

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/sql/examine"
	"github.com/pgdeid/pgdeid/sql/finding"
	"github.com/pgdeid/pgdeid/sql/foreign"
	"github.com/pgdeid/pgdeid/sql/migrations"
	"github.com/pgdeid/pgdeid/sql/postgres"
	"github.com/pgdeid/pgdeid/sql/quote"
	"github.com/pgdeid/pgdeid/sql/research"
	"github.com/pgdeid/pgdeid/sql/roles"
)

// checkReplica runs the checks of the research database, as the service role.
func (p *run) checkReplica(ctx context.Context) {
	conf, err := p.cfg.ReplicaConn(config.Service)
	p.try(ctx, "replica", conf, err, func(conn *pgx.Conn) error { return p.inReplica(ctx, conn) })
	if p.cfg.Gazetteers == config.Direct {
		conf, err := p.cfg.SourceConn(config.Reader)
		p.try(ctx, "gazetteers", conf, err, func(conn *pgx.Conn) error {
			p.runAll(ctx, conn, []check{{subject: "gazetteers", catalog: true, run: func(ctx context.Context, conn *pgx.Conn) error {
				return p.checkGazetteers(ctx, conn, func(t *config.Table) string { return quote.Name(t.Schema, t.Name) })
			}}})
			return nil
		})
	}
}

func (p *run) inReplica(ctx context.Context, conn *pgx.Conn) error {
	p.runAll(ctx, conn, []check{
		{subject: "replica", run: p.of(p.checkServer, "replica")},
		{subject: "replica encoding", run: p.of(p.checkEncoding, "replica")},
		{subject: "replica role", run: func(ctx context.Context, conn *pgx.Conn) error {
			return p.checkRole(ctx, conn, "replica", roles.Service)
		}},
		{subject: "replica durability", run: p.checkDurable},
		{subject: "replica log", run: p.of(p.checkLog, "replica")},
	})
	if err := migrations.CheckReplica(ctx, conn); err != nil {
		p.Problem("replica version", err.Error(), fault.Hint(err))
		return nil // what the checks below look at is not there
	}
	p.OK("replica version", "as this pgdeid wants it")
	checks := []check{
		{subject: "replica key", run: p.checkKey},
		{subject: "replica tables", run: p.checkResearch, catalog: true},
		{subject: "source slot " + p.cfg.Source.Slot, run: p.checkWritten},
		{subject: "replica rows", run: p.checkMapping},
		{subject: "replica mapping", run: p.checkMadeFor},
		{subject: "replica rows", run: p.checkMembership, catalog: true},
		{subject: "replica quarantine", run: p.checkQuarantine},
		{subject: "replica credentials", run: p.checkStored},
		{subject: "replica analysts", run: p.checkAnalyst},
		{subject: "replica PUBLIC", run: p.checkPublic},
	}
	if p.cfg.Gazetteers == config.Foreign {
		checks = append(checks, check{subject: "gazetteers", catalog: true, run: func(ctx context.Context, conn *pgx.Conn) error {
			return p.checkGazetteers(ctx, conn, func(t *config.Table) string { return quote.Name(foreign.Server, t.FullName()) })
		}})
	}
	p.runAll(ctx, conn, checks)
	return nil
}

func (p *run) checkKey(ctx context.Context, conn *pgx.Conn) error {
	if p.key == nil {
		return nil
	}
	same, stored, err := research.KeyMatches(ctx, conn, p.key.Check())
	switch {
	case err != nil:
		return err
	case !stored:
		p.OK("replica key", "no key has written to this replica yet")
	case same:
		p.OK("replica key", "is the one that this replica was written with")
	default:
		p.Problem("replica key", research.ErrWrongKey.Error(), research.WrongKeyHint)
	}
	return nil
}

// checkDurable makes sure that a commit of the replica survives a crash: what it
// has committed is what the source may forget.
func (p *run) checkDurable(ctx context.Context, conn *pgx.Conn) error {
	s, err := postgres.Settings(ctx, conn, "synchronous_commit", "fsync", "transaction_read_only")
	if err != nil {
		return err
	}
	switch {
	case s["transaction_read_only"] == "on":
		p.Problem("replica", "takes no writes (it is a standby, or default_transaction_read_only is on)", "let replica.dsn lead to a primary")
	case s["fsync"] == "off":
		p.Warn("replica fsync", "is off: a crash of the machine may lose rows that were confirmed to the source", "set fsync = on")
	case s["synchronous_commit"] == "off":
		p.Warn("replica synchronous_commit", "is off: a crash may lose rows that were confirmed to the source",
			fmt.Sprintf("alter role %s set synchronous_commit = on", quote.Name(conn.Config().User)))
	default:
		p.OK("replica durability", "synchronous_commit %s", s["synchronous_commit"])
	}
	return nil
}

// checkResearch compares the research tables with the mapping.
func (p *run) checkResearch(ctx context.Context, conn *pgx.Conn) error {
	if slices.ContainsFunc(examine.Mapping(p.cfg, p.catalog), func(f finding.Finding) bool { return f.Level == finding.Problem }) {
		return nil // said before
	}
	have, err := research.Read(ctx, conn)
	if err != nil {
		return err
	}
	plan := research.NewPlan(p.cfg, p.catalog, have)
	p.List = append(p.List, plan.Problems...)
	for _, change := range plan.Changes {
		p.Problem("replica tables", "do not fit the mapping; pending: "+change, "run \"pgdeid migrate up\"")
	}
	if len(plan.Problems) == 0 && len(plan.Changes) == 0 {
		p.OK("replica tables", "%d tables, as the mapping says", have.Count())
	}
	return nil
}

// lostSlotRemedy is what to do where the stream can't go on.
const lostSlotRemedy = "\"pgdeid reconcile\" makes a new slot and writes what differs; \"pgdeid snapshot --resync\" makes a new slot and a new copy"

// checkWritten reports whether a slot that the source does not have is missing: rows
// that were written through it are behind for good.
func (p *run) checkWritten(ctx context.Context, conn *pgx.Conn) error {
	if !p.noSlot {
		return nil
	}
	subject := "source slot " + p.cfg.Source.Slot
	written, err := postgres.Number(ctx, conn, "select count(*) from deid.progress where slot = $1", p.cfg.Source.Slot)
	switch {
	case err != nil:
		return err
	case written > 0:
		p.Problem(subject, "is gone, though the replica was written through it: later changes are missing there",
			lostSlotRemedy)
	default:
		p.OK(subject, "does not exist yet; \"pgdeid run\" makes it")
	}
	return nil
}

// checkMapping checks that the rows were made with this mapping.
func (p *run) checkMapping(ctx context.Context, conn *pgx.Conn) error {
	other, err := postgres.Number(ctx, conn, "select count(*) from deid.progress where slot = $1 and mapping_hash <> $2", p.cfg.Source.Slot,
		p.cfg.Hash())
	if err != nil {
		return err
	}
	if other > 0 {
		p.Warn("replica rows", "were made under another mapping or other settings",
			"run \"pgdeid migrate up\" and then \"pgdeid snapshot --resync\", or put the old mapping back")
	}
	return nil
}

func (p *run) checkQuarantine(ctx context.Context, conn *pgx.Conn) error {
	aside, err := postgres.Number(ctx, conn, "select count(*) from deid.quarantine")
	if err != nil {
		return err
	}
	if aside > 0 {
		p.Warn("replica quarantine", fmt.Sprintf("%d rows are set aside and not published", aside),
			"look at deid.v_quarantine_summary, remove the cause, then \"pgdeid retry\"")
	}
	return nil
}

// checkAnalyst makes sure that analysts reach no more than the research tables.
func (p *run) checkAnalyst(ctx context.Context, conn *pgx.Conn) error {
	open, err := postgres.Names(ctx, conn, `
select n.nspname || '.' || c.relname
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname in ('deid', 'deid_rows', 'deid_waiting', 'deid_released', $1)
  and (has_any_column_privilege($2, c.oid, 'select') and has_schema_privilege($2, n.oid, 'usage'))
order by 1`, foreign.Server, roles.Analyst)
	if err != nil {
		return err
	}
	for _, t := range open {
		p.Problem("replica analysts", roles.Analyst+" can read "+t, fmt.Sprintf("revoke all on %s from public, %s", t, roles.Analyst))
	}
	if len(open) == 0 {
		p.OK("replica analysts", "%s reaches neither the vault nor the EHR", roles.Analyst)
	}
	return nil
}

// checkPublic makes sure that logging in gives no rights on what pgdeid made.
func (p *run) checkPublic(ctx context.Context, conn *pgx.Conn) error {
	public, err := postgres.Names(ctx, conn, `
select distinct n.nspname || '.' || c.relname
from pg_class c join pg_namespace n on n.oid = c.relnamespace, aclexplode(c.relacl) a
where a.grantee = 0 and (n.nspname || '.' || c.relname in (select name from deid.generated where kind = 'table')
    or n.nspname in ('deid', 'deid_info', 'deid_rows', 'deid_waiting', 'deid_released'))
order by 1`)
	if err != nil {
		return err
	}
	if len(public) > 0 {
		p.Problem("replica PUBLIC", "everybody who can log in has rights on "+few(public), "revoke all on "+strings.Join(public, ", ")+
			" from public")
	}
	return nil
}

// checkGazetteers reads one row of each table with a role for gazetteers, all columns
// of it, and looks at none of its values.
func (p *run) checkGazetteers(ctx context.Context, conn *pgx.Conn, at func(*config.Table) string) error {
	tables := 0
	for i := range p.cfg.Tables {
		t := &p.cfg.Tables[i]
		columns := p.catalog.Read(p.cfg, t)
		if len(columns) == 0 {
			continue
		}
		tables++
		query := fmt.Sprintf("select count(row(%s)::text) from (select %s from %s limit 1) t", quote.Names(columns), quote.Names(columns), at(t))
		if _, err := postgres.Number(ctx, conn, query); err != nil {
			err = fault.New("read "+t.FullName(), err, "")
			p.Problem("gazetteers", err.Error(), gazetteerHint(err, p.cfg.Gazetteers))
			return nil
		}
	}
	if tables == 0 {
		p.Warn("gazetteers", "no column has a role for patients' data, so notes are searched without knowing their names",
			"give the columns with names, addresses and numbers a role: {tells: name.last}")
		return nil
	}
	p.OK("gazetteers", "%s, %d tables can be read", map[string]string{
		config.Foreign: "through foreign server " + foreign.Server, config.Direct: "over a connection to the source",
	}[p.cfg.Gazetteers], tables)
	return nil
}

func gazetteerHint(err error, how string) string {
	state := fault.State(err)
	switch {
	case state == "42501" || state == "42P01" || state == "42703":
		return "run \"pgdeid migrate up\""
	case state == "08001" && how == config.Foreign:
		return "the replica's server must reach the source's: set source.foreign_host to the name that it knows, let its pg_hba.conf take " +
			roles.Reader + " with a password, then \"pgdeid migrate up\"; or set gazetteers: direct"
	case state == "2F003":
		return "the source asks the replica's server for no password: set source.reader_password_file, and scram-sha-256 in the " +
			"source's pg_hba.conf"
	}
	return "run \"pgdeid migrate up\"; where the replica's server can't reach the source, set gazetteers: direct"
}
