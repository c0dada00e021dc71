// Package preflight checks everything that "pgdeid run" relies on, and changes nothing.
package preflight

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/sql/catalog"
	"github.com/pgdeid/pgdeid/sql/finding"
	"github.com/pgdeid/pgdeid/sql/postgres"
	"github.com/pgdeid/pgdeid/surrogate"
)

// run is one pass over the checks. Each check adds what it finds; one that
// needs what an earlier one could not get is left out.
type run struct {
	finding.List
	cfg     *config.Config
	key     *surrogate.Key   // nil if it can't be read
	catalog *catalog.Catalog // nil if the source can't be asked
	noSlot  bool             // the source was asked and has none
	service managed          // whose the source is
}

// check looks at one subject of a server. What stops it becomes a finding of that
// subject: a check that fails hides no other.
type check struct {
	subject string
	run     func(context.Context, *pgx.Conn) error
	catalog bool // it compares with the source's catalogue
}

// runAll runs checks over one connection. Each ends in findings, whatever becomes of
// the others.
func (p *run) runAll(ctx context.Context, conn *pgx.Conn, checks []check) {
	for _, c := range checks {
		if ctx.Err() != nil {
			return
		}
		if c.catalog && p.catalog == nil {
			p.Problem(c.subject, "was not checked, as the source's catalogue could not be read", "remove that problem first, then check again")
			continue
		}
		if err := c.run(ctx, conn); err != nil {
			err = fault.New("check", err, "")
			p.Problem(c.subject, err.Error(), hintOr(err, "look at that server's log; the other checks were made all the same"))
		}
	}
}

// Run checks everything that "pgdeid run" relies on, with the logins that
// it uses, and changes nothing. The error is for what stops the checks
// themselves, such as the end of ctx; all else is among the findings.
func Run(ctx context.Context, cfg *config.Config) (finding.List, error) {
	p := &run{cfg: cfg}
	p.OK("configuration", "%d tables are mapped; profile %s, %s", len(cfg.Tables), cfg.Surrogates.Profile, cfg.Hash())
	p.checkFiles()
	p.checkRelease()
	p.checkSource(ctx)
	p.checkReplica(ctx)
	return p.List, ctx.Err()
}

// checkFiles looks at the key, the password files and the TLS settings.
func (p *run) checkFiles() {
	key, err := surrogate.ReadKey(p.cfg.KeyFile)
	if err != nil {
		remedy := "let its owner alone read it (chmod 600), or bring back the copy that is in the safe"
		if errors.Is(err, fs.ErrNotExist) {
			remedy = "\"pgdeid key new " + p.cfg.KeyFile + "\" makes one; keep a copy in a safe"
		}
		p.Problem("key", err.Error(), hintOr(err, remedy))
	} else {
		p.key = key
		p.OK("key", "%s can be read by its owner only", p.cfg.KeyFile)
	}
	for _, f := range []string{
		p.cfg.Source.PasswordFile, p.cfg.Source.AdminPasswordFile, p.cfg.Source.ReaderPasswordFile,
		p.cfg.Replica.PasswordFile, p.cfg.Replica.AdminPasswordFile,
	} {
		if f == "" {
			continue
		}
		if err := config.CheckPassword(f); err != nil {
			p.Problem("password file "+f, err.Error(), fault.Hint(err))
		}
	}
	for _, w := range p.cfg.Warnings() {
		what, how, _ := strings.Cut(w, "; ")
		p.Warn("TLS", what, how)
	}
}

// checkRelease says what the moment in which rows appear gives away.
func (p *run) checkRelease() {
	release := p.cfg.Release
	switch {
	case !p.cfg.ShiftsDates():
		p.OK("release", "%s; no dates are moved", release.Mode)
	case release.Mode == config.Live:
		p.Warn("release", "live: a row that appears today shows today as its patient's dates are moved, and so by how many days, "+
			"for all that there is of the patient",
			"where analysts may watch, set release: delayed (with dates: {direction: forward}) or release: batches")
	case release.Mode == config.Batches:
		p.Note("release", "batches every %v: comparing two of them reveals by how much a patient's dates are moved, "+
			"up to that interval", release.Every)
	default:
		p.OK("release", "delayed: rows appear on the day that they show")
	}
}

