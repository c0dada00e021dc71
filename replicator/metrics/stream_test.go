package metrics

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/replicator/source"
)

// exposes checks what m shows of series.
func (m *Metrics) exposes(t *testing.T, want ...string) {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	for _, line := range want {
		if !strings.Contains("\n"+w.Body.String(), "\npgdeid_"+line+"\n") {
			t.Errorf("no %s", line)
		}
	}
}

func TestOneStateAndOneRefusal(t *testing.T) {
	t.Parallel()
	m := New()
	m.exposes(t, `state{state="starting"} 1`, `state{state="refused"} 0`, `refused{reason="key"} 0`, `refused{reason="fault"} 0`)
	m.State(Refused)
	m.Refuse(BrokenSlot)
	m.exposes(t, `state{state="starting"} 0`, `state{state="refused"} 1`, `refused{reason="slot"} 1`, `refused{reason="key"} 0`)
	m.State(Streaming)
	m.Refuse("")
	m.exposes(t, `state{state="streaming"} 1`, `state{state="refused"} 0`, `refused{reason="slot"} 0`)
	m.Health(true, false)
	m.exposes(t, "healthy 1", "ready 0")
}

// A quiet source is told from a stopped stream: it sends that it has nothing.
func TestMomentsAreUnixTime(t *testing.T) {
	t.Parallel()
	m := New()
	m.exposes(t, "source_heard_timestamp_seconds 0", "applied_timestamp_seconds 0", "read_timestamp_seconds 0")
	m.Heard(time.UnixMilli(1500))
	m.Read(time.UnixMilli(2500))
	m.Applied(time.UnixMilli(4000), time.UnixMilli(9250))
	m.exposes(t, "source_heard_timestamp_seconds 1.5", "read_timestamp_seconds 2.5", "applied_timestamp_seconds 4", "lag_seconds 5.25")
}

func TestAgeOfAQueue(t *testing.T) {
	t.Parallel()
	m := New()
	m.exposes(t, `requeue_requests{queue="paths"} NaN`, `requeue_waiting_seconds{queue="paths"} 0`)
	at := func(n int64) time.Time { return time.Unix(1000+n, 0) }
	for _, step := range []struct{ second, requests, waiting int64 }{
		{0, 0, 0}, {10, 3, 0}, {20, 2, 10}, {30, 9, 20}, {40, 0, 0}, {50, 1, 0}, {60, 1, 10},
	} {
		m.Requests(Paths, step.requests, at(step.second))
		if got := read(t, m, `requeue_waiting_seconds{queue="paths"}`); got != float(step.waiting) {
			t.Errorf("after %d s with %d requests: %s", step.second, step.requests, got)
		}
	}
	m.exposes(t, `requeue_requests{queue="paths"} 1`, `requeue_requests{queue="patients"} NaN`)
}

func TestWhatTheSourceSays(t *testing.T) {
	t.Parallel()
	m := New()
	m.exposes(t, "slot_retained_wal_bytes NaN", "slot_safe_wal_bytes NaN", `slot_wal_status{status="lost"} NaN`, "source_timeline NaN")
	m.Slot(&source.Slot{WAL: "extended", Retained: 4096, Active: true})
	m.exposes(t, "slot_retained_wal_bytes 4096", "slot_safe_wal_bytes +Inf", `slot_wal_status{status="extended"} 1`, "slot_active 1")
	safe := int64(17)
	m.Slot(&source.Slot{WAL: "lost", Safe: &safe})
	m.exposes(t, "slot_safe_wal_bytes 17", `slot_wal_status{status="lost"} 1`, `slot_wal_status{status="extended"} 0`, "slot_active 0")
	m.Origin(&source.Origin{SystemID: "71", Timeline: 1})
	m.Origin(&source.Origin{SystemID: "72", Timeline: 2})
	m.exposes(t, `source_info{system_id="72"} 1`, "source_timeline 2")
	if got := read(t, m, `source_info{system_id="71"}`); got != "" {
		t.Error("the source before is still shown")
	}
	m.Epoch(2)
	m.Version("v1.2")
	m.exposes(t, "key_epoch 2", `build_info{version="v1.2"} 1`)
}

// read returns the value of a series, or "".
func read(t *testing.T, m *Metrics, series string) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	_, rest, _ := strings.Cut(w.Body.String(), "\npgdeid_"+series+" ")
	value, _, _ := strings.Cut(rest, "\n")
	return value
}

func float(n int64) string { return strconv.FormatInt(n, 10) }

func TestPartsOfACopy(t *testing.T) {
	t.Parallel()
	m := New()
	m.exposes(t, `copy_parts{state="waiting"} 0`, `copy_parts{state="copying"} 0`, `copy_parts{state="done"} 0`, "copy_parts_redone_total 0")
	m.Parts(3, 2, 1)
	m.Redone.Add(2)
	m.exposes(t, `copy_parts{state="waiting"} 3`, `copy_parts{state="copying"} 2`, `copy_parts{state="done"} 1`, "copy_parts_redone_total 2")
}
