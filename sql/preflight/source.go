package preflight

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/sql/catalog"
	"github.com/pgdeid/pgdeid/sql/examine"
	"github.com/pgdeid/pgdeid/sql/postgres"
	"github.com/pgdeid/pgdeid/sql/quote"
	"github.com/pgdeid/pgdeid/sql/roles"
)

// checkSource runs the checks of the EHR's server, as the replication role.
func (p *run) checkSource(ctx context.Context) {
	conf, err := p.cfg.SourceConn(config.Service)
	if !p.try(ctx, "source", conf, err, func(conn *pgx.Conn) error { return p.inSource(ctx, conn) }) {
		p.checkSourceAsAdmin(ctx)
		return
	}
	replication := conf.Copy()
	replication.RuntimeParams["replication"] = "database"
	p.try(ctx, "source replication connection", replication, nil, func(conn *pgx.Conn) error {
		if _, err := conn.Exec(ctx, "IDENTIFY_SYSTEM", pgx.QueryExecModeSimpleProtocol); err != nil {
			return err
		}
		p.OK("source replication connection", "the server takes it")
		return nil
	})
	p.checkReach(ctx, conf)
}

// checkSourceAsAdmin looks at what needs no role of pgdeid's, for the time before
// "migrate up" has made them.
func (p *run) checkSourceAsAdmin(ctx context.Context) {
	if p.cfg.Source.AdminDSN == "" {
		return
	}
	conf, err := postgres.SourceAdmin(p.cfg)
	p.try(ctx, "source admin", conf, err, func(conn *pgx.Conn) error {
		p.Note("source admin", "%s looked at settings and tables instead", conn.Config().User)
		p.runAll(ctx, conn, slices.Concat(p.settingsOfSource(), []check{
			{subject: "tables", run: p.checkTables},
			{subject: "tables", run: p.checkUnmapped},
			{subject: "values", run: p.checkValues, catalog: true},
			{subject: "documents", run: p.checkDocuments, catalog: true},
			{subject: "notes", run: p.checkNotes, catalog: true},
		}, p.retention()))
		return nil
	})
}

func (p *run) settingsOfSource() []check {
	return []check{
		{subject: "source", run: p.learnService},
		{subject: "source", run: p.of(p.checkServer, "source")},
		{subject: "source encoding", run: p.of(p.checkEncoding, "source")},
		{subject: "source wal_level", run: p.checkWAL},
		{subject: "source", run: p.checkPrimary},
		{subject: "source max_replication_slots", run: p.checkFree},
		{subject: "source slot " + p.cfg.Source.Slot, run: p.checkSlot},
	}
}

// learnService notes whose server it is, so that remedies are what its administrators can do.
func (p *run) learnService(ctx context.Context, conn *pgx.Conn) (err error) {
	p.service, err = readManaged(ctx, conn)
	return err
}

func (p *run) retention() []check {
	return []check{
		{subject: "source max_slot_wal_keep_size", run: p.checkSlotLimit},
		{subject: "source wal_sender_timeout", run: p.checkSenderTimeout},
		{subject: "source logical_decoding_work_mem", run: p.checkDecodingMemory},
		{subject: "source idle_replication_slot_timeout", run: p.checkIdleTimeout},
		{subject: "source synchronized_standby_slots", run: p.checkFailover},
	}
}

func (p *run) inSource(ctx context.Context, conn *pgx.Conn) error {
	publication := "source publication " + p.cfg.Source.Publication
	p.runAll(ctx, conn, slices.Concat(p.settingsOfSource(), []check{
		{subject: "source role", run: func(ctx context.Context, conn *pgx.Conn) error {
			return p.checkRole(ctx, conn, "source", roles.Replication)
		}},
		{subject: "source log", run: p.of(p.checkLog, "source")},
		{subject: "source role", run: p.checkReplicationRight},
		{subject: "source role", run: p.checkHeartbeatRight},
		{subject: "tables", run: p.checkTables},
		{subject: "tables", run: p.checkUnmapped},
		{subject: "tables", run: p.checkRowSecurity, catalog: true},
		{subject: "tables", run: p.checkReads, catalog: true},
		{subject: "source role", run: p.checkExcess, catalog: true},
		{subject: "values", run: p.checkValues, catalog: true},
		{subject: "documents", run: p.checkDocuments, catalog: true},
		{subject: "notes", run: p.checkNotes, catalog: true},
		{subject: publication, run: p.checkPublication, catalog: true},
	}, p.retention()))
	return nil
}

