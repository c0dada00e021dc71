package model

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// judged returns a scope with what a design does not promise left out.
func (c scope) judged() *scope {
	if !c.rules.has(besideStream) {
		c.waitingOpen = true
	}
	return &c
}

func TestHolds(t *testing.T) {
	t.Parallel()
	sound := present | copyTold | storesUsed | insertsToo
	cases := map[string]scope{
		"present, at rest": {
			rules: sound, transactions: 2, operations: all, crashes: 1,
			copied: true, hands: 1, atRest: true,
		},
		"present, copy, at rest":   {rules: sound, transactions: 2, operations: all, crashes: 1, hands: 1, atRest: true},
		"present, resync, at rest": {rules: sound, transactions: 2, operations: all, resyncs: 1, hands: 1, atRest: true},
		"present, pages, at rest": {
			rules: sound, transactions: 2, operations: all, crashes: 1, copied: true, hands: 1, atRest: true, paged: true,
		},
		"apart, at rest": {rules: apart, transactions: 2, operations: all, crashes: 1, copied: true, hands: 1, atRest: true},
		"apart, pages, at rest": {
			rules: apart, transactions: 3, operations: ops(rename, write, move), copied: true, hands: 1, atRest: true, paged: true,
		},
		"planned":         {rules: planned, transactions: 2, operations: all, crashes: 1, copied: true, hands: 1},
		"planned, copy":   {rules: planned, transactions: 2, operations: []operation{rename, write, move}, crashes: 1, hands: 1},
		"planned, resync": {rules: planned, transactions: 2, operations: all, resyncs: 1, hands: 1},
		"planned, pages":  {rules: planned, transactions: 2, operations: all, copied: true, hands: 1, paged: true},
		"planned, paths not withheld": {
			rules: planned &^ withholdsPath, transactions: 2, operations: all, copied: true, hands: 1, pathOpen: true,
		},
		"planned, two in hand": {rules: planned, transactions: 2, operations: []operation{rename, write, move}, copied: true, hands: 2},
		"planned, three transactions": {
			rules: planned, transactions: 3, operations: []operation{rename, write, remove}, copied: true, hands: 1,
		},
	}
	if os.Getenv("PGDEID_MODEL_DEEP") != "" { // a minute
		cases["present, three transactions"] = scope{
			rules: sound, transactions: 3, operations: all, crashes: 1, copied: true, hands: 1, atRest: true,
		}
		cases["planned, all of three transactions"] = scope{rules: planned, transactions: 3, operations: all, copied: true, hands: 1}
		cases["planned, two in hand, crash"] = scope{
			rules: planned, transactions: 2, operations: all, crashes: 1, copied: true, hands: 2, paged: true,
		}
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, n := search(c.judged())
			t.Logf("%d states", n)
			if f != nil {
				t.Error(f)
			}
		})
	}
}

