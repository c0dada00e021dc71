package replicator

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// textSettings make both servers write values in one way, whatever their
// defaults: the walsender, the snapshot's queries and the gazetteers' alike.
var textSettings = map[string]string{
	"client_encoding":    "UTF8",
	"datestyle":          "ISO, MDY",
	"intervalstyle":      "postgres",
	"timezone":           "UTC",
	"extra_float_digits": "3",
	"bytea_output":       "hex",
}

// dialer makes connections that find out within half a minute that the other end
// is gone.
func dialer() *net.Dialer {
	return &net.Dialer{KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 15 * time.Second, Interval: 5 * time.Second, Count: 3}}
}

func withTextSettings(cfg *pgx.ConnConfig) *pgx.ConnConfig {
	cfg.DialFunc = dialer().DialContext
	for k, v := range textSettings {
		cfg.RuntimeParams[k] = v
	}
	return cfg
}

// openSource connects to the source for SQL.
func openSource(ctx context.Context, cfg *config.Config, login config.Login) (*pgx.Conn, error) {
	cc, err := cfg.SourceConn(login)
	if err != nil {
		return nil, err
	}
	cc.RuntimeParams["default_transaction_read_only"] = "on"
	return open(ctx, cc, "connect to the source", "source.dsn")
}

// openReplica connects to the replica for writing. Commits wait for the disk: the
// source forgets what was confirmed.
func openReplica(ctx context.Context, cfg *config.Config) (*pgx.Conn, error) {
	cc, err := cfg.ReplicaConn(config.Service)
	if err != nil {
		return nil, err
	}
	cc.RuntimeParams["synchronous_commit"] = "on"
	cc.RuntimeParams["idle_in_transaction_session_timeout"] = "0"
	cc.RuntimeParams["lock_timeout"] = "0"
	return open(ctx, cc, "connect to the replica", "replica.dsn")
}

// openReplication connects to the source for the replication protocol.
func openReplication(ctx context.Context, cfg *config.Config) (*pgconn.PgConn, error) {
	cc, err := cfg.SourceConn(config.Service)
	if err != nil {
		return nil, err
	}
	withTextSettings(cc).RuntimeParams["replication"] = "database"
	conn, err := pgconn.ConnectConfig(ctx, &cc.Config)
	if err != nil {
		return nil, connectFault("connect to the source for replication", "source.dsn", err)
	}
	return conn, nil
}

func open(ctx context.Context, cc *pgx.ConnConfig, op, key string) (*pgx.Conn, error) {
	conn, err := pgx.ConnectConfig(ctx, withTextSettings(cc))
	if err != nil {
		return nil, connectFault(op, key, err)
	}
	return conn, nil
}

func connectFault(op, key string, err error) error {
	hint := "check host and port in " + key + ", and that the server runs"
	switch state := fault.State(err); {
	case strings.HasPrefix(state, "28"):
		hint = "check user and password of " + key + ", and pg_hba.conf of the server; 'pgdeid migrate up' makes pgdeid's roles and sets their passwords"
	case state == "3D000":
		hint = "check the name of the database in " + key
	case state == "42501":
		hint = "give the role REPLICATION ('pgdeid migrate up --target source' makes such a role)"
	}
	return fault.New(op, err, hint)
}

// closeConn closes a connection whatever became of the caller's context.
func closeConn(conn interface{ Close(context.Context) error }) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	_ = conn.Close(ctx) // nothing can be done about it, and nothing is lost
}

// errSilent tells that the source sent nothing, not even when asked.
var errSilent = errors.New("the source does not answer")

// transient reports whether an error may go away by itself: a server that
// restarts, a network path that is cut, a full disk, a lock, a conflict. After it
// the run starts again from the position that the replica holds.
func transient(err error) bool {
	for _, passing := range []error{
		vault.ErrStale, errNotAlone, errStandby, errSilent, errUnpublished, errCopyAgain, io.EOF, io.ErrUnexpectedEOF, net.ErrClosed,
	} {
		if errors.Is(err, passing) {
			return true
		}
	}
	switch state := fault.State(err); {
	case state == "":
		var ne net.Error
		var ce *pgconn.ConnectError
		return errors.As(err, &ne) || errors.As(err, &ce) || errors.Is(err, errConnGone)
	case strings.HasPrefix(state, "08"), strings.HasPrefix(state, "40"), strings.HasPrefix(state, "53"),
		strings.HasPrefix(state, "57P"), strings.HasPrefix(state, "58"), state == "55006", state == "55P03", state == "57014",
		state == "25P03", state == "HV00N": // the foreign server can't reach the source
		return true
	}
	return false
}

// errConnGone is what a closed connection's further use comes to.
var errConnGone = errors.New("connection lost")

// lost marks err where the connection it came from is dead, since pgx's own
// "conn closed" says nothing of why.
func lost(conn *pgx.Conn, err error) error {
	if err != nil && conn.IsClosed() && fault.State(err) == "" {
		return errors.Join(errConnGone, err)
	}
	return err
}
