package itest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"
)

// storm merges, moves, takes apart and excludes patients of a ward at random, the same for the
// same seed.
type storm struct {
	stormWard
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
	first := "1 + n % " + fmt.Sprint(s.patients)
	do(t, conn, fmt.Sprintf(`
		insert into ehr.patient select %[4]s, 'Zebulon', 'Quarkstein', 'MR-4711', '1950-02-03' from generate_series(1, %[1]d) n;
		insert into ehr.visit select %[6]s, %[5]s, '2021-03-04 10:00+00' from generate_series(1, %[2]d) n;
		insert into ehr.line select %[6]s, %[7]s from generate_series(1, %[2]d) n, generate_series(1, %[8]d) k;
		insert into ehr.note select n, %[5]s, '2021-03-04', 'new', 'Quarkstein came on 3/5/2021, call 617-555-0142.'
			from generate_series(1, %[3]d) n`,
		s.patients, s.visits, s.notes, s.patient("n"), s.patient("("+first+")"), s.visit("n"), s.line, s.lines))
}

func (s *storm) somebody() string { return fmt.Sprint(1 + s.rnd.IntN(s.patients)) }

// move returns a statement that gives rows to a patient.
func (s *storm) move(table, columns, to, which string) string {
	return fmt.Sprintf("update ehr.%s set (%s) = row(%s) where %s;", table, columns, s.patient(to), which)
}

// of returns the condition that rows are a patient's.
func (s *storm) of(columns, patient string) string {
	return fmt.Sprintf("row(%s) = row(%s)", columns, s.patient(patient))
}

// change returns the statements of one change.
func (s *storm) change() string {
	a, b := s.somebody(), s.somebody()
	note, visit := fmt.Sprint(1+s.rnd.IntN(s.notes)), fmt.Sprint(1+s.rnd.IntN(s.visits))
	s.next++
	switch s.rnd.IntN(15) {
	case 0: // two patients become one
		n, _ := strconv.Atoi(a)
		s.merged = append(s.merged, n)
		return s.move("note", s.ofNote, b, s.of(s.ofNote, a)) + s.move("visit", s.ofVisit, b, s.of(s.ofVisit, a))
	case 1: // some of what was merged goes back
		if len(s.merged) == 0 {
			return ""
		}
		a = fmt.Sprint(s.merged[s.rnd.IntN(len(s.merged))])
		return s.move("note", s.ofNote, a, fmt.Sprintf("1 + %s %% %d = %s", s.noteNumber, s.patients, a)) +
			s.move("visit", s.ofVisit, a, fmt.Sprintf("1 + %s %% %d = %s", s.visitNumber, s.patients, a))
	case 2, 3:
		return s.move("visit", s.ofVisit, a, s.visitNumber+" = "+visit)
	case 4: // another way to move an encounter
		return fmt.Sprintf(`delete from ehr.visit where %s = %s;
			insert into ehr.visit values (%s, %s, '2021-03-04 10:00+00');`, s.visitNumber, visit, s.visit(visit), s.patient(a))
	case 5, 6:
		return s.move("note", s.ofNote, a, s.noteNumber+" = "+note)
	case 7: // the same by other means
		return fmt.Sprintf(`delete from ehr.note where %s = %s;
			insert into ehr.note values (%[2]s, %s, '2021-04-05', 'again', 'Quarkstein left on 4/5/2021.');`, s.noteNumber, note, s.patient(a))
	case 8, 9:
		s.consents = append(s.consents, s.next)
		return fmt.Sprintf("insert into ehr.consent values (%d, %s, 'refused');", s.next, s.patient(a))
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
		return fmt.Sprintf("insert into ehr.identity values (%d, %s, %s);", s.next, s.patient(a), s.patient(b))
	case 13:
		if len(s.identities) == 0 {
			return ""
		}
		at := s.rnd.IntN(len(s.identities))
		id := s.identities[at]
		s.identities = slices.Delete(s.identities, at, at+1)
		return fmt.Sprintf("update ehr.identity set undone = true where id = %d;", id)
	default:
		return fmt.Sprintf("update ehr.note set body = body || ' Seen on 3/%d/2021.' where %s = %s;", 1+s.rnd.IntN(28), s.noteNumber, note)
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
func stormOf(t *testing.T, ward stormWard) (s *storm, changes, kills int) {
	t.Helper()
	if os.Getenv("PGDEID_STORM") != "" {
		return &storm{stormWard: ward, rnd: rand.New(rand.NewPCG(11, 3)), patients: 400, notes: 10_000, visits: 1000}, 1000, 10
	}
	if testing.Short() {
		t.Skip("processes are killed")
	}
	return &storm{stormWard: ward, rnd: rand.New(rand.NewPCG(11, 3)), patients: 50, notes: 200, visits: 60}, 150, 1
}

// Patients merge, part, move and opt out while the stream runs and the process is killed: what is
// left equals a fresh copy. So it does where patients, visits and notes have keys of several columns.
func TestMergeStorm(t *testing.T) {
	t.Parallel()
	for name, ward := range map[string]stormWard{"one number": oneNumber, "numbers of sites": numbersOfSites} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, changes, kills := stormOf(t, ward)
			s.rage(t, changes, kills)
		})
	}
}

func (s *storm) rage(t *testing.T, changes, kills int) {
	t.Helper()
	r := newReplicationOf(t, newPair(t), s.tables, s.mapped)
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
	fresh := r.twinOf(t, s.mapped)
	again := startPgdeid(t, nil, "snapshot", "--config", fresh.cfg.Path)
	again.wait(t)
	compareTwins(t, r.rows(t), fresh.rows(t))
	for _, id := range texts(t, r.src, "select distinct "+s.excluded+" from ehr.consent where status = 'refused'") {
		if left := r.tracesOf(t, s.pseudonym(t, r, id)); strings.Contains(left, "deid_rows") || strings.Contains(left, "date_shift") || strings.Contains(left, "provenance") {
			t.Errorf("of patient %s, who opted out: %s", id, left)
		}
	}
	published := count(t, r.dst, "ehr.note")
	if published == "0" {
		t.Error("nothing was compared")
	}
	t.Logf("%s notes of %d are published, %s rows set aside", published, s.notes, count(t, r.dst, "deid.quarantine"))
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