// of binds a check of either server to its subject.
func (*run) of(do func(context.Context, *pgx.Conn, string) error, subject string) func(context.Context, *pgx.Conn) error {
	return func(ctx context.Context, conn *pgx.Conn) error { return do(ctx, conn, subject) }
}

func (p *run) checkWAL(ctx context.Context, conn *pgx.Conn) error {
	s, err := postgres.Settings(ctx, conn, "wal_level")
	switch level := s["wal_level"]; {
	case err != nil:
		return err
	case level == "logical":
		p.OK("source wal_level", "logical")
	default:
		p.Problem("source wal_level", "is "+level+", and logical replication needs logical",
			p.service.logicalDecoding())
	}
	return nil
}

func (p *run) checkPrimary(ctx context.Context, conn *pgx.Conn) error {
	var standby bool
	if err := conn.QueryRow(ctx, "select pg_is_in_recovery()").Scan(&standby); err != nil {
		return err
	}
	if standby {
		p.Problem("source", "is a standby, and pgdeid follows a primary", config.StandbyHint)
	}
	return nil
}

// checkFree looks for a free slot and a free sender.
func (p *run) checkFree(ctx context.Context, conn *pgx.Conn) error {
	for _, f := range []struct{ setting, used string }{
		{"max_replication_slots", "select count(*) from pg_replication_slots where slot_name <> $1"},
		{"max_wal_senders", "select count(*) from pg_stat_replication where $1 <> ''"},
	} {
		most, err := postgres.Number(ctx, conn, "select current_setting($1)::int", f.setting)
		if err != nil {
			return err
		}
		used, err := postgres.Number(ctx, conn, f.used, p.cfg.Source.Slot)
		if err != nil {
			return err
		}
		if used >= most {
			p.Problem("source "+f.setting, fmt.Sprintf("all %d are in use", most),
				p.service.settingAtStart(f.setting, strconv.FormatInt(most+2, 10))+"; or drop unused ones")
		} else {
			p.OK("source "+f.setting, "%d of %d are in use", used, most)
		}
	}
	return nil
}

func (p *run) checkSlot(ctx context.Context, conn *pgx.Conn) error {
	name := p.cfg.Source.Slot
	subject := "source slot " + name
	rows, err := conn.Query(ctx, `select coalesce(plugin, ''), coalesce(database, ''), coalesce(wal_status, ''), database = current_database()
		from pg_replication_slots where slot_name = $1`, name)
	if err != nil {
		return err
	}
	var plugin, database, status string
	var here bool
	tag, err := pgx.ForEachRow(rows, []any{&plugin, &database, &status, &here}, func() error { return nil })
	switch {
	case err != nil:
		return err
	case tag.RowsAffected() == 0:
		p.noSlot = true // good or bad, which the replica shows
	case plugin != "pgoutput" || !here:
		p.Problem(subject, fmt.Sprintf("belongs to plugin %s and database %s", plugin, database), "choose another name under source.slot")
	case status == "lost":
		p.Problem(subject, "is lost: it fell further behind than max_slot_wal_keep_size allows",
			lostSlotRemedy)
	case status == "unreserved":
		p.Warn(subject, "is about to be lost: it is further behind than max_slot_wal_keep_size",
			"start \"pgdeid run\" now, or raise max_slot_wal_keep_size")
	default:
		p.OK(subject, "exists; WAL %s", status)
	}
	return nil
}

func (p *run) checkReplicationRight(ctx context.Context, conn *pgx.Conn) error {
	var may bool
	err := conn.QueryRow(ctx, `select rolsuper or rolreplication
			or coalesce((select pg_has_role(g.oid, 'member') from pg_roles g where g.rolname = 'rds_replication'), false)
		from pg_roles where rolname = current_user`).Scan(&may)
	if err == nil && !may {
		p.Problem("source role", "may not replicate",
			p.service.replicationRight(conn.Config().User))
	}
	return err
}

// checkHeartbeatRight asks by the function's name: its arguments depend on the version.
func (p *run) checkHeartbeatRight(ctx context.Context, conn *pgx.Conn) error {
	closed, err := postgres.Names(ctx, conn, `
select oid::regprocedure::text from pg_proc
where proname = 'pg_logical_emit_message' and pronamespace = 'pg_catalog'::regnamespace
  and proargtypes[2] = 'text'::regtype and not has_function_privilege(oid, 'execute')`)
	if err != nil {
		return err
	}
	for _, function := range closed {
		p.Problem("source role", "may not call pg_logical_emit_message, which the heartbeat does",
			"grant execute on function "+function+" to "+quote.Name(conn.Config().User))
	}
	return nil
}

