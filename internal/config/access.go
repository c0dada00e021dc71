package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// others is who a file must be closed to.
type others fs.FileMode

const (
	writable others = 0o022 // only its owner may change it: it decides what is published
	readable others = 0o077 // only its owner may read it
)

// readFile reads a file that this user or root owns and that is closed to others.
// The file that is open is asked, so that no other one can take its place.
func readFile(path string, closed others) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was read
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if err := refuseAccess(path, info, closed, os.Geteuid()); err != nil {
		return nil, err
	}
	return io.ReadAll(f)
}

// refuseAccess applies the rule of libpq: a file of root's may be readable for a
// group, since only root can put people into it. What is no file (a pipe) has no
// lasting owner.
func refuseAccess(path string, info fs.FileInfo, closed others, user int) error {
	owner, known := info.Sys().(*syscall.Stat_t)
	if !info.Mode().IsRegular() || !known {
		return nil
	}
	op := "look at who may use " + path
	mode := info.Mode().Perm()
	byRoot := owner.Uid == 0
	if !byRoot && int(owner.Uid) != user {
		return fault.New(op, errors.New("it belongs to another user, who can change it"), fmt.Sprintf("run: chown %d %s", user, shellWord(path)))
	}
	open := mode & fs.FileMode(closed)
	if byRoot && closed == readable {
		open &^= 0o040
	}
	if open == 0 {
		return nil
	}
	what, command := "others can write it", "chmod go-w "
	if closed == readable {
		what, command = "others can read or write it", "chmod 600 "
	}
	return fault.New(op, fmt.Errorf("%s (mode %04o)", what, mode), "run: "+command+shellWord(path))
}

// CheckPassword returns an error if a password file that is there can't be used
// as it is.
func CheckPassword(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return nil //nolint:nilerr // a variable may replace it; who needs the file says that it is missing
	}
	return refuseAccess(path, info, readable, os.Geteuid())
}

// shellWord quotes a path for a command that a person copies.
func shellWord(path string) string {
	if strings.ContainsAny(path, " \t\n'\"\\$`&;|<>()*?[]{}~#!") {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}
