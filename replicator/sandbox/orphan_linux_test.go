package sandbox

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// childEnv makes this test program start a server in the folder it names, say the
// server's address and wait to be killed.
const childEnv = "PGDEID_TEST_SANDBOX_CHILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childEnv); dir != "" {
		if err := serveUntilKilled(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

func serveUntilKilled(dir string) error {
	ctx, cancel := testContext()
	defer cancel()
	s, err := Start(ctx, dir, Options{Settings: FastSettings()})
	if err != nil {
		return err
	}
	fmt.Println("address", s.Addr())
	<-ctx.Done()
	return s.Kill()
}

func TestServerDiesWithItsParent(t *testing.T) {
	tmp, err := MkdirTemp("pgdeid-sandbox-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(tmp) })
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childEnv+"="+tmp+"/pg")
	child.Stderr = os.Stderr
	stdout, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	addr, ok := strings.CutPrefix(strings.TrimSpace(line), "address ")
	if err != nil || !ok {
		t.Fatalf("the child said %q, %v", line, err)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // killed
	deadline := time.Now().Add(time.Minute)
	for {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			return
		}
		_ = conn.Close()
		if time.Now().After(deadline) {
			t.Fatal("the server outlived its parent by a minute")
		}
		time.Sleep(20 * time.Millisecond)
	}
}
