package sql

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

// scramIterations is PostgreSQL's default (scram_iterations).
const scramIterations = 4096

// ScramVerifier returns what PostgreSQL stores of a password (RFC 5803), so that
// ALTER ROLE never carries the password itself.
func ScramVerifier(password string) (string, error) {
	if err := checkPassword(password); err != nil {
		return "", err
	}
	salt := make([]byte, 16)
	if _, err := rand.Read(salt); err != nil {
		return "", err
	}
	return scramWith(password, salt, scramIterations)
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

func scramWith(password string, salt []byte, iterations int) (string, error) {
	salted, err := pbkdf2.Key(sha256.New, password, salt, iterations, sha256.Size)
	if err != nil {
		return "", err
	}
	stored := sha256.Sum256(sum(salted, "Client Key"))
	b64 := base64.StdEncoding.EncodeToString
	return fmt.Sprintf("SCRAM-SHA-256$%d:%s$%s:%s", iterations, b64(salt), b64(stored[:]), b64(sum(salted, "Server Key"))), nil
}

func sum(key []byte, text string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

// scramMatches reports whether a stored verifier belongs to a password.
func scramMatches(verifier, password string) bool {
	rest, ok := strings.CutPrefix(verifier, "SCRAM-SHA-256$")
	count, rest, found := strings.Cut(rest, ":")
	salt64, _, more := strings.Cut(rest, "$")
	iterations, err := strconv.Atoi(count)
	if !ok || !found || !more || err != nil || iterations < 1 || iterations > 1_000_000 {
		return false
	}
	salt, err := base64.StdEncoding.DecodeString(salt64)
	if err != nil {
		return false
	}
	want, err := scramWith(password, salt, iterations)
	return err == nil && subtle.ConstantTimeCompare([]byte(want), []byte(verifier)) == 1
}
