package harvest

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"
)

// Panel has several people verify the proposals of one file at the same time. It asks and stores what
// [Reviewer] does: verdicts in the journal next to the file, and nothing else. It is safe for concurrent use.
type Panel struct {
	name    string
	list    []Proposal
	people  int // how many have to say yes
	now     func() time.Time
	mu      sync.Mutex
	journal *Journal
	hands   []hand            // who is asked about each proposal
	skipped map[string][]bool // by person
}

// Format prints the name of the file, and nothing of the proposals.
func (p *Panel) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "panel[%s]", p.name) }

// hand is who is being asked about a proposal, since when.
type hand struct {
	by string
	at time.Time
}

// inHand is for how long a proposal that somebody was shown is kept from others where one person is enough.
const inHand = 10 * time.Minute

// OpenPanel reads a file of proposals and opens its journal. The caller must call Close.
func OpenPanel(path string, people int) (*Panel, error) {
	list, err := ReadProposals(path)
	if err != nil {
		return nil, err
	}
	journal, err := OpenJournal(path)
	if err != nil {
		return nil, err
	}
	return &Panel{
		name: filepath.Base(path), list: list, people: max(people, 1), now: time.Now, journal: journal,
		hands: make([]hand, len(list)), skipped: map[string][]bool{},
	}, nil
}

// Name returns the name of the proposals' file.
func (p *Panel) Name() string { return p.name }

// People returns how many people have to say yes to a proposal.
func (p *Panel) People() int { return p.people }

// Close closes the journal.
func (p *Panel) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.journal.Close()
}

// Standing is how far the verification has come.
type Standing struct {
	Proposals, Decided int
	Yes, No            int
	Left               int // for the person
}

// Standing returns how far the verification has come for a person.
func (p *Panel) Standing(person string) Standing {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := Standing{Proposals: len(p.list)}
	for i := range p.list {
		v, decided := p.journal.Of(p.list[i].ID)
		switch {
		case decided && v.Decision == Yes:
			s.Yes++
		case decided:
			s.No++
		case p.isOpen(i, person):
			s.Left++
		}
	}
	s.Decided = s.Yes + s.No
	return s
}

// isOpen reports whether a person may be asked about a proposal.
func (p *Panel) isOpen(i int, person string) bool {
	id := p.list[i].ID
	_, decided := p.journal.Of(id)
	_, mine := p.journal.By(id, person)
	skipped := p.skipped[person]
	return !decided && !mine && (skipped == nil || !skipped[i])
}

// Asked is a proposal about which a person is asked. It prints itself redacted, as [Proposal] does.
type Asked struct {
	Proposal

	Number int      // from 1
	Said   Decision // what the person said before; "": nothing
}

// ErrAsked means that a person can't be asked about a proposal.
var ErrAsked = errors.New("there is no such proposal for you")

// Next returns a proposal that is still to be decided, in the order of the file; false if there is none for the person.
func (p *Panel) Next(person string) (Asked, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.list {
		h := p.hands[i]
		others := p.people == 1 && h.by != "" && h.by != person && p.now().Sub(h.at) < inHand
		if !others && p.isOpen(i, person) {
			p.hands[i] = hand{person, p.now()}
			return Asked{Proposal: p.list[i], Number: i + 1}, true
		}
	}
	return Asked{}, false
}

// Again returns a proposal that the person has decided or is being asked about.
func (p *Panel) Again(person string, number int) (Asked, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.mayDecide(person, number) {
		return Asked{}, ErrAsked
	}
	v, _ := p.journal.By(p.list[number-1].ID, person)
	return Asked{Proposal: p.list[number-1], Number: number, Said: v.Decision}, nil
}

// mayDecide reports whether a person was asked about a proposal.
func (p *Panel) mayDecide(person string, number int) bool {
	if number < 1 || number > len(p.list) {
		return false
	}
	_, mine := p.journal.By(p.list[number-1].ID, person)
	return mine || p.hands[number-1].by == person || p.people > 1 && p.isOpen(number-1, person)
}

// Decide stores what a person says about a proposal: on disk when it returns.
func (p *Panel) Decide(person string, number int, d Decision) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.mayDecide(person, number) {
		return ErrAsked
	}
	v := Verdict{ID: p.list[number-1].ID, Decision: d, Reviewer: person, At: p.now().UTC().Truncate(time.Second)}
	if p.people > 1 {
		v.People = p.people
	}
	if err := p.journal.Add(v); err != nil {
		return err
	}
	p.hands[number-1] = hand{}
	return nil
}

// Skip has a person not be asked about a proposal again until the panel is opened anew.
func (p *Panel) Skip(person string, number int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.mayDecide(person, number) {
		return ErrAsked
	}
	if p.skipped[person] == nil {
		p.skipped[person] = make([]bool, len(p.list))
	}
	p.skipped[person][number-1] = true
	p.hands[number-1] = hand{}
	return nil
}
