package pgwire

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
)

// parameter is a setting that is reported to clients at the start.
type parameter struct{ name, value string }

// parameters have the version whose statements may be sent here. Newer clients than that send the same.
var parameters = []parameter{
	{"server_version", "15.0"},
	{"server_encoding", "UTF8"},
	{"client_encoding", "UTF8"},
	{"DateStyle", "ISO, MDY"},
	{"IntervalStyle", "postgres"},
	{"TimeZone", "GMT"},
	{"integer_datetimes", "on"},
	{"standard_conforming_strings", "on"},
	{"default_transaction_read_only", "off"},
	{"in_hot_standby", "off"},
	{"is_superuser", "off"},
}

// allowed are the values that settings may be set to, since nothing else is true here.
var allowed = map[string][]string{
	"search_path": {"pg_catalog", "deid"}, "timezone": {"gmt", "utc"}, "datestyle": {"iso", "iso, mdy"}, "intervalstyle": {"postgres"},
	"extra_float_digits": {"0", "1", "2", "3"}, "standard_conforming_strings": {"on"}, "client_encoding": {"utf8", "unicode"},
}

// set changes a setting.
func (c *session) set(name, value string) *Error {
	name = strings.ToLower(name)
	switch name {
	case "application_name":
		c.who.application = Printable(value)
		c.wire.proto.Send(&pgproto3.ParameterStatus{Name: name, Value: c.who.application})
		return nil
	case "statement_timeout":
		d, ok := parseTimeout(value)
		if !ok {
			return failf(stateBadText, "invalid value for parameter \"statement_timeout\"").hinted("a number of milliseconds, or one with ms, s, min or h")
		}
		c.timeout = d
		return nil
	case "client_encoding": // as PostgreSQL reads it: these signs don't count
		value = strings.Map(func(r rune) rune {
			if strings.ContainsRune("-_' ", r) {
				return -1
			}
			return r
		}, value)
	}
	if slices.Contains(allowed[name], strings.ToLower(value)) {
		return nil
	}
	return failf(stateUnsupported, "setting \"%s\" to that value is not supported", shown(name)).hinted(elsewhere)
}

// parseTimeout reads a time as PostgreSQL writes it: milliseconds, or with a unit.
func parseTimeout(v string) (time.Duration, bool) {
	digits := strings.TrimRight(v, "abcdefghijklmnopqrstuvwxyz")
	unit := map[string]time.Duration{"": time.Millisecond, "ms": time.Millisecond, "s": time.Second, "min": time.Minute, "h": time.Hour}[v[len(digits):]]
	n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 32)
	return time.Duration(n) * unit, err == nil && n >= 0 && unit > 0
}
