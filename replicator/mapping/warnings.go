package mapping

import (
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"
)

// Warnings tells what in a valid file is less safe than it could be: one
// sentence each, without values of the file.
func (c *Config) Warnings() []string {
	var ws []string
	for _, d := range []struct{ key, dsn string }{
		{"source.dsn", c.Source.DSN},
		{"source.admin_dsn", c.Source.AdminDSN},
		{"replica.dsn", c.Replica.DSN},
		{"replica.admin_dsn", c.Replica.AdminDSN},
	} {
		if mode, weak := WeakTLS(d.dsn); weak {
			ws = append(ws, fmt.Sprintf("%s leads to another host with sslmode=%s: PHI and passwords could be read on the way; "+
				"leave sslmode out for verify-full", d.key, mode))
		}
	}
	return ws
}

// WeakTLS reports whether a connection string leads to another host without
// checking that host's certificate, and the mode that it asks for.
func WeakTLS(dsn string) (mode string, weak bool) {
	if dsn == "" {
		return "", false
	}
	cfg, err := pgconn.ParseConfig(dsn)
	if err != nil || OnlyLocal(cfg) {
		return "", false
	}
	mode = SSLMode(dsn)
	return mode, mode != "" && mode != "verify-full"
}
