package model

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

func TestHolds(t *testing.T) {
	t.Parallel()
	cases := map[string]scope{
		"crash":          {transactions: 2, operations: all, crashes: 1, copied: true, hands: 1},
		"copy":           {transactions: 2, operations: []operation{rename, write, move}, crashes: 1, hands: 1},
		"resync":         {transactions: 2, operations: []operation{rename, write, move}, resyncs: 1, hands: 1},
		"pages":          {transactions: 2, operations: all, copied: true, hands: 1, paged: true},
		"touched":        {transactions: 3, operations: ops(rename, touch), copied: true, hands: 1},
		"filed anew":     {transactions: 2, operations: ops(refile, touch, rename), copied: true, hands: 1},
		"moved, touched": {transactions: 3, operations: ops(move, touch), copied: true, hands: 1},
		"two a time":     {transactions: 2, operations: all, copied: true, hands: 2},
		"moves":          {transactions: 3, operations: []operation{write, move}, copied: true, hands: 2},
	}
	if os.Getenv("PGDEID_MODEL_DEEP") != "" { // minutes
		cases["all of three transactions"] = scope{transactions: 3, operations: all, copied: true, hands: 1}
		cases["copy, all of two transactions"] = scope{transactions: 2, operations: all, crashes: 1, hands: 1}
		cases["resync, all of two transactions"] = scope{transactions: 2, operations: all, resyncs: 1, hands: 1}
		cases["names"] = scope{transactions: 3, operations: ops(rename, remove), copied: true, hands: 1}
		cases["pages, crash"] = scope{transactions: 2, operations: all, crashes: 1, copied: true, hands: 2, paged: true}
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.rules = whole
			f, n := search(&c)
			t.Logf("%d states", n)
			if f != nil {
				t.Error(f)
			}
		})
	}
}

const (
	lost      = "the position that was confirmed is ahead"
	outdated  = "an older text was written over a newer one"
	back      = "a note is there before its time or after its deletion"
	unknown   = "a text shows a surrogate that the vault does not have"
	seen      = "a text shows a name of the record of its time"
	forgotten = "a text shows a name of the record, and nothing is to read it again"
	missed    = "at rest, a text shows a name that the vault knows"
	inside    = "a detector runs inside the transaction that writes"
	waived    = "a row is dropped though nothing was new"
	foreign   = "a text has another patient's surrogates"
	older     = "an older row was written over a newer one"
	gone      = "at rest, a note is lost or too many"
)

// What a rule is good for shows when it is left out.
func TestFinds(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		without rule
		what    string
		most    int // steps
		scope
	}{
		"confirmed too early":          {confirmsDurable, lost, 2, scope{transactions: 1, operations: ops(rename)}},
		"surrogates stored apart":      {oneTransaction, unknown, 1, scope{transactions: 1, operations: ops(rename)}},
		"choices of others lost":       {storesUnstored, unknown, 12, scope{transactions: 2, operations: ops(rename, write)}},
		"notes of its group forgotten": {countsGroup, forgotten, 12, scope{transactions: 3, operations: ops(remove, write, rename)}},
		"names in rows not kept":       {keepsTold, seen, 7, scope{transactions: 3, operations: ops(remove, renameAndWrite)}},
		"names not taken over":         {takesOver, seen, 9, scope{transactions: 1, operations: ops(move)}},
		"forgotten too early":          {forgetsAfter | loadsAsked, missed, 23, scope{transactions: 2, operations: ops(move, write), atRest: true}},
		"takeover not requested":       {asksAlways, missed, 17, scope{transactions: 3, operations: ops(remove, move, write), atRest: true}},
		"struck though asked again":    {strikesSame, forgotten, 17, scope{transactions: 3, operations: ops(rename, write)}},
		"not waiting at all":           {waits | waitsResolved, forgotten, 8, scope{transactions: 2, operations: ops(rename, remove)}},
		"struck before a deletion":     {waits, forgotten, 9, scope{transactions: 2, operations: ops(rename, remove)}},
		"overwritten with older words": {waits, seen, 13, scope{transactions: 2, operations: ops(move, write)}},
		"the same, for ever":           {waits, seen, 21, scope{transactions: 2, operations: ops(move, write), atRest: true}},
		"changed rows written":         {leavesOut, outdated, 13, scope{transactions: 2, operations: ops(rename, write)}},
		"deleted rows written":         {leavesOut | onlyThere, back, 12, scope{transactions: 2, operations: ops(rename, remove)}},
		"made in the transaction":      {neverDetects, inside, 12, scope{transactions: 2, operations: ops(move, write)}},
		"outdated row left":            {removesOutdated, outdated, 6, scope{transactions: 2, operations: ops(move, write)}},
		"outdated row not requested":   {asksOutdated, missed, 14, scope{transactions: 2, operations: ops(move, write)}},
		"outdated row not admitted":    {admitsOutdated, gone, 20, scope{transactions: 2, operations: ops(move, write)}},
		"outdated row not linked":      {linksOutdated, missed, 21, scope{transactions: 2, operations: ops(move, write), atRest: true}},
		"given up for updates":         {goesOnTouched, waived, 30, scope{transactions: 2, operations: ops(rename, touch)}},
		"asked for already":            {asksAsked, forgotten, 30, scope{transactions: 3, operations: ops(remove, refile, rename)}},
		"columns of another patient":   {samePatient, foreign, 14, scope{transactions: 2, operations: ops(rename, refile)}},
		"columns of before":            {carries, older, 30, scope{transactions: 2, operations: ops(rename, touch)}},
		"left out for good":            {readsAgain, missed, 22, scope{transactions: 3, operations: ops(move, write), atRest: true}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.copied, c.hands, c.rules = true, 1, whole&^c.without
			found(t, &c.scope, c.what, c.most)
		})
	}
}

