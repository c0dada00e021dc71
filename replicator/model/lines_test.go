package model

import (
	"fmt"
	"strings"
	"testing"
)

// A model of its own for notes whose lines are rows: one note of two lines, whose changes the stream brings one by
// one, a dispatcher that reads the whole note in their place, a committer, a rewriter, another process that retries,
// an interrupted copy, a crash. What is shown must be the note as it was at one moment.

const noteLines = 2

// noteState is a note, by the number of the transaction that wrote each line; 0 for no line.
type noteState [noteLines]int8

// lineRows are the lines in the replica, each with the note that it was made as a line of.
type lineRows [noteLines]noteState

// rows returns what is published of a note.
func (n noteState) rows() (r lineRows) {
	for l, v := range n {
		if v != 0 {
			r[l] = n
		}
	}
	return r
}

// lineChange is a change of a row, and lineTx the changes of a transaction.
type lineChange struct {
	remove bool
	line   int8
}

type lineTx int8

const (
	writes0 lineTx = iota
	writes1
	writesBoth
	removes0
	removes1
	replaces0 // removed, and inserted again
	lineTxs
)

func (t lineTx) changes() []lineChange {
	return [lineTxs][]lineChange{
		{{line: 0}}, {{line: 1}}, {{line: 0}, {line: 1}}, {{remove: true, line: 0}}, {{remove: true, line: 1}}, {{remove: true, line: 0}, {line: 0}},
	}[t]
}

// possible reports whether n has the lines that t needs.
func (t lineTx) possible(n noteState) bool {
	switch t {
	case removes0, replaces0:
		return n[0] != 0
	case removes1:
		return n[1] != 0
	}
	return true
}

// lineRule is a part of the protocol that can be left out.
type lineRule int8

const (
	wholeProtocol  lineRule = iota
	endsNotes               // with a note goes what else the replica has of it
	passesOver              // changes that were seen when the note was read have no effect
	readsFirst              // a note is read behind its first change of a batch
	forgetsAtCrash          // what was read is remembered within a session alone
	wholeNotes              // the rewriter passes over a note of which any line has come since
	writesWhole             // what it writes of a note that is there are all lines, also those that are not there
)

const (
	lineTxMost    = 4
	lineQueueMost = 12
)

type lineItemKind int8

const (
	noItem lineItemKind = iota
	deletes
	noteItem
	passedOver // a change without an effect
	endOfTx
)

type lineItem struct {
	kind     lineItemKind
	line, at int8 // at is what a note was read at, or the transaction that ends
}

// lineState is all there is.
type lineState struct {
	log      [lineTxMost + 1]lineTx
	holds    [lineTxMost + 1]noteState
	now      int8
	copied   bool
	snapshot int8
	rows     lineRows
	position int8
	received int8
	queue    [lineQueueMost]lineItem
	length   int8
	seen     int8 // what was read last shows all up to here, minus 1; 0: nothing was read
	lines    [noteLines]bool
	rewrite  lineRewrite
	crashes  int8
	retries  int8
}

// lineRewrite is the rewriter's batch.
type lineRewrite struct {
	active  bool
	at      int8
	changed [noteLines]bool
}

type lineScope struct {
	without lineRule
	txs     int8
	crashes int8
	retries int8
}

func (c *lineScope) has(r lineRule) bool { return c.without != r }

func newLineState(c *lineScope) lineState {
	s := lineState{crashes: c.crashes, retries: c.retries}
	s.holds[0] = noteState{1, 1}
	return s
}

// lineSteps lists all steps.
func lineSteps(c *lineScope) map[string]func(*lineState) bool {
	steps := map[string]func(*lineState) bool{
		"copy":             func(s *lineState) bool { return s.copyNote() },
		"crash":            func(s *lineState) bool { return s.crash(c) },
		"commit":           func(s *lineState) bool { return s.commit(c) },
		"rewriter reads":   func(s *lineState) bool { return s.beginRewrite() },
		"rewriter writes":  func(s *lineState) bool { return s.endRewrite(c) },
		"somebody retries": func(s *lineState) bool { return s.retry() },
	}
	for n := range int8(2) {
		steps[fmt.Sprintf("dispatch %d", n+1)] = func(s *lineState) bool { return s.dispatch(c, n+1) }
	}
	for t := range lineTxs {
		steps[fmt.Sprint("source ", t.changes())] = func(s *lineState) bool { return s.source(c, t) }
	}
	return steps
}

