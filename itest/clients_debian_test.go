//go:build clients

package itest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"
)

// debianFile returns a file of Debian's packages as clients/install unpacked them, and the
// variable that lets programs find the libraries of these packages.
func debianFile(t *testing.T, pattern string) (path, libraries string) {
	t.Helper()
	root, err := filepath.Abs(filepath.Join(clientsDir, "debian/root"))
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(root, pattern)) // fails only on a bad pattern
	folders, _ := filepath.Glob(filepath.Join(root, "usr/lib/*-linux-gnu*"))
	if len(files) == 0 || len(folders) == 0 {
		return "", ""
	}
	return files[0], "LD_LIBRARY_PATH=" + folders[0]
}

// pool starts pgbouncer in transaction mode in front of a pair's source: two sessions at the
// server for all clients.
func (p *clientPlace) pool(t *testing.T, lab *pair) {
	t.Helper()
	path, libraries := debianFile(t, "usr/sbin/pgbouncer")
	if path == "" {
		return // clients/install said so
	}
	_, port, err := net.SplitHostPort(freeAddr(t))
	if err != nil {
		t.Fatal(err)
	}
	users := lab.file(t, "pool-users", `"client" "a client's password"`+"\n")
	conf := lab.file(t, "pgbouncer.ini", fmt.Sprintf(`[databases]
%s = host=127.0.0.1 port=%d
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %s
unix_socket_dir =
auth_type = scram-sha-256
auth_file = %s
pool_mode = transaction
default_pool_size = 2
ignore_startup_parameters = extra_float_digits,search_path
`, lab.name, lab.source.Port(), port, users))
	args := []string{conf}
	if os.Geteuid() == 0 { // it refuses to be root, and reads its files before it is somebody else
		args = []string{"-u", "postgres", conf}
	}
	cmd := exec.Command(path, args...) // #nosec G204 -- Debian's program
	cmd.Env = append(os.Environ(), libraries)
	log, err := os.Create(filepath.Join(t.TempDir(), "pgbouncer.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // fails only if it is gone
		_ = cmd.Wait()
		if text, err := os.ReadFile(log.Name()); err == nil && t.Failed() {
			t.Logf("pgbouncer said:\n%s", tail(string(text), 20))
		}
	})
	p.pooled = []string{"PGPORT=" + port, "CLIENTS_POOLED=1"}
	const place = `host=127.0.0.1 port=%s user=client password='a client\'s password' dbname=%s sslmode=disable`
	eventually(t, "pgbouncer listens", func() bool {
		conn, err := pgx.Connect(t.Context(), fmt.Sprintf(place, port, lab.name))
		if err == nil {
			_ = conn.Close(t.Context())
		}
		return err == nil
	})
}