// What a rule is good for shows when it is left out.
func TestFinds(t *testing.T) {
	t.Parallel()
	const (
		lost      = "the position that was confirmed is ahead"
		outdated  = "an older text was written over a newer one"
		back      = "a note is there before its time or after its deletion"
		unknown   = "a text shows a surrogate that the vault does not have"
		seen      = "a text shows a name of the record of its time"
		forgotten = "a text shows a name of the record, and nothing is to read it again"
		mistaken  = "a text has another patient's surrogates, and nothing is to read it again"
	)
	unordered := planned&^placed | strikesCommitted | storesUsed
	cases := map[string]struct {
		what string
		most int // steps
		scope
	}{
		"confirmed before the commit": {
			lost, 2,
			scope{rules: planned &^ confirmsDurable, transactions: 1, operations: ops(rename)},
		},
		"surrogates in another transaction": {
			unknown, 1,
			scope{rules: planned &^ oneTransaction, transactions: 1, operations: ops(rename)},
		},
		"no withholding": {
			forgotten, 3,
			scope{rules: planned &^ withholds, transactions: 1, operations: ops(rename)},
		},
		"no withholding under a path": {
			mistaken, 3,
			scope{rules: planned &^ withholdsPath, transactions: 1, operations: ops(move)},
		},
		"notes of the same group forgotten": {
			forgotten, 9,
			scope{rules: planned &^ countsGroup, transactions: 3, operations: ops(remove, write, rename)},
		},
		"names of the stream not kept": {
			seen, 8,
			scope{rules: planned &^ keepsTold, transactions: 3, operations: ops(remove, renameAndWrite)},
		},
		"names not taken over": {
			seen, 12,
			scope{rules: planned &^ takesOver, transactions: 1, operations: ops(move)},
		},
		"names taken over from vault only": {
			seen, 20,
			scope{rules: planned &^ tellsFormer, transactions: 3, operations: ops(rename, renameAndWrite, move)},
		},
		"struck though requested again": {
			forgotten, 11,
			scope{rules: planned &^ strikesOlder, transactions: 3, operations: ops(rename, write)},
		},
		"not waiting, a deletion": {
			forgotten, 7,
			scope{rules: planned &^ waits, transactions: 2, operations: ops(rename, remove)},
		},
		"not waiting, record loaded anew": {
			seen, 9,
			scope{rules: planned&^waits | freshRecord, transactions: 3, operations: ops(rename, renameAndWrite)},
		},
		"changed rows written": {
			outdated, 10,
			scope{rules: planned &^ leavesOut, transactions: 2, operations: ops(rename, write)},
		},
		"changes counted by patient": {
			outdated, 11,
			scope{rules: planned&^leavesOut | patientSame, transactions: 3, operations: ops(write, move)},
		},
		"deleted rows written": {
			back, 9,
			scope{rules: planned &^ leavesOut &^ onlyThere, transactions: 2, operations: ops(rename, remove)},
		},
		"patient as it was read": {
			mistaken, 16,
			scope{rules: planned &^ resolvesAnew, transactions: 2, operations: ops(rename, move), hands: 2},
		},
		"written whoever it is published as": {
			seen, 12,
			scope{rules: planned &^ samePublished &^ withholdsPath, transactions: 3, operations: ops(write, move), pathOpen: true},
		},
		"choices of refused rows lost": {
			unknown, 13,
			scope{rules: planned &^ storesRefused, transactions: 3, operations: ops(write, move, renameAndWrite)},
		},
		"committer de-identifies": {
			unknown, 9,
			scope{rules: planned &^ redoesLater, transactions: 3, operations: ops(write, move, renameAndWrite)},
		},
		"made apart, out of order": {
			forgotten, 8,
			scope{rules: unordered, transactions: 2, operations: ops(rename, write)},
		},
		"apart, changed rows written": {
			outdated, 10,
			scope{rules: apart &^ leavesOut, transactions: 2, operations: ops(rename, write), atRest: true},
		},
		"apart, surrogates of later items": {
			unknown, 9,
			scope{rules: apart &^ storesUsed, transactions: 2, operations: ops(rename, write), atRest: true},
		},
		"apart, struck before a deletion": {
			forgotten, 8,
			scope{rules: apart, transactions: 2, operations: ops(rename, remove)},
		},
		"present, rows newer than record": {
			seen, 7,
			scope{rules: present, transactions: 2, operations: ops(rename, renameAndWrite)},
		},
		"present, struck before a deletion": {
			forgotten, 6,
			scope{rules: present, transactions: 2, operations: ops(rename, remove)},
		},
		"present, surrogates of later items": {
			unknown, 8,
			scope{rules: present, transactions: 2, operations: ops(rename, write), atRest: true},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.copied, c.hands = true, max(c.hands, 1)
			found(t, c.judged(), c.what, c.most)
		})
	}
}

// The first copy has cases of its own.
func TestFindsInCopy(t *testing.T) {
	t.Parallel()
	const seen = "a text shows a name of the record of its time"
	found(t, scope{rules: planned &^ copyTold, transactions: 1, operations: ops(rename), hands: 1}.judged(), seen, 3)
	found(t, scope{
		rules: planned &^ insertsToo, transactions: 2, operations: ops(write, move), crashes: 2, hands: 1, absent: true,
	}.judged(), seen, 12)
	found(t, scope{rules: present, transactions: 1, operations: ops(rename), hands: 1, atRest: true}.judged(), seen, 7)
}

// A limit of both designs: a row that moved before it was first seen is searched for the names
// of the patient to whom it moved only.
func TestLimitMovedUnseen(t *testing.T) {
	t.Parallel()
	c := scope{rules: planned, transactions: 3, operations: ops(write, move), copied: true, hands: 1, strictOwner: true}
	found(t, c.judged(), "a text shows a name of the record of its time", 11)
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
	walks := uint64(20000)
	if testing.Short() {
		walks /= 10
	}
	c := &scope{rules: planned, transactions: maxTx, operations: all, crashes: 3, resyncs: 1, hands: 2, paged: true}
	for seed := range walks {
		if f := walk(c, rand.New(rand.NewPCG(seed, 1))); f != nil {
			t.Fatalf("seed %d: %s", seed, f)
		}
	}
}
