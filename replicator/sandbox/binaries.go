package sandbox

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// BinDirEnv names the environment variable that says where initdb and postgres are.
const BinDirEnv = "PGDEID_PG_BIN"

var errNoServer = errors.New("no PostgreSQL server programs (initdb, postgres) found")

// FindBinDir returns the folder of the PostgreSQL server programs: that of
// PGDEID_PG_BIN if set, else the newest version installed by a distribution, else
// what pg_config or the PATH leads to.
func FindBinDir() (string, error) {
	if dir := os.Getenv(BinDirEnv); dir != "" {
		if !hasServer(dir) {
			return "", fault.New("find PostgreSQL", errNoServer, "correct "+BinDirEnv+" or unset it")
		}
		return dir, nil
	}
	for _, dir := range candidates() {
		if hasServer(dir) {
			return dir, nil
		}
	}
	return "", fault.New("find PostgreSQL", errNoServer,
		"install the server (Debian, Ubuntu: apt-get install postgresql) or set "+BinDirEnv+" to the folder of initdb and postgres")
}

// candidates lists folders to look into, best first.
func candidates() []string {
	var dirs []string
	for _, pattern := range []string{
		"/usr/lib/postgresql/*/bin", // Debian, Ubuntu
		"/usr/pgsql-*/bin",          // the PostgreSQL project's RPMs
		"/opt/homebrew/opt/postgresql@*/bin",
	} {
		found, _ := filepath.Glob(pattern) // fails only on a bad pattern
		slices.SortFunc(found, func(a, b string) int { return majorOf(b) - majorOf(a) })
		dirs = append(dirs, found...)
	}
	if out, err := exec.Command("pg_config", "--bindir").Output(); err == nil {
		dirs = append(dirs, strings.TrimSpace(string(out)))
	}
	if initdb, err := exec.LookPath("initdb"); err == nil {
		dirs = append(dirs, filepath.Dir(initdb))
	}
	return dirs
}

// majorOf returns the last number in the name of a version's folder, or 0:
// "/usr/lib/postgresql/15/bin" has 15.
func majorOf(binDir string) int {
	name := filepath.Base(filepath.Dir(binDir))
	digits := name[strings.LastIndexFunc(name, func(r rune) bool { return r < '0' || r > '9' })+1:]
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}

func hasServer(dir string) bool {
	for _, program := range []string{"initdb", "postgres"} {
		if info, err := os.Stat(filepath.Join(dir, program)); err != nil || info.IsDir() {
			return false
		}
	}
	return true
}
