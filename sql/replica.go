package sql

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/sql/catalog"
	"github.com/pgdeid/pgdeid/sql/foreign"
	"github.com/pgdeid/pgdeid/sql/jobs"
	"github.com/pgdeid/pgdeid/sql/postgres"
	"github.com/pgdeid/pgdeid/sql/research"
	"github.com/pgdeid/pgdeid/sql/roles"
)

// generateReplica makes what follows from the mapping in the replica: research
// tables, the account of every column for analysts, the foreign server.
func generateReplica(ctx context.Context, conn *pgx.Conn, cfg *config.Config, cat *catalog.Catalog, opts Options) error {
	const op = "set up the replica for the mapping"
	have, err := research.Read(ctx, conn)
	if err != nil {
		return fault.New(op, err, "")
	}
	plan := research.NewPlan(cfg, cat, have)
	if err := refused(ctx, conn, plan, opts); err != nil {
		return err
	}
	if len(plan.Dropped) > 0 {
		if err := research.LockSlot(ctx, conn, cfg.Source.Slot); err != nil {
			return err
		}
	}
	desk, err := research.ReadDesktop(ctx, conn, have)
	if err != nil {
		return err
	}
	if desk.OthersPath() {
		opts.log().Info("the database has a search_path of its own, which stays: analysts have to name the schemas of the tables")
	}
	statements := append(plan.Statements, research.PolicyStatements(cfg, cat)...)
	statements = append(statements, desk.Statements(cfg, cat)...)
	statements = append(statements, research.MappingStatement(cfg))
	statements = append(append(statements, vaultGrants()...), jobs.Grants()...)
	if err := postgres.InTx(ctx, conn, statements); err != nil {
		return fault.New(op, err, "the role of replica.admin_dsn must be a superuser or own the database")
	}
	for _, change := range plan.Changes {
		opts.log().Info(change)
	}
	if err := foreign.Make(ctx, conn, cfg, cat, opts.log()); err != nil {
		return err
	}
	return roles.SetReplicaPassword(ctx, conn, cfg, opts.log())
}

// vaultGrants are the grants that the static migrations make, once more: somebody may
// have taken one away since, and "migrate up" is what everybody tries first.
func vaultGrants() []string {
	return []string{
		"grant select on deid.schema_migrations to " + roles.Service,
		"grant usage on schema deid, deid_info, deid_rows, deid_waiting, deid_released to " + roles.Service,
		"grant select, update on deid.release to " + roles.Service,
		"grant select, delete on deid.row_order to " + roles.Service,
		"grant execute on function deid.put_in_order(text), deid.set_readable(text, boolean) to " + roles.Service,
		"grant usage on schema deid_info to " + roles.Analyst,
		"grant select, insert, update, delete on deid.surrogate, deid.date_shift, deid.progress, deid.snapshot, deid.quarantine, " +
			"deid.requeue, deid.note_provenance, deid.detector, deid.key_check, deid.maintenance, deid.withheld to " + roles.Service,
		"grant select, insert, update, delete on deid.membership, deid.copy_plan, deid.copy_chunk to " + roles.Service,
		"grant select on deid.made_for to " + roles.Service,
		"grant select, insert on deid.dataset to " + roles.Service,
		"grant select, insert, update, delete on deid.directory, deid.directory_word, deid.requeue_path, deid.patient_former to " + roles.Service,
		"grant select, insert, update, delete on deid.patient_filter, deid.patient_merge to " + roles.Service,
		"grant usage on schema deid_before to " + roles.Service,
		"grant select on deid.rotation to " + roles.Service,
		"grant select, delete on deid.rotation_word, deid.rotation_former to " + roles.Service,
		"grant select, insert, update on deid.purged to " + roles.Service,
		"grant usage on sequence deid.purged_change, deid.copy_chunk_number to " + roles.Service,
		"grant select, insert on deid.verified_version to " + roles.Service,
		"grant select, insert, update (retired) on deid.verified to " + roles.Service,
		"grant select, insert, delete on deid.review_item to " + roles.Service,
		"grant select, insert, update on deid.review_reading, deid.review_view to " + roles.Service,
		"grant select, insert, update (closed_at) on deid.review_round to " + roles.Service,
		"grant select, insert, delete on deid.review_repair, deid.review_member to " + roles.Service,
		"grant update (void, taken_by, sealed) on deid.review_repair to " + roles.Service,
		"grant select, insert on deid.site_version to " + roles.Service,
		"grant select, insert, update (retired) on deid.site_phrase to " + roles.Service,
		"grant select on deid.v_quarantine_summary, deid.v_status, deid.column_policy, deid.generated to " + roles.Service,
		fmt.Sprintf("grant select on deid_info.column_policy, deid_info.freshness, deid_info.withheld, deid_info.dataset to %s, %s", roles.Analyst, roles.Service),
	}
}

// dropReplica takes away what generateReplica made.
func dropReplica(ctx context.Context, conn *pgx.Conn, opts Options) error {
	const op = "take pgdeid out of the replica"
	have, err := research.Read(ctx, conn)
	if err != nil {
		return fault.New(op, err, "")
	}
	statements, doomed := have.DropTables()
	doomed = append(doomed, "deid.surrogate", "deid.note_provenance", "deid.quarantine")
	for _, name := range []string{"deid.verified", "deid.review_reading", "deid.review_repair", "deid.site_phrase"} { // a replica may be older than these
		var there bool
		if err := conn.QueryRow(ctx, "select to_regclass($1) is not null", name).Scan(&there); err != nil {
			return fault.New(op, err, "")
		}
		if there {
			doomed = append(doomed, name)
		}
	}
	if err := refuseRows(ctx, conn, doomed, opts); err != nil {
		return err
	}
	statements = append(statements, have.RevokeSchemas()...)
	desk, err := research.ReadDesktop(ctx, conn, have)
	if err != nil {
		return err
	}
	statements = append(statements, desk.Undo()...)
	statements = append(statements, have.DropSchemas()...)
	server, err := foreign.Drop(ctx, conn, have)
	if err != nil {
		return fault.New(op, err, "")
	}
	statements = append(statements, server...)
	statements = append(statements, "delete from deid.generated", "revoke all on deid.schema_migrations from "+roles.Service)
	return fault.New(op, postgres.InTx(ctx, conn, statements),
		"something that pgdeid did not make depends on its tables: drop or move that first (pgdeid never drops with cascade)")
}

// refuseRows returns an error if one of tables holds rows and opts does not allow
// to lose them.
func refuseRows(ctx context.Context, conn *pgx.Conn, tables []string, opts Options) error {
	const op = "check that no data are lost"
	if opts.DropData {
		return nil
	}
	for _, table := range tables {
		var rows bool
		if err := conn.QueryRow(ctx, "select exists (select from "+table+")").Scan(&rows); err != nil {
			return fault.New(op, err, "")
		}
		if rows {
			return fault.New(op, fmt.Errorf("table %s of the replica holds rows and would be dropped", table),
				"say --yes if that is what you want; they can be made again from the source, but for deid.verified: 'pgdeid harvest export' keeps it")
		}
	}
	return nil
}

// refused returns an error if a plan can't be carried out, or would lose rows
// that opts does not allow to lose.
func refused(ctx context.Context, conn *pgx.Conn, plan *research.Plan, opts Options) error {
	if err := plan.Problems.Problems(); err != nil {
		return fault.New("set up the research tables", err, "\"pgdeid check\" lists all findings")
	}
	return refuseRows(ctx, conn, plan.Dropped, opts)
}
