package admin

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator"
	"github.com/pgdeid/pgdeid/sql/research"
)

// Whether the process answers, in [Status.Process].
const (
	processAnswers   = "answers"
	processSilent    = "does not answer"
	processElsewhere = "listens elsewhere, if at all"
	processNoHTTP    = "has no address: http is empty"
)

// busy reports whether a process holds the lock of the session that copies or streams.
func busy(ctx context.Context, conn *pgx.Conn, slot string) (held bool, err error) {
	err = conn.QueryRow(ctx, `
		select exists (select from pg_locks, (values (hashtextextended($1, 0))) k (h)
			where locktype = 'advisory' and granted and objsubid = 1
				and database = (select oid from pg_database where datname = current_database())
				and classid::bigint = (h >> 32) & 4294967295 and objid::bigint = h & 4294967295)`, research.SlotLock(slot)).Scan(&held)
	return held, fault.New("look whether a process works on slot "+slot, err, "")
}

// askProcess asks the process for its health and, twice, for its counters. That it
// does not answer is no error: it may run elsewhere or not at all.
func (s *Status) askProcess(ctx context.Context, addr string, sample time.Duration) {
	if addr == "" {
		s.Process = processNoHTTP
		return
	}
	client := &http.Client{Timeout: 2 * time.Second}
	first, err := askHealth(ctx, client, addr)
	if err != nil {
		s.Process = processElsewhere
		var ne net.Error
		if errors.As(err, &ne) && ne.Timeout() {
			s.Process = processSilent
		}
		return
	}
	s.Process, s.Health = processAnswers, first
	if sample <= 0 {
		return
	}
	start := time.Now()
	select {
	case <-time.After(sample):
	case <-ctx.Done():
		return
	}
	if second, err := askHealth(ctx, client, addr); err == nil {
		seconds := time.Since(start).Seconds()
		s.Rates = &Rates{Notes: float64(second.Notes-first.Notes) / seconds, Bytes: float64(second.TextBytes-first.TextBytes) / seconds}
	}
}

func askHealth(ctx context.Context, client *http.Client, addr string) (*replicator.Health, error) {
	if host, port, err := net.SplitHostPort(addr); err == nil && (host == "" || host == "0.0.0.0" || host == "::") {
		addr = net.JoinHostPort("127.0.0.1", port)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/healthz", nil)
	if err != nil {
		return nil, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	h := &replicator.Health{}
	err = json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(h)
	if err == nil && h.State == "" {
		err = errors.New("what listens there is no pgdeid")
	}
	return h, err
}
