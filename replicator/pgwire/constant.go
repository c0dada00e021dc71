package pgwire

import (
	"strconv"
	"strings"
)

// evaluate returns the value of an expression without columns.
func (e *env) evaluate(x *expr, params []datum) (datum, *failure) {
	switch x.kind {
	case nullExpr:
		return datum{null: true}, nil
	case textExpr, numberExpr, boolExpr:
		return textDatum(x.text), nil
	case paramExpr:
		if x.n > len(params) {
			return datum{}, failf(stateNoParameter, "there is no parameter $%d", x.n).near(x.at)
		}
		return params[x.n-1], nil
	case arrayExpr:
		list := make([]datum, len(x.args))
		for i := range x.args {
			d, err := e.evaluate(&x.args[i], params)
			if err != nil {
				return datum{}, err
			}
			list[i] = d
		}
		return listDatum(list), nil
	case callExpr:
		return e.call(x, params)
	case defaultExpr:
		return datum{}, failf(stateSyntax, "DEFAULT is not allowed here").near(x.at)
	}
	return datum{}, failf(stateNoColumn, "column \"%s\" does not exist", shown(x.text)).near(x.at)
}

// call answers the functions that people and drivers ask a server about itself.
func (e *env) call(x *expr, params []datum) (datum, *failure) {
	args := make([]datum, len(x.args))
	for i := range x.args {
		d, err := e.evaluate(&x.args[i], params)
		if err != nil {
			return datum{}, err
		}
		args[i] = d
	}
	switch x.text {
	case "version":
		return textDatum("pgdeid " + e.version + ", which speaks as PostgreSQL " + speaksAs + " does"), nil
	case "current_user", "session_user", "user", "current_role":
		return textDatum(e.user), nil
	case "current_database", "current_catalog":
		return textDatum(e.database), nil
	case "current_schema":
		return textDatum(schemaName), nil
	case "pg_backend_pid":
		return intDatum(e.pid), nil
	case "pg_is_in_recovery", "pg_is_wal_replay_paused":
		return boolDatum(false), nil
	case "now", "current_timestamp", "localtimestamp", "clock_timestamp", "statement_timestamp", "transaction_timestamp":
		return textDatum(e.now().UTC().Format("2006-01-02 15:04:05.000000+00")), nil
	case "current_date":
		return textDatum(e.now().UTC().Format("2006-01-02")), nil
	case "pg_relation_size", "pg_table_size", "pg_total_relation_size":
		return intDatum(0), nil
	case "has_schema_privilege", "has_table_privilege", "has_database_privilege", "pg_table_is_visible":
		return boolDatum(true), nil
	case "current_setting", "set_config":
		return e.settingCall(x, args)
	case "pg_client_encoding":
		return textDatum("UTF8"), nil
	case "obj_description", "inet_server_addr", "inet_server_port", "pg_postmaster_start_time":
		return datum{null: true}, nil
	}
	return datum{}, failf(stateNoFunction, "function %s does not exist", shown(x.text)).near(x.at).
		hinted("this server has few functions: call them in your own database")
}

func (e *env) settingCall(x *expr, args []datum) (datum, *failure) {
	if len(args) == 0 || args[0].null || x.text == "set_config" && (len(args) != 3 || args[1].null) {
		return datum{null: true}, nil
	}
	name := lowerASCII(args[0].text)
	if x.text == "set_config" {
		if err := e.settings.set(name, args[1].text); err != nil {
			return datum{}, err
		}
	}
	v, ok := e.settings.get(name)
	if !ok {
		if len(args) == 2 && strings.HasPrefix(args[1].text, "t") {
			return datum{null: true}, nil
		}
		return datum{}, noSetting(name)
	}
	return textDatum(v), nil
}

// typeOfExpr is the type that a constant has as a column of a result.
func typeOfExpr(x *expr) uint32 {
	if x.cast != 0 {
		return x.cast
	}
	switch x.kind {
	case boolExpr:
		return oidBool
	case numberExpr:
		if _, err := strconv.ParseInt(x.text, 10, 32); err == nil {
			return oidInt4
		}
		if _, err := strconv.ParseInt(x.text, 10, 64); err == nil {
			return oidInt8
		}
		return oidNumeric
	case arrayExpr:
		return oidTextArray
	case callExpr:
		switch x.text {
		case "count", "pg_relation_size", "pg_table_size", "pg_total_relation_size":
			return oidInt8
		case "pg_backend_pid":
			return oidInt4
		case "pg_is_in_recovery", "has_schema_privilege", "has_table_privilege", "has_database_privilege", "pg_table_is_visible":
			return oidBool
		}
	}
	return oidText
}
