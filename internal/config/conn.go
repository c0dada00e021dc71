package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// Login says as whom to connect.
type Login int

// The logins.
const (
	Service Login = iota // as the dsn says: pgdeid_replication, pgdeid_service
	Admin                // as admin_dsn says: for migrations
	Reader               // at the source, as pgdeid_reader: for gazetteers read directly
)

// ReaderRole is the role that gazetteers are read with at the source.
const ReaderRole = "pgdeid_reader"

// SourceConn returns the configuration of a connection to the EHR's database.
// For replication, set RuntimeParams["replication"] = "database". The password
// comes from the environment or a file; TLS is verify-full for other hosts
// unless the connection string says otherwise.
func (c *Config) SourceConn(login Login) (*pgx.ConnConfig, error) {
	s := c.Source
	switch login {
	case Admin:
		return connect("source.admin_dsn", s.AdminDSN, s.AdminPasswordFile, "PGDEID_SOURCE_ADMIN_PASSWORD")
	case Reader:
		if err := checkSessionAttrs(s.DSN); err != nil {
			return nil, err
		}
		cfg, err := connect("source.dsn", s.DSN, s.ReaderPasswordFile, "PGDEID_READER_PASSWORD")
		if err == nil {
			cfg.User = ReaderRole
		}
		return cfg, err
	}
	if err := checkSessionAttrs(s.DSN); err != nil {
		return nil, err
	}
	return connect("source.dsn", s.DSN, s.PasswordFile, "PGDEID_SOURCE_PASSWORD")
}

// ReplicaConn returns the configuration of a connection to the research database.
func (c *Config) ReplicaConn(login Login) (*pgx.ConnConfig, error) {
	r := c.Replica
	if login == Admin {
		return connect("replica.admin_dsn", r.AdminDSN, r.AdminPasswordFile, "PGDEID_REPLICA_ADMIN_PASSWORD")
	}
	return connect("replica.dsn", r.DSN, r.PasswordFile, "PGDEID_REPLICA_PASSWORD")
}

func connect(key, dsn, passwordFile, passwordEnv string) (*pgx.ConnConfig, error) {
	op := "connect as " + key + " says"
	if dsn == "" {
		return nil, fault.New(op, errors.New("it is not set"), "set "+key+" in the configuration, or "+envOf(key))
	}
	cfg, err := parseDSN(dsn)
	if err != nil {
		return nil, fault.New(op, errors.New("not a valid connection string, or a file that it names can't be read"),
			"check "+key+": hosts, names of certificates and services")
	}
	if password, ok, err := Secret(passwordFile, passwordEnv); err != nil {
		return nil, err
	} else if ok {
		cfg.Password = password
	}
	if cfg.ConnectTimeout == 0 {
		cfg.ConnectTimeout = 10 * time.Second
	}
	if cfg.RuntimeParams["application_name"] == "" {
		cfg.RuntimeParams["application_name"] = "pgdeid"
	}
	return cfg, nil
}

func envOf(key string) string {
	return "PGDEID_" + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

// Secret returns a password from a variable of the environment or, where that is
// not set, from a file (its first line); ok is false if there is neither.
func Secret(file, env string) (secret string, ok bool, err error) {
	if v, set := os.LookupEnv(env); set {
		return v, true, nil
	}
	if file == "" {
		return "", false, nil
	}
	data, err := readFile(file, readable)
	if err != nil {
		hint := "make the file readable for the user that pgdeid runs as"
		switch {
		case fault.Hint(err) != "":
			hint = fault.Hint(err)
		case errors.Is(err, fs.ErrNotExist):
			hint = "correct password_file, whose names are relative to the configuration file's folder, or set " + env
		}
		return "", false, fault.New("read password file "+file, err, hint)
	}
	line, _, _ := strings.Cut(string(data), "\n")
	line = strings.TrimSuffix(line, "\r")
	if line == "" {
		return "", false, fault.New("read password file "+file, fmt.Errorf("its first line is empty"), "write the password into its first line, or set "+env)
	}
	return line, true, nil
}

// Connect returns the configuration of a connection to a database that no
// configuration file names. The password comes from the variable passwordEnv or
// from passwordFile.
func Connect(dsn, passwordFile, passwordEnv string) (*pgx.ConnConfig, error) {
	if text := dsnProblem(dsn); text != "" {
		return nil, fault.New("read --dsn", errors.New(text), "")
	}
	cfg, err := connect("--dsn", dsn, passwordFile, passwordEnv)
	if err == nil {
		cfg.RuntimeParams["search_path"] = "pg_catalog" // so that no function of a well-known name in another schema is run
	}
	return cfg, err
}
