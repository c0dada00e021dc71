package itest

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/ensemble/onnx"
)

// program builds pgdeid once, with native libraries if the tests have them, and returns
// its path.
var program = sync.OnceValues(func() (string, error) {
	path := filepath.Join(shared.dir, "pgdeid")
	tags := ""
	if onnx.Built {
		tags = "native"
	}
	out, err := exec.Command("go", "build", "-tags", tags, "-o", path, "../cmd/pgdeid").CombinedOutput() // #nosec G204 -- our own program
	if err != nil {
		return "", errors.New(string(out))
	}
	return path, nil
})

// prepare returns a call of the program with env ("NAME=value") on top of an
// environment that has no PG* and PGDEID_* variables but the place of ONNX Runtime.
func prepare(t *testing.T, env, args []string) *exec.Cmd {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, args...)
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "PG") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(append(cmd.Env, onnx.LibraryEnv+"="+library(t)), env...)
	return cmd
}

// library returns the path of ONNX Runtime: where it is found, or where "make native"
// puts it.
func library(t *testing.T) string {
	t.Helper()
	if path, err := onnx.FindLibrary(); err == nil {
		return path
	}
	path, err := filepath.Abs(filepath.Join("../build/native", onnx.LibraryName()))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// result is what a call of the program left behind.
type result struct {
	stdout, stderr string
	code           int
}

// runPgdeid runs the program to its end.
func runPgdeid(t *testing.T, env []string, args ...string) result {
	t.Helper()
	cmd := prepare(t, env, args)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if len(args) > 0 && args[0] == "migrate" {
		migrating.Lock()
		defer migrating.Unlock()
	}
	stop := context.AfterFunc(ctx, func() { _ = cmd.Process.Kill() })
	defer stop()
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// daemon is the running program. What it prints is kept in a file.
type daemon struct {
	cmd     *exec.Cmd
	logPath string
	group   errgroup.Group
	gone    chan struct{}
}

// startPgdeid starts the program; it is killed at the end of the test if it still runs.
func startPgdeid(t *testing.T, env []string, args ...string) *daemon {
	t.Helper()
	cmd := prepare(t, env, args)
	log, err := os.CreateTemp(t.TempDir(), "log")
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	d := &daemon{cmd: cmd, logPath: log.Name(), gone: make(chan struct{})}
	d.group.Go(func() error {
		defer close(d.gone)
		return cmd.Wait()
	})
	t.Cleanup(func() {
		d.kill()
		if t.Failed() {
			t.Logf("output of pgdeid %s:\n%s", strings.Join(args, " "), tail(d.output(t), 40))
		}
	})
	return d
}

// kill ends the program as kill -9 does, and waits until it is gone.
func (d *daemon) kill() {
	_ = d.cmd.Process.Kill() // fails only if it is gone
	<-d.gone
}

// terminate asks the program to end (SIGTERM) and returns its exit code, -1 if it had
// to be killed.
func (d *daemon) terminate(t *testing.T) int {
	t.Helper()
	_ = d.cmd.Process.Signal(syscall.SIGTERM) // fails only if it is gone
	return d.wait(t)
}

// wait waits for the program to end by itself and returns its exit code.
func (d *daemon) wait(t *testing.T) int {
	t.Helper()
	select {
	case <-d.gone:
	case <-time.After(patience):
		t.Errorf("pgdeid did not end within %s", patience)
		d.kill()
	}
	return d.cmd.ProcessState.ExitCode()
}

// running reports whether the program still runs.
func (d *daemon) running() bool {
	select {
	case <-d.gone:
		return false
	default:
		return true
	}
}

// output returns what the program has printed so far.
func (d *daemon) output(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(d.logPath)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// peakMemory returns the largest resident memory that the running program has had, in
// bytes. It skips the test where the system doesn't tell (no /proc).
func (d *daemon) peakMemory(t *testing.T) int64 {
	t.Helper()
	status, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(d.cmd.Process.Pid), "status"))
	if err != nil {
		t.Skipf("no memory figures here: %v", err)
	}
	for line := range strings.Lines(string(status)) {
		if value, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "kB")), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return kb << 10
		}
	}
	t.Fatal("no VmHWM in /proc: has the program ended?")
	return 0
}

// tail returns the last lines of a text.
func tail(text string, lines int) string {
	all := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}

// ownAddress returns a free address of this machine.
func ownAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
