package vault

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
	"github.com/pgdeid/pgdeid/surrogate"
)

// What another key sealed is found in every table, and what was sealed for another row.
func TestVerifyOpensEverySeal(t *testing.T) {
	t.Parallel()
	key := schematest.Key(t)
	path := filepath.Join(t.TempDir(), "key")
	if err := surrogate.NextKeyFile(path, key); err != nil {
		t.Fatal(err)
	}
	other, err := surrogate.ReadKey(path)
	if err != nil {
		t.Fatal(err)
	}
	text := func(s string) *string { return &s }
	hash := []byte("h")
	rows := func(s Seals) [][]any {
		at := place{"ehr.note", "body", `["7"]`, "4711"}
		return [][]any{
			{text("4711"), "name", "", "", hash, s.sealSurrogate("4711", "name", hash, "Hamilton")},
			{text("4711"), "", "", "", []byte{}, s.sealShift("4711", -7)},
			{text("ehr.note"), "body", `["7"]`, "4711", []byte{}, s.sealMaking(at, making{})},
			{text("ehr.note"), "", "", "", hash, s.SealOrigin(Origin{Key: []string{"7"}}, "ehr.note", hash)},
			{text("4711"), "", "", "", []byte{}, s.SealKey("requeue", []string{"1"}, "4711")},
			{text(""), "", "", "", hash, s.SealKey("path", []string{"1"}, string(hash))},
			{text("f"), "", "", "", hash, s.SealKey("filter", []string{"1"}, "f", string(hash))},
			{text("f"), "", "", "", hash, s.SealKey("merge", []string{"1", "2"}, "f", string(hash))},
			{text("ehr.note"), "", "", "", []byte{}, s.SealKey("cursor", []string{"1"}, "ehr.note")},
			{text("ehr.note"), "", "", "", []byte{}, s.SealKey("pass ehr.note", []string{"1"})},
		}
	}
	mine, foreign := rows(NewSeals(key)), rows(NewSeals(other))
	db := &fakeDB{}
	for i := range mine {
		empty := []any{(*string)(nil), "", "", "", []byte{}, []byte(nil)}
		moved := append([]any{text("another")}, mine[i][1:]...) // the value of another row
		if i == 5 {
			moved[4] = []byte("another")
		}
		db.tables = append(db.tables, [][]any{mine[i], foreign[i], moved, empty})
	}
	list, err := Verify(t.Context(), db, key)
	if err != nil || len(list) != len(mine) {
		t.Fatal(list, err)
	}
	for _, c := range list {
		if c.Values != 3 || c.Foreign != 2 {
			t.Errorf("%+v", c)
		}
	}
	if _, err := Verify(t.Context(), &fakeDB{}, key); err == nil {
		t.Error("a failure is swallowed")
	}
}

// counting answers each query with the same counts.
type counting struct{ total, left int64 }

func (c counting) QueryRow(context.Context, string, ...any) pgx.Row { return c }

func (c counting) Scan(into ...any) error {
	*into[0].(*int64), *into[1].(*int64) = c.total, c.left
	return nil
}

func TestVerifyLooksForOldHashes(t *testing.T) {
	t.Parallel()
	list, err := VerifyHashes(t.Context(), counting{9, 2})
	if err != nil || len(list) != 3 {
		t.Fatal(list, err)
	}
	for _, c := range list {
		if c.Values != 9 || c.Foreign != 2 {
			t.Errorf("%+v", c)
		}
	}
}
