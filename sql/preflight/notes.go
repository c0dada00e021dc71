package preflight

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/sql/catalog"
	"github.com/pgdeid/pgdeid/sql/quote"
)

// noteIndexQuery looks for an index that begins with some columns.
const noteIndexQuery = `
select exists (
	select from pg_index i
	where i.indrelid = to_regclass($1) and i.indisvalid and i.indpred is null and (
		select array_agg(a.attname::text order by a.attname::text collate "C")
		from unnest(i.indkey::int2[]) with ordinality k (num, ord)
		join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.num
		where k.ord <= cardinality($2::text[])) = $2)`

// checkNotes looks at tables with notes of many rows: whether the source finds the lines of a note
// without reading the whole table, and whether they are what the mapping says is between them.
func (p *run) checkNotes(ctx context.Context, conn *pgx.Conn) error {
	for i := range p.cfg.Tables {
		t := &p.cfg.Tables[i]
		if t.Note == nil || p.catalog.Tables[t.FullName()] == nil {
			continue
		}
		subject := "table " + t.FullName()
		var there bool
		err := conn.QueryRow(ctx, noteIndexQuery, quote.Name(t.Schema, t.Name), slices.Sorted(slices.Values(t.Note.Key))).Scan(&there)
		if err != nil {
			return err
		}
		if !there {
			p.Warn(subject, "has no index that begins with the key of its notes: each change of a line would read the whole table",
				fmt.Sprintf("create index concurrently on %s (%s)", quote.Name(t.Schema, t.Name), quote.Names(t.Note.Key)))
		}
		if text, ok := t.Column(t.Note.Text); ok && text.IsDocument() {
			if err := p.checkNoteDocuments(ctx, conn, t, p.catalog.Tables[t.FullName()].Columns); err != nil && fault.State(err) != "42501" {
				return fault.New("look at notes of "+t.FullName(), err, "")
			}
			continue
		}
		var lengths []int
		list := []string{"char_length(" + quote.Name(t.Note.Text) + "::text)::text"}
		err = eachSampled(ctx, conn, t, list, sampledRows, func(row []*string) {
			if n, err := strconv.Atoi(orEmpty(row[0])); err == nil {
				lengths = append(lengths, n)
			}
		})
		if fault.State(err) == "42501" {
			continue // that the role can't read the table is a finding of its own
		}
		if err != nil {
			return fault.New("look at lines of "+t.FullName(), err, "")
		}
		p.judgeLines(subject, t.Note.Join, lengths)
	}
	return nil
}

// sampledNotes is how many notes that are documents in several rows are looked at.
const sampledNotes = 50

// checkNoteDocuments looks at some notes whose rows make up documents: whether these can be read as the mapping says.
func (p *run) checkNoteDocuments(ctx context.Context, conn *pgx.Conn, t *config.Table, in []catalog.Column) error {
	column, _ := t.Column(t.Note.Text)
	at := slices.IndexFunc(in, func(c catalog.Column) bool { return c.Name == column.Name })
	if at < 0 {
		return nil
	}
	c := newTexts(column, in[at].Type)
	rows, err := conn.Query(ctx, notesQuery(t, c), sampledNotes, sampledBytes)
	if err != nil {
		return err
	}
	var values []string
	_, err = pgx.ForEachRow(rows, []any{&values}, func() error {
		c.all++
		if _, err := c.form.OpenLines(values, t.Note.Join.Separator()); err != nil {
			c.broken++
		}
		return nil
	})
	if err == nil {
		p.judgeDocuments("table "+t.FullName()+" column "+c.Name, c)
	}
	return err
}

// notesQuery writes a query for the texts of some notes' rows, in their order.
func notesQuery(t *config.Table, c *texts) string {
	key, name, place := quote.Names(t.Note.Key), quote.Name(c.Name), quote.Name(t.Note.Order)
	return fmt.Sprintf(`select array_agg(%[1]s order by case when pg_typeof(%[2]s) in ('text'::regtype, 'varchar'::regtype, 'bpchar'::regtype)
		then length(%[2]s::text) end, %[2]s) from %[3]s where (%[4]s) in (select %[4]s from %[3]s where %[5]s is not null limit $1) and %[5]s is not null
		group by %[4]s having sum(octet_length(%[5]s%[6]s)) <= $2`, c.value(), place, quote.Name(t.Schema, t.Name), key, name, c.sizeCast())
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// Rows are taken for pieces of a fixed length if a part of them has the length of the longest one,
// which is more than a word.
const (
	fewestLines  = 20
	piecesOf     = 5 // one in so many
	leastOfPiece = 16
)

// judgeLines says where rows do not look like what is said to be between them.
func (p *run) judgeLines(subject string, join config.Join, lengths []int) {
	if len(lengths) < fewestLines {
		return
	}
	longest, full := slices.Max(lengths), 0
	for _, n := range lengths {
		if n == longest {
			full++
		}
	}
	switch {
	case join == config.JoinLine && longest >= leastOfPiece && full*piecesOf >= len(lengths):
		p.Warn(subject, fmt.Sprintf("%d of %d rows looked at are %d characters long and none is longer: pieces of a fixed length, "+
			"which may end within a word, and a name that is cut would be missed", full, len(lengths), longest),
			"say note: {…, join: none} if the rows are pieces of a text")
	case join == config.JoinNone && full == 1:
		p.Warn(subject, fmt.Sprintf("none of %d rows looked at is as long as the longest one: lines, of which the last word of one "+
			"and the first of the next would become one word, and a name in them be missed", len(lengths)-1),
			"say note: {…, join: line} if each row is a line")
	}
}
