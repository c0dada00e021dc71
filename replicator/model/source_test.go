package model

import "fmt"

// The source is a log of transactions; what it holds after each of them is kept, so that any
// position can be looked at later.

const (
	patients = 2
	notes    = 2
	maxTx    = 16
	versions = 8 // names that a patient can have, one after the other
)

// words is a set of names: bit p*versions+v is the name that patient p has in version v.
type words uint16

func nameOf(p, v int8) words { return 1 << (p*versions + v) }

// namesOf returns all names that p can have.
func namesOf(p int8) words { return (1<<versions - 1) << (p * versions) }

// text is a note at the source. It has the patient's present name and the next one, as notes do that
// are older than a change of the record, and the present name of the other patient.
type text struct {
	there bool
	says  words
	at    int8 // the position of the transaction that wrote it
	other int8 // likewise, of what else the row has
}

// facts is what the source holds at a position.
type facts struct {
	version [patients]int8 // of the name in the record
	owner   int8           // the patient of the encounter that note 0 belongs to
	filed   int8           // the patient id that note 1 has
	notes   [notes]text
	flags   flags  // rows of the table that decides who is published
	merges  merges // rows that say that a patient id stands for the other one
}

// idOf returns the patient id of note n: note 0 finds it through the encounter, note 1 has it itself.
func (f *facts) idOf(n int8) int8 {
	if n == 0 {
		return f.owner
	}
	return f.filed
}

// patientOf returns the patient of note n, or nobody.
func (f *facts) patientOf(n int8) int8 { return f.merges.survivor(f.idOf(n)) }

// name returns what the record of an id has.
func (f *facts) name(id int8) words { return nameOf(id, f.version[id]) }

// record returns what the record of a patient has, if m says which ids stand for others.
func (f *facts) record(p int8, m merges) (names words) {
	if p == nobody {
		return 0
	}
	for id := range int8(patients) {
		if m.member(id, p) {
			names |= f.name(id)
		}
	}
	return names
}

func (f *facts) write(n, at int8) {
	p := f.idOf(n)
	says := f.name(p) | f.name(1-p)
	if f.version[p]+1 < versions {
		says |= nameOf(p, f.version[p]+1)
	}
	f.notes[n] = text{there: true, says: says, at: at, other: at}
}

// operation is what a transaction of the source does.
type operation int8

const (
	rename         operation = iota // the record of a patient has another name
	write                           // a note is inserted or gets another text
	remove                          // a note is deleted
	move                            // the encounter is another patient's
	renameAndWrite                  // both, in one transaction
	flag                            // a row that decides about a patient id comes or goes
	touch                           // something of a note changes, and not its text, which the stream leaves out
	refile                          // note 1 gets the other patient's id, and its text is left out
	join                            // a row comes, or goes, that says that an id stands for the other one
)

// transaction is one of the source.
type transaction struct {
	op operation
	n  int8 // the note, or the patient id: of rename, flag and join
}

func (t transaction) String() string {
	switch t.op {
	case rename:
		return fmt.Sprintf("patient %d gets another name", t.n)
	case write:
		return fmt.Sprintf("note %d is written", t.n)
	case remove:
		return fmt.Sprintf("note %d is deleted", t.n)
	case touch:
		return fmt.Sprintf("note %d is updated, but for its text", t.n)
	case move:
		return "the encounter moves to the other patient"
	case refile:
		return "note 1 gets the id of the other patient, and the same text"
	case flag:
		return fmt.Sprintf("the row comes or goes that decides about patient %d", t.n)
	case join:
		return fmt.Sprintf("patient %d becomes the other one, or ceases to be", t.n)
	default:
		return fmt.Sprintf("the patient of note %d gets another name, and the note is written", t.n)
	}
}

// possible reports whether t can happen.
func (f *facts) possible(t transaction) bool {
	switch t.op {
	case rename:
		return f.version[t.n]+1 < versions
	case remove, touch:
		return f.notes[t.n].there
	case move:
		return t.n == 0
	case refile:
		return t.n == 1 && f.notes[1].there
	case renameAndWrite:
		return f.version[f.idOf(t.n)]+1 < versions
	default:
		return true
	}
}

// after returns what the source holds after t, which commits at a position.
func (f facts) after(t transaction, at int8) facts {
	switch t.op {
	case rename:
		f.version[t.n]++
	case write:
		f.write(t.n, at)
	case remove:
		f.notes[t.n] = text{}
	case touch:
		f.notes[t.n].other = at
	case move:
		f.owner = 1 - f.owner
	case renameAndWrite:
		f.version[f.idOf(t.n)]++
		f.write(t.n, at)
	case refile:
		f.filed = 1 - f.filed
		f.notes[1].other = at
	case flag:
		f.flags[t.n] = !f.flags[t.n]
	case join:
		f.merges[t.n] = !f.merges[t.n]
	}
	return f
}

// source is the log and its positions: now is the newest.
type source struct {
	log   [maxTx + 1]transaction // log[i] leads to holds[i]
	holds [maxTx + 1]facts
	now   int8
}

func newSource(c *scope) source {
	var s source
	s.holds[0].filed = 1
	s.holds[0].flags = flags{c.include, c.include}
	s.holds[0].write(0, 0)
	s.holds[0].write(1, 0)
	return s
}

func (s *source) present() *facts { return &s.holds[s.now] }

func (s *source) commit(t transaction) {
	s.now++
	s.log[s.now] = t
	s.holds[s.now] = s.holds[s.now-1].after(t, s.now)
}
