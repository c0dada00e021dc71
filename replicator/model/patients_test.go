package model

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// Patients opt out and come back, are merged and parted, while encounters move, records change, and processes die.

var everything = append(ops(flag, join), all...)

func TestPatientsHold(t *testing.T) {
	t.Parallel()
	cases := map[string]scope{
		"opt-out":          {transactions: 3, operations: ops(flag, write), copied: true, hands: 1},
		"opt-out, crash":   {transactions: 2, operations: ops(flag, rename, write), crashes: 1, copied: true, hands: 1},
		"opt-out, move":    {transactions: 2, operations: ops(flag, move, rename), crashes: 1, copied: true, hands: 2},
		"cohort":           {transactions: 2, operations: ops(flag, join, write), include: true, copied: true, hands: 1},
		"merge":            {transactions: 2, operations: ops(join, write, move), crashes: 1, copied: true, hands: 1},
		"merge, record":    {transactions: 2, operations: ops(join, rename, renameAndWrite), copied: true, hands: 1},
		"copy":             {transactions: 2, operations: ops(join, flag, write), crashes: 1, hands: 1},
		"resync":           {transactions: 2, operations: ops(join, flag, write), resyncs: 1, hands: 1},
		"resync, a cohort": {transactions: 2, operations: ops(join, flag), include: true, resyncs: 1, hands: 1},
	}
	if os.Getenv("PGDEID_MODEL_DEEP") != "" { // minutes
		cases["merge and write"] = scope{transactions: 3, operations: ops(join, write), copied: true, hands: 1}
		cases["merge and move"] = scope{transactions: 3, operations: ops(join, move), copied: true, hands: 1}
		cases["merge and rename"] = scope{transactions: 3, operations: ops(join, rename), copied: true, hands: 1}
		cases["merge and opt-out"] = scope{transactions: 3, operations: ops(join, flag), crashes: 1, copied: true, hands: 2}
		cases["opt-out, records"] = scope{transactions: 3, operations: ops(flag, rename), copied: true, hands: 1}
		cases["all of two transactions"] = scope{transactions: 2, operations: everything, crashes: 1, copied: true, hands: 2}
		cases["cohort, all of two transactions"] = scope{
			transactions: 2, operations: everything, include: true, crashes: 1, copied: true, hands: 2, paged: true,
		}
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
	lacks    = "a note is lost"
	stays    = "a note is there of a patient who stays out"
	leftover = "the vault has surrogates of a patient who stays out"
)

func TestPatientsFind(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		without rule
		what    string
		most    int // steps
		scope
	}{
		"written as they were looked up":    {looksAgain, unknown, 8, scope{transactions: 2, operations: ops(flag, write), copied: true}},
		"back in the transaction":           {leavesGone, unknown, 12, scope{transactions: 3, operations: ops(flag, write), copied: true}},
		"known though taken away":           {dropsGone, unknown, 13, scope{transactions: 2, operations: ops(flag), copied: true}},
		"written though void":               {voids, unknown, 12, scope{transactions: 3, operations: ops(flag, write), copied: true}},
		"back, and not asked for":           {asksBack, lacks, 8, scope{transactions: 2, operations: ops(flag), copied: true}},
		"back, and not admitted":            {admits, lacks, 11, scope{transactions: 2, operations: ops(flag), copied: true}},
		"merged, and not asked for":         {asksMoved, lacks, 4, scope{transactions: 1, operations: ops(join), copied: true}},
		"parted, and not taken away":        {takesMoved, "", 8, scope{transactions: 2, operations: ops(join), copied: true}},
		"merged ahead of the committer":     {joinsApplied, lacks, 8, scope{transactions: 3, operations: ops(join, flag), copied: true}},
		"moved, and not admitted":           {admitsPath, lacks, 13, scope{transactions: 2, operations: ops(join, move), copied: true}},
		"let in by a merge":                 {asksNow, lacks, 14, scope{transactions: 2, operations: ops(join, flag), include: true, copied: true}},
		"merged while nothing was copied":   {movesCopied, leftover, 8, scope{transactions: 2, operations: ops(join, flag), resyncs: 1}},
		"renamed on the way to a replica":   {asksPending | asksAsked, "", 22, scope{transactions: 3, operations: ops(flag, rename), copied: true}},
		"the other rows of one who is back": {readsUnder, lacks, 22, scope{transactions: 3, operations: ops(join, flag), copied: true}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.hands, c.rules = 1, whole&^c.without
			found(t, &c.scope, c.what, c.most)
		})
	}
}

func TestPatientsWalk(t *testing.T) {
	t.Parallel()
	short := scope{transactions: 5, crashes: 2, copied: true, paged: true}
	long := scope{transactions: 12, crashes: 3, copied: true, paged: true}
	for name, c := range map[string]struct {
		walks uint64
		scope
	}{
		"short":        {500, short},
		"long":         {600, long},
		"whole pages":  {200, scope{transactions: maxTx, crashes: 3, copied: true}},
		"copy, resync": {300, scope{transactions: 12, crashes: 2, resyncs: 1, paged: true}},
	} {
		for _, include := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, include %t", name, include), func(t *testing.T) {
				t.Parallel()
				bounds := c.scope
				bounds.rules, bounds.operations, bounds.include, bounds.hands = whole, everything, include, 2
				walkAll(t, c.walks, 2, &bounds)
			})
		}
	}
}

// Some ways are too long to be searched for.
func TestPatientsFindWalking(t *testing.T) {
	t.Parallel()
	for name, without := range map[string]rule{
		"names that go with a merge":    keepsNames,
		"records from before the merge": forgetsMoved,
		"names on their way":            keepsHeld,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &scope{rules: whole &^ without, transactions: 6, operations: ops(join, rename, write, renameAndWrite), copied: true, hands: 1}
			for seed := range uint64(6000) {
				if f := walk(c, rand.New(rand.NewPCG(seed, 1))); f != nil {
					t.Log(f.shrink(c))
					return
				}
			}
			t.Error("nothing was found")
		})
	}
}

// A patient outside of a cohort comes in with a merge and gets another name, and a note from before is made again. One walk in
// thousands comes by that.
func TestNamesOfWhoCameWithAMergeStayKnown(t *testing.T) {
	t.Parallel()
	did := func(what ...stepKind) (way []step) {
		for _, w := range what {
			way = append(way, step{what: w})
		}
		return way
	}
	says := func(op operation, n int8) []step { return []step{{sourceCommits, int8(op), n}} }
	way := slices.Concat(
		says(flag, 1), did(dispatches, takes, commits), says(join, 1), did(dispatches, takes, commits),
		says(write, 0), did(dispatches), says(renameAndWrite, 1), did(dispatches, works, takes, works, takes, takes, commits),
		did(begins, goesOn, goesOn, makes, makes, takesBatch, commits))
	c := &scope{rules: whole, transactions: 4, operations: everything, include: true, copied: true, hands: 2, paged: true}
	if f := replay(c, way); f != nil {
		t.Error(f)
	}
	if c.rules &^= keepsMembers; replay(c, way) == nil {
		t.Error("nothing is wrong where names of the other id are not kept")
	}
}
