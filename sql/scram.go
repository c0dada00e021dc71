package sql

import "github.com/pgdeid/pgdeid/internal/scram"

// ScramVerifier returns what PostgreSQL stores of a password (RFC 5803), so that
// ALTER ROLE never carries the password itself.
func ScramVerifier(password string) (string, error) { return scram.Generate(password) }
