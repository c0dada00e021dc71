// Package pgwire lets PostgreSQL clients ask for de-identified texts in SQL: it
// speaks the server's side of PostgreSQL's wire protocol, well enough for
// postgres_fdw, psql, pgx and common drivers.
//
// What a client sees is a database with a schema "deid" and a few tables that have
// no rows of their own: a row comes into being when a query names its inputs. Between
// the wire and the [Engine], which does the work, lie four layers, each of which knows
// only the next one:
//
//	server, conn, startup, scram   who may talk, over which bytes, for how long
//	session, simple, extended, tx  messages to statements, transaction state, cursors
//	lex, parse, expr, explain      statements to a query: a table with its bound columns
//	table_*                        a query to rows, by asking the engine
//
// Nothing is served before authentication. No error, log line or metric quotes a
// text, a literal or a parameter: a client gets a SQLSTATE, a message of this
// package's own words, a hint and a position.
package pgwire
