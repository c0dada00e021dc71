// Package connect opens connections to the source and the replica, with the settings that
// replication relies on.
package connect

import (
	"context"
	"errors"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
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

// Source connects to the source for SQL.
func Source(ctx context.Context, cfg *config.Config, login config.Login) (*pgx.Conn, error) {
	cc, err := cfg.SourceConn(login)
	if err != nil {
		return nil, err
	}
	cc.RuntimeParams["default_transaction_read_only"] = "on"
	return open(ctx, cc, "connect to the source", "source.dsn")
}

// Replica connects to the replica for writing. Commits wait for the disk: the
// source forgets what was confirmed.
func Replica(ctx context.Context, cfg *config.Config) (*pgx.Conn, error) {
	cc, err := cfg.ReplicaConn(config.Service)
	if err != nil {
		return nil, err
	}
	cc.RuntimeParams["synchronous_commit"] = "on"
	cc.RuntimeParams["idle_in_transaction_session_timeout"] = "0"
	cc.RuntimeParams["lock_timeout"] = "0"
	conn, err := open(ctx, cc, "connect to the replica", "replica.dsn")
	if err == nil {
		writeArrays(conn.TypeMap())
	}
	return conn, err
}

// ReplicaAdmin connects to the replica as the role that migrates, who may make temporary tables.
func ReplicaAdmin(ctx context.Context, cfg *config.Config) (*pgx.Conn, error) {
	cc, err := cfg.ReplicaConn(config.Admin)
	if err != nil {
		return nil, err
	}
	return open(ctx, cc, "connect to the replica as its administrator", "replica.admin_dsn")
}

// ReplicaPool connects to the replica for several goroutines, as needed.
func ReplicaPool(ctx context.Context, cfg *config.Config, most int32) (*pgxpool.Pool, error) {
	cc, err := cfg.ReplicaConn(config.Service)
	if err != nil {
		return nil, err
	}
	pc, err := pgxpool.ParseConfig("")
	if err != nil {
		return nil, err
	}
	pc.ConnConfig, pc.MaxConns = withTextSettings(cc), most
	pool, err := pgxpool.NewWithConfig(ctx, pc)
	if err != nil {
		return nil, refused("connect to the replica", "replica.dsn", err)
	}
	return pool, nil
}

// Replication connects to the source for the replication protocol.
func Replication(ctx context.Context, cfg *config.Config) (*pgconn.PgConn, error) {
	cc, err := cfg.SourceConn(config.Service)
	if err != nil {
		return nil, err
	}
	withTextSettings(cc).RuntimeParams["replication"] = "database"
	conn, err := pgconn.ConnectConfig(ctx, &cc.Config)
	if err != nil {
		return nil, refused("connect to the source for replication", "source.dsn", err)
	}
	return conn, nil
}

func open(ctx context.Context, cc *pgx.ConnConfig, op, key string) (*pgx.Conn, error) {
	conn, err := pgx.ConnectConfig(ctx, withTextSettings(cc))
	if err != nil {
		return nil, refused(op, key, err)
	}
	return conn, nil
}

func refused(op, key string, err error) error {
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

// Close closes a connection whatever became of the caller's context.
func Close(conn interface{ Close(context.Context) error }) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	_ = conn.Close(ctx) // nothing can be done about it, and nothing is lost
}

// ErrGone is what a closed connection's further use comes to.
var ErrGone = errors.New("connection lost")

// Lost marks err where the connection it came from is dead, since pgx's own
// "conn closed" says nothing of why.
func Lost(conn *pgx.Conn, err error) error {
	if err != nil && fault.State(err) == "" && conn.IsClosed() {
		return errors.Join(ErrGone, err)
	}
	return err
}
