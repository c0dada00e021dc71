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
	"github.com/pgdeid/pgdeid/surrogate"
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
		if err := refuseChanged(&schematest.Rows{Left: c.rows}); !errors.Is(err, c.want) {
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
	s.queueEntries(batch, c, insertSurrogates)
	s.queueShifts(batch, c)
	if batch.Len() != 3 || batch.QueuedQueries[0].SQL != keepSurrogates || batch.QueuedQueries[1].SQL != insertSurrogates {
		t.Fatalf("%d statements", batch.Len())
	}
	words := batch.QueuedQueries[0].Arguments
	if kind, value := words[1].([]string), words[4].([][]byte); len(kind) != 1 || kind[0] != RecordKind || value[0] != nil ||
		string(words[3].([][]byte)[0]) != "word" {
		t.Errorf("words of the record are stored as %v", words)
	}
	args := batch.QueuedQueries[1].Arguments
	kinds, originals, sealed := args[1].([]string), args[2].([][]byte), args[4].([][]byte)
	for i, kind := range kinds {
		if text, err := s.seals.openSurrogate("a", kind, originals[i], sealed[i]); text != "Lee" || err != nil {
			t.Errorf("%q, %v", text, err)
		}
		if bytes.Contains(sealed[i], []byte("Lee")) {
			t.Error("the surrogate is not sealed")
		}
	}
	shift := batch.QueuedQueries[2].Arguments[1].([][]byte)[0]
	if days, err := s.seals.openShift("a", shift); days != -7 || err != nil {
		t.Errorf("%d days, %v", days, err)
	}
}

// Where a surrogate is there already, all are written again so that it may be; what is stale is so both times.
func TestSurrogatesThatAreThereAlready(t *testing.T) {
	t.Parallel()
	conflict := &pgconn.PgError{Code: "23505", ConstraintName: "surrogate_pkey"}
	for _, c := range []struct {
		name    string
		answers []error
		want    error
		undone  int
	}{
		{"none is", []error{nil}, nil, 0},
		{"one is", []error{conflict, nil}, nil, 1},
		{"one is, with another value", []error{conflict, ErrStale}, ErrStale, 1},
		{"a surrogate is another original's", []error{conflict, &pgconn.PgError{Code: "23505", ConstraintName: "surrogate_distinct"}}, ErrStale, 1},
	} {
		tx := &fakeTx{}
		tx.refuse = func([]string) error { return c.answers[len(tx.batches)-1] }
		s := NewStore(schematest.Key(t), slog.New(slog.DiscardHandler))
		refused, err := s.Write(t.Context(), tx, three())
		if !errors.Is(err, c.want) || (err == nil) != (c.want == nil) || refused != nil || tx.undone != c.undone || len(tx.batches) != len(c.answers) {
			t.Errorf("%s: %v, %v, %d times undone, %d batches", c.name, refused, err, tx.undone, len(tx.batches))
		}
	}
}

// Statements are written in the order of the index, whatever the order of a map is.
func TestEntriesAreInTheOrderOfTheIndex(t *testing.T) {
	t.Parallel()
	c := &Choices{}
	for _, patient := range []string{"b", "c", "a"} {
		c.AddEntries(patient, []surrogate.Entry{entry("name", "2", "Lee"), entry("city", "3", "Rome"), entry("name", "1", "Kim")})
	}
	batch := &pgx.Batch{}
	NewStore(schematest.Key(t), slog.New(slog.DiscardHandler)).queueEntries(batch, c, insertSurrogates)
	args := batch.QueuedQueries[0].Arguments
	var got []string
	for i, patient := range args[0].([]string) {
		got = append(got, patient+args[1].([]string)[i]+string(args[2].([][]byte)[i]))
	}
	if len(got) != 9 || !slices.IsSorted(got) {
		t.Errorf("written in the order %v", got)
	}
}
