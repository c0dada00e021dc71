package sandbox

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// serverAccount is who runs PostgreSQL when this program runs as root.
const serverAccount = "postgres"

// account is the operating system's account that the server runs as. Nil means our own.
type account struct {
	uid, gid uint32
}

// chooseAccount returns nil unless this program runs as root.
func chooseAccount() (*account, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	u, err := user.Lookup(serverAccount)
	if err != nil {
		return nil, fault.New("choose the account for PostgreSQL", err,
			"PostgreSQL refuses to run as root: install the server package, which makes the account "+serverAccount+", or run as another user")
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, fmt.Errorf("account %s: %w", serverAccount, err)
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, fmt.Errorf("account %s: %w", serverAccount, err)
	}
	return &account{uint32(uid), uint32(gid)}, nil
}

// give makes the account the owner of path.
func (a *account) give(path string) error {
	if a == nil {
		return nil
	}
	return os.Chown(path, int(a.uid), int(a.gid))
}

// command prepares a program that runs as the account, in dir, away from our
// terminal's signals and from PG* variables of the caller.
func (a *account) command(dir, program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...) // #nosec G204 G702 -- the server's own programs, found by FindBinDir, and cp
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "LC_ALL=C", "TZ=UTC"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if a != nil {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: a.uid, Gid: a.gid}
	}
	return cmd
}

// reach checks that the account can walk down to dir.
func (a *account) reach(dir string) error {
	if a == nil {
		return nil
	}
	for parent := filepath.Dir(dir); ; parent = filepath.Dir(parent) {
		info, err := os.Stat(parent)
		if err != nil {
			return err
		}
		owner, known := info.Sys().(*syscall.Stat_t)
		if info.Mode().Perm()&0o001 == 0 && (!known || owner.Uid != a.uid) {
			return fault.New("start PostgreSQL in "+dir,
				errors.New("the account "+serverAccount+" may not enter "+parent),
				"choose a folder that others may enter: sandbox.MkdirTemp makes one")
		}
		if parent == filepath.Dir(parent) {
			return nil
		}
	}
}

// MkdirTemp makes a new temporary directory which the server's account can walk
// through, but not list, and returns its path. The caller removes it.
func MkdirTemp(pattern string) (string, error) {
	dir, err := os.MkdirTemp("", pattern)
	if err != nil {
		return "", err
	}
	return dir, os.Chmod(dir, 0o711) // #nosec G302 -- entering is the point; its folders are 0700
}