func hintOr(err error, other string) string {
	if hint := fault.Hint(err); hint != "" {
		return hint
	}
	return other
}

// try connects and runs checks; a failure is a finding. It reports whether the
// connection could be made.
func (p *run) try(ctx context.Context, subject string, conf *pgx.ConnConfig, err error, do func(*pgx.Conn) error) bool {
	connected := false
	if err == nil {
		err = postgres.WithConn(ctx, conf, func(conn *pgx.Conn) error {
			connected = true
			return do(conn)
		})
	}
	if err != nil {
		p.Problem(subject, err.Error(), hintOr(err, ""))
	}
	return connected
}

// few joins names and cuts the list where it gets long.
func few(list []string) string {
	const most = 12
	if len(list) > most {
		return strings.Join(list[:most], ", ") + fmt.Sprintf(" and %d more", len(list)-most)
	}
	return strings.Join(list, ", ")
}

// checkServer looks at what both servers must have.
func (p *run) checkServer(ctx context.Context, conn *pgx.Conn, subject string) error {
	server, err := postgres.ReadVersion(ctx, conn)
	if err != nil {
		return err
	}
	s, err := postgres.Settings(ctx, conn, "server_version")
	if err != nil {
		return err
	}
	if server.Known() {
		p.OK(subject, "connected as %s; PostgreSQL %s", conn.Config().User, s["server_version"])
	} else {
		p.Warn(subject, fmt.Sprintf("PostgreSQL %d is newer than this pgdeid", server.Major()), "look for a newer release of pgdeid")
	}
	return nil
}

// checkEncoding makes sure that text can be searched for names.
func (p *run) checkEncoding(ctx context.Context, conn *pgx.Conn, subject string) error {
	s, err := postgres.Settings(ctx, conn, "server_encoding")
	if err != nil {
		return err
	}
	switch s["server_encoding"] {
	case "UTF8":
		p.OK(subject+" encoding", "UTF8")
	case "SQL_ASCII":
		p.Problem(subject+" encoding", "SQL_ASCII: the server does not know what its bytes mean, so text can't be searched for names",
			"dump the database and load it into one with encoding UTF8")
	default:
		p.Warn(subject+" encoding", s["server_encoding"]+": text is converted to UTF-8 on the way",
			"use UTF8 for the replica, so that every surrogate fits")
	}
	return nil
}

// checkRole warns of a login with another role than the one that pgdeid made, and
// of rights that it does not need. A role that it has to take on first is a
// reviewer's, in which the review station reads: no right of its own, unless that
// role may do more than read tables.
func (p *run) checkRole(ctx context.Context, conn *pgx.Conn, subject, want string) error {
	if user := conn.Config().User; user != want {
		p.Warn(subject+" role", fmt.Sprintf("is %s, but \"pgdeid migrate\" grants what is needed to %s", user, want),
			fmt.Sprintf("name %s in %s.dsn", want, subject))
	}
	excess, err := postgres.Names(ctx, conn, `
select what from pg_roles r, lateral (values
    (rolsuper, 'superuser'), (rolcreaterole, 'createrole'), (rolcreatedb, 'createdb'), (rolbypassrls, 'bypassrls')) v (has, what)
where rolname = current_user and has
union all
select 'member of ' || g.rolname from pg_roles r, pg_roles g
where r.rolname = current_user and not r.rolsuper and g.oid <> r.oid and g.rolname <> 'rds_replication' and pg_has_role(g.oid, 'member')
and (pg_has_role(g.oid, 'usage') or g.rolsuper or g.rolcreaterole or g.rolcreatedb or g.rolreplication or g.rolbypassrls or g.rolname like 'pg\_%')`)
	if err != nil {
		return err
	}
	if len(excess) > 0 && !(len(excess) == 1 && excess[0] == "bypassrls") {
		p.Warn(subject+" role", "has more rights than pgdeid needs: "+few(excess), "log in with the role that \"pgdeid migrate up\" makes")
	} else {
		p.OK(subject+" role", "no more rights than needed")
	}
	return nil
}
