package login

import (
	"bytes"
	"context"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/internal/scram"
)

var (
	testSecret = bytes.Repeat([]byte{7}, 32)
	known      = Tables{Known: []string{"deidentify", "detect", "note_deid"}, Least: []string{"deidentify"}}
)

func verifierOf(t testing.TB) string {
	t.Helper()
	v, err := scram.GenerateWith("a password", []byte("a salt of 16 byt"), 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func load(t *testing.T, secret []byte, lines ...string) (*Users[Rights], string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "users")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	u, err := Load(path, secret, known.Parse)
	if err != nil {
		t.Fatal(err)
	}
	return u, path
}

func TestUsersFile(t *testing.T) {
	t.Parallel()
	path := t.TempDir() + "/users"
	line := "a:" + verifierOf(t)
	for _, c := range []struct {
		text string
		mode os.FileMode
		ok   bool
	}{
		{line, 0o600, true},
		{line, 0o640, false},
		{"", 0o600, false},
		{line + "\n" + line, 0o600, false},
		{"a:secret", 0o600, false},
		{"a:SCRAM-SHA-256$0:YQ==$YQ==:YQ==", 0o600, false},
		{"a:SCRAM-SHA-256$4096:YQ==$YQ==:YQ==", 0o600, false},
		{"# nobody", 0o600, false},
		{line + " steward tables=detect,note_deid notes=0 patients=5 spans=100", 0o600, true},
		{line + " tables=", 0o600, false},
		{line + " tables=secret", 0o600, false},
		{line + " notes=-1", 0o600, false},
		{line + " notes", 0o600, false},
		{line + " secret", 0o600, false},
	} {
		if err := os.WriteFile(path, []byte(c.text), c.mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, c.mode); err != nil {
			t.Fatal(err)
		}
		_, err := Load(path, testSecret, known.Parse)
		if (err == nil) != c.ok || err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%q, mode %o: %v", c.text, c.mode, err)
		}
	}
}

// Users that do not exist look like those that do, after a restart too: same mechanism, same number of iterations, a salt that stays and
// that can't be foreseen without the secret.
func TestUnknownUsersLookLikeOthers(t *testing.T) {
	t.Parallel()
	seen := func(secret []byte, name string) string {
		u, _ := load(t, secret, "staging:"+verifierOf(t), "other:"+verifierOf(t),
			"old:SCRAM-SHA-256$4096:YQ==$"+strings.Repeat("A", 43)+"=:"+strings.Repeat("A", 43)+"=")
		first, err := scram.NewLogin(u.Verifier(name)).Start([]byte("n,,n=,r=client"))
		if err != nil {
			t.Fatal(err)
		}
		_, salted, _ := strings.Cut(first, ",") // the nonce is new each time
		return salted
	}
	here := seen(testSecret, "nobody")
	if again := seen(testSecret, "nobody"); again != here {
		t.Errorf("a restart changes %q to %q", here, again)
	}
	if len(here) != len(seen(testSecret, "staging")) || !strings.HasSuffix(here, ",i=64") {
		t.Errorf("it does not look like a user: %q", here)
	}
	for _, other := range []string{seen(testSecret, "someone"), seen(bytes.Repeat([]byte{8}, 32), "nobody")} {
		if other == here {
			t.Error("the salt can be foreseen")
		}
	}
	if _, err := Load("users", nil, known.Parse); err == nil || !strings.Contains(err.Error(), "secret") {
		t.Error("no secret is needed")
	}
}

func TestRights(t *testing.T) {
	t.Parallel()
	u, path := load(t, testSecret, "a:"+verifierOf(t), "b:"+verifierOf(t)+" tables=detect,note_deid steward notes=0 patients=5", "c:"+verifierOf(t)+" spans=9")
	limits := Limits{Patients: 1, Notes: 2, Spans: 3}
	for name, want := range map[string]struct {
		tables  []string
		steward bool
		limits  Limits
	}{
		"a": {known.Least, false, limits}, "b": {[]string{"detect", "note_deid"}, true, Limits{5, 0, 3}}, "c": {known.Least, false, Limits{1, 2, 9}}, "d": {nil, false, limits},
	} {
		r := u.Rights(name)
		if !slices.Equal(r.Tables, want.tables) || r.Steward != want.steward || r.Limit(limits) != want.limits {
			t.Errorf("%s: %+v", name, r)
		}
		for _, table := range known.Known {
			if r.May(table) != slices.Contains(want.tables, table) {
				t.Errorf("%s may ask %s: %t", name, table, r.May(table))
			}
		}
	}
	if err := os.WriteFile(path, []byte("a:nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := u.Reload(); err == nil || !u.Rights("b").Steward {
		t.Errorf("a file that can't be read: %v, %+v", err, u.Rights("b"))
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	got, err := Words(known, []string{"detect", "note_deid"}, true, "notes=0", "spans=5")
	if err != nil || got != "tables=detect,note_deid steward notes=0 spans=5" {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := Words(known, nil, false); err != nil || got != "" {
		t.Errorf("%q, %v", got, err)
	}
	for _, limit := range []string{"notes=-1", "notes=x", "hours=1"} {
		if _, err := Words(known, nil, false, limit); err == nil {
			t.Errorf("%s was taken", limit)
		}
	}
	if _, err := Words(known, []string{"secrets"}, false); err == nil {
		t.Error("any table was taken")
	}
}

// The refusal of a wrong password comes later each time, for each name apart, and names that are made up fill no memory.
func TestGuard(t *testing.T) {
	t.Parallel()
	g, now := NewGuard(), time.Unix(1e9, 0)
	for i, want := range []int{1, 2, 4, 8, 8, 8} {
		if got := g.FailedFor("a", now); got != want {
			t.Errorf("failure %d waits %d", i, got)
		}
	}
	if got := g.FailedFor("b", now); got != 1 {
		t.Errorf("another name waits %d", got)
	}
	now = now.Add(guardMemory + time.Second)
	if got := g.FailedFor("a", now); got != 1 {
		t.Errorf("after a while it waits %d", got)
	}
	for i := range 3 * guardNames {
		g.FailedFor(fmt.Sprint(i), now)
	}
	if len(g.failed) > guardNames {
		t.Errorf("%d names are kept", len(g.failed))
	}
}

// At most four take their turns for one name and origin; the others wait, no longer than they want to.
func TestTurns(t *testing.T) {
	t.Parallel()
	turns, key := NewTurns(), TurnKey{"a", netip.MustParsePrefix("10.0.0.1/32")}
	ends := make([]func(), parallelLogins)
	for i := range ends {
		end, err := turns.Take(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		ends[i] = end
	}
	impatient, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := turns.Take(impatient, key); err == nil {
		t.Error("a fifth one took a turn")
	}
	if end, err := turns.Take(t.Context(), TurnKey{"a", netip.MustParsePrefix("10.0.0.2/32")}); err != nil {
		t.Error("another origin has none: ", err)
	} else {
		end()
	}
	ends[0]()
	if end, err := turns.Take(t.Context(), key); err != nil {
		t.Error(err)
	} else {
		end()
	}
	for _, end := range ends[1:] {
		end()
	}
	if len(turns.by) != 0 {
		t.Errorf("%d turns are kept", len(turns.by))
	}
}
