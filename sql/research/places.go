package research

import (
	"crypto/md5" //nolint:gosec // makes short names differ, hides nothing
	"encoding/hex"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/sql/catalog"
	"github.com/pgdeid/pgdeid/sql/quote"
)

// RowsSchema is the schema of the tables that hold the rows. Analysts read views over
// them: a view has none of the columns ctid, xmin and tableoid, which say in which
// order and when rows were written.
const RowsSchema = "deid_rows"

// Where rows don't become visible as they arrive, versions wait in one schema, and
// the views show what was released into another.
const (
	WaitingSchema  = "deid_waiting"
	ReleasedSchema = "deid_released"
)

// Columns that these tables have besides the published ones; tables of [RowsSchema] have the
// patient alone, and only where rows belong to patients.
const (
	KeyColumn     = "pgdeid_key"     // keyed hash of the source's key, where what is published of it does not tell rows apart
	DueColumn     = "pgdeid_due"     // keyed hash of patient and day; empty: at the next release
	PatientColumn = "pgdeid_patient" // pseudonym, or empty; null for rows from before the column was made, as is the print
	PrintColumn   = "pgdeid_print"   // keyed hash of the source's texts
)

// WaitingTable returns the table with the versions of a mapped table's rows that are
// not released, quoted.
func WaitingTable(t *config.Table) string { return quote.Name(WaitingSchema, rowsName(t.FullName())) }

// ReleasedTable returns the table with the released rows of a mapped table, quoted.
func ReleasedTable(t *config.Table) string { return quote.Name(ReleasedSchema, rowsName(t.FullName())) }

// RowsTable returns the table with the rows of a mapped table, quoted.
func RowsTable(t *config.Table) string { return quote.Name(RowsSchema, rowsName(t.FullName())) }

// VisibleTable returns the table whose rows the view of a mapped table shows, quoted.
func VisibleTable(t *config.Table, mode config.ReleaseMode) string {
	if mode == config.Live {
		return RowsTable(t)
	}
	return ReleasedTable(t)
}

// places returns the tables that hold rows of a mapped table, quoted.
func places(t *config.Table, staged bool) []string {
	if staged {
		return []string{RowsTable(t), WaitingTable(t), ReleasedTable(t)}
	}
	return []string{RowsTable(t)}
}

// ownerIndex names the index by which the rows of a patient are found.
func ownerIndex(t *config.Table) string {
	const suffix = "_pgdeid_owner"
	sum := md5.Sum([]byte(t.FullName())) //nolint:gosec // makes short names differ, hides nothing
	return shorten(t.Name, 36) + "_" + hex.EncodeToString(sum[:4]) + suffix
}

// maxName is how many bytes of a name PostgreSQL keeps.
const maxName = 63

// rowsName returns the name that "schema.table" has as one name.
func rowsName(full string) string {
	if len(full) <= maxName {
		return full
	}
	sum := md5.Sum([]byte(full)) //nolint:gosec // see above
	return shorten(full, maxName-17) + "_" + hex.EncodeToString(sum[:8])
}

// RowKey returns the columns that tell a mapped table's rows apart in the replica.
func RowKey(source *catalog.Table, t *config.Table) []string {
	if t.NamesRows(source.PrimaryKey, source.TypeOf) {
		return source.PrimaryKey
	}
	return []string{KeyColumn}
}

// HashedKey describes what the hashes of a table's keys are made of: the comment on their column.
func HashedKey(key []string) string {
	return "pgdeid: keyed hash of the key in the EHR (" + quote.Names(key) + ")"
}

func shorten(s string, most int) string {
	for len(s) > most {
		r := []rune(s)
		s = string(r[:len(r)-1])
	}
	return s
}
