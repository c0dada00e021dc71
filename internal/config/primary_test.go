package config

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/fault"
)

func TestSessionAttrs(t *testing.T) {
	for _, tt := range []struct{ dsn, env, want string }{
		{"postgres://u@h1,h2/d?target_session_attrs=read-write", "", "can never connect"},
		{"host=h1 dbname=d target_session_attrs='read-write'", "", "can never connect"},
		{"host=h1 dbname=d", "read-write", "can never connect"},
		{"host=h1 dbname=d target_session_attrs=primary", "read-write", ""},
		{"postgres://u@h1,h2/d?target_session_attrs=prefer-standby", "", "leads to a standby"},
		{"postgres://u@h1,h2/d?target_session_attrs=primary", "", ""},
		{"postgres://u@h1,h2/d?target_session_attrs=any", "", ""},
		{"host=h1 dbname=d", "", ""},
	} {
		t.Setenv("PGTARGETSESSIONATTRS", tt.env)
		cfg := &Config{Source: Source{DSN: tt.dsn}}
		for _, login := range []Login{Service, Reader} {
			_, err := cfg.SourceConn(login)
			if (err == nil) != (tt.want == "") || err != nil && (!strings.Contains(err.Error(), tt.want) || fault.Hint(err) == "") {
				t.Errorf("%+v: %v", tt, err)
			}
		}
		var problems Problems
		cfg.validate(&problems, map[string]int{"source.dsn": 3})
		said := strings.Contains(problems.Error(), tt.want) && tt.want != ""
		if said != (tt.want != "") {
			t.Errorf("%+v: %v", tt, problems)
		}
	}
}
