package pgwire

import "time"

// testEnv is what statements see without a session.
func testEnv() *env {
	m := NewMetrics()
	return &env{
		engine: &upperEngine{}, tables: tables(), user: "staging", database: "pgdeid", version: "test", pid: 7,
		settings: newSettings("staging"), metrics: m, tally: map[*table]*counts{}, now: time.Now,
		budget: &sessionBudget{all: &budget{limit: 1 << 30, gauge: m.held}, limit: 1 << 28},
	}
}
