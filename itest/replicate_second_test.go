package itest

import (
	"net/http"
	"strings"
	"testing"
)

// A second process with the same file, address and all, waits and takes over.
func TestSecondProcessWithTheSameFileTakesOver(t *testing.T) {
	t.Parallel()
	r, addr := withHTTP(t)
	do(t, r.src, patients)
	first := startPgdeid(t, nil, "run", "--config", r.cfg.Path)
	r.streaming(t)
	second := startPgdeid(t, nil, "run", "--config", r.cfg.Path)
	eventually(t, "the second one waits for both", func() bool {
		said := second.output(t)
		return strings.Contains(said, "HTTP address is in use") && strings.Contains(said, "another pgdeid is active")
	})
	first.kill()
	do(t, r.src, "insert into ehr.note values (1, 1, null, 'new', 'Zebulon Quarkstein')")
	r.caughtUp(t)
	want(t, r.dst, "1", "select count(*)::text from ehr.note")
	eventually(t, "health of the second one", func() bool {
		code, _ := get(t, "http://"+addr+"/healthz")
		return code == http.StatusOK
	})
	if code := second.terminate(t); code != 0 {
		t.Errorf("exit status %d", code)
	}
}
