package itest

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/template"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/synth"
	"github.com/pgdeid/pgdeid/replicator/sandbox"
	"github.com/pgdeid/pgdeid/sql/roles"
	"github.com/pgdeid/pgdeid/surrogate"
)

// TestAttack attacks a replica of the demo's hospital with what an analyst, a thief of
// the replica's data directory and a user of the engine have, and reports what each
// learned. The replica is set up as the documentation advises those who fear such
// attackers: dates move forward, and rows are released when their shown date has come.
func TestAttack(t *testing.T) {
	t.Parallel()
	h := newAttacked(t, "dates: {direction: forward}\nrelease: {mode: delayed}\n")
	var report attackReport
	report.add(h.attackAsAnalyst(t)...)
	report.add(h.attackAsThief(t)...)
	report.add(h.attackAsEngineUser(t)...)
	report.print(t)
}

// TestAttackSeesWhatItLooksFor attacks a replica that is live, with a vault into which
// what must not be there was written. All of it must be learned, or the
// attack proves nothing.
func TestAttackSeesWhatItLooksFor(t *testing.T) {
	t.Parallel()
	h := newAttacked(t, "")
	seen := []loot{h.shiftsByArrival(t, h.analystLogin(t))}
	h.plant(t)
	seen = append(seen, h.credentials(t), h.shiftsInVault(t), h.timesInVault(t), h.surrogatesInVault(t), h.patientsByPlace(t))
	for _, l := range seen {
		if l.got <= l.allowed {
			t.Errorf("%s: %s: the attack is blind (%d of %d)", l.attacker, l.what, l.got, l.of)
		}
	}
}

// plant writes shifts, moments, surrogates and a password into the vault, in the order
// of the EHR's keys.
func (h *attacked) plant(t *testing.T) {
	t.Helper()
	do(t, h.dst, "create table deid.planted (patient text, days int, at timestamptz, word text)")
	for _, id := range numbers(t, h.src, "select patient_id from ehr.patient order by 1") {
		_, err := h.dst.Exec(t.Context(), `insert into deid.planted select $1, $2, now(), last_name from ehr.patient where patient_id = $3`,
			h.key.PatientPseudonym(fmt.Sprint(id)), h.shift(id), h.key.PseudonymInt("patient", id))
		if err != nil {
			t.Fatal(err)
		}
	}
	do(t, h.dst, `
		create extension if not exists postgres_fdw;
		create server planted foreign data wrapper postgres_fdw;
		create user mapping for pgdeid_service server planted options (user 'reader', password 'attack-reader-Qm93')`)
}

// loot is what one attack learned.
type loot struct {
	attacker, what string
	got, of        int
	allowed        int // what guessing gives by chance, or what the documentation concedes
}

type attackReport []loot

func (r *attackReport) add(l ...loot) { *r = append(*r, l...) }

// print writes the report to the test's log and fails for each attack that learned more
// than is allowed.
func (r attackReport) print(t *testing.T) {
	t.Helper()
	var out strings.Builder
	for _, l := range r {
		verdict := "ok"
		if l.got > l.allowed {
			verdict = "LEARNED"
			t.Errorf("%s: %s: %d of %d, allowed %d", l.attacker, l.what, l.got, l.of, l.allowed)
		}
		fmt.Fprintf(&out, "%-12s %-58s %6d of %-7d %s\n", l.attacker, l.what, l.got, l.of, verdict)
	}
	t.Logf("what attackers learned:\n%s", out.String())
}

// attacked is a replicated hospital together with the truth that attackers look for.
type attacked struct {
	*replication
	hospital *synth.Hospital
	maker    *surrogate.Maker
}

// attackedNotes is how many notes the first copy finds.
const attackedNotes = 150

