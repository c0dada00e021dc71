package run

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/detector"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/serving"
	"github.com/pgdeid/pgdeid/internal/certificate"
	"github.com/pgdeid/pgdeid/internal/login"
	"github.com/pgdeid/pgdeid/replicator/desk"
	"github.com/pgdeid/pgdeid/replicator/pgwire"
	"github.com/pgdeid/pgdeid/replicator/session"
	"github.com/pgdeid/pgdeid/replicator/tables"
	"github.com/pgdeid/pgdeid/surrogate"
)

// serveFlags are the address of the engine and the files of its users and certificate.
type serveFlags struct {
	listen, users, cert, certKey string
	http                         string
	sizeMB, sessionMB, memoryMB  int
	opts                         pgwire.Options
}

func newServeCmd(g *command.Globals) *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Answer SQL: the engine as a foreign server for PostgreSQL",
		Long: `serve speaks PostgreSQL's wire protocol, so that any PostgreSQL can attach the engine
through postgres_fdw and de-identify in SQL: 'pgdeid migrate engine up' attaches it. Drivers and
tools connect to a database with the engine attached; serve itself understands what postgres_fdw
sends, and such simple statements from psql:

  SELECT deid_note FROM deidentify WHERE patient_id = '17' AND note = '…'
  SELECT * FROM detect WHERE patient_id = '17' AND note = '…'
  SELECT note_id, deid_note FROM note_deid WHERE note_id = ANY ('{1,2,3}')

It needs the configuration, the key and the databases that 'pgdeid run' needs, and
answers what that would write: same detectors, records, surrogates and date shifts.
A login is worth read access to the identity data of every patient whose key its holder
knows or can guess: answers show which words are in a patient's record, and by how many
days dates are shifted. Give it to services and to stewards of the data, not to analysts.
A user's line says which tables it may ask. The limits by user make a search through many
patients or many guesses slow and visible; they do not prevent it. They are of this process
and start again with it. The log names by pseudonym whom each user asked about.

Clients log in with SCRAM-SHA-256, as users of the file that --users names; make its
lines with 'pgdeid serve passwd'. Only this machine can connect unless there is a
certificate. SIGHUP reads users and certificate again. SIGTERM lets statements that run
finish, for at most --grace.`,
		Example: `  pgdeid serve passwd staging >> users && chmod 600 users
  pgdeid serve --config /etc/pgdeid/pgdeid.yaml --users users
  pgdeid serve --users users --listen 0.0.0.0:7432 --tls-cert server.crt --tls-key server.key
  psql 'host=127.0.0.1 port=7432 user=staging'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runServe(cmd.Context(), g, &f) },
	}
	f.register(cmd.Flags())
	cmd.AddCommand(newServePasswdCmd())
	return cmd
}

func (f *serveFlags) register(flags *pflag.FlagSet) {
	o := &f.opts
	flags.StringVar(&f.listen, "listen", "127.0.0.1:7432", "`address` to listen on")
	flags.StringVar(&f.users, "users", command.EnvOr("PGDEID_USERS_FILE", "users"), "`file` with those who may log in (or PGDEID_USERS_FILE)")
	flags.StringVar(&f.cert, "tls-cert", "", "certificate `file` (PEM)")
	flags.StringVar(&f.certKey, "tls-key", "", "`file` with the certificate's key (PEM)")
	flags.BoolVar(&o.Plaintext, "plaintext", false, "let other machines connect without TLS, where the network is encrypted otherwise")
	flags.StringVar(&f.http, "http", "127.0.0.1:9188", "`address` of /healthz, /readyz and /metrics; \"\" for none")
	flags.IntVar(&o.Limits.Patients, "patients-per-hour", 1000, "distinct patients that one user may ask about within an hour; 0 is no limit")
	flags.IntVar(&o.Limits.Notes, "notes-per-hour", 10_000, "notes that one user may ask about within an hour; 0 is no limit")
	flags.IntVar(&o.Limits.Spans, "spans-per-note", 1000, "how much may be found in a note that a client sends; 0 is no limit")
	flags.IntVar(&o.Sessions, "sessions", 100, "clients at a time")
	flags.IntVar(&f.sizeMB, "message-size", 64, "longest message, in MB")
	flags.IntVar(&f.sessionMB, "session-memory", 256, "what one client may have waiting, in MB")
	flags.IntVar(&f.memoryMB, "memory", 1024, "what all clients may have waiting, in MB")
	flags.DurationVar(&o.StatementTime, "statement-timeout", 30*time.Minute, "longest statement; clients may SET a shorter one")
	flags.DurationVar(&o.IdleTime, "idle-timeout", time.Hour, "how long a client may be silent")
	flags.DurationVar(&o.IdleInTx, "idle-in-transaction-timeout", 10*time.Minute, "the same within a transaction")
	flags.DurationVar(&o.Grace, "grace", 20*time.Second, "time to finish what runs, after the first signal")
}

// options returns the options of the flags, without reading the files that they name.
func (f *serveFlags) options() (pgwire.Options, error) {
	o := f.opts
	o.Log, o.Metrics = slog.Default(), pgwire.NewMetrics()
	o.MessageBytes, o.SessionMemory, o.Memory = f.sizeMB<<20, int64(f.sessionMB)<<20, int64(f.memoryMB)<<20
	if (f.cert == "") != (f.certKey == "") {
		return o, command.UsageError("--tls-cert and --tls-key go together")
	}
	if min(o.Limits.Patients, o.Limits.Notes, o.Limits.Spans) < 0 {
		return o, command.UsageError("limits by user: want 0 or more")
	}
	return o, nil
}

// readFiles reads users and certificate. Users that do not exist look like others by the key
// of the installation.
func (f *serveFlags) readFiles(o *pgwire.Options, key *surrogate.Key) (err error) {
	if o.Users, err = login.Load(f.users, key.HMAC("mock users"), tables.Names().Parse); err != nil {
		return err
	}
	if f.cert != "" {
		o.TLS, err = certificate.Load(f.cert, f.certKey)
	}
	return err
}

func runServe(ctx context.Context, g *command.Globals, f *serveFlags) error {
	o, err := f.options()
	if err != nil {
		return err
	}
	return detector.OpenSession(ctx, g, func(r session.Options) error {
		if err := f.readFiles(&o, r.Key); err != nil {
			return err
		}
		desk, err := desk.Open(ctx, r)
		if err != nil {
			return err
		}
		defer desk.Close()
		asked := tables.New(desk, engineBatches)
		r.Metrics.Add(o.Metrics)
		r.Metrics.Add(asked.Metrics())
		o.Desk = asked
		server, err := pgwire.NewServer(o)
		if err != nil {
			return err
		}
		l, err := server.Listen(ctx, f.listen)
		if err != nil {
			return err
		}
		slog.Info("answering SQL", "at", l.Addr().String(), "tls", o.TLS != nil)
		return serveAll(ctx, server, l, asked, serving.Health{Addr: f.http, Metrics: r.Metrics.Handler()})
	})
}

// engineBatches is how many batches of questions are at work at a time.
const engineBatches = 4

// serveAll serves SQL and HTTP until ctx is done. The tables answer until the last client is gone.
func serveAll(ctx context.Context, server *pgwire.Server, l net.Listener, asked *tables.Tables, health serving.Health) error {
	sql, stop := context.WithCancel(ctx)
	defer stop()
	around, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	g := &errgroup.Group{}
	g.Go(func() error { return asked.Run(around) })
	g.Go(func() error {
		defer stop() // without it nobody sees how the server fares
		return health.Serve(around, ctx)
	})
	err := serving.Until(sql, server, l)
	end()
	return errors.Join(err, g.Wait())
}
