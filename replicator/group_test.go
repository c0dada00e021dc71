package replicator

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/source"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// done makes an item as a worker leaves it.
func done(t *table, o op, key, oldKey, body string, who *patient) *item {
	it := &item{change: &change{op: o, table: t}, patient: who}
	if key != "" {
		it.key, it.out.key, it.out.rowKey = []string{key}, []string{key}, rowKey([]string{key})
		it.change.row = []value{{key, present}, {"9", present}, {"s", present}, {body, present}}
		it.out.values = []*string{&key, &who.pseudonym, &key, &body}
		it.out.keep, it.out.texts = []bool{body == ""}, make([]textOutcome, 1)
	}
	if oldKey != "" {
		it.change.old = []value{{oldKey, present}, {}, {}, {}}
		it.out.oldKey, it.out.oldRow = []string{oldKey}, rowKey([]string{oldKey})
	}
	return it
}

func TestLastVersionCounts(t *testing.T) {
	table := noteTable()
	a, b := &patient{pseudonym: "a", shiftStored: true, memorised: true}, &patient{pseudonym: "b", shiftStored: true, memorised: true}
	for _, c := range []struct {
		name  string
		items []*item
		want  string // key: body, keep, reread or remove; in order of first appearance
	}{
		{"insert, update", []*item{done(table, insertOp, "1", "", "x", a), done(table, updateOp, "1", "", "y", a)}, "1:y "},
		{"insert, delete", []*item{done(table, insertOp, "1", "", "x", a), done(table, deleteOp, "", "1", "", a)}, "1:remove "},
		{"delete, insert", []*item{done(table, deleteOp, "", "1", "", a), done(table, insertOp, "1", "", "x", a)}, "1:x "},
		{"text inherited", []*item{done(table, insertOp, "1", "", "x", a), done(table, updateOp, "1", "", "", a)}, "1:x "},
		{"text stays in the replica", []*item{done(table, updateOp, "1", "", "", a)}, "1:keep "},
		{"text of another patient", []*item{done(table, insertOp, "1", "", "x", a), done(table, updateOp, "1", "", "", b)}, "1:reread "},
		{"and again", []*item{done(table, insertOp, "1", "", "x", a), done(table, updateOp, "1", "", "", b), done(table, updateOp, "1", "", "", b)}, "1:reread "},
		{"text of a row that went", []*item{done(table, deleteOp, "", "1", "", a), done(table, updateOp, "1", "", "", a)}, "1:reread "},
		{"key changed", []*item{done(table, insertOp, "1", "", "x", a), done(table, updateOp, "2", "1", "x", a)}, "1:remove 2:x "},
		{
			"keys swapped",
			[]*item{done(table, updateOp, "3", "1", "x", a), done(table, updateOp, "1", "2", "y", a), done(table, updateOp, "2", "3", "x", a)},
			"1:y 3:remove 2:x ",
		},
	} {
		g := newGroup()
		for _, it := range c.items {
			g.add(it)
		}
		got := ""
		for _, v := range g.order {
			what := "keep"
			switch {
			case v.remove:
				what = "remove"
			case v.reread:
				what = "reread"
			case !v.keeps():
				what = *v.values[3]
			}
			got += v.key[0] + ":" + what + " "
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestFailedRowsAreRemovedAndSetAside(t *testing.T) {
	it := done(noteTable(), updateOp, "1", "", "x", &patient{pseudonym: "a", shiftStored: true, memorised: true})
	it.out.reason = leak
	g := newGroup()
	g.add(it)
	v := g.order[0]
	if !v.remove || v.aside == nil || v.aside.reason != leak || v.aside.Patient != "a" || v.aside.Key[0] != "1" || v.values != nil {
		t.Errorf("got %+v", v)
	}
	// A row whose key can't be published is set aside all the same.
	it = &item{change: &change{op: insertOp, table: noteTable(), row: []value{{"1", present}, {}, {}, {}}}}
	it.out.reason = badValue
	g = newGroup()
	g.add(it)
	if v := g.order[0]; v.aside == nil || len(v.key) != 0 || v.aside.Key[0] != "1" {
		t.Errorf("got %+v", v)
	}
}

func TestStatements(t *testing.T) {
	s := noteTable().sql
	want := []string{
		`insert into "deid_rows"."ehr.note" ("id", "patient_id", "status", "body") select u.c0::text, u.c1::text, u.c2::text, u.c3::text ` +
			`from unnest($1::text[], $2::text[], $3::text[], $4::text[]) u(c0, c1, c2, c3) on conflict ("id") do update set ` +
			`"patient_id" = excluded."patient_id", "status" = excluded."status", "body" = excluded."body"`,
		`delete from "deid_rows"."ehr.note" t using unnest($1::text[]) u(c0) where t."id" = u.c0::text`,
		`update "deid_rows"."ehr.note" t set "status" = u.c2::text from unnest($1::text[], $2::text[]) u(c0, c2) where t."id" = u.c0::text`,
		"",
	}
	for i, got := range []string{s.upsert, s.remove, s.update([]int{0, 2}), s.update([]int{0})} {
		if got != want[i] {
			t.Errorf("got  %s\nwant %s", got, want[i])
		}
	}
}

// Of a row that a copy has already nothing was searched: that a patient's words are on
// their way to the vault must not be said for it.
func TestCoveredRowsMakeNothingOfAPatient(t *testing.T) {
	who := &patient{pseudonym: "a"}
	it := done(noteTable(), insertOp, "1", "", "x", who)
	it.change.covered = true
	g := newGroup()
	g.add(it)
	if who.memorised || who.shiftStored || len(g.order) > 0 {
		t.Errorf("memorised %v, shift stored %v, %d rows", who.memorised, who.shiftStored, len(g.order))
	}
}

func TestTransient(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bool
	}{
		{&pgconn.PgError{Code: "57P01"}, true},
		{&pgconn.PgError{Code: "53100"}, true},
		{&pgconn.PgError{Code: "40001"}, true},
		{&pgconn.PgError{Code: "55006"}, true},
		{&pgconn.PgError{Code: "08006"}, true},
		{&pgconn.PgError{Code: "42501"}, false},
		{&pgconn.PgError{Code: "42P01"}, false},
		{&pgconn.PgError{Code: "28P01"}, false},
		{&pgconn.PgError{Code: "55000"}, false},
		{io.ErrUnexpectedEOF, true},
		{&net.OpError{Op: "read", Err: errors.New("reset")}, true},
		{vault.ErrStale, true},
		{source.ErrSilent, true},
		{errNotAlone, true},
		{errors.Join(connect.ErrGone, errors.New("closed")), true},
		{source.ErrDecode, false},
		{errPosition, false},
		{context.Canceled, false},
	} {
		for _, err := range []error{c.err, fault.New("op", c.err, "hint"), fault.New("outer", fault.New("op", c.err, ""), "")} {
			if transient(err) != c.want {
				t.Errorf("%T %v: %v", err, err, !c.want)
			}
		}
	}
	if transient(fmt.Errorf("plain")) {
		t.Error("any error is transient")
	}
}