func (s *lineState) source(c *lineScope, t lineTx) bool {
	if s.now == c.txs || !t.possible(s.holds[s.now]) {
		return false
	}
	n := s.holds[s.now]
	s.now++
	for _, ch := range t.changes() {
		if n[ch.line] = s.now + 1; ch.remove {
			n[ch.line] = 0
		}
	}
	s.log[s.now], s.holds[s.now] = t, n
	return true
}

func (s *lineState) copyNote() bool {
	if s.copied {
		return false
	}
	s.copied, s.rows = true, s.holds[s.snapshot].rows()
	return true
}

func (s *lineState) crash(c *lineScope) bool {
	if s.crashes == 0 {
		return false
	}
	s.crashes--
	if !s.copied {
		s.snapshot = s.now
	}
	s.received, s.queue, s.length, s.rewrite = s.position, [lineQueueMost]lineItem{}, 0, lineRewrite{}
	if c.has(forgetsAtCrash) {
		s.seen, s.lines = 0, [noteLines]bool{}
	}
	return true
}

// dispatch takes n transactions in as one batch.
func (s *lineState) dispatch(c *lineScope, n int8) bool {
	if !s.copied || s.received+n > s.now || int(s.length)+6*int(n) > lineQueueMost {
		return false
	}
	left := 0
	for tx := s.received + 1; tx <= s.received+n; tx++ {
		left += len(s.log[tx].changes())
	}
	read := false
	for range n {
		s.received++
		for _, ch := range s.log[s.received].changes() {
			left--
			known := s.seen > s.received
			s.put(s.effect(c, ch, known))
			if !known && !read && (c.has(readsFirst) || left == 0) {
				read = true
				s.put(lineItem{kind: noteItem, at: s.now})
				s.seen = s.now + 1
				for i, v := range s.holds[s.now] {
					s.lines[i] = v != 0
				}
			}
		}
		s.put(lineItem{kind: endOfTx, at: s.received})
	}
	return true
}

// effect returns what becomes of a change.
func (s *lineState) effect(c *lineScope, ch lineChange, known bool) lineItem {
	if ch.remove && !(known && s.lines[ch.line] && c.has(passesOver)) {
		return lineItem{kind: deletes, line: ch.line}
	}
	return lineItem{kind: passedOver, line: ch.line}
}

func (s *lineState) put(it lineItem) {
	s.queue[s.length] = it
	s.length++
}

// commit writes and commits the next transaction of the queue.
func (s *lineState) commit(c *lineScope) bool {
	if s.length == 0 {
		return false
	}
	for i := range s.length {
		switch it := s.queue[i]; it.kind {
		case deletes:
			s.rows[it.line] = noteState{}
			s.rewrite.changed[it.line] = s.rewrite.active
		case passedOver:
			s.rewrite.changed[it.line] = s.rewrite.active
		case noteItem:
			s.write(c, s.holds[it.at])
			for l := range s.rewrite.changed {
				s.rewrite.changed[l] = s.rewrite.changed[l] || s.rewrite.active && (c.has(wholeNotes) || s.holds[it.at][l] != 0)
			}
		case endOfTx:
			s.position = it.at
			copy(s.queue[:], s.queue[i+1:])
			for k := s.length - i - 1; k < s.length; k++ {
				s.queue[k] = lineItem{}
			}
			s.length -= i + 1
			return true
		}
	}
	return true
}

func (s *lineState) write(c *lineScope, n noteState) {
	for l, row := range n.rows() {
		if n[l] != 0 || c.has(endsNotes) {
			s.rows[l] = row
		}
	}
}