// The first copy has cases of its own.
func TestFindsInCopy(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		without rule
		most    int
		scope
	}{
		"words not kept":            {copyTold, 4, scope{transactions: 1, operations: ops(rename)}},
		"records last":              {recordsFirst, 4, scope{transactions: 1, operations: ops(rename)}},
		"records last, for ever":    {recordsFirst | recordsAgain, 14, scope{transactions: 1, operations: ops(rename), crashes: 1, atRest: true}},
		"new snapshot, old records": {recordsAgain, 6, scope{transactions: 2, operations: ops(rename), crashes: 1}},
		"insert over another row":   {insertsToo, 10, scope{transactions: 2, operations: ops(write, move), crashes: 1, absent: true}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.hands, c.rules = 1, whole&^c.without
			found(t, &c.scope, seen, c.most)
		})
	}
}

// A limit: a row that moved before it was first seen is searched for the names of the patient to whom it
// moved only.
func TestLimitMovedUnseen(t *testing.T) {
	t.Parallel()
	found(t, &scope{rules: whole, transactions: 2, operations: ops(write, move), copied: true, hands: 1, strictOwner: true}, seen, 10)
}

func ops(list ...operation) []operation { return list }

// found fails unless a search finds what is to be found, after at most so many steps.
func found(t *testing.T, c *scope, what string, most int) {
	t.Helper()
	f, n := search(c)
	switch {
	case f == nil:
		t.Errorf("nothing was found in %d states", n)
	case !strings.HasPrefix(f.what, what):
		t.Errorf("found something else: %s", f)
	case len(f.trace) > most:
		t.Errorf("the way has more than %d steps: %s", most, f)
	default:
		t.Log(f)
	}
}

func TestWalks(t *testing.T) {
	t.Parallel()
	some := append(ops(touch, refile), all...)
	walkAll(t, 1200, 1, &scope{rules: whole, transactions: maxTx, operations: some, crashes: 3, resyncs: 1, hands: 2, paged: true})
}

// walkAll fails where one of many walks, chosen by a seed, finds something.
func walkAll(t *testing.T, walks, stream uint64, c *scope) {
	t.Helper()
	switch {
	case testing.Short():
		walks /= 10
	case os.Getenv("PGDEID_MODEL_DEEP") != "":
		walks *= 10
	}
	for seed := range walks {
		if f := walk(c, rand.New(rand.NewPCG(seed, stream))); f != nil {
			t.Fatalf("seed %d: %s", seed, f.shrink(c))
		}
	}
}

// Some ways are too long to be searched for: a patient who is loaded before a takeover is committed, and one whose
// rows are made with two versions of the record in turn.
func TestFindsWalking(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		without rule
		what    string
		scope
	}{
		"not forgotten after the commit": {forgetsCommitted | loadsAsked, "", scope{transactions: 8, operations: all}},
		"two books of a patient":         {oneBook, unknown, scope{transactions: 8, operations: ops(rename, renameAndWrite)}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.rules, c.crashes, c.copied, c.hands = whole&^c.without, 2, true, 2
			for seed := range uint64(4000) {
				if f := walk(&c.scope, rand.New(rand.NewPCG(seed, 1))); f != nil && strings.HasPrefix(f.what, c.what) {
					t.Log(f)
					return
				}
			}
			t.Error("nothing was found")
		})
	}
}
