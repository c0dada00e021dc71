package admin

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// answering returns the address of a server that gives one answer after the other, and the
// last one again and again.
func answering(t *testing.T, answers ...string) string {
	t.Helper()
	n := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/healthz" {
			http.NotFound(w, r)
			return
		}
		_, _ = fmt.Fprint(w, answers[min(n, len(answers)-1)])
		n++
	}))
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}

func TestProcessIsAsked(t *testing.T) {
	t.Parallel()
	const healthy = `{"ok": true, "state": "streaming", "notes_total": %d, "text_bytes_total": %[1]d000}`
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		addr, process string
		healthy       bool
	}{
		"it answers":        {answering(t, fmt.Sprintf(healthy, 1)), processAnswers, true},
		"no address":        {"", processNoHTTP, false},
		"nobody listens":    {closed.Addr().String(), processElsewhere, false},
		"another program":   {answering(t, `{"status": "up"}`), processElsewhere, false},
		"no JSON at all":    {answering(t, "<html>"), processElsewhere, false},
		"no address at all": {"\x00", processElsewhere, false},
	} {
		s := &Status{}
		s.askProcess(t.Context(), c.addr, 0)
		if s.Process != c.process || (s.Health != nil) != c.healthy || s.Rates != nil {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

func TestRatesAreMeansOverTheSample(t *testing.T) {
	t.Parallel()
	addr := answering(t, `{"state": "streaming", "notes_total": 5, "text_bytes_total": 100}`, `{"state": "streaming", "notes_total": 5, "text_bytes_total": 900}`)
	s := &Status{}
	s.askProcess(t.Context(), addr, time.Millisecond)
	if s.Rates == nil || s.Rates.Notes != 0 || s.Rates.Bytes <= 0 {
		t.Errorf("%+v", s.Rates)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	s = &Status{}
	s.askProcess(stopped, addr, time.Hour)
	if s.Rates != nil {
		t.Errorf("stopped: %+v", s.Rates)
	}
}

// An address that stands for all of a machine's is asked on this one.
func TestWildcardAddressIsAskedHere(t *testing.T) {
	t.Parallel()
	_, port, err := net.SplitHostPort(answering(t, `{"state": "streaming"}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"", "0.0.0.0", "[::]"} {
		if h, err := askHealth(t.Context(), http.DefaultClient, host+":"+port); err != nil || h.State != "streaming" {
			t.Errorf("%s: %+v, %v", host, h, err)
		}
	}
}
