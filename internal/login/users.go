// Package login keeps who may log in at a server, and what for: a file of users with their verifiers and rights. It bounds how many
// clients log in at a time, and makes guesses of passwords slow.
package login

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/scram"
)

// user is a user's line of the file.
type user[R any] struct {
	verifier *scram.Verifier
	rights   R
}

// users are the users of a file, and what the verifiers of most of them look like.
type users[R any] struct {
	byName map[string]*user[R]
	shape  scram.Shape
}

// Users are those who may log in, and their rights, from a file that can be read again while the server runs. It is safe for
// concurrent use.
type Users[R any] struct {
	path  string
	words func(words []string) (R, error)
	now   atomic.Pointer[users[R]]
	mock  []byte // makes salts for users that do not exist
}

// Load reads a file with a line for each user, "name:verifier" and the user's rights after a space, words that parse reads.
// Empty lines and those that begin with # are skipped. Only the owner may be able to read the file. The secret makes salts for users that
// do not exist: it must stay the same over restarts, or two looks would show who exists.
func Load[R any](path string, secret []byte, parse func(words []string) (R, error)) (*Users[R], error) {
	if len(secret) < sha256.Size {
		return nil, fault.New("read users", errors.New("the secret for users that do not exist is too short"), "derive it from the key file")
	}
	u := &Users[R]{path: path, words: parse, mock: secret}
	return u, u.Reload()
}

const usersHint = "make lines with 'pgdeid serve passwd NAME >> FILE' or 'pgdeid review passwd NAME >> FILE', and 'chmod 600 FILE'"

// Reload reads the file again. After an error the users stay as they are.
func (u *Users[R]) Reload() error {
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
	list, err := u.parse(f)
	if err != nil {
		return fault.New("read users", fmt.Errorf("%s, %w", u.path, err), usersHint)
	}
	u.now.Store(list)
	return nil
}

// maxUsersFile bounds the file in bytes.
const maxUsersFile = 16 << 20

func (u *Users[R]) parse(r io.Reader) (*users[R], error) {
	list := &users[R]{byName: map[string]*user[R]{}}
	lines := bufio.NewScanner(io.LimitReader(r, maxUsersFile))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		name, l, err := u.parseLine(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if list.byName[name] != nil {
			return nil, fmt.Errorf("line %d: the user is there twice", n)
		}
		list.byName[name] = l
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(list.byName) == 0 {
		return nil, errors.New("there is no user in it")
	}
	list.shape = commonShape(list.byName)
	return list, nil
}

// parseLine reads "name:verifier rights". Errors don't quote it.
func (u *Users[R]) parseLine(line string) (string, *user[R], error) {
	name, rest, ok := strings.Cut(line, ":")
	words := strings.Fields(rest)
	if !ok || name == "" || len(name) > 63 || len(words) == 0 {
		return "", nil, errors.New("want name:verifier")
	}
	v, err := scram.Parse(words[0])
	if err != nil {
		return "", nil, err
	}
	r, err := u.words(words[1:])
	return name, &user[R]{v, r}, err
}

// commonShape returns the shape that most users' verifiers have.
func commonShape[R any](byName map[string]*user[R]) scram.Shape {
	counts := map[scram.Shape]int{}
	var best scram.Shape
	for _, l := range byName {
		counts[l.verifier.Shape()]++
	}
	for s, n := range counts {
		tie := n == counts[best] && (s.Iterations < best.Iterations || s.Iterations == best.Iterations && s.Salt < best.Salt)
		if n > counts[best] || tie {
			best = s
		}
	}
	return best
}

// Verifier returns a user's verifier. For a user that does not exist it is a mock that looks like most others.
func (u *Users[R]) Verifier(name string) *scram.Verifier {
	list := u.now.Load()
	if l := list.byName[name]; l != nil {
		return l.verifier
	}
	return scram.Mock(u.mock, name, list.shape)
}

// Rights returns what a user may do now: nothing if the user is no longer in the file.
func (u *Users[R]) Rights(name string) (rights R) {
	if l := u.now.Load().byName[name]; l != nil {
		return l.rights
	}
	return rights
}
