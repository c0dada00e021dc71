package sql

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// generateReplica makes what follows from the mapping in the replica: research
// tables, the account of every column for analysts, the foreign server.
func generateReplica(ctx context.Context, conn *pgx.Conn, cfg *config.Config, cat *Catalog, opts Options) error {
	const op = "set up the replica for the mapping"
	have, err := readResearch(ctx, conn)
	if err != nil {
		return fault.New(op, err, "")
	}
	plan := planResearch(cfg, cat, have)
	if err := plan.refused(ctx, conn, opts); err != nil {
		return err
	}
	if len(plan.dropped) > 0 {
		if err := alone(ctx, conn, cfg.Source.Slot); err != nil {
			return err
		}
	}
	desk, err := readDesktop(ctx, conn, have)
	if err != nil {
		return err
	}
	if desk.foreign() {
		opts.log().Info("the database has a search_path of its own, which stays: analysts have to name the schemas of the tables")
	}
	statements := append(plan.statements, policyStatements(cfg, cat)...)
	statements = append(statements, desk.statements(cfg, cat)...)
	statements = append(statements, madeForStatement(cfg))
	statements = append(append(statements, vaultGrants()...), jobsGrants()...)
	if err := inTx(ctx, conn, statements); err != nil {
		return fault.New(op, err, "the role of replica.admin_dsn must be a superuser or own the database")
	}
	for _, change := range plan.changes {
		opts.log().Info(change)
	}
	if err := generateForeign(ctx, conn, cfg, cat, opts); err != nil {
		return err
	}
	return setRolePassword(ctx, conn, replicaLogin(cfg), opts)
}

// vaultGrants are the grants that the static migrations make, once more: somebody may
// have taken one away since, and "migrate up" is what everybody tries first.
func vaultGrants() []string {
	return []string{
		"grant select on deid.schema_migrations to " + ServiceRole,
		"grant usage on schema deid, deid_info, deid_rows, deid_waiting, deid_released to " + ServiceRole,
		"grant select, update on deid.release to " + ServiceRole,
		"grant select, delete on deid.row_order to " + ServiceRole,
		"grant execute on function deid.put_in_order(text), deid.set_readable(text, boolean) to " + ServiceRole,
		"grant usage on schema deid_info to " + AnalystRole,
		"grant select, insert, update, delete on deid.surrogate, deid.date_shift, deid.progress, deid.snapshot, deid.quarantine, " +
			"deid.requeue, deid.note_provenance, deid.detector, deid.key_check, deid.maintenance, deid.withheld to " + ServiceRole,
		"grant select, insert, update, delete on deid.membership, deid.copy_plan, deid.copy_chunk to " + ServiceRole,
		"grant select on deid.made_for to " + ServiceRole,
		"grant select, insert on deid.dataset to " + ServiceRole,
		"grant select, insert, update, delete on deid.directory, deid.directory_word, deid.requeue_path, deid.patient_former to " + ServiceRole,
		"grant select, insert, update, delete on deid.patient_filter, deid.patient_merge to " + ServiceRole,
		"grant usage on schema deid_before to " + ServiceRole,
		"grant select on deid.rotation to " + ServiceRole,
		"grant select, delete on deid.rotation_word, deid.rotation_former to " + ServiceRole,
		"grant select, insert, update on deid.purged to " + ServiceRole,
		"grant usage on sequence deid.purged_change, deid.copy_chunk_number to " + ServiceRole,
		"grant select, insert on deid.verified_version to " + ServiceRole,
		"grant select, insert, update (retired) on deid.verified to " + ServiceRole,
		"grant select, insert, delete on deid.review_item to " + ServiceRole,
		"grant select, insert, update on deid.review_reading, deid.review_view to " + ServiceRole,
		"grant select, insert, update (closed_at) on deid.review_round to " + ServiceRole,
		"grant select, insert, delete on deid.review_repair, deid.review_member to " + ServiceRole,
		"grant update (void, taken_by, sealed) on deid.review_repair to " + ServiceRole,
		"grant select, insert on deid.site_version to " + ServiceRole,
		"grant select, insert, update (retired) on deid.site_phrase to " + ServiceRole,
		"grant select on deid.v_quarantine_summary, deid.v_status, deid.column_policy, deid.generated to " + ServiceRole,
		fmt.Sprintf("grant select on deid_info.column_policy, deid_info.freshness, deid_info.withheld, deid_info.dataset to %s, %s", AnalystRole, ServiceRole),
	}
}

// policyStatements write deid.column_policy anew.
func policyStatements(cfg *config.Config, cat *Catalog) []string {
	statements := []string{"delete from deid.column_policy"}
	for i := range cfg.Tables {
		t := &cfg.Tables[i]
		for position, in := range cat.Tables[t.FullName()].Columns {
			c, ok := t.Column(in.Name)
			if !ok {
				c = &config.Column{Publish: config.Drop}
			}
			published := "null"
			if dataType, err := c.ReplicaType(in.Type); err == nil && dataType != "" {
				published = literal(dataType)
			}
			statements = append(statements, fmt.Sprintf(
				"insert into deid.column_policy (table_schema, table_name, column_name, position, policy, data_type, explanation) values "+
					"(%s, %s, %s, %d, %s, %s, %s)",
				literal(t.Schema), literal(t.Name), literal(in.Name), position+1, literal(c.Treatment()), published, literal(config.Explain(c.Treatment()))))
		}
	}
	return statements
}

// dropReplica takes away what generateReplica made.
func dropReplica(ctx context.Context, conn *pgx.Conn, opts Options) error {
	const op = "take pgdeid out of the replica"
	have, err := readResearch(ctx, conn)
	if err != nil {
		return fault.New(op, err, "")
	}
	var statements, doomed []string
	for _, t := range have.sorted() {
		if t.view != nil {
			statements = append(statements, "drop view "+ident(t.schema, t.name))
		}
		if t.key != nil {
			rows := ident(RowsSchema, rowsName(t.schema+"."+t.name))
			doomed = append(doomed, rows)
			statements = append(statements, append(dropStages(t), "drop table "+rows)...)
		}
	}
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
	statements = append(statements, revokeSchemas(have)...)
	desk, err := readDesktop(ctx, conn, have)
	if err != nil {
		return err
	}
	statements = append(statements, desk.undo()...)
	for _, name := range have.made["schema"] {
		statements = append(statements, "drop schema "+ident(name))
	}
	foreign, err := dropForeignStatements(ctx, conn, have)
	if err != nil {
		return fault.New(op, err, "")
	}
	statements = append(append(statements, foreign...), dropExtension(have)...)
	statements = append(statements, "delete from deid.generated", "revoke all on deid.schema_migrations from "+ServiceRole)
	return fault.New(op, inTx(ctx, conn, statements),
		"something that pgdeid did not make depends on its tables: drop or move that first (pgdeid never drops with cascade)")
}

// revokeSchemas takes the grants on schemas back that are not pgdeid's own.
func revokeSchemas(have *research) []string {
	var statements []string
	seen := map[string]bool{}
	for _, t := range have.sorted() {
		if !seen[t.schema] {
			seen[t.schema] = true
			statements = append(statements, fmt.Sprintf("revoke usage on schema %s from %s", ident(t.schema), AnalystRole))
		}
	}
	return statements
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