// checkTables compares mapping and catalogue.
func (p *run) checkTables(ctx context.Context, conn *pgx.Conn) error {
	cat, err := catalog.Read(ctx, conn, p.cfg)
	if err != nil {
		return err
	}
	p.catalog = cat
	p.List = append(p.List, examine.Mapping(p.cfg, cat)...)
	return nil
}

// checkUnmapped names the tables that are not mapped, so that none is forgotten:
// those without a primary key are in no proposal.
func (p *run) checkUnmapped(ctx context.Context, conn *pgx.Conn) error {
	schemas, tables := catalog.TableNames(p.cfg)
	const query = `
select n.nspname || '.' || c.relname
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition
  and (n.nspname, c.relname) not in (select * from unnest($1::text[], $2::text[]))
  and exists (select from pg_index i where i.indrelid = c.oid and (i.indisprimary or c.relreplident = 'i' and i.indisreplident)) = $3
order by 1`
	for _, kind := range []struct {
		text string
		key  bool
	}{
		{"not mapped, so not copied: ", true},
		{"not mapped, and without a primary key, which they need to be mapped: ", false},
	} {
		list, err := postgres.Names(ctx, conn, query, schemas, tables, kind.key)
		if err != nil {
			return err
		}
		if len(list) > 0 {
			p.Note("tables", "%s%s", kind.text, strings.Join(list, ", "))
		}
	}
	return nil
}

func (p *run) checkRowSecurity(ctx context.Context, conn *pgx.Conn) error {
	for i := range p.cfg.Tables {
		t := &p.cfg.Tables[i]
		table := p.catalog.Tables[t.FullName()]
		if table == nil || !table.RowSecurity {
			continue
		}
		applies, err := postgres.Number(ctx, conn, `select row_security_active(c.oid)::int from pg_class c join pg_namespace n on n.oid = c.relnamespace
			where n.nspname = $1 and c.relname = $2`, t.Schema, t.Name)
		if err != nil {
			return err
		}
		if applies == 1 {
			p.Problem("table "+t.FullName(), "has row-level security, so the first copy would miss rows without a word",
				fmt.Sprintf("create policy pgdeid on %s for select to %s using (true)", quote.Name(t.Schema, t.Name), quote.Name(conn.Config().User)))
		}
	}
	return nil
}

// checkReads makes sure that every column that leaves can be read.
func (p *run) checkReads(ctx context.Context, conn *pgx.Conn) error {
	for i := range p.cfg.Tables {
		t := &p.cfg.Tables[i]
		if p.catalog.Tables[t.FullName()] == nil {
			continue
		}
		missing, err := postgres.Names(ctx, conn, `select a.attname::text
			from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
			where n.nspname = $1 and c.relname = $2 and a.attname = any($3)
			  and not (has_column_privilege(c.oid, a.attnum, 'select') and has_schema_privilege(n.oid, 'usage'))`,
			t.Schema, t.Name, p.catalog.Leaving(p.cfg, t))
		if err != nil {
			return err
		}
		if len(missing) > 0 {
			p.Problem("table "+t.FullName(), "the replication role can't read: "+few(missing), "run \"pgdeid migrate up\"")
		}
	}
	return nil
}

// checkExcess looks for tables and columns that the role can read without need.
func (p *run) checkExcess(ctx context.Context, conn *pgx.Conn) error {
	var tables, columns []string
	for i := range p.cfg.Tables {
		t := &p.cfg.Tables[i]
		for _, c := range p.catalog.Leaving(p.cfg, t) {
			tables, columns = append(tables, t.FullName()), append(columns, c)
		}
	}
	excess, err := postgres.Names(ctx, conn, `
select distinct format('%s.%s', n.nspname, c.relname)
from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
where a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'p', 'v', 'm', 'f')
  and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_toast'
  and not (n.nspname = 'pgdeid' and c.relname = 'carried_on' and not has_column_privilege(c.oid, a.attnum, 'insert, update'))
  and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  and has_schema_privilege(n.oid, 'usage') and has_column_privilege(c.oid, a.attnum, 'select, insert, update')
  and not (has_column_privilege(c.oid, a.attnum, 'select') and not has_column_privilege(c.oid, a.attnum, 'insert, update')
           and (n.nspname || '.' || c.relname, a.attname::text) in (select * from unnest($1::text[], $2::text[])))
order by 1`, tables, columns)
	if err != nil {
		return err
	}
	if len(excess) > 0 {
		p.Warn("source role", "can read more than the mapped columns, or write, in: "+few(excess),
			"revoke that; \"pgdeid migrate up\" grants what is needed and nothing else (rights of PUBLIC count too)")
	}
	return nil
}
