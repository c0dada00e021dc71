// Package scram holds SCRAM-SHA-256 as PostgreSQL uses it (RFC 5802, RFC 5803, RFC 7677): what is stored of a password, and the
// server's side of a login.
package scram

import (
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Mechanism is the one that is offered. Its variant with channel binding is not.
const Mechanism = "SCRAM-SHA-256"

// DefaultIterations is PostgreSQL's default (scram_iterations).
const DefaultIterations = 4096

// maxIterations bounds what a client has to compute.
const maxIterations = 1_000_000

// Verifier is what is kept of a password: enough to recognise it, not to use it elsewhere.
type Verifier struct {
	shape             Shape
	salt              []byte
	stored, serverKey []byte
	mock              bool // of a user that does not exist: no password fits
}

// Shape is what a client sees of a verifier before it has given a password.
type Shape struct{ Iterations, Salt int }

// Shape returns the verifier's shape.
func (v *Verifier) Shape() Shape { return v.shape }

// Generate returns the text of a verifier with a new salt.
func Generate(password string) (string, error) {
	if err := checkPassword(password); err != nil {
		return "", err
	}
	salt := make([]byte, 16)
	if _, err := rand.Read(salt); err != nil {
		return "", err
	}
	return GenerateWith(password, salt, DefaultIterations)
}

// checkPassword refuses what SASLprep (RFC 4013) would change.
func checkPassword(password string) error {
	if password == "" {
		return errors.New("the password is empty")
	}
	for _, r := range password {
		if r < ' ' || r > '~' {
			return errors.New("the password holds characters other than printable ASCII")
		}
	}
	return nil
}

// GenerateWith returns the text of a verifier with a given salt.
func GenerateWith(password string, salt []byte, iterations int) (string, error) {
	salted, err := pbkdf2.Key(sha256.New, password, salt, iterations, sha256.Size)
	if err != nil {
		return "", err
	}
	stored := sha256.Sum256(sum(salted, "Client Key"))
	b64 := base64.StdEncoding.EncodeToString
	return fmt.Sprintf("%s$%d:%s$%s:%s", Mechanism, iterations, b64(salt), b64(stored[:]), b64(sum(salted, "Server Key"))), nil
}

func sum(key []byte, text string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

// Parse reads PostgreSQL's format, SCRAM-SHA-256$<iterations>:<salt>$<StoredKey>:<ServerKey>. Errors don't quote it.
func Parse(s string) (*Verifier, error) {
	rest, ok := strings.CutPrefix(s, Mechanism+"$")
	count, rest, ok2 := strings.Cut(rest, ":")
	salt, rest, ok3 := strings.Cut(rest, "$")
	stored, server, ok4 := strings.Cut(rest, ":")
	if !ok || !ok2 || !ok3 || !ok4 {
		return nil, errors.New("no SCRAM-SHA-256 verifier")
	}
	v := &Verifier{}
	var err error
	if v.shape.Iterations, err = strconv.Atoi(count); err != nil || v.shape.Iterations < 1 || v.shape.Iterations > maxIterations {
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
	v.shape.Salt = len(v.salt)
	if len(v.salt) == 0 || len(v.stored) != sha256.Size || len(v.serverKey) != sha256.Size {
		return nil, errors.New("the verifier's keys have the wrong length")
	}
	return v, nil
}

// Mock returns a verifier that accepts no password and looks like others, with a salt that stays the same for a name, also over
// restarts (as PostgreSQL's mock authentication, RFC 5802 section 5.1).
func Mock(secret []byte, name string, like Shape) *Verifier {
	salt := sum(secret, name)
	like.Salt = min(like.Salt, len(salt))
	return &Verifier{
		shape: like, salt: salt[:like.Salt], stored: make([]byte, sha256.Size), serverKey: make([]byte, sha256.Size), mock: true,
	}
}

// Fits reports whether a password is the verifier's, in a time that does not depend on it. No password fits a mock.
func (v *Verifier) Fits(password string) bool {
	salted, err := pbkdf2.Key(sha256.New, password, v.salt, v.shape.Iterations, sha256.Size)
	if err != nil {
		return false
	}
	stored := sha256.Sum256(sum(salted, "Client Key"))
	return subtle.ConstantTimeCompare(stored[:], v.stored) == 1 && !v.mock
}

// Matches reports whether the text of a verifier belongs to a password.
func Matches(verifier, password string) bool {
	v, err := Parse(verifier)
	if err != nil {
		return false
	}
	want, err := GenerateWith(password, v.salt, v.shape.Iterations)
	return err == nil && subtle.ConstantTimeCompare([]byte(want), []byte(verifier)) == 1
}
