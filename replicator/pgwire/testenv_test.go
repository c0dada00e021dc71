package pgwire

import (
	"log/slog"
	"strings"
	"time"
)

// allRights are the words of a line that may everything.
func allRights() string {
	words, err := Rights(TableNames(), true)
	if err != nil {
		panic(err)
	}
	return words
}

// testEnv is what statements see without a session.
func testEnv() *env {
	m := NewMetrics()
	list, err := parseUsers(strings.NewReader(`staging:SCRAM-SHA-256$64:YQ==$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= ` + allRights()))
	if err != nil {
		panic(err)
	}
	users := &Users{}
	users.now.Store(list)
	return &env{
		account: &account{user: "staging", users: users, quotas: newQuotas(time.Now)}, log: slog.New(slog.DiscardHandler),
		engine: &upperEngine{}, tables: tables(), user: "staging", database: "pgdeid", version: "test", pid: 7,
		settings: newSettings("staging"), metrics: m, tally: map[*table]*counts{}, now: time.Now,
		budget: &sessionBudget{all: &budget{limit: 1 << 30, gauge: m.held}, limit: 1 << 28},
	}
}
