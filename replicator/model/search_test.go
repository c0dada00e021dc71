package model

import (
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"slices"
	"strings"
)

// step is one thing that can happen next.
type step struct {
	what stepKind
	a, b int8
}

type stepKind int8

const (
	sourceCommits stepKind = iota
	copies
	dispatches
	works
	takes
	flushes
	commits
	begins
	goesOn
	makes
	takesBatch
	crashes
	startsOver
)

func (p step) String() string {
	switch p.what {
	case sourceCommits:
		return "source: " + transaction{operation(p.a), p.b}.String()
	case copies:
		return "copy: the next note"
	case dispatches:
		return "stream: the next transaction is taken in"
	case works:
		return "worker: the next text is de-identified"
	case takes:
		return "committer: takes the next change"
	case flushes:
		return "committer: writes its group into its transaction"
	case commits:
		return "committer: commits"
	case begins:
		return fmt.Sprintf("rewriter: begins a batch with request %d and reads its rows", p.a)
	case goesOn:
		return "rewriter: goes on"
	case makes:
		return "worker: the next text of the batch is de-identified"
	case takesBatch:
		return "committer: takes the batch"
	case crashes:
		return "crash"
	default:
		return "resync"
	}
}

// try takes a step, and reports whether it was possible.
func (s *state) try(c *scope, p step) bool {
	if !s.do(c, p) {
		return false
	}
	if !c.rules.has(oneBook) {
		s.closeBooks()
	}
	return true
}

func (s *state) do(c *scope, p step) bool {
	switch p.what {
	case sourceCommits:
		t := transaction{operation(p.a), p.b}
		if s.now == c.transactions || !s.present().possible(t) {
			return false
		}
		s.source.commit(t)
	case copies:
		return s.copyNext(c)
	case dispatches:
		return s.dispatch(c)
	case works:
		return s.work(c)
	case takes:
		return s.take(c)
	case flushes:
		return s.flush(c)
	case commits:
		return s.commit(c)
	case begins:
		return s.beginBatch(c, p.a)
	case goesOn:
		return s.goOn(c)
	case makes:
		return s.makeNext(c)
	case takesBatch:
		return s.takeBatch(c)
	case crashes:
		if s.crashes == 0 {
			return false
		}
		s.crashes--
		s.crash()
	case startsOver:
		if s.resyncs == 0 {
			return false
		}
		s.resyncs--
		s.startOver()
	}
	return true
}

// steps lists all that may be possible in a scope; those from outside come first.
func (c *scope) steps() (list []step, outside int) {
	for _, op := range c.operations {
		for n := range int8(notes) {
			list = append(list, step{sourceCommits, int8(op), n})
		}
	}
	list = append(list, step{what: crashes}, step{what: startsOver})
	outside = len(list)
	for what := copies; what <= takesBatch; what++ {
		list = append(list, step{what: what})
	}
	for n := range int8(patients) {
		list = append(list, step{begins, n + 1, 0})
	}
	return list, outside
}

// node is a state that was reached, and how.
type node struct {
	from int32
	by   step
}

// finding is a broken invariant and the shortest way to it.
type finding struct {
	what  string
	trace []step
}

func (f *finding) String() string {
	var b strings.Builder
	_, _ = fmt.Fprintf(&b, "%s, after %d steps:", f.what, len(f.trace))
	for _, p := range f.trace {
		_, _ = fmt.Fprintf(&b, "\n\t%s", p)
	}
	return b.String()
}

const stuck = "nothing can go on, and not all is done"

// search visits every state of a scope, those that are near first, and returns the first
// broken invariant, or nil, and the number of states.
func search(c *scope) (*finding, int) {
	list, outside := c.steps()
	var (
		seed       = maphash.MakeSeed()
		seen       = map[uint64]struct{}{}
		nodes      = []node{{from: -1}}
		front, ids = []state{newState(c)}, []int32{0}
	)
	for len(front) > 0 {
		var next []state
		var nextIDs []int32
		for i := range front {
			moved := false
			for k, p := range list {
				s := front[i]
				if !s.try(c, p) {
					continue
				}
				moved = moved || k >= outside
				h := maphash.Comparable(seed, s)
				if _, ok := seen[h]; ok {
					continue
				}
				seen[h] = struct{}{}
				nodes = append(nodes, node{ids[i], p})
				id := int32(len(nodes) - 1)
				if what := s.check(c); what != "" {
					return &finding{what, trace(nodes, id)}, len(nodes)
				}
				if c.most > 0 && len(nodes) > c.most {
					return nil, len(nodes)
				}
				next, nextIDs = append(next, s), append(nextIDs, id)
			}
			if !moved && !front[i].idle() {
				return &finding{stuck, trace(nodes, ids[i])}, len(nodes)
			}
		}
		front, ids = next, nextIDs
	}
	return nil, len(nodes)
}

func trace(nodes []node, id int32) []step {
	var list []step
	for ; id > 0; id = nodes[id].from {
		list = append(list, nodes[id].by)
	}
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	return list
}

// walk takes random steps from the beginning until there is nothing left, and returns the first
// broken invariant, or nil.
func walk(c *scope, r *rand.Rand) *finding {
	list, outside := c.steps()
	s := newState(c)
	var way []step
	for {
		order, moved := r.Perm(len(list)), false
		for _, k := range order {
			if k < outside && r.IntN(3) > 0 { // more of the inside than of the outside
				continue
			}
			next := s
			if !next.try(c, list[k]) {
				continue
			}
			moved = true
			s, way = next, append(way, list[k])
			if what := s.check(c); what != "" {
				return &finding{what, way}
			}
			break
		}
		if !moved && s.now == c.transactions {
			if !s.idle() && !s.canMove(c, list[outside:]) {
				return &finding{stuck, way}
			}
			if s.idle() {
				return nil
			}
		}
	}
}

// replay takes the steps of a way that are possible, and returns the first broken invariant, or nil.
func replay(c *scope, way []step) *finding {
	s := newState(c)
	var taken []step
	for _, p := range way {
		next := s
		if !next.try(c, p) {
			continue
		}
		s, taken = next, append(taken, p)
		if what := s.check(c); what != "" {
			return &finding{what, taken}
		}
	}
	return nil
}

// shrink leaves steps out of the way to a finding as long as the rest leads to the same.
func (f *finding) shrink(c *scope) *finding {
	for size := len(f.trace) / 2; size > 0; {
		shorter := f.without(c, size)
		if shorter == nil {
			size /= 2
			continue
		}
		f = shorter
	}
	return f
}

// without leaves so many steps out in a row, or returns nil.
func (f *finding) without(c *scope, size int) *finding {
	for i := 0; i+size <= len(f.trace); i++ {
		if less := replay(c, slices.Concat(f.trace[:i], f.trace[i+size:])); less != nil && less.what == f.what {
			return less
		}
	}
	return nil
}

func (s *state) canMove(c *scope, list []step) bool {
	for _, p := range list {
		next := *s
		if next.try(c, p) {
			return true
		}
	}
	return false
}

var all = []operation{rename, write, remove, move, renameAndWrite}
