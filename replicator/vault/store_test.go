package vault

import (
	"bytes"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
)

// refuses returns a refusal of batches that hold one of these patients.
func refuses(code string, names ...string) func([]string) error {
	return func(patients []string) error {
		for _, name := range names {
			if slices.Contains(patients, name) {
				return &pgconn.PgError{Code: code}
			}
		}
		return nil
	}
}

func TestWriteLeavesOutWhomTheReplicaRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		refuse  func([]string) error
		refused []string
		written []string // patients of batches that were accepted
		undone  int
	}{
		{"nobody", refuses("23514"), nil, []string{"a", "b", "c"}, 0},
		{"one", refuses("23514", "b"), []string{"b"}, []string{"a", "c"}, 3},
		{"two", refuses("22001", "a", "c"), []string{"a", "c"}, []string{"b"}, 4},
		{"all", refuses("P0001", "a", "b", "c"), []string{"a", "b", "c"}, nil, 5},
		{
			"too many at a time",
			func(p []string) error {
				if len(p) > 1 {
					return &pgconn.PgError{Code: "53200"}
				}
				return nil
			},
			nil,
			[]string{"a", "b", "c"},
			2,
		},
	} {
		var log bytes.Buffer
		tx := &fakeTx{refuse: c.refuse}
		s := NewStore(schematest.Key(t), slog.New(slog.NewTextHandler(&log, nil)))
		refused, err := s.Write(t.Context(), tx, three())
		if err != nil || !slices.Equal(refused, c.refused) {
			t.Errorf("%s: refused %v, %v, want %v", c.name, refused, err, c.refused)
		}
		var written []string
		for _, patients := range tx.batches {
			if c.refuse(patients) == nil {
				written = append(written, patients...)
			}
		}
		if !slices.Equal(written, c.written) || tx.undone != c.undone {
			t.Errorf("%s: written %v, %d times undone, want %v, %d", c.name, written, tx.undone, c.written, c.undone)
		}
		if got := strings.Count(log.String(), "sqlstate"); got != len(c.refused) {
			t.Errorf("%s: %d warnings, want %d", c.name, got, len(c.refused))
		}
	}
}

func TestWriteFails(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		err   error
		state string
		stale bool
	}{
		{"another process chose first", &pgconn.PgError{Code: "23505", ConstraintName: "surrogate_distinct"}, "", true},
		{"no privilege", &pgconn.PgError{Code: "42501"}, "42501", false},
		{"a lock", &pgconn.PgError{Code: "55P03"}, "55P03", false},
		{"memory, also for one patient", &pgconn.PgError{Code: "53200"}, "53200", false},
		{"the connection", errors.New("closed"), "", false},
	} {
		s := NewStore(schematest.Key(t), slog.New(slog.DiscardHandler))
		refused, err := s.Write(t.Context(), &fakeTx{refuse: func([]string) error { return c.err }}, three())
		if err == nil || refused != nil || fault.State(err) != c.state || errors.Is(err, ErrStale) != c.stale {
			t.Errorf("%s: %v, %v", c.name, refused, err)
		}
	}
}

func TestWriteNothingSendsNothing(t *testing.T) {
	t.Parallel()
	tx := &fakeTx{}
	if _, err := NewStore(schematest.Key(t), slog.New(slog.DiscardHandler)).Write(t.Context(), tx, &Choices{}); err != nil || tx.batches != nil {
		t.Errorf("%v, %v", tx.batches, err)
	}
}

// A choice that replaces another process's is refused also where no constraint says so.
func TestChangedRowsAreStale(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rows [][]any
		want error
	}{
		{nil, nil},
		{[][]any{{false}, {false}}, nil},
		{[][]any{{false}, {true}}, ErrStale},
	} {
		if err := refuseChanged(&fakeRows{left: c.rows}); !errors.Is(err, c.want) {
			t.Errorf("%v: %v, want %v", c.rows, err, c.want)
		}
	}
}

// Of a surrogate the statement holds sealed values only; of a word of the record a hash alone.
func TestQueuedValuesAreSealed(t *testing.T) {
	t.Parallel()
	s := NewStore(schematest.Key(t), slog.New(slog.DiscardHandler))
	c := &Choices{}
	c.AddEntries("a", append(three().ByPatient()["a"].list(), entry(RecordKind, "word", "")))
	c.AddShift("a", -7)
	batch := &pgx.Batch{}
	s.queueEntries(batch, c)
	s.queueShifts(batch, c)
	if batch.Len() != 2 {
		t.Fatalf("%d statements", batch.Len())
	}
	args := batch.QueuedQueries[0].Arguments
	kinds, originals, sealed := args[1].([]string), args[2].([][]byte), args[4].([][]byte)
	for i, kind := range kinds {
		if kind == RecordKind {
			if sealed[i] != nil || string(args[3].([][]byte)[i]) != "word" {
				t.Errorf("a word of the record is stored as %q", sealed[i])
			}
			continue
		}
		if text, err := s.seals.openSurrogate("a", kind, originals[i], sealed[i]); text != "Lee" || err != nil {
			t.Errorf("%q, %v", text, err)
		}
		if bytes.Contains(sealed[i], []byte("Lee")) {
			t.Error("the surrogate is not sealed")
		}
	}
	shift := batch.QueuedQueries[1].Arguments[1].([][]byte)[0]
	if days, err := s.seals.openShift("a", shift); days != -7 || err != nil {
		t.Errorf("%d days, %v", days, err)
	}
}
