package replicator

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
	"github.com/pgdeid/pgdeid/replicator/session"
)

// Records are copied before the notes that they are needed for. Tables that only tell of
// patients have no copy, and are read all the same.
func TestOrderOfTheCopy(t *testing.T) {
	t.Parallel()
	table := func(id string, tells, texts, publish bool) *schema.Table {
		c := &schema.Table{Table: &config.Table{Patient: config.Path{Column: "patient_id"}}, ID: id}
		if tells {
			c.Telling = []int{0}
		}
		if texts {
			c.Texts = []int{1}
		}
		if publish {
			c.Publish = []int{0}
		}
		return c
	}
	notes, signed, people, hidden := table("note", false, true, true), table("signed", true, true, true), table("people", true, false, true), table("hidden", true, false, false)
	staff := &schema.Table{Table: &config.Table{}, ID: "staff", Telling: []int{0}}
	r := &run{Session: &session.Session{Plan: &schema.Plan{Tables: []*schema.Table{notes, signed, people, hidden, staff}}}}
	list := []copyState{{table: notes}, {table: signed}, {table: people}}
	var order []string
	for _, c := range r.inOrder(list) {
		order = append(order, c.table.ID)
	}
	if got := strings.Join(order, " "); got != "hidden people note signed" {
		t.Errorf("tables are copied in the order %s", got)
	}
	if got := r.recordsOnly([]copyState{{table: hidden}}); len(got) != 0 {
		t.Errorf("%d tables are read twice", len(got))
	}
	if stale(list) || !stale(append(list, copyState{again: "it was away"})) {
		t.Error("whether tables were complete before is not told apart")
	}
}

// Tables don't share hashes, nor keys.
func TestHashesOfKeys(t *testing.T) {
	t.Parallel()
	key, notes, wards := schematest.Key(t), schematest.NoteTable(), schematest.PlainTable()
	seen := map[keyHash]bool{}
	for n := range 300 {
		row := schema.RowKey([]string{fmt.Sprint(n)})
		h := hashRow(key, notes, row)
		if h != hashRow(key, notes, row) || seen[h] || h == hashRow(key, wards, row) {
			t.Fatalf("key %d has the hash of another one, or two", n)
		}
		seen[h] = true
	}
	var sorted []keyHash
	for h := range seen {
		sorted = append(sorted, h)
	}
	slices.SortFunc(sorted, compareHashes)
	for h := range seen {
		if _, ok := slices.BinarySearchFunc(sorted, h, compareHashes); !ok {
			t.Fatal("a hash is not found among its own")
		}
	}
}

// What runs has a while after the end was asked for, and no longer.
func TestGracePeriod(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		asked, stop := context.WithCancel(t.Context())
		work, end := graceful(asked, time.Minute)
		defer end()
		time.Sleep(time.Hour)
		if work.Err() != nil {
			t.Error("the work ended before anybody asked")
		}
		stop()
		time.Sleep(59 * time.Second)
		if work.Err() != nil {
			t.Error("the work had no grace")
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if work.Err() == nil {
			t.Error("the work goes on after its grace")
		}
	})
	synctest.Test(t, func(t *testing.T) {
		asked, stop := context.WithCancel(t.Context())
		work, end := graceful(asked, time.Minute)
		stop()
		end()
		synctest.Wait()
		if work.Err() == nil {
			t.Error("the end of the work is not its end")
		}
	})
}
