//go:build alerts

package itest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/onnx"
	"github.com/pgdeid/pgdeid/replicator/sandbox"
)

// service stands for the service manager: it starts and stops pgdeid, and keeps its log.
const service = `#!/bin/bash
case "$(basename "$0") $1" in
"systemctl start") [ -e pid ] || { setsid pgdeid run --stay >>log 2>&1 & echo $! >pid; } ;;
"systemctl stop") [ ! -e pid ] || { kill "$(cat pid)"; tail --pid="$(cat pid)" -f /dev/null; rm pid; } ;;
"systemctl restart") "$0" stop pgdeid && "$0" start pgdeid ;;
"systemctl status") [ -e pid ] && echo "pgdeid.service is active, process $(cat pid)" ;;
"journalctl -u") tail -n 50 log ;;
*) echo "not understood: $*" >&2; exit 9 ;;
esac
`

// site is a machine with pgdeid as a service, as the runbook expects it.
type site struct {
	*replication
	prometheus
	env       []string
	worker    string  // address of the detection worker
	detection *daemon // on another machine: no service here
}

func newSite(t *testing.T) *site {
	t.Helper()
	r := newReplication(t, newOwnPair(t))
	settings, worker := alertSettings(t, r)
	r.cfg = r.config(t, settings+wardTables)
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(r.dir, "bin")
	if err := os.Mkdir(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"systemctl", "journalctl"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(service), 0o700); err != nil { // #nosec G306 -- it is run
			t.Fatal(err)
		}
	}
	if err := os.Symlink(path, filepath.Join(bin, "pgdeid")); err != nil {
		t.Fatal(err)
	}
	services := ""
	for name, s := range map[string]*sandbox.Server{"ehr": r.source, "research": r.replica} {
		services += fmt.Sprintf("[%s]\nhost=127.0.0.1\nport=%d\ndbname=%s\nuser=%s\npassword=%s\n", name, s.Port(), r.name, s.Superuser(), s.Password())
	}
	servers, err := sandbox.FindBinDir()
	if err != nil {
		t.Fatal(err)
	}
	s := &site{replication: r, worker: worker, env: append(os.Environ(),
		"PATH="+strings.Join([]string{bin, servers, os.Getenv("PATH")}, ":"),
		"PGSERVICEFILE="+r.file(t, "services", services), "PGDEID_CONFIG="+r.cfg.Path, onnx.LibraryEnv+"="+library(t))}
	t.Cleanup(func() { _, _ = s.shell(t, "systemctl stop pgdeid") })
	return s
}

// shell runs a command of the runbook, with the test's folder for that of the configuration.
func (s *site) shell(t *testing.T, command string) (string, int) {
	t.Helper()
	cmd := exec.Command("bash", "-o", "pipefail", "-c", strings.ReplaceAll(command, "/etc/pgdeid/", s.dir+"/"))
	cmd.Env, cmd.Dir = s.env, s.dir
	out, _ := cmd.CombinedOutput() // the code says how it ended
	return string(out), cmd.ProcessState.ExitCode()
}

// trouble is what an alert is about, and what a person does that is no command.
type trouble struct {
	begin, repair func(t *testing.T, s *site)
}

func (s *site) restarted(t *testing.T, between func()) {
	t.Helper()
	s.shell(t, "systemctl stop pgdeid")
	between()
	s.shell(t, "systemctl start pgdeid")
}

func onSource(statements string) func(*testing.T, *site) {
	return func(t *testing.T, s *site) { t.Helper(); do(t, s.src, statements) }
}

func onReplica(statements string) func(*testing.T, *site) {
	return func(t *testing.T, s *site) { t.Helper(); do(t, s.dst, statements) }
}

func killed(t *testing.T, s *site) {
	t.Helper()
	s.shell(t, "kill -9 $(cat pid); rm pid")
}

func workerKilled(_ *testing.T, s *site) { s.detection.kill() }

func workerStarted(t *testing.T, s *site) {
	t.Helper()
	s.detection = s.detecting(t, s.worker)
	showsMetrics(t, "127.0.0.1:9187", `pgdeid_detect_worker_state{state="up",worker="`+s.worker+`"} 1`)
}

func dropSlot(t *testing.T, s *site) {
	t.Helper()
	do(t, s.src, "select pg_drop_replication_slot('"+s.slot+"')")
}

