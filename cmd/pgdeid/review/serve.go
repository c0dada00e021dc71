package review

import (
	"context"
	"log/slog"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/detector"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/serving"
	"github.com/pgdeid/pgdeid/ensemble/harvest"
	"github.com/pgdeid/pgdeid/internal/certificate"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/login"
	"github.com/pgdeid/pgdeid/internal/review/store"
	"github.com/pgdeid/pgdeid/internal/review/web"
	"github.com/pgdeid/pgdeid/replicator/desk"
	"github.com/pgdeid/pgdeid/replicator/session"
)

// stationFlags are the address of the review station and the files of its users and certificate.
type stationFlags struct {
	listen, origin, users, cert, certKey string
	idle, most, recheck                  time.Duration
	harvest                              []string
	harvestPeople                        int
}

func newServeCmd(g *command.Globals) *cobra.Command {
	var f stationFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Show people notes beside what the replica shows, in the browser",
		Long: `serve is a web server for people who check what pgdeid does: each note as the source has
it beside what the replica shows, with what was found, by which members of the ensemble and
how sure. They accept, correct and mark what was missed, with keys, mouse or touch.

Rounds of notes are drawn with 'pgdeid review draw'. What people decide is kept in the vault,
sealed with the key: ranges, types and keyed hashes of words, never a text. A text is read
from the source when it is looked at, in a transaction that has taken on the person's own
role there and can't write; grant that role to the role of source.dsn, and SELECT on the
tables of notes to it. Who was shown which note, when and for how long is in
deid.review_view, and stewards see it in the browser.

"This patient everywhere" adds keyed hashes of the marked words to those of the patient's
record and queues the patient: 'pgdeid run', or 'pgdeid reprocess', makes all notes of the
patient anew without them.

--harvest has verifiers decide about proposals of 'pgdeid harvest' in the browser, as 'pgdeid
harvest review' does on the terminal: decisions go into the same file beside the proposals,
which 'pgdeid harvest import' reads. With --harvest-people 2, two of them have to say yes to
each, neither seeing what the other one said.

People log in with a password, as users of the file that --users names ('pgdeid review
passwd' makes its lines), or at the identity provider that review.oidc of the configuration
names, which is asked again every --recheck: who has lost a role there is out then. Only this machine can connect unless there is a certificate. SIGHUP reads users and
certificate again.`,
		Example: `  pgdeid review passwd jlee --roles reviewer --source-role ehr_jlee >> reviewers && chmod 600 reviewers
  pgdeid review draw first --table ehr.note --notes 300 --by kind,written:year
  pgdeid review serve --users reviewers
  pgdeid review serve --users reviewers --listen 0.0.0.0:8443 --tls-cert server.crt --tls-key server.key \
    --origin https://review.example.org:8443
  pgdeid review serve --users reviewers --harvest proposals.jsonl --harvest-people 2`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runReviewStation(cmd.Context(), g, &f) },
	}
	f.register(cmd.Flags())
	return cmd
}

func (f *stationFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.listen, "listen", "127.0.0.1:9189", "`address` to listen on")
	flags.StringVar(&f.origin, "origin", "", "`address` at which browsers find it, such as https://review.example.org; needed with review.oidc")
	flags.StringVar(&f.users, "users", command.EnvOr("PGDEID_REVIEWERS_FILE", ""),
		"`file` with those who log in with a password (or PGDEID_REVIEWERS_FILE)")
	flags.StringVar(&f.cert, "tls-cert", "", "certificate `file` (PEM)")
	flags.StringVar(&f.certKey, "tls-key", "", "`file` with the certificate's key (PEM)")
	flags.DurationVar(&f.idle, "idle-timeout", 15*time.Minute, "how long a person may do nothing before the session ends")
	flags.DurationVar(&f.recheck, "recheck", web.DefaultRecheck, "how often an identity provider is asked again what a person may do")
	flags.StringSliceVar(&f.harvest, "harvest", nil, "`files` of proposals of 'pgdeid harvest' to be verified")
	flags.IntVar(&f.harvestPeople, "harvest-people", 1, "how many people have to say yes to a proposal: 1 or 2")
	flags.DurationVar(&f.most, "session-timeout", 10*time.Hour, "how long a session lasts at most")
}

