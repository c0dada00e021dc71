package itest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"
)

// storm merges, moves, takes apart and excludes patients of the ward at random, the same for the
// same seed.
type storm struct {
	rnd                     *rand.Rand
	patients, notes, visits int
	consents                []int // numbers of rows that exclude somebody
	next                    int
	merged                  []int // patients whose rows are another one's
	identities              []int // numbers of rows that say so
}

// begin fills the ward. All patients have one name, so that what is found in a note does not
// depend on whose it was before; surrogates and dates show whose it is. One number is in all
// notes: of several, those that collide get their surrogates in the order in which they come.
func (s *storm) begin(t *testing.T, conn *pgx.Conn) {
	t.Helper()
	do(t, conn, fmt.Sprintf(`
		insert into ehr.patient select n, 'Zebulon', 'Quarkstein', 'MR-4711', '1950-02-03' from generate_series(1, %[1]d) n;
		insert into ehr.visit select n, 1 + n %% %[1]d, '2021-03-04 10:00+00' from generate_series(1, %[2]d) n;
		insert into ehr.line select n, 1, 'Zebulon ate on 3/4/2021.' from generate_series(1, %[2]d) n;
		insert into ehr.note select n, 1 + n %% %[1]d, '2021-03-04', 'new', 'Quarkstein came on 3/5/2021, call 617-555-0142.'
			from generate_series(1, %[3]d) n`, s.patients, s.visits, s.notes))
}

func (s *storm) patient() int { return 1 + s.rnd.IntN(s.patients) }

// change returns the statements of one change.
func (s *storm) change() string {
	a, b := s.patient(), s.patient()
	note, visit := 1+s.rnd.IntN(s.notes), 1+s.rnd.IntN(s.visits)
	s.next++
	switch s.rnd.IntN(15) {
	case 0: // two patients become one
		s.merged = append(s.merged, a)
		return fmt.Sprintf("update ehr.note set patient_id = %d where patient_id = %d; update ehr.visit set patient_id = %[1]d where patient_id = %[2]d;", b, a)
	case 1: // some of what was merged goes back
		if len(s.merged) == 0 {
			return ""
		}
		a = s.merged[s.rnd.IntN(len(s.merged))]
		return fmt.Sprintf(`update ehr.note set patient_id = %[1]d where 1 + note_id %% %[2]d = %[1]d;
			update ehr.visit set patient_id = %[1]d where 1 + visit_id %% %[2]d = %[1]d;`, a, s.patients)
	case 2, 3:
		return fmt.Sprintf("update ehr.visit set patient_id = %d where visit_id = %d;", a, visit)
	case 4: // another way to move an encounter
		return fmt.Sprintf(`delete from ehr.visit where visit_id = %[1]d;
			insert into ehr.visit values (%[1]d, %[2]d, '2021-03-04 10:00+00');`, visit, a)
	case 5, 6:
		return fmt.Sprintf("update ehr.note set patient_id = %d where note_id = %d;", a, note)
	case 7: // the same by other means
		return fmt.Sprintf(`delete from ehr.note where note_id = %[1]d;
			insert into ehr.note values (%[1]d, %[2]d, '2021-04-05', 'again', 'Quarkstein left on 4/5/2021.');`, note, a)
	case 8, 9:
		s.consents = append(s.consents, s.next)
		return fmt.Sprintf("insert into ehr.consent values (%d, %d, 'refused');", s.next, a)
	case 10:
		if len(s.consents) == 0 {
			return ""
		}
		at := s.rnd.IntN(len(s.consents))
		id := s.consents[at]
		s.consents = slices.Delete(s.consents, at, at+1)
		return fmt.Sprintf("delete from ehr.consent where consent_id = %d;", id)
	case 11, 12:
		s.identities = append(s.identities, s.next)
		return fmt.Sprintf("insert into ehr.identity values (%d, %d, %d);", s.next, a, b)
	case 13:
		if len(s.identities) == 0 {
			return ""
		}
		at := s.rnd.IntN(len(s.identities))
		id := s.identities[at]
		s.identities = slices.Delete(s.identities, at, at+1)
		return fmt.Sprintf("update ehr.identity set undone = true where id = %d;", id)
	default:
		return fmt.Sprintf("update ehr.note set body = body || ' Seen on 3/%d/2021.' where note_id = %d;", 1+s.rnd.IntN(28), note)
	}
}

