package replicator

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// directory is what the tables that belong to no patient say of the site's staff
// and places, at one moment. Nothing is searched without one: [newShared] takes it.
// It is immutable and prints itself redacted.
type directory struct {
	gazetteer *record.Gazetteer // nil if no table says anything of the site
	content   string            // a keyed hash of all values
	stored    bool              // it is in the vault
	// label is content as it was when something was last added. Hashes of texts cover
	// it: a text that was searched with less is not up to date, one that was searched
	// with more is.
	label string
	words map[string]bool // hashes of the words that are to stay known
	// former are the words that were in the directory and are not any more. The notes
	// that have them are searched as if they still were, as with a patient's record.
	former map[string]bool
}

// siteRecalled lists the roles whose words stay known after a deletion.
var siteRecalled = append(slices.Clone(recalled), record.ProviderName)

// siteTables are what a directory is read from.
type siteTables struct {
	conn   *pgx.Conn // the replica with its foreign tables, or the source
	at     place
	tables []*table
}

// read returns what the tables say of the site.
func (s siteTables) read(ctx context.Context) (record.Record, error) {
	rec := record.Record{}
	seen := map[string]bool{} // Add looks through all it has
	for _, t := range s.tables {
		if !t.tellsSite() {
			continue
		}
		sql := fmt.Sprintf("select %s from %s t0", t.tellingColumns(), s.at(t))
		err := queryText(ctx, s.conn, sql, func(row [][]byte) error {
			for i, c := range t.telling {
				role := t.columns[c].Tells
				if v := string(row[i]); v != "" && !seen[string(role)+"\x00"+v] {
					seen[string(role)+"\x00"+v] = true
					rec[role] = append(rec[role], v)
				}
			}
			return nil
		})
		if err != nil {
			return nil, readFault(t, err)
		}
	}
	return rec, nil
}

// directoryState is what the vault has of the directory.
type directoryState struct {
	content, label string
	words          map[string]bool
}

// readDirectoryState reads what the vault has; the zero value if it has nothing.
func readDirectoryState(ctx context.Context, vault *pgx.Conn, slot string) (directoryState, error) {
	const op = "read the state of the directory"
	s := directoryState{words: map[string]bool{}}
	var content, label []byte
	err := vault.QueryRow(ctx, "select content, label from deid.directory where slot = $1", slot).Scan(&content, &label)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return s, fault.New(op, connect.Lost(vault, err), "run 'pgdeid migrate up'")
	}
	s.content, s.label = string(content), string(label)
	rows, err := vault.Query(ctx, "select hash from deid.directory_word where slot = $1", slot)
	if err != nil {
		return s, fault.New(op, connect.Lost(vault, err), "run 'pgdeid migrate up'")
	}
	var hash []byte
	_, err = pgx.ForEachRow(rows, []any{&hash}, func() error {
		s.words[string(hash)] = true
		return nil
	})
	return s, fault.New(op, connect.Lost(vault, err), "")
}

// newDirectory makes a directory of what the tables say now. before is the one that
// this process has read last, or nil.
func newDirectory(key *surrogate.Key, rec record.Record, before *directory, known directoryState) *directory {
	d := &directory{content: hashRecord(key, rec), words: map[string]bool{}, former: map[string]bool{}}
	if len(rec) > 0 {
		d.gazetteer = record.NewGazetteer(rec)
	}
	for _, role := range siteRecalled {
		for _, v := range rec[role] {
			words(v, func(word string) { d.words[siteWord(key, word)] = true })
		}
	}
	remembered := map[string]bool{}
	maps.Copy(remembered, known.words)
	if before != nil {
		maps.Copy(remembered, before.words)
		maps.Copy(remembered, before.former)
	}
	for hash := range remembered {
		if !d.words[hash] {
			d.former[hash] = true
		}
	}
	d.label = d.chooseLabel(rec, before, known)
	d.stored = d.content == known.content && d.label == known.label
	return d
}

func (d *directory) chooseLabel(rec record.Record, before *directory, known directoryState) string {
	switch {
	case before != nil && !adds(rec, before.gazetteer.Record()):
		return before.label
	case before == nil && d.content == known.content:
		return known.label
	}
	return d.content
}

// adds reports whether a record has a value that another one lacks.
func adds(rec, to record.Record) bool {
	for role, values := range rec {
		have := make(map[string]bool, len(to[role]))
		for _, v := range to[role] {
			have[v] = true
		}
		if slices.ContainsFunc(values, func(v string) bool { return !have[v] }) {
			return true
		}
	}
	return false
}

// siteWord returns the hash under which a word of the directory is kept.
func siteWord(key *surrogate.Key, word string) string {
	return string(key.HMAC("directory word", lexicon.Fold(word))[:16])
}

// refreshDirectory reads the directory again.
func (l *lookups) refreshDirectory(ctx context.Context) error {
	before := l.site.Load()
	rec, err := siteTables{l.tables, l.at, l.plan.tables}.read(ctx)
	if err != nil || hashRecord(l.key, rec) == before.content {
		return err
	}
	known, err := readDirectoryState(ctx, l.replica, l.plan.config.Source.Slot)
	if err == nil {
		l.site.Store(newDirectory(l.key, rec, before, known))
	}
	return err
}

func (d *directory) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "directory") }
