package itest

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/replicator/admin"
)

// process is a replication whose program listens for HTTP.
func withHTTP(t *testing.T) (*replication, string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	r := newReplication(t, newPair(t))
	file := strings.Replace(r.settingsAgain(t)+"http: ADDR\n"+wardTables, "ADDR", addr, 1)
	r.cfg = r.config(t, file)
	return r, addr
}

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		return 0, err.Error()
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

func TestTerminatedRunHasConfirmedEverything(t *testing.T) {
	t.Parallel()
	r, addr := withHTTP(t)
	do(t, r.src, patients)
	d := startPgdeid(t, nil, "run", "--config", r.cfg.Path)
	r.streaming(t)
	do(t, r.src, "insert into ehr.note select n, 1, null, 'new', 'Quarkstein ' || n from generate_series(1, 3000) n")
	eventually(t, "some of it", func() bool { return count(t, r.dst, "ehr.note") != "0" })
	if code, body := get(t, "http://"+addr+"/readyz"); code != http.StatusOK {
		t.Errorf("readyz: %d %s", code, body)
	}
	if code := d.terminate(t); code != 0 {
		t.Errorf("exit status %d", code)
	}
	want(t, r.dst, "3000", "select count(*)::text from ehr.note")
	lsn := one(t, r.dst, "select lsn::text from deid.progress")
	want(t, r.src, lsn, "select confirmed_flush_lsn::text from pg_replication_slots where slot_name = $1", r.slot)
	if code, _ := get(t, "http://"+addr+"/healthz"); code != 0 {
		t.Errorf("healthz answers %d after the end", code)
	}
}

func TestHealthMetricsAndStatus(t *testing.T) {
	t.Parallel()
	r, addr := withHTTP(t)
	do(t, r.src, patients)
	do(t, r.src, "insert into ehr.note values (1, 1, null, 'new', 'Zebulon Quarkstein'), (2, null, null, 'new', 'Xylophantmark')")
	status := func() (admin.Status, int) {
		got := runPgdeid(t, nil, "status", "--json", "--sample", "100ms", "--config", r.cfg.Path)
		var s admin.Status
		if err := json.Unmarshal([]byte(got.stdout), &s); err != nil {
			t.Fatalf("%v: %s %s", err, got.stdout, got.stderr)
		}
		return s, got.code
	}
	if s, code := status(); s.Running || s.Slot.Exists || code != 3 || len(s.Problems) != 1 {
		t.Errorf("before the first run: %+v, %d", s, code)
	}
	d := startPgdeid(t, nil, "run", "--config", r.cfg.Path)
	r.streaming(t)
	r.caughtUp(t)
	eventually(t, "health", func() bool {
		code, _ := get(t, "http://"+addr+"/healthz")
		return code == http.StatusOK
	})
	_, metrics := get(t, "http://"+addr+"/metrics")
	for _, line := range []string{"pgdeid_notes_total 1", `pgdeid_quarantine_total{reason="no_patient"} 1`, "pgdeid_detect_seconds_count 1", "pgdeid_leak_total 0"} {
		if !strings.Contains(metrics, line) {
			t.Errorf("metrics lack %q", line)
		}
	}
	s, code := status()
	if !s.Running || s.Slot.WAL != "reserved" || s.Health == nil || s.Rates == nil || code != 3 || len(s.Copies) != 4 {
		t.Errorf("status: %+v, %d", s, code)
	}
	if len(s.Quarantine) != 1 || s.Quarantine[0] != (admin.AsideCount{Table: "ehr.note", Reason: "no_patient", Rows: 1}) {
		t.Errorf("quarantine: %+v", s.Quarantine)
	}
	if got := runPgdeid(t, nil, "status", "--config", r.cfg.Path); !strings.Contains(got.stdout, "no_patient") {
		t.Errorf("status: %+v", got)
	}
	if got := runPgdeid(t, nil, "retry", "--config", r.cfg.Path); got.code != 3 || !strings.Contains(got.stdout, "1 still set aside") {
		t.Errorf("retry: %+v", got)
	}
	if got := runPgdeid(t, nil, "reprocess", "--all", "--json", "--config", r.cfg.Path); !strings.HasPrefix(got.stdout, `{"read":2,"up_to_date":0,"unchanged":1,"changed":0,"aside":1,"absent":0,`) {
		t.Errorf("reprocess: %+v", got)
	}
	_, health := get(t, "http://"+addr+"/healthz")
	marks := []string{"Zebulon", "Quarkstein", "Xylophantmark", "MR-4711"}
	if found := marksInText(metrics+health+d.output(t), marks); len(found) > 0 {
		t.Errorf("found %v in metrics, health or log", found)
	}
	if found := marksInDatabase(t, r.dst, marks); len(found) > 0 {
		t.Errorf("found in %v", found)
	}
	d.kill()
	if s, code := status(); s.Running || code != 3 {
		t.Errorf("after the kill: %+v, %d", s, code)
	}
	// Another process sets nothing aside, and shows what is.
	startPgdeid(t, nil, "run", "--config", r.cfg.Path)
	showsMetrics(t, addr, `pgdeid_quarantine_rows{reason="no_patient"} 1`, `pgdeid_quarantine_total{reason="no_patient"} 0`,
		`pgdeid_slot_wal_status{status="reserved"} 1`, "pgdeid_slot_safe_wal_bytes +Inf", "pgdeid_slot_active 1")
}