// run makes n changes, alone or several in a transaction.
func (s *storm) run(ctx context.Context, conn *pgx.Conn, n int) error {
	for done := 0; done < n; {
		var b strings.Builder
		b.WriteString("begin;")
		for range min(1+s.rnd.IntN(3), n-done) {
			b.WriteString(s.change())
			done++
		}
		if _, err := conn.Exec(ctx, b.String()+"commit", pgx.QueryExecModeSimpleProtocol); err != nil {
			return err
		}
	}
	return nil
}

// stormOf returns how many changes of how many patients, with how many kills in between. The larger one
// is that of "make storm".
func stormOf(t *testing.T) (s *storm, changes, kills int) {
	t.Helper()
	if os.Getenv("PGDEID_STORM") != "" {
		return &storm{rnd: rand.New(rand.NewPCG(11, 3)), patients: 400, notes: 10_000, visits: 1000}, 1000, 10
	}
	if testing.Short() {
		t.Skip("processes are killed")
	}
	return &storm{rnd: rand.New(rand.NewPCG(11, 3)), patients: 50, notes: 200, visits: 60}, 150, 1
}

// Patients merge, part, move and opt out while the stream runs and the process is killed: what is
// left equals a fresh copy.
func TestMergeStorm(t *testing.T) {
	t.Parallel()
	s, changes, kills := stormOf(t)
	const settings = merges + excludeRefused
	r := newReplicationOf(t, newPair(t), ward+optOuts+mergeTable, settings+wardTables)
	s.begin(t, r.src)
	writer := r.onSource(t)
	first := startPgdeid(t, nil, "run", "--config", r.cfg.Path)
	r.streaming(t)
	for range kills {
		var g errgroup.Group
		g.Go(func() error { return s.run(t.Context(), writer, changes/(kills+1)) })
		time.Sleep(time.Duration(200+s.rnd.IntN(600)) * time.Millisecond)
		first.kill()
		if err := g.Wait(); err != nil {
			t.Fatal(err)
		}
		first = startPgdeid(t, nil, "run", "--config", r.cfg.Path)
		r.streaming(t)
	}
	if err := s.run(t.Context(), writer, changes/(kills+1)); err != nil {
		t.Fatal(err)
	}
	r.caughtUp(t)
	if code := first.terminate(t); code != 0 {
		t.Errorf("exit status %d after SIGTERM", code)
	}
	fresh := r.twinOf(t, settings+wardTables)
	again := startPgdeid(t, nil, "snapshot", "--config", fresh.cfg.Path)
	again.wait(t)
	compareTwins(t, r.rows(t), fresh.rows(t))
	for _, id := range texts(t, r.src, "select distinct patient_id::text from ehr.consent where status = 'refused'") {
		var n int64
		if _, err := fmt.Sscan(id, &n); err != nil {
			t.Fatal(err)
		}
		if left := r.traces(t, n); strings.Contains(left, "deid_rows") || strings.Contains(left, "date_shift") || strings.Contains(left, "provenance") {
			t.Errorf("of patient %s, who opted out: %s", id, left)
		}
	}
	t.Logf("%s notes of %d are published, %s rows set aside", count(t, r.dst, "ehr.note"), s.notes, count(t, r.dst, "deid.quarantine"))
}

// rows lists the rows of the ward in the replica with whose they are, and under whom their texts were made.
func (r *replication) rows(t *testing.T) []string {
	t.Helper()
	return texts(t, r.dst, `
		select 'patient ' || x::text from deid_rows."ehr.patient" x
		union all select 'visit ' || x::text from deid_rows."ehr.visit" x
		union all select 'note ' || x::text from deid_rows."ehr.note" x
		union all select 'line ' || x::text from deid_rows."ehr.line" x
		union all select 'provenance ' || concat_ws('|', table_name, column_name, row_key, patient) from deid.note_provenance
		union all select 'aside ' || concat_ws('|', table_name, key_hmac, reason) from deid.quarantine
		order by 1`)
}
