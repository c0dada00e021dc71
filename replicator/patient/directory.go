package patient

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Directory is what the tables that belong to no patient say of the site's staff
// and places, at one moment. Nothing is searched without one: [NewRegister] takes it.
// It is immutable and prints itself redacted.
type Directory struct {
	phi.Redacted

	Gazetteer *record.Gazetteer // nil if no table says anything of the site
	content   string            // a keyed hash of all values
	Stored    bool              // it is in the vault
	// Label is content as it was when something was last added. Hashes of texts cover
	// it: a text that was searched with less is not up to date, one that was searched
	// with more is.
	Label string
	words map[string]bool // hashes of the words that are to stay known
	// former are the words that were in the directory and are not any more. The notes
	// that have them are searched as if they still were, as with a patient's record.
	former map[string]bool
}

// siteRecalled lists the roles whose words stay known after a deletion.
var siteRecalled = append(slices.Clone(recalled), record.ProviderName)

// ReadSite returns what the tables that belong to no patient say of the site. conn is to
// the replica with its foreign tables, or to the source, as at says.
func ReadSite(ctx context.Context, conn *pgx.Conn, at schema.Place, tables []*schema.Table) (record.Record, error) {
	rec := record.Record{}
	seen := map[string]bool{} // Add looks through all it has
	for _, t := range tables {
		if !t.TellsSite() {
			continue
		}
		sql := fmt.Sprintf("select %s from %s t0", t.TellingColumns(), at(t))
		err := schema.QueryText(ctx, conn, sql, func(row [][]byte) error {
			for i, c := range t.Telling {
				t.Columns[c].EachRole(string(row[i]), func(role record.Role, v string) {
					if v != "" && !seen[string(role)+"\x00"+v] {
						seen[string(role)+"\x00"+v] = true
						rec[role] = append(rec[role], v)
					}
				})
			}
			return nil
		})
		if err != nil {
			return nil, readFault(t, err)
		}
	}
	return rec, nil
}

// DirectoryState is what the vault has of the directory.
type DirectoryState struct {
	content, label string
	words          map[string]bool
}

// ReadDirectoryState reads what the vault has; the zero value if it has nothing.
func ReadDirectoryState(ctx context.Context, vault *pgx.Conn, slot string) (DirectoryState, error) {
	const op = "read the state of the directory"
	s := DirectoryState{words: map[string]bool{}}
	var content, label []byte
	err := vault.QueryRow(ctx, "select content, label from deid.directory where slot = $1", slot).Scan(&content, &label)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return s, fault.New(op, connect.Lost(vault, err), "run 'pgdeid migrate up'")
	}
	s.content, s.label = string(content), string(label)
	rows, _ := vault.Query(ctx, "select hash from deid.directory_word where slot = $1", slot)
	var hash []byte
	_, err = pgx.ForEachRow(rows, []any{&hash}, func() error {
		s.words[string(hash)] = true
		return nil
	})
	return s, fault.New(op, connect.Lost(vault, err), "run 'pgdeid migrate up'")
}

// NewDirectory makes a directory of what the tables say now. before is the one that
// this process has read last, or nil.
func NewDirectory(key *surrogate.Key, rec record.Record, before *Directory, known DirectoryState) *Directory {
	d := &Directory{content: hashRecord(key, rec), words: map[string]bool{}, former: map[string]bool{}}
	if len(rec) > 0 {
		d.Gazetteer = record.NewGazetteer(rec)
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
	d.Label = d.chooseLabel(rec, before, known)
	d.Stored = d.content == known.content && d.Label == known.label
	return d
}

func (d *Directory) chooseLabel(rec record.Record, before *Directory, known DirectoryState) string {
	switch {
	case before != nil && !adds(rec, before.Gazetteer.Record()):
		return before.Label
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

// RefreshDirectory reads the directory again.
func (l *Lookups) RefreshDirectory(ctx context.Context) error {
	before := l.Site.Load()
	rec, err := ReadSite(ctx, l.Tables, l.at, l.Plan.Tables)
	if err != nil || hashRecord(l.Key, rec) == before.content {
		return err
	}
	known, err := ReadDirectoryState(ctx, l.Replica, l.Plan.Config.Source.Slot)
	if err == nil {
		l.Site.Store(NewDirectory(l.Key, rec, before, known))
	}
	return err
}

// keepDirectory stores which directory notes are made with from now on.
const keepDirectory = `
	insert into deid.directory as d (slot, content, label, stale_since)
	values ($1, $2, $3, case when exists (select from deid.note_provenance) then now() end)
	on conflict (slot) do update set content = excluded.content, label = excluded.label,
		stale_since = case when d.label = excluded.label then d.stale_since else coalesce(d.stale_since, now()) end`

const keepDirectoryWords = `
	insert into deid.directory_word (slot, hash) select $1, unnest($2::bytea[]) on conflict do nothing`

// Queue queues statements that store which directory notes are made with from now on.
func (d *Directory) Queue(batch *pgx.Batch, slot string) {
	hashes := make([][]byte, 0, len(d.words))
	for hash := range d.words {
		hashes = append(hashes, []byte(hash))
	}
	batch.Queue(keepDirectory, slot, []byte(d.content), []byte(d.Label))
	batch.Queue(keepDirectoryWords, slot, hashes)
}