func newAttacked(t *testing.T, settings string) *attacked {
	t.Helper()
	p := newOwnPair(t)
	hospital, err := synth.NewHospital(9, synth.Options{Patients: 100, Notes: attackedNotes})
	if err != nil {
		t.Fatal(err)
	}
	h := &attacked{hospital: hospital, replication: &replication{pair: p, slot: "pgdeid", src: p.onSource(t), dst: p.onReplica(t)}}
	h.fill(t)
	do(t, h.dst, "alter system set log_statement = 'all'")
	do(t, h.dst, "select pg_reload_conf()")
	h.cfg = p.config(t, h.demoMapping(t)+"detect: {models: fast}\n"+settings)
	migrateUp(t, h.cfg)
	if h.key, err = surrogate.ReadKey(h.cfg.KeyFile); err != nil {
		t.Fatal(err)
	}
	if h.maker, err = surrogate.New(h.key, h.cfg.Surrogates); err != nil {
		t.Fatal(err)
	}
	h.run(t, nil)
	h.streaming(t)
	h.caughtUp(t)
	eventually(t, "the first rows can be read", func() bool { return count(t, h.dst, "ehr.patient") != "0" })
	return h
}

// fill makes the demo's EHR.
func (h *attacked) fill(t *testing.T) {
	t.Helper()
	if err := sandbox.CreateEHR(t.Context(), h.src); err != nil {
		t.Fatal(err)
	}
	if err := sandbox.Fill(t.Context(), h.src, h.hospital); err != nil {
		t.Fatal(err)
	}
	if err := sandbox.FillNotes(t.Context(), h.src, h.hospital, 0, attackedNotes, func() {}); err != nil {
		t.Fatal(err)
	}
}

// demoMapping returns the demo's mapping for this pair.
func (h *attacked) demoMapping(t *testing.T) string {
	t.Helper()
	h.settings(t) // makes the key and the password files
	secrets := filepath.Join(h.dir, "secrets")
	if err := os.Mkdir(secrets, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, secret := range map[string]string{
		"replication": "attack-replication-Xk27", "reader": "attack-reader-Qm93", "service": "attack-service-Wp51",
		"source-admin": h.source.Password(), "replica-admin": h.replica.Password(),
	} {
		h.file(t, filepath.Join("secrets", name), secret+"\n")
	}
	if err := os.Link(filepath.Join(h.dir, "key"), filepath.Join(secrets, "key")); err != nil {
		t.Fatal(err)
	}
	page, err := template.ParseFiles("../replicator/demo/demo.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	err = page.Execute(&out, map[string]string{
		"Dir":       h.dir,
		"SourceDSN": h.source.DSN(roles.Replication, h.name), "SourceAdminDSN": h.source.DSN(h.source.Superuser(), h.name),
		"ReplicaDSN": h.replica.DSN(roles.Service, h.name), "ReplicaAdminDSN": h.replica.DSN(h.replica.Superuser(), h.name),
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// shift returns the days by which a patient's dates were moved.
func (h *attacked) shift(patient int64) int {
	return h.maker.Shift(h.key.PatientPseudonym(fmt.Sprint(patient)))
}

// analystLogin connects as a role of its own that may read the research tables and nothing else.
func (r *replication) analystLogin(t *testing.T) *pgx.Conn {
	t.Helper()
	role := "analyst_" + r.name
	do(t, r.dst, fmt.Sprintf("create role %s login password 'an analyst'; grant pgdeid_analyst to %[1]s", role))
	conf, err := r.replica.Config(r.name)
	if err != nil {
		t.Fatal(err)
	}
	conf.User, conf.Password = role, "an analyst"
	return as(t, conf, nil)
}

// rank returns the rank correlation (Spearman's rho) of two orders of the same items.
func rank[T comparable](a, b []T) float64 {
	at := make(map[T]int, len(b))
	for i, x := range b {
		at[x] = i
	}
	n := float64(len(a))
	var sum float64
	for i, x := range a {
		d := float64(i - at[x])
		sum += d * d
	}
	return 1 - 6*sum/(n*(n*n-1))
}

// chance is the rank correlation that unrelated orders of n items exceed once in some
// ten thousand times: four standard deviations, 1/sqrt(n-1) each.
func chance(n int) float64 { return 4 / math.Sqrt(float64(n-1)) }
