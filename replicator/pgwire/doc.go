// Package pgwire lets PostgreSQL attach the engine through postgres_fdw: it speaks the server's side of PostgreSQL's wire protocol and
// understands the statements that postgres_fdw of PostgreSQL 14 to 18 sends, as testdata holds them. Everything else is refused with
// SQLSTATE 0A000 and a hint to connect to a database with the engine attached.
//
// Tables have no rows of their own: a row comes into being when a query names its inputs. What makes the rows is behind [Desk].
//
//	server, lobby, conn, startup, authenticate   connections, their bytes and their time, logins
//	session, extended, transaction, inbox        messages to statements, the state of a transaction
//	lexer, reader, condition                     statements
//	plan, scan, send                             a selection to questions, and their answers to rows
//
// Nothing is served before authentication. No error, log line or metric quotes a text, a literal or a parameter. Memory is accounted
// for before it is allocated.
package pgwire
