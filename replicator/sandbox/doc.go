// Package sandbox starts throwaway PostgreSQL servers for the demo and for tests
// that need real ones.
//
// A [Server] is one cluster in a directory of its own: UTF-8, logical WAL,
// reachable only from this machine, with SCRAM and a random password for its
// superuser. Nothing of it outlives [Server.Stop] but the directory, which the
// caller removes. Where the program runs as root the server runs as the account
// "postgres", since PostgreSQL refuses to run as root.
//
// A [Proxy] is between a client and a server and breaks the path on demand.
package sandbox
