package config

import (
	"net/netip"
	"net/url"
	"os"
	"regexp"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// dsnText returns a setter of a connection string, which must not hold a
// password.
func dsnText(dst *string) func(node) {
	return func(n node) {
		s, ok := n.scalar()
		if !ok {
			return
		}
		if text := dsnProblem(s); text != "" {
			n.fail("%s", text)
			return
		}
		*dst = s
	}
}

var passwordWord = regexp.MustCompile(`(?i)(^|\s)(ssl)?password\s*=`)

// dsnProblem says what is wrong with a connection string without quoting it, or "".
func dsnProblem(s string) string {
	const form = "not a connection string: want postgres://USER@HOST:PORT/DATABASE or \"host=… dbname=… user=…\""
	if isURL(s) {
		u, err := url.Parse(s)
		if err != nil {
			return form
		}
		_, in := u.User.Password()
		if q := u.Query(); in || q.Has("password") || q.Has("sslpassword") {
			return "a password stands in the connection string: put it into a file and name that with password_file " +
				"(or set PGDEID_…_PASSWORD)"
		}
	} else if passwordWord.MatchString(s) {
		return "a password stands in the connection string: put it into a file and name that with password_file " +
			"(or set PGDEID_…_PASSWORD)"
	}
	if _, err := pgconn.ParseConfig(s); err != nil && !mentionsFiles(s) {
		return form
	}
	return ""
}

// mentionsFiles reports whether a connection string names files or services,
// which may be missing where the file is only checked.
func mentionsFiles(s string) bool {
	return strings.Contains(s, "sslcert") || strings.Contains(s, "sslrootcert") || strings.Contains(s, "sslkey") ||
		strings.Contains(s, "service")
}

func isURL(s string) bool {
	return strings.HasPrefix(s, "postgres://") || strings.HasPrefix(s, "postgresql://")
}

var sslmodeWord = regexp.MustCompile(`(?i)(^|\s)sslmode\s*=\s*'?([a-z-]+)`)

// SSLMode returns the sslmode that a connection string (or PGSSLMODE) asks for,
// or "" if neither says anything.
func SSLMode(dsn string) string {
	if isURL(dsn) {
		if u, err := url.Parse(dsn); err == nil && u.Query().Has("sslmode") {
			return u.Query().Get("sslmode")
		}
	} else if m := sslmodeWord.FindStringSubmatch(dsn); m != nil {
		return m[2]
	}
	return os.Getenv("PGSSLMODE")
}

// withTLS asks for sslmode=verify-full unless the connection string says
// otherwise or leads to this machine only.
func withTLS(dsn string) string {
	if SSLMode(dsn) != "" {
		return dsn
	}
	cfg, err := pgconn.ParseConfig(dsn)
	if err != nil || OnlyLocal(cfg) {
		return dsn
	}
	if !isURL(dsn) {
		return dsn + " sslmode=verify-full"
	}
	u, err := url.Parse(dsn)
	if err != nil {
		return dsn
	}
	q := u.Query()
	q.Set("sslmode", "verify-full")
	u.RawQuery = q.Encode()
	return u.String()
}

// OnlyLocal reports whether all hosts of a connection are this machine: sockets
// and loopback addresses.
func OnlyLocal(cfg *pgconn.Config) bool {
	hosts := []string{cfg.Host}
	for _, f := range cfg.Fallbacks {
		hosts = append(hosts, f.Host)
	}
	for _, h := range hosts {
		if strings.HasPrefix(h, "/") || strings.HasPrefix(h, "@") || h == "localhost" {
			continue
		}
		if ip, err := netip.ParseAddr(h); err != nil || !ip.IsLoopback() {
			return false
		}
	}
	return true
}

// parseDSN returns the configuration of a connection, with TLS as [withTLS] says.
func parseDSN(dsn string) (*pgx.ConnConfig, error) { return pgx.ParseConfig(withTLS(dsn)) }

// DSNValue returns the value of a word of a connection string, such as
// "sslrootcert", or "".
func DSNValue(dsn, word string) string {
	if isURL(dsn) {
		if u, err := url.Parse(dsn); err == nil {
			return u.Query().Get(word)
		}
		return ""
	}
	m := regexp.MustCompile(`(?i)(?:^|\s)` + regexp.QuoteMeta(word) + `\s*=\s*(?:'((?:[^'\\]|\\.)*)'|(\S+))`).FindStringSubmatch(dsn)
	if m == nil {
		return ""
	}
	return strings.ReplaceAll(m[1]+m[2], `\`, "")
}