func runReviewStation(ctx context.Context, g *command.Globals, f *stationFlags) error {
	if (f.cert == "") != (f.certKey == "") {
		return command.UsageError("--tls-cert and --tls-key go together")
	}
	if f.idle <= 0 || f.most <= 0 || f.recheck <= 0 {
		return command.UsageError("--idle-timeout, --session-timeout and --recheck: want more than 0")
	}
	if f.harvestPeople < 1 || f.harvestPeople > 2 {
		return command.UsageError("--harvest-people: want 1 or 2")
	}
	panels, closePanels, err := f.panels()
	if err != nil {
		return err
	}
	defer closePanels()
	return detector.OpenSession(ctx, g, func(r session.Options) error {
		d, err := desk.Open(ctx, r)
		if err != nil {
			return err
		}
		defer d.Close()
		pool, err := connect.ReplicaPool(ctx, r.Config, reviewConnections)
		if err != nil {
			return err
		}
		defer pool.Close()
		station, err := f.station(ctx, r)
		if err != nil {
			return err
		}
		station.Options.Notes, station.Options.Store, station.Options.Harvest = d, store.New(pool, r.Key), panels
		l, err := station.Listen(ctx, f.listen)
		if err != nil {
			return err
		}
		slog.Info("showing notes to reviewers", "at", l.Addr().String(), "tls", station.TLS != nil)
		return serving.Until(ctx, station, l)
	})
}

// panels opens the files of proposals that --harvest names.
func (f *stationFlags) panels() (list []web.Proposals, closeAll func(), err error) {
	var open []*harvest.Panel
	closeAll = func() {
		for _, p := range open {
			_ = p.Close() // each verdict was synced when it was made
		}
	}
	for _, path := range f.harvest {
		p, err := harvest.OpenPanel(path, f.harvestPeople)
		if err != nil {
			closeAll()
			return nil, nil, command.UsageError("--harvest: %w", err)
		}
		open, list = append(open, p), append(list, p)
	}
	return list, closeAll, nil
}

// reviewConnections is how many requests may talk to the replica at a time, besides those that read notes.
const reviewConnections = 4

// station reads the files that flags and configuration name.
func (f *stationFlags) station(ctx context.Context, r session.Options) (*web.Station, error) {
	s := &web.Station{Options: web.Options{Source: r.Config.Review.SourceRole, Idle: f.idle, Most: f.most, Recheck: f.recheck, Log: slog.Default()}}
	o, err := &s.Options, error(nil)
	if f.origin != "" {
		if o.Origin, err = config.Origin(f.origin); err != nil {
			return nil, err
		}
	}
	if f.users != "" {
		// Users that do not exist look like others by the key of the installation.
		if o.Users, err = login.Load(f.users, r.Key.HMAC("mock users"), web.ParseRights); err != nil {
			return nil, err
		}
	}
	if f.cert != "" {
		if s.TLS, err = certificate.Load(f.cert, f.certKey); err != nil {
			return nil, err
		}
	}
	if p := &r.Config.Review.OIDC; p.Issuer != "" {
		o.OIDC, err = f.provider(ctx, p)
	}
	return s, err
}

// provider asks the identity provider of the configuration for its addresses and keys.
func (f *stationFlags) provider(ctx context.Context, p *config.OIDC) (*web.OIDC, error) {
	if f.origin == "" {
		return nil, command.UsageError("--origin: with review.oidc, say at which address browsers find the review station")
	}
	origin, err := config.Origin(f.origin)
	if err != nil {
		return nil, err
	}
	secret, err := p.ClientSecret()
	if err != nil {
		return nil, err
	}
	return web.Discover(ctx, web.Provider{
		Issuer: p.Issuer, ClientID: p.ClientID, ClientSecret: secret, Redirect: origin.String() + "/login/callback",
		NameClaim: p.NameClaim, RolesClaim: p.RolesClaim, SourceClaim: p.SourceRoleClaim,
	})
}
