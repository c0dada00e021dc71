package itest

import (
	"os"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/replicator/desk"
)

// Whatever a site logs of statements, neither server's log shows a key of a patient
// next to its pseudonym, nor what a user asks the engine for.
func TestServersLogsShowNoKeys(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"foreign", "direct"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			testServersLogs(t, newReplication(t, newPair(t), "gazetteers: "+how+"\n"))
		})
	}
}

func testServersLogs(t *testing.T, r *replication) {
	t.Helper()
	const key = "918273645"
	for _, setting := range []string{"log_statement = 'all'", "log_min_duration_statement = 0", "log_parameter_max_length_on_error = -1"} {
		do(t, r.dst, "alter database "+r.name+" set "+setting)
		do(t, r.src, "alter database "+r.name+" set "+setting)
	}
	do(t, r.src, strings.ReplaceAll(patients, "(1, 'Zebulon'", "("+key+", 'Zebulon'"))
	r.run(t, nil)
	r.caughtUp(t)
	// The texts of these go over a prepared statement of the service, as all of a stream.
	seen := len(logged(t, r.replica.Log()))
	do(t, r.src, "set log_statement = 'none'; set log_min_duration_statement = -1; insert into ehr.note values (1, "+key+", null, 'new', 'Zebulon ate.')")
	r.caughtUp(t)
	d := r.desk(t)
	if got := ask(t, d, desk.Question{Patient: key, Text: "Zebulon slept."}); got[0].Reason != "" {
		t.Errorf("desk: %+v", got)
	}
	for _, wrong := range []string{"Zzmarkone John Quibbleton", "12 Zzmarkone", "99999999999999999999918273645"} {
		if got, err := d.Pull(t.Context(), desk.NoteKeys{Table: "ehr.note", Keys: []string{wrong, "1"}}); err != nil || len(got) != 1 {
			t.Errorf("pull: %+v, %v", got, err)
		}
		if got := ask(t, d, desk.Question{Patient: wrong, Text: "Slept well."}); got[0].Reason == "" {
			t.Errorf("desk: %+v", got)
		}
	}
	after := logged(t, r.replica.Log())
	if !strings.Contains(after[seen:], `insert into "deid_rows"."ehr.note"`) {
		t.Fatal("the replica logs no statements: the test looks at nothing")
	}
	for server, log := range map[string]string{"replica": after, "source": logged(t, r.source.Log())} {
		for line := range strings.SplitSeq(log, "\n") {
			if !strings.Contains(line, r.name) {
				continue
			}
			if strings.Contains(line, "Zzmarkone") || strings.Contains(line, "99999999918273645") ||
				strings.Contains(line, key) && strings.Contains(line, "parameters") || server == "replica" && strings.Contains(line, key) {
				t.Errorf("the %s logs %s", server, line[:min(len(line), 300)])
			}
		}
	}
}

func logged(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
