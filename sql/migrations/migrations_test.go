package migrations

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// Every migration has a way back and a number of its own.
func TestMigrationsComeInPairs(t *testing.T) {
	for _, target := range []Target{Source, Replica, Engine} {
		entries, err := fs.ReadDir(files, string(target))
		if err != nil {
			t.Fatal(err)
		}
		names := map[string]bool{}
		for _, e := range entries {
			names[e.Name()] = true
		}
		numbers := map[string]bool{}
		for name := range names {
			if base, ok := strings.CutSuffix(name, ".up.sql"); ok {
				numbers[base[:4]] = true
				if !names[base+".down.sql"] {
					t.Errorf("%s: %s has no way back", target, name)
				}
			}
		}
		latest, err := Latest(target)
		if err != nil || !numbers[fmt.Sprintf("%04d", latest)] || len(names) != 2*len(numbers) {
			t.Errorf("%s: latest is %d, %v; %d files with %d numbers", target, latest, err, len(names), len(numbers))
		}
	}
}

// Numbers that became no migration are passed over: the version before is one that there is.
func TestVersionsHaveGaps(t *testing.T) {
	t.Parallel()
	for version, want := range map[int]int{0: 0, 1: 0, 2: 1, 13: 12, 14: 12, 15: 14, 22: 21, 24: 21} {
		if got := Replica.before(version); got != want {
			t.Errorf("before %d comes %d, want %d", version, got, want)
		}
	}
	for _, target := range []Target{Source, Replica, Engine} {
		list, err := versionsOf(target)
		if err != nil || len(list) == 0 || list[0] != 1 {
			t.Fatalf("%s: %v, %v", target, list, err)
		}
		for i := 1; i < len(list); i++ {
			if got := target.before(int(list[i])); got != int(list[i-1]) {
				t.Errorf("%s: before %d comes %d", target, list[i], got)
			}
		}
	}
	err := State{Version: 24, Dirty: true, Latest: 24}.check(Replica)
	if hint := fault.Hint(err); !strings.Contains(hint, "force 21") {
		t.Errorf("hint %q", hint)
	}
}

// Where pg_temp is not in the search path it comes first, and a caller's temporary pg_class
// or regclass would decide what a function does with its owner's rights.
func TestDefinersSearchTemporaryObjectsLast(t *testing.T) {
	found := 0
	for _, target := range []Target{Source, Replica, Engine} {
		names, err := fs.Glob(files, string(target)+"/*.sql")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := fs.ReadFile(files, name)
			if err != nil {
				t.Fatal(err)
			}
			for _, definer := range strings.Split(string(text), "security definer")[1:] {
				found++
				if head, _, _ := strings.Cut(definer, "as $$"); !strings.Contains(head, "set search_path = pg_catalog, pg_temp") {
					t.Errorf("%s: a function with its owner's rights does not search pg_temp last", name)
				}
			}
		}
	}
	if found < 6 {
		t.Errorf("%d functions with their owner's rights were found", found)
	}
}

func TestStateCheck(t *testing.T) {
	for _, tt := range []struct {
		state State
		text  string
	}{
		{State{3, false, 3}, ""},
		{State{0, false, 3}, "not been set up"},
		{State{2, false, 3}, "older than 3"},
		{State{4, false, 3}, "newer than 3"},
		{State{3, true, 3}, "half-way"},
	} {
		err := tt.state.check(Replica)
		if (err == nil) != (tt.text == "") || err != nil && (!strings.Contains(err.Error(), tt.text) || fault.Hint(err) == "") {
			t.Errorf("%+v: %v", tt.state, err)
		}
	}
}
