package pgwire

import (
	"bufio"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// login is a user's line of the file.
type login struct {
	verifier *Verifier
	rights   rights
}

// logins are the users of a file, and what the verifiers of most of them look like.
type logins struct {
	byName map[string]*login
	shape  shape
}

// Users are those who may log in, and what they may ask, from a file that can be read
// again while the server runs. It is safe for concurrent use.
type Users struct {
	path string
	now  atomic.Pointer[logins]
	mock []byte // makes salts for users that do not exist
}

// LoadUsers reads a file with a line for each user, "name:verifier" and the user's rights
// after a space. Empty lines and those that begin with # are skipped. Only the owner may be
// able to read the file. The secret makes salts for users that do not exist: it must stay the
// same over restarts, or two looks would show who exists.
func LoadUsers(path string, secret []byte) (*Users, error) {
	if len(secret) < sha256.Size {
		return nil, fault.New("read users", errors.New("the secret for users that do not exist is too short"), "derive it from the key file")
	}
	u := &Users{path: path, mock: secret}
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
	u.now.Store(list)
	return nil
}

// maxUsersFile bounds the file in bytes.
const maxUsersFile = 16 << 20

func parseUsers(r io.Reader) (*logins, error) {
	list := &logins{byName: map[string]*login{}}
	lines := bufio.NewScanner(io.LimitReader(r, maxUsersFile))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		name, l, err := parseUser(line)
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

// parseUser reads "name:verifier rights". Errors don't quote it.
func parseUser(line string) (string, *login, error) {
	name, rest, ok := strings.Cut(line, ":")
	words := strings.Fields(rest)
	if !ok || name == "" || len(name) > 63 || len(words) == 0 {
		return "", nil, errors.New("want name:verifier")
	}
	v, err := ParseVerifier(words[0])
	if err != nil {
		return "", nil, err
	}
	r, err := parseRights(words[1:])
	return name, &login{v, r}, err
}

// shape is what a client sees of a verifier before it has given a password.
type shape struct{ iterations, salt int }

// commonShape returns the shape that most users' verifiers have.
func commonShape(byName map[string]*login) shape {
	counts := map[shape]int{}
	var best shape
	for _, l := range byName {
		counts[shape{l.verifier.iterations, len(l.verifier.salt)}]++
	}
	for s, n := range counts {
		more := n > counts[best]
		tie := n == counts[best] && (s.iterations < best.iterations || s.iterations == best.iterations && s.salt < best.salt)
		if more || tie {
			best = s
		}
	}
	return best
}

// verifier returns a user's verifier. For a user that does not exist it is a mock that
// accepts no password and looks like the others, with a salt that stays the same, also over
// restarts (as PostgreSQL's mock authentication, RFC 5802 section 5.1).
func (u *Users) verifier(name string) *Verifier {
	list := u.now.Load()
	if l := list.byName[name]; l != nil {
		return l.verifier
	}
	mac := hmac.New(sha256.New, u.mock)
	mac.Write([]byte(name))
	salt := mac.Sum(nil)
	return &Verifier{
		iterations: list.shape.iterations, salt: salt[:min(list.shape.salt, len(salt))],
		stored: make([]byte, sha256.Size), serverKey: make([]byte, sha256.Size), mock: true,
	}
}

// rights returns what a user may ask for now: nothing if the user is no longer in the file.
func (u *Users) rights(name string) rights {
	if l := u.now.Load().byName[name]; l != nil {
		return l.rights
	}
	return rights{}
}