// showsMetrics waits until a process exposes all lines.
func showsMetrics(t *testing.T, addr string, lines ...string) {
	t.Helper()
	eventually(t, "the metrics "+strings.Join(lines, ", "), func() bool {
		_, metrics := get(t, "http://"+addr+"/metrics")
		return !slices.ContainsFunc(lines, func(line string) bool { return !strings.Contains(metrics, "\n"+line+"\n") })
	})
}

// The first copy goes on where it was killed, while the source changes.
func TestKilledCopyGoesOn(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t)).exactly(t)
	do(t, r.src, "insert into ehr.patient select n, 'Zebulon', 'Quark' || n, 'MR-' || n, '1950-02-03' from generate_series(1, 50) n")
	do(t, r.src, "insert into ehr.note select n, 1 + n % 50, '2021-03-04', 'new', 'Mr. Quark' || 1 + n % 50 || repeat(' slept well.', n % 400) from generate_series(1, 10000) n")
	rnd := rand.New(rand.NewPCG(3, 4))
	partial := 0
	for round := range 12 {
		before := count(t, r.dst, "ehr.note")
		d := startPgdeid(t, nil, "snapshot", "--config", r.cfg.Path)
		if round%3 == 0 { // once it copies, and otherwise wherever it is
			eventually(t, "a page is copied", func() bool {
				return count(t, r.dst, "ehr.note") != before ||
					one(t, r.dst, "select (count(*) > 0 and bool_and(done))::text from deid.snapshot") == "true"
			})
		}
		time.Sleep(time.Duration(rnd.IntN(400)) * time.Millisecond)
		d.kill()
		if n := count(t, r.dst, "ehr.note"); n != "0" && n != "10000" {
			partial++
		}
		do(t, r.src, fmt.Sprintf(`update ehr.note set status = 'r%d' where note_id %% 97 = %d; delete from ehr.note where note_id %% 499 = %d;
			insert into ehr.note values (%d, 1, null, 'late', 'late'); update ehr.note set note_id = note_id + 100000 where note_id = %d`,
			round, round, round+20, 30000+round, 500+round))
	}
	if partial == 0 {
		t.Error("no kill came in the middle of the copy")
	}
	d := startPgdeid(t, nil, "run", "--config", r.cfg.Path)
	r.caughtUp(t)
	if code := d.terminate(t); code != 0 {
		t.Errorf("exit status %d", code)
	}
	source := texts(t, r.src, "select concat_ws('|', note_id, status, length(body) > 1000) from ehr.note")
	var mapped []string
	for _, line := range source {
		id, rest, _ := strings.Cut(line, "|")
		var n int64
		if _, err := fmt.Sscan(id, &n); err != nil {
			t.Fatal(err)
		}
		mapped = append(mapped, r.note(n)+"|"+strings.Split(rest, "|")[0])
	}
	if diff := differences(mapped, texts(t, r.dst, "select concat_ws('|', note_id, status) from ehr.note")); diff != "" {
		t.Errorf("source and replica differ:\n%s", brief(diff, 10))
	}
	want(t, r.dst, "0", "select count(*)::text from deid.quarantine")
}

// A service does not end when a person has to act: it says what about, and streams nothing.
func TestStayTellsWhatIsRefused(t *testing.T) {
	t.Parallel()
	r, addr := withHTTP(t)
	do(t, r.dst, "insert into deid.key_check (check_value) values ('\\x17')")
	d := startPgdeid(t, nil, "run", "--stay", "--config", r.cfg.Path)
	var health string
	eventually(t, "health of a refusal", func() bool {
		var code int
		code, health = get(t, "http://"+addr+"/healthz")
		return code == http.StatusServiceUnavailable && strings.Contains(health, `"refused"`)
	})
	_, exposed := get(t, "http://"+addr+"/metrics")
	if !strings.Contains(health, "another key") || !strings.Contains(exposed, "\npgdeid_refused{reason=\"key\"} 1\n") ||
		!strings.Contains(exposed, "\npgdeid_healthy 0\n") {
		t.Errorf("health %s", health)
	}
	if got := count(t, r.src, "pg_replication_slots where slot_name = '"+r.slot+"'"); got != "0" {
		t.Error("it made a slot with the wrong key")
	}
	if code := d.terminate(t); code != 0 {
		t.Errorf("status %d when it is asked to end", code)
	}
}
