package itest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/sql"
	"github.com/pgdeid/pgdeid/sql/migrations"
)

// twin makes a second replica of the same source, with the same key and a slot of
// its own: what the first one has to equal in the end.
func (r *replication) twin(t *testing.T) *replication {
	t.Helper()
	return r.twinOf(t, wardTables)
}

// twinOf is twin with another mapping than the ward's.
func (r *replication) twinOf(t *testing.T, mapped string) *replication {
	t.Helper()
	name := r.name + "_twin"
	if err := r.replica.CreateDatabase(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	if r.replica == shared.replica {
		t.Cleanup(func() { dropLater(t, r.replica, name) })
	}
	head, tail, _ := strings.Cut(r.settingsAgain(t), "replica:\n")
	head = strings.Replace(head, "slot: "+r.name, "slot: "+name, 1)
	tail = strings.ReplaceAll(tail, "/"+r.name+"?", "/"+name+"?")
	w := *r
	w.slot = name
	w.cfg = r.pair.configFile(t, "twin.yaml", head+"replica:\n"+tail+"http: \"\"\n"+mapped)
	w.cfg.Source.Heartbeat = quickHeartbeat
	w.dst = connect(t, r.replica, name)
	if err := sqlUp(t, w.cfg, migrations.Replica, sql.Options{}); err != nil {
		t.Fatal(err)
	}
	return &w
}

// published returns everything that was published, and how, a line a row. Telephone numbers are left
// out: where two of a patient want the same one of the few there are, the one that was read first gets it, and a
// row that is read again may be newer than the stream.
func (r *replication) published(t *testing.T) []string {
	t.Helper()
	return append(r.opened(t, true), texts(t, r.dst, `
		select 'patient ' || x::text from ehr.patient x
		union all select 'visit ' || x::text from ehr.visit x
		union all select 'note ' || `+silent+` from ehr.note x where x.patient_id::text not in (select patient from deid.patient_former)
		union all select 'line ' || `+silent+` from ehr.line x where replace(json_build_array(x.visit_id::text, x.n::text)::text, ' ', '') not in
			(select row_key from deid.note_provenance join deid.patient_former using (patient) where table_name = 'ehr.line')
		union all select 'provenance ' || concat_ws('|', table_name, column_name, row_key, patient, `+madeOf+`) from deid.note_provenance
		union all select 'aside ' || concat_ws('|', table_name, key_hmac, reason) from deid.quarantine
		order by 1`)...)
}

const silent = `regexp_replace(x::text, '\d{3}-555-01\d\d', 'a number', 'g')`

// From whom a patient has taken over notes depends on when these were read again: a move
// to and fro within one look at the source is none. So the hash of what was known of such
// patients is not compared, nor are their texts; moves go to few of them.
const madeOf = `case when patient in (select patient from deid.patient_former) then null else text_hmac end`

// facts returns what was published without the choice of surrogates, which depends
// on what the patient's record was when a name was first met: the rows, and hashes
// of the texts and records that they were made from.
func (r *replication) facts(t *testing.T) []string {
	t.Helper()
	return append(r.opened(t, false), texts(t, r.dst, `
		select concat_ws('|', 'patient', patient_id, born) from ehr.patient
		union all select 'visit ' || x::text from ehr.visit x
		union all select concat_ws('|', 'note', note_id, patient_id, written, status, length(body) > 1000, body is null) from ehr.note
		union all select concat_ws('|', 'provenance', table_name, column_name, row_key, patient, `+madeOf+`) from deid.note_provenance
		union all select concat_ws('|', 'aside', table_name, key_hmac, reason) from deid.quarantine
		order by 1`)...)
}

// shareFormers notes in both replicas who has taken over rows in either, before they are
// compared: see madeOf.
func shareFormers(t *testing.T, a, b *replication) {
	t.Helper()
	const read = "select distinct patient from deid.patient_former"
	for _, pair := range [][2]*replication{{a, b}, {b, a}} {
		for _, patient := range texts(t, pair[0].dst, read) {
			_, err := pair[1].dst.Exec(t.Context(), "insert into deid.patient_former values ($1, 'of the twin') on conflict do nothing", patient)
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

func compareTwins(t *testing.T, a, b []string) {
	t.Helper()
	if diff := differences(a, b); diff != "" {
		t.Errorf("the replicas differ:\n%s", brief(diff, 20))
	}
}

// brief returns the first lines of a text, cut short.
func brief(text string, lines int) string {
	all := strings.Split(text, "\n")
	all = all[:min(lines, len(all))]
	for i, line := range all {
		all[i] = line[:min(200, len(line))]
	}
	return strings.Join(all, "\n")
}

// mixer makes changes of all kinds to the ward, the same ones for the same seed.
type mixer struct {
	rnd     *rand.Rand
	notes   []int
	next    int
	people  int
	names   []string
	applied int
}

func newMixer(seed uint64) *mixer {
	return &mixer{rnd: rand.New(rand.NewPCG(seed, 1)), next: 1, names: []string{
		"Abernathy", "Brzezicki", "Castellanos", "Dombrowski", "Eisenhauer", "Fitzwilliam", "Guadarrama", "Hollingsworth", "Iwasaki", "Jablonski",
	}}
}

// begin makes the people.
func (m *mixer) begin(ctx context.Context, conn *pgx.Conn) error {
	for m.people = 1; m.people <= 12; m.people++ {
		_, err := conn.Exec(ctx, fmt.Sprintf(`insert into ehr.patient values (%d, '%s', '%s', 'MR-%d', '19%d-03-04');`,
			m.people, m.names[m.rnd.IntN(5)], m.names[m.people%10], 70000+m.people*37, 40+m.people), pgx.QueryExecModeSimpleProtocol)
		if err != nil {
			return err
		}
	}
	m.people--
	return nil
}

// steps makes n changes, alone or several in a transaction.
func (m *mixer) steps(ctx context.Context, conn *pgx.Conn, n int) error {
	for done := 0; done < n; {
		k := 1
		if m.rnd.IntN(4) == 0 {
			k = min(2+m.rnd.IntN(12), n-done)
		}
		var b strings.Builder
		b.WriteString("begin;")
		for range k {
			b.WriteString(m.change())
		}
		end := "commit"
		if m.rnd.IntN(20) == 0 {
			b.WriteString("savepoint a; update ehr.note set status = 'undone'; rollback to a;")
		}
		if _, err := conn.Exec(ctx, b.String()+end, pgx.QueryExecModeSimpleProtocol); err != nil {
			return err
		}
		done += k
		m.applied += k
	}
	return nil
}

func (m *mixer) change() string {
	who := 1 + m.rnd.IntN(m.people)
	if len(m.notes) == 0 || m.rnd.IntN(10) < 5 {
		id := m.next
		m.next++
		m.notes = append(m.notes, id)
		return fmt.Sprintf("insert into ehr.note values (%d, %d, '2021-01-01'::timestamp + interval '%d hours', 'new', %s);", id, who, id, m.text())
	}
	at := m.rnd.IntN(len(m.notes))
	id := m.notes[at]
	switch m.rnd.IntN(12) {
	case 0, 1, 2:
		return fmt.Sprintf("update ehr.note set body = %s where note_id = %d;", m.text(), id)
	case 3, 4, 5:
		return fmt.Sprintf("update ehr.note set status = 's%d' where note_id = %d;", m.rnd.IntN(99), id)
	case 6, 7:
		m.notes = append(m.notes[:at], m.notes[at+1:]...)
		return fmt.Sprintf("delete from ehr.note where note_id = %d;", id)
	case 8:
		m.notes[at] = m.next
		m.next++
		return fmt.Sprintf("update ehr.note set note_id = %d where note_id = %d;", m.notes[at], id)
	case 9:
		return fmt.Sprintf("update ehr.note set patient_id = %d where note_id = %d;", 1+who%4, id)
	case 10:
		return fmt.Sprintf("update ehr.patient set family = '%s' where patient_id = %d;", m.names[m.rnd.IntN(10)], who)
	default:
		m.next++
		return fmt.Sprintf("insert into ehr.contact values (%d, %d, '617-555-%04d');", m.next*1000, who, m.rnd.IntN(10000))
	}
}

// text makes a note; every third one is stored out of line.
func (m *mixer) text() string {
	body := fmt.Sprintf("Mr. %s was seen on %d/%d/2021 by Dr. %s. Call 617-555-%04d.", m.names[m.rnd.IntN(10)], 1+m.rnd.IntN(12), 1+m.rnd.IntN(28),
		m.names[m.rnd.IntN(10)], m.rnd.IntN(10000))
	if m.rnd.IntN(3) == 0 {
		body += strings.Repeat(" Lungs clear, heart regular, no edema.", 70)
	}
	return "'" + body + "'"
}
