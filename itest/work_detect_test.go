//go:build native

package itest

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/certificate/certificatetest"
	"github.com/pgdeid/pgdeid/models/modelstest"
)

// runsAway returns how many windows a detection worker ran over for the process whose metrics are at addr.
func runsAway(t *testing.T, addr, worker string) string {
	t.Helper()
	_, body := get(t, "http://"+addr+"/metrics")
	m := regexp.MustCompile(`pgdeid_detect_worker_windows_total\{worker="` + regexp.QuoteMeta(worker) + `"\} (\S+)`).FindStringSubmatch(body)
	if m == nil {
		return "0"
	}
	return m[1]
}

// wibbletons are notes with a name that the ward's model alone knows, no sentence twice.
func (r *replication) wibbletons(t *testing.T, from, to int) {
	t.Helper()
	do(t, r.src, fmt.Sprintf(`insert into ehr.note select n, 1 + n %% 2, '2021-03-04', 'new', 'Visit ' || n || ' by wibbleton. Zebulon ate at ' || n
		|| '. Call wibbleton ' || n || ' times.' from generate_series(%d, %d) n`, from, to))
}

// A stream whose networks other processes run, one of which is killed on the way, writes what a stream writes that runs them itself.
func TestNetworksOfWorkersFindTheSame(t *testing.T) {
	t.Parallel()
	r, addr := withHTTP(t)
	do(t, r.src, patients)
	folder := filepath.Join(r.dir, "ward-model")
	modelstest.Make(t, folder, map[string]string{"wibbleton": "PATIENT"})
	useModel(t, r, addr, folder)
	alone := fileText(t, r.cfg.Path)
	detect := regexp.MustCompile(`(?s)detect:\n.*?\nhttp:`).FindString(alone)
	twin := r.twin(t)
	twin.cfg = r.configFile(t, "twin.yaml", strings.Replace(fileText(t, twin.cfg.Path), "detect: {models: fast}\n", strings.TrimSuffix(detect, "http:"), 1))

	files := certificatetest.New(t, r.dir).Issue(t, "here")
	first, second, absent := ownAddress(t), ownAddress(t), ownAddress(t)
	with := strings.Replace(alone, "detect:\n", fmt.Sprintf("detect:\n  workers: {addresses: [%q, %q, %q], certificate_file: here.pem, private_key_file: here.key, authority_file: %s}\n",
		first, second, absent, files.AuthorityFile), 1)
	r.cfg = r.config(t, with)
	workers := map[string]*daemon{}
	for _, at := range []string{first, second} {
		workers[at] = startPgdeid(t, nil, "work", "--detect", at, "--http", "", "--config", r.cfg.Path)
	}
	d := startPgdeid(t, nil, "run", "--config", r.cfg.Path)
	r.streaming(t)
	showsMetrics(t, addr, `pgdeid_detect_worker_state{state="up",worker="`+first+`"} 1`, `pgdeid_detect_worker_state{state="up",worker="`+second+`"} 1`,
		`pgdeid_detect_worker_state{state="down",worker="`+absent+`"} 1`)
	notes := 0
	more := func() { r.wibbletons(t, notes+1, notes+100); notes += 100 }
	eventually(t, "both work", func() bool {
		more()
		return runsAway(t, addr, first) != "0" && runsAway(t, addr, second) != "0"
	})
	more()
	workers[first].kill()
	more()
	showsMetrics(t, addr, `pgdeid_detect_worker_state{state="down",worker="`+first+`"} 1`)
	check := runPgdeid(t, nil, "check", "--config", r.cfg.Path)
	for _, want := range []string{"detection worker " + second + ": has the same version", "warning  detection worker " + first} {
		if !strings.Contains(check.stdout, want) {
			t.Errorf("check does not say %q:\n%s", want, check.stdout)
		}
	}
	workers[first] = startPgdeid(t, nil, "work", "--detect", first, "--http", "", "--config", r.cfg.Path)
	showsMetrics(t, addr, `pgdeid_detect_worker_state{state="up",worker="`+first+`"} 1`)
	more()
	r.caughtUp(t)
	for at, w := range workers {
		if code := w.terminate(t); code != 0 || strings.Contains(w.output(t), "wibbleton") {
			t.Errorf("worker %s: exit status %d\n%s", at, code, w.output(t))
		}
	}
	more()
	r.caughtUp(t)
	if code := d.terminate(t); code != 0 {
		t.Errorf("exit status %d", code)
	}
	startPgdeid(t, nil, "run", "--config", twin.cfg.Path)
	twin.caughtUp(t)
	want(t, r.dst, fmt.Sprint(notes), "select count(*)::text from ehr.note where body not like '%wibbleton%'")
	compareTwins(t, r.published(t), twin.published(t))
}
