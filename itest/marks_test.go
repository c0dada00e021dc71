package itest

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// marksInDatabase returns the tables of a database, system catalogues with their
// comments and statistics included, that hold any of the marks in any case, as text
// or in binary columns. Foreign tables are left out: their rows live elsewhere.
func marksInDatabase(t *testing.T, conn *pgx.Conn, marks []string) []string {
	t.Helper()
	if len(marks) == 0 {
		t.Fatal("no marks to look for")
	}
	var patterns []string
	for _, m := range marks {
		patterns = append(patterns, "%"+like(m)+"%", "%"+hex.EncodeToString([]byte(m))+"%")
	}
	var found []string
	for _, table := range texts(t, conn, `
		select quote_ident(n.nspname) || '.' || quote_ident(c.relname)
		from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where c.relkind in ('r', 'm') order by 1`) {
		// The whole row as text has every column in it; binary ones in hexadecimal.
		n := texts(t, conn, fmt.Sprintf("select count(*)::text from %s x where x::text ilike any($1)", table), patterns)[0]
		if n != "0" {
			found = append(found, fmt.Sprintf("%s (%s rows)", table, n))
		}
	}
	return found
}

// like returns text as a LIKE pattern for itself.
func like(text string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text)
}

// shortNumber matches marks that may be in a longer number, such as a surrogate, by chance.
var shortNumber = regexp.MustCompile(`^\d{1,5}$`)

// marksInText returns the marks that a text holds in any case, those that are short numbers as numbers of their own.
func marksInText(text string, marks []string) []string {
	text = strings.ToLower(text)
	var found []string
	for _, m := range marks {
		pattern := regexp.QuoteMeta(strings.ToLower(m))
		if shortNumber.MatchString(m) {
			pattern = `(^|\D)` + pattern + `(\D|$)`
		}
		if regexp.MustCompile(pattern).MatchString(text) {
			found = append(found, m)
		}
	}
	return found
}

// marksInFolder returns which marks stand anywhere in the files below a folder, byte
// for byte: in a server's, that is also what a transaction wrote that was rolled back
// (WAL), and what was deleted. Compressed values hide from it.
func marksInFolder(t *testing.T, marks []string, folder string) []string {
	t.Helper()
	found := make(map[string]bool)
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // a running server removes files
		}
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		for _, m := range marks {
			if bytes.Contains(content, []byte(m)) {
				found[m] = true
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(maps.Keys(found))
}

// marksInFiles returns which marks which files hold.
func marksInFiles(t *testing.T, marks []string, paths ...string) []string {
	t.Helper()
	var found []string
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range marksInText(string(content), marks) {
			found = append(found, path+": "+m)
		}
	}
	return found
}