func stopped(between func(t *testing.T, s *site)) func(*testing.T, *site) {
	return func(t *testing.T, s *site) { t.Helper(); s.restarted(t, func() { between(t, s) }) }
}

func swapKeys(t *testing.T, s *site) {
	t.Helper()
	if out, code := s.shell(t, "[ -e other ] || pgdeid key new other; mv key one && mv other key && mv one other"); code != 0 {
		t.Fatal(out)
	}
}

// troubles make alerts ring before their section is followed.
var troubles = map[string]trouble{
	"PgdeidDown":             {begin: killed},
	"PgdeidStreamStopped":    {begin: onSource("alter publication pgdeid drop table ehr.note")},
	"PgdeidKeyMismatch":      {begin: stopped(swapKeys), repair: swapKeys},
	"PgdeidSlotLost":         {begin: stopped(dropSlot)},
	"PgdeidSourceFailedOver": {begin: stopped(onReplica("update deid.progress set system_id = '17'"))},
	"PgdeidRefused":          {begin: stopped(onReplica("update deid.made_for set schema_hash = 'of another'"))},
	"PgdeidQuarantineGrowing": {
		begin:  onSource("insert into ehr.line values (4711, 1, 'of a visit that is not there yet')"),
		repair: onSource("insert into ehr.visit values (4711, 1, null)"),
	},
	"PgdeidValuesWithheld":      {begin: onSource("insert into ehr.patient values (4712, 'Yorick', 'Quarkstein', 'M4712', '0044-03-15 BC')")},
	"PgdeidDetectionWorkerDown": {begin: workerKilled, repair: workerStarted},
	"PgdeidNewColumn":           {begin: onSource("alter table ehr.note add column of_the_upgrade text")},
}

// Every command of the runbook is run as it is written, where it can be with its alert ringing, and afterwards all is well.
func TestRunbook(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	do(t, s.src, patients)
	if out, code := s.shell(t, "systemctl start pgdeid"); code != 0 {
		t.Fatal(out)
	}
	workerStarted(t, s)
	s.prometheus = startPrometheus(t, "127.0.0.1:9187")
	s.streaming(t)
	sections, commands := runbook(t)
	for _, section := range sections {
		trouble := troubles[section]
		if trouble.begin != nil {
			eventually(t, "quiet before "+section, func() bool { return !s.rings(t, section) })
			trouble.begin(t, s)
			eventually(t, section+" rings", func() bool { return s.rings(t, section) })
			t.Logf("%s rang", section)
		}
		for i, command := range commands[section] {
			if i == len(commands[section])-1 && trouble.repair != nil {
				trouble.repair(t, s)
			}
			out, code := s.shell(t, command)
			t.Logf("%s\n$ %s\n%s(status %d)", section, command, out, code)
			if !slices.Contains(fineStatus(command), code) {
				t.Errorf("%s: %s: status %d", section, command, code)
			}
		}
		s.streaming(t)
	}
	if _, code := s.shell(t, "systemctl restart pgdeid"); code != 0 {
		t.Error("it does not start again")
	}
	s.caughtUp(t)
	eventually(t, "all is well", func() bool { _, code := s.shell(t, "pgdeid status"); return code == 0 })
}

// fineStatus returns with which statuses a command may end: 3 says that something needs a person.
func fineStatus(command string) []int {
	switch {
	case strings.HasPrefix(command, "pgdeid "):
		return []int{0, 3}
	case strings.HasPrefix(command, "timeout "):
		return []int{0, 124}
	case strings.Contains(command, "| grep "):
		return []int{0, 1}
	case strings.HasPrefix(command, "systemctl status"):
		return []int{0, 1}
	}
	return []int{0}
}

// runbook returns the commands of the runbook's sections, in order.
func runbook(t *testing.T) (sections []string, commands map[string][]string) {
	t.Helper()
	text, err := os.ReadFile(alerts + "/RUNBOOK.md")
	if err != nil {
		t.Fatal(err)
	}
	commands = map[string][]string{}
	section := "Runbook"
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		if name, ok := strings.CutPrefix(line, "## "); ok {
			section = name
		}
		if command, ok := strings.CutPrefix(line, "    "); ok {
			if !slices.Contains(sections, section) {
				sections = append(sections, section)
			}
			commands[section] = append(commands[section], command)
		}
	}
	return sections, commands
}
