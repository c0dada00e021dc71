package config

import (
	"errors"
	"os"
	"slices"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// StandbyHint says how to reach the primary where a connection leads to a standby.
const StandbyHint = "let source.dsn lead to the primary; with several hosts, target_session_attrs=primary finds it"

// sessionAttrsProblem says why the target_session_attrs of source.dsn (or of the
// environment) can't lead to the primary, or returns "". The roles at the source
// are read-only by default, which is what read-write asks for.
func sessionAttrsProblem(dsn string) string {
	value := DSNValue(dsn, "target_session_attrs")
	if value == "" {
		value = os.Getenv("PGTARGETSESSIONATTRS")
	}
	switch {
	case value == "read-write":
		return "target_session_attrs=read-write can never connect, as pgdeid's roles at the source only read: say target_session_attrs=primary"
	case slices.Contains([]string{"standby", "read-only", "prefer-standby"}, value):
		return "target_session_attrs=" + value + " leads to a standby, and pgdeid follows a primary: say target_session_attrs=primary"
	}
	return ""
}

// checkSessionAttrs is [sessionAttrsProblem] as an error.
func checkSessionAttrs(dsn string) error {
	text := sessionAttrsProblem(dsn)
	if text == "" {
		return nil
	}
	return fault.New("connect as source.dsn says", errors.New(text), "correct source.dsn or PGTARGETSESSIONATTRS")
}
