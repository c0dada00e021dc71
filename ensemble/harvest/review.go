package harvest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// Reviewer asks a person about proposals, one after the other, on any terminal: it writes lines
// and reads single keys. Decisions are stored at once, so that the review can be left at any time.
type Reviewer struct {
	Keys    io.ByteReader // one byte per key; EOF ends the review
	Out     io.Writer
	Journal *Journal
	Name    string           // name of the person
	Now     func() time.Time // default time.Now
	Again   bool             // ask again about decided proposals
	// LineEnd ends lines: "\r\n" where the terminal is raw. Default "\n".
	LineEnd string
}

// Tally counts the decisions of a review.
type Tally struct{ Yes, No, Skipped, Left int }

// Run asks until all proposals are decided or the person quits. It shows a sentence without its
// context, as it will be used.
func (r *Reviewer) Run(ctx context.Context, list []Proposal) (Tally, error) {
	if r.Now == nil {
		r.Now = time.Now
	}
	if r.LineEnd == "" {
		r.LineEnd = "\n"
	}
	open := r.open(list)
	tally := Tally{Left: len(open)}
	answers := make([]answer, len(open))
	for i := 0; i < len(open); {
		if err := ctx.Err(); err != nil {
			return tally, err
		}
		if err := r.show(open[i], i, len(open)); err != nil {
			return tally, err
		}
		a, err := r.ask(open[i].Question())
		if err != nil || a == quit {
			return tally, err
		}
		if a == back {
			i = max(i-1, 0)
			continue
		}
		tally.count(answers[i], -1)
		answers[i] = a
		tally.count(a, 1)
		if err := r.keep(open[i], a); err != nil {
			return tally, err
		}
		i++
	}
	return tally, nil
}

// open returns the proposals to ask about.
func (r *Reviewer) open(list []Proposal) []Proposal {
	var open []Proposal
	for _, p := range list {
		if _, decided := r.Journal.Of(p.ID); r.Again || !decided {
			open = append(open, p)
		}
	}
	return open
}

// answer is what a key means.
type answer int

const (
	none answer = iota
	yes
	no
	skip
	back
	quit
)

func (t *Tally) count(a answer, n int) {
	switch a {
	case yes:
		t.Yes += n
	case no:
		t.No += n
	case skip:
		t.Skipped += n
	default:
		return
	}
	t.Left -= n
}

// keep stores a decision. Skipping a decided proposal leaves the earlier decision.
func (r *Reviewer) keep(p Proposal, a answer) error {
	v := Verdict{ID: p.ID, Decision: Yes, Reviewer: r.Name, At: r.Now().UTC().Truncate(time.Second)}
	switch a {
	case yes:
	case no:
		v.Decision = No
	default:
		return nil
	}
	return r.Journal.Add(v)
}

// ask reads keys until one is an answer.
func (r *Reviewer) ask(question string) (answer, error) {
	for {
		if _, err := fmt.Fprint(r.Out, question+" y)es  n)o  s)kip  b)ack  q)uit "); err != nil {
			return none, err
		}
		for {
			key, err := r.Keys.ReadByte()
			if errors.Is(err, io.EOF) {
				return quit, r.echo("quit")
			}
			if err != nil {
				return none, err
			}
			if key == '\r' || key == '\n' || key == ' ' {
				continue
			}
			if a, word := meaning(key); a != none {
				return a, r.echo(word)
			}
			break
		}
		if err := r.echo("?"); err != nil {
			return none, err
		}
	}
}

// interrupt and endOfFile are sent by Ctrl-C and Ctrl-D if the terminal is raw.
const interrupt, endOfFile = 3, 4

func meaning(key byte) (answer, string) {
	switch key {
	case 'y', 'Y':
		return yes, "yes"
	case 'n', 'N':
		return no, "no"
	case 's', 'S':
		return skip, "skip"
	case 'b', 'B':
		return back, "back"
	case 'q', 'Q', interrupt, endOfFile:
		return quit, "quit"
	}
	return none, ""
}

func (r *Reviewer) echo(word string) error {
	_, err := fmt.Fprint(r.Out, word, r.LineEnd)
	return err
}
