package config

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// fileOf is a file's metadata as some owner's.
type fileOf struct {
	mode  fs.FileMode
	owner uint32
}

func (f fileOf) Name() string       { return "f" }
func (f fileOf) Size() int64        { return 0 }
func (f fileOf) Mode() fs.FileMode  { return f.mode }
func (f fileOf) ModTime() time.Time { return time.Time{} }
func (f fileOf) IsDir() bool        { return false }
func (f fileOf) Sys() any           { return &syscall.Stat_t{Uid: f.owner} }

func TestAccess(t *testing.T) {
	const me, root, other = 1000, 0, 1001
	for _, tt := range []struct {
		mode   fs.FileMode
		owner  uint32
		closed others
		hint   string // "" where the file may be used
	}{
		{0o600, me, readable, ""},
		{0o400, me, readable, ""},
		{0o640, me, readable, "chmod 600 /etc/p"},
		{0o644, me, readable, "chmod 600 /etc/p"},
		{0o602, me, readable, "chmod 600 /etc/p"},
		{0o640, root, readable, ""},
		{0o660, root, readable, "chmod 600 /etc/p"},
		{0o644, root, readable, "chmod 600 /etc/p"},
		{0o600, other, readable, "chown 1000 /etc/p"},
		{0o644, me, writable, ""},
		{0o664, me, writable, "chmod go-w /etc/p"},
		{0o646, root, writable, "chmod go-w /etc/p"},
		{0o644, other, writable, "chown 1000 /etc/p"},
		{0o666 | fs.ModeNamedPipe, other, readable, ""},
	} {
		err := refuseAccess("/etc/p", fileOf{tt.mode, tt.owner}, tt.closed, me)
		if (err == nil) != (tt.hint == "") || err != nil && fault.Hint(err) != "run: "+tt.hint {
			t.Errorf("%+v: %v (%s)", tt, err, fault.Hint(err))
		}
	}
	if got := shellWord("/my file's"); got != `'/my file'\''s'` {
		t.Errorf("quoted: %s", got)
	}
}

func TestOpenFilesAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, []byte("secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, _, err := Secret(path, "PGDEID_NO_SUCH_VARIABLE"); got != "secret" || err != nil {
		t.Fatalf("mode 0600: %v", err)
	}
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Secret(path, "PGDEID_NO_SUCH_VARIABLE"); err == nil || fault.Hint(err) != "run: chmod 600 "+path {
		t.Errorf("a password that everybody reads: %v (%s)", err, fault.Hint(err))
	}
	if err := CheckPassword(path); err == nil {
		t.Error("the check takes it")
	}
	if _, err := Load(path); err == nil || !strings.HasPrefix(fault.Hint(err), "run: chmod go-w ") {
		t.Errorf("a mapping that everybody writes: %v (%s)", err, fault.Hint(err))
	}
}
