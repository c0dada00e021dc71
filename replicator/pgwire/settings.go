package pgwire

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// speaksAs is the version of PostgreSQL whose behaviour clients may expect.
const speaksAs = "15.0"

// settings are what SET and SHOW know. A map is not changed once it is in use, only
// replaced, so that going back at the end of a transaction is an assignment.
type settings struct{ values map[string]string }

// changeable are the settings that may be set to anything, with their defaults.
// Those that mean something here are read by the session.
var changeable = map[string]string{
	"application_name": "", "search_path": schemaName, "timezone": "UTC", "datestyle": "ISO, MDY", "intervalstyle": "postgres",
	"extra_float_digits": "1", "bytea_output": "hex", "client_min_messages": "notice", "statement_timeout": "0",
	"lock_timeout": "0", "idle_in_transaction_session_timeout": "0", "idle_session_timeout": "0", "transaction_timeout": "0",
	"default_transaction_isolation": "read committed", "default_transaction_read_only": "off", "default_transaction_deferrable": "off",
	"transaction_isolation": "read committed", "transaction_read_only": "off", "transaction_deferrable": "off",
	"row_security": "on", "jit": "off", "synchronous_commit": "on", "xmloption": "content", "escape_string_warning": "on",
	"backslash_quote": "safe_encoding", "check_function_bodies": "on", "default_tablespace": "", "lc_messages": "C",
	"lc_monetary": "C", "lc_numeric": "C", "lc_time": "C", "synchronize_seqscans": "on", "quote_all_identifiers": "off",
	"work_mem": "4MB", "geqo": "on", "role": "none", "plan_cache_mode": "auto", "default_table_access_method": "heap",
}

// fixedSettings can be shown, and set to what they are.
var fixedSettings = map[string]string{
	"server_version": speaksAs, "server_version_num": "150000", "server_encoding": "UTF8", "client_encoding": "UTF8",
	"standard_conforming_strings": "on", "integer_datetimes": "on", "is_superuser": "off", "in_hot_standby": "off",
	"max_identifier_length": "63", "session_authorization": "", "block_size": "8192",
}

// reported are the settings that clients are told of at the start and when they change.
var reported = []string{
	"application_name", "client_encoding", "datestyle", "default_transaction_read_only", "in_hot_standby", "integer_datetimes",
	"intervalstyle", "is_superuser", "scram_iterations", "search_path", "server_encoding", "server_version", "session_authorization",
	"standard_conforming_strings", "timezone",
}

// reportedAs are the names that clients know with capitals.
var reportedAs = map[string]string{"datestyle": "DateStyle", "intervalstyle": "IntervalStyle", "timezone": "TimeZone"}

func newSettings(user string) settings {
	s := settings{maps.Clone(fixedSettings)}
	maps.Copy(s.values, changeable)
	s.values["session_authorization"] = user
	return s
}

func (s *settings) get(name string) (string, bool) {
	v, ok := s.values[name]
	return v, ok
}

// put sets a value. It and its name are copied: the statement that they are part of must
// not stay.
func (s *settings) put(name, value string) {
	s.values = maps.Clone(s.values)
	s.values[strings.Clone(name)] = strings.Clone(value)
}

// maxSettings bounds how many settings of their own ("a.b") clients may have in a session.
const maxSettings = 64

func noSetting(name string) *failure {
	return failf(stateNoSetting, "unrecognized configuration parameter \"%s\"", shown(name))
}

// set changes a setting.
func (s *settings) set(name, value string) *failure {
	if len(value) > 1<<10 {
		return failf(stateBadValue, "the value of \"%s\" is too long", shown(name))
	}
	if have, fixed := fixedSettings[name]; fixed {
		if name == "session_authorization" {
			have = s.values[name]
		}
		if same(name, value, have) {
			return nil
		}
		f := failf(stateFixedSetting, "parameter \"%s\" cannot be changed", name)
		if name == "client_encoding" {
			f.hint = "this server speaks UTF8 only: ask from a database that is in UTF8"
		}
		return f
	}
	if _, ok := changeable[name]; !ok && !strings.Contains(name, ".") {
		return noSetting(name)
	}
	if strings.HasSuffix(name, "_timeout") {
		if _, ok := parseTimeout(value); !ok {
			return failf(stateBadValue, "invalid value for parameter \"%s\"", name).
				hinted("a number of milliseconds, or a number with ms, s, min or h")
		}
	}
	if name == "role" && value != "none" && value != s.values["session_authorization"] {
		return failf(stateBadAuth, "permission denied to set role")
	}
	if name == "datestyle" { // drivers look for the first word
		value = changeable[name]
	}
	if _, have := s.values[name]; !have && (len(s.values) >= len(changeable)+len(fixedSettings)+maxSettings || len(name) > 2*maxName) {
		return failf(stateTooLarge, "too many settings, or a name that is too long")
	}
	s.put(name, value)
	return nil
}

// same compares a value with that of a setting which can't be changed.
func same(name, value, have string) bool {
	if name == "client_encoding" {
		v := strings.ToUpper(strings.NewReplacer("-", "", "_", "").Replace(value))
		return v == "UTF8" || v == "UNICODE"
	}
	return strings.EqualFold(value, have) || have == "on" && (value == "true" || value == "1")
}

// reset brings back the default of a setting, or of all of them for "".
func (s *settings) reset(name string) *failure {
	if name == "" {
		*s = newSettings(s.values["session_authorization"])
		return nil
	}
	v, ok := changeable[name]
	if _, fixed := fixedSettings[name]; fixed {
		return nil
	}
	if !ok && !strings.Contains(name, ".") {
		return noSetting(name)
	}
	s.put(name, v)
	return nil
}

// all lists names and values in order.
func (s *settings) all() []row {
	rows := make([]row, 0, len(s.values))
	for _, name := range slices.Sorted(maps.Keys(s.values)) {
		rows = append(rows, row{textDatum(name), textDatum(s.values[name]), textDatum("")})
	}
	return rows
}

// timeout returns a setting that is a time; 0 is none.
func (s *settings) timeout(name string) time.Duration {
	d, _ := parseTimeout(s.values[name])
	return d
}

// parseTimeout reads a time as PostgreSQL writes it: milliseconds, or with a unit.
func parseTimeout(v string) (time.Duration, bool) {
	v = strings.TrimSpace(v)
	digits := strings.TrimRight(v, "abcdefghijklmnopqrstuvwxyz ")
	unit := map[string]time.Duration{
		"": time.Millisecond, "us": time.Microsecond, "ms": time.Millisecond, "s": time.Second, "min": time.Minute,
		"h": time.Hour, "d": 24 * time.Hour,
	}[strings.TrimSpace(v[len(digits):])]
	n, err := strconv.ParseInt(digits, 10, 32)
	if err != nil || n < 0 || unit == 0 {
		return 0, false
	}
	return time.Duration(n) * unit, true
}
