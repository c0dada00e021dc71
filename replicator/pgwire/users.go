package pgwire

import (
	"bufio"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/pgdeid/pgdeid/replicator/fault"
)

// Verifier is what is kept of a password: enough to recognise it, not to use it
// elsewhere (RFC 5803).
type Verifier struct {
	iterations        int
	salt              []byte
	stored, serverKey []byte
	mock              bool // of a user that there is not: no password fits
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

// Users are those who may log in, from a file that can be read again while the
// server runs. It is safe for concurrent use.
type Users struct {
	path string
	now  atomic.Pointer[map[string]*Verifier]
	mock [sha256.Size]byte // makes salts for users that there are not
}

// LoadUsers reads a file with a line for each user, "name:verifier". Lines that are
// empty or begin with # are passed over. Nobody but its owner may read the file.
func LoadUsers(path string) (*Users, error) {
	u := &Users{path: path}
	if _, err := rand.Read(u.mock[:]); err != nil {
		return nil, err
	}
	return u, u.Reload()
}

const usersHint = "make lines with 'pgdeid serve passwd NAME >> FILE', and 'chmod 600 FILE'"

// Reload reads the file again. After an error the users stay as they are.
func (u *Users) Reload() error {
	f, err := os.Open(u.path)
	if err != nil {
		return fault.New("read users", err, usersHint)
	}
	defer func() { _ = f.Close() }() // it was only read
	info, err := f.Stat()
	if err != nil {
		return fault.New("read users", err, usersHint)
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return fault.New("read users", fmt.Errorf("%s may be read by others (mode %04o)", u.path, mode), "chmod 600 "+u.path)
	}
	list, err := parseUsers(f)
	if err != nil {
		return fault.New("read users", fmt.Errorf("%s, %w", u.path, err), usersHint)
	}
	u.now.Store(&list)
	return nil
}

// maxUsersFile bounds the file in bytes.
const maxUsersFile = 16 << 20

func parseUsers(r io.Reader) (map[string]*Verifier, error) {
	list := map[string]*Verifier{}
	lines := bufio.NewScanner(io.LimitReader(r, maxUsersFile))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		name, verifier, ok := strings.Cut(line, ":")
		if !ok || name == "" || len(name) > 63 {
			return nil, fmt.Errorf("line %d: want name:verifier", n)
		}
		v, err := ParseVerifier(verifier)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if list[name] != nil {
			return nil, fmt.Errorf("line %d: the user is there twice", n)
		}
		list[name] = v
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, errors.New("there is no user in it")
	}
	return list, nil
}

// scramDefaults are what a user's verifier looks like when there is no such user.
const (
	defaultIterations = 4096
	defaultSalt       = 16
)

// verifier returns a user's verifier. For a user that there is not it is one that no
// password fits, with a salt that stays the same, as PostgreSQL does: so nobody learns
// which users there are.
func (u *Users) verifier(name string) *Verifier {
	if v := (*u.now.Load())[name]; v != nil {
		return v
	}
	mac := hmac.New(sha256.New, u.mock[:])
	mac.Write([]byte(name))
	salt := mac.Sum(nil)[:defaultSalt]
	return &Verifier{
		iterations: defaultIterations, salt: salt, stored: make([]byte, sha256.Size), serverKey: make([]byte, sha256.Size), mock: true,
	}
}