func (s *lineState) beginRewrite() bool {
	if s.rewrite.active || !s.copied {
		return false
	}
	s.rewrite = lineRewrite{active: true, at: s.now}
	return true
}

func (s *lineState) endRewrite(c *lineScope) bool {
	r := s.rewrite
	if !r.active || s.position < r.at {
		return false
	}
	s.rewrite = lineRewrite{}
	if r.changed != ([noteLines]bool{}) && c.has(wholeNotes) {
		return true
	}
	there := s.rows != lineRows{}
	for l, row := range s.holds[r.at].rows() {
		if !r.changed[l] && (there && c.has(writesWhole) || s.rows[l] != noteState{}) {
			s.rows[l] = row
		}
	}
	return true
}

// retry is another process, which takes its turn between two transactions.
func (s *lineState) retry() bool {
	if s.retries == 0 || !s.copied {
		return false
	}
	s.retries--
	s.rows = s.holds[s.now].rows()
	return true
}

// check returns what is wrong.
func (s *lineState) check() string {
	if !s.copied {
		return ""
	}
	if s.position == s.now && s.received == s.now && s.length == 0 && !s.rewrite.active && s.rows != s.holds[s.now].rows() {
		return "at rest, the note is another one"
	}
	for at := s.position; at <= s.now; at++ {
		if s.rows == s.holds[at].rows() {
			return ""
		}
	}
	return "the note never was like that"
}

// searchLines visits every state and returns what is wrong, with the shortest way to it, and the number of states.
func searchLines(c *lineScope) (string, int) {
	steps := lineSteps(c)
	seen := map[lineState]bool{newLineState(c): true}
	type node struct {
		s   lineState
		way []string
	}
	front := []node{{s: newLineState(c)}}
	for len(front) > 0 {
		var next []node
		for _, n := range front {
			for name, step := range steps {
				s := n.s
				if !step(&s) || seen[s] {
					continue
				}
				seen[s] = true
				way := append(n.way[:len(n.way):len(n.way)], name)
				if what := s.check(); what != "" {
					return what + ":\n\t" + strings.Join(way, "\n\t"), len(seen)
				}
				next = append(next, node{s, way})
			}
		}
		front = next
	}
	return "", len(seen)
}

func TestNotesOfLinesHold(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]lineScope{
		"streamed":     {txs: 3},
		"crash":        {txs: 2, crashes: 1},
		"retry":        {txs: 2, retries: 1},
		"both":         {txs: 2, crashes: 1, retries: 1},
		"two crashes":  {txs: 2, crashes: 2},
		"three, crash": {txs: 3, crashes: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			what, n := searchLines(&c)
			if t.Logf("%d states", n); what != "" {
				t.Error(what)
			}
		})
	}
}

func TestNotesOfLinesFind(t *testing.T) {
	t.Parallel()
	const never, other = "the note never was like that", "at rest, the note is another one"
	for name, c := range map[string]struct {
		lineScope

		want string
	}{
		"rows of another state stay":        {lineScope{without: endsNotes, txs: 2}, never},
		"an older deletion takes effect":    {lineScope{without: passesOver, txs: 2}, other},
		"lines that are there rewritten":    {lineScope{without: writesWhole, txs: 2, retries: 1}, never},
		"read behind the last change":       {lineScope{without: readsFirst, txs: 2}, never},
		"remembered over a crash":           {lineScope{without: forgetsAtCrash, txs: 3, crashes: 1}, other},
		"rewritten by the line":             {lineScope{without: wholeNotes, txs: 2}, never},
		"rewritten by the line, and crash":  {lineScope{without: wholeNotes, txs: 2, crashes: 1}, never},
		"rows of another state, and a copy": {lineScope{without: endsNotes, txs: 2, crashes: 1}, never},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			what, n := searchLines(&c.lineScope)
			if !strings.HasPrefix(what, c.want) {
				t.Errorf("found %q in %d states", what, n)
			}
			t.Log(what)
		})
	}
}
