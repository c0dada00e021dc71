package pgwire

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
)

// Verifier is what is kept of a password: enough to recognise it, not to use it
// elsewhere (RFC 5803).
type Verifier struct {
	iterations        int
	salt              []byte
	stored, serverKey []byte
	mock              bool // of a user that does not exist: no password fits
}

// maxIterations bounds what a client has to compute.
const maxIterations = 1_000_000

// ParseVerifier reads PostgreSQL's format,
// SCRAM-SHA-256$<iterations>:<salt>$<StoredKey>:<ServerKey>. Errors don't quote it.
func ParseVerifier(s string) (*Verifier, error) {
	rest, ok := strings.CutPrefix(s, "SCRAM-SHA-256$")
	count, rest, ok2 := strings.Cut(rest, ":")
	salt, rest, ok3 := strings.Cut(rest, "$")
	stored, server, ok4 := strings.Cut(rest, ":")
	if !ok || !ok2 || !ok3 || !ok4 {
		return nil, errors.New("no SCRAM-SHA-256 verifier")
	}
	v := &Verifier{}
	var err error
	if v.iterations, err = strconv.Atoi(count); err != nil || v.iterations < 1 || v.iterations > maxIterations {
		return nil, errors.New("the verifier's number of iterations is out of range")
	}
	for _, part := range []struct {
		text string
		into *[]byte
	}{{salt, &v.salt}, {stored, &v.stored}, {server, &v.serverKey}} {
		if *part.into, err = base64.StdEncoding.DecodeString(part.text); err != nil {
			return nil, errors.New("the verifier is not valid base64")
		}
	}
	if len(v.salt) == 0 || len(v.stored) != sha256.Size || len(v.serverKey) != sha256.Size {
		return nil, errors.New("the verifier's keys have the wrong length")
	}
	return v, nil
}
