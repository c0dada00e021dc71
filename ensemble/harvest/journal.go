package harvest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

// Decision is a person's decision on a proposal.
type Decision string

// The decisions.
const (
	Yes Decision = "yes" // it contains no PHI except what a template marks, and is to be used
	No  Decision = "no"
)

// Verdict is a decision and who made it. It quotes no text.
type Verdict struct {
	ID       string    `json:"id"`
	Decision Decision  `json:"decision"`
	Reviewer string    `json:"reviewer"`
	At       time.Time `json:"at"`
	// People is how many have to say yes, none of them seeing what another one said; 0: one.
	People int `json:"people,omitempty"`
}

// Journal stores verdicts next to a file of proposals, one per line, each written to disk before
// the next question; an incomplete last line after a crash is ignored. The last verdict on a
// proposal counts; earlier ones remain as history. Where one of them says that several people have
// to say yes, the last verdict of each of them counts, and a single no is a no.
type Journal struct {
	file     *os.File
	verdicts map[string]Verdict
	said     map[string][]Verdict // the last verdict of each reviewer, in the order of these
}

// JournalPath returns the path of the verdicts on a file of proposals.
func JournalPath(proposals string) string { return proposals + ".verdicts" }

// OpenJournal reads the verdicts on a file of proposals and opens it for appending. The caller
// must call Close.
func OpenJournal(proposals string) (*Journal, error) {
	file, err := os.OpenFile(JournalPath(proposals), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	j := &Journal{file: file}
	whole, err := j.read(file)
	if err == nil {
		err = file.Truncate(whole)
	}
	if err == nil {
		_, err = file.Seek(whole, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", file.Name(), err), file.Close())
	}
	return j, nil
}

// ReadVerdicts returns the last verdict on each proposal of a file, by ID.
func ReadVerdicts(proposals string) (map[string]Verdict, error) {
	file, err := os.Open(JournalPath(proposals))
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]Verdict{}, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	j := &Journal{}
	if _, err := j.read(file); err != nil {
		return nil, fmt.Errorf("%s: %w", file.Name(), err)
	}
	return j.verdicts, nil
}

// read reads the verdicts and returns the offset after the last complete line.
func (j *Journal) read(r io.Reader) (whole int64, err error) {
	j.verdicts, j.said = map[string]Verdict{}, map[string][]Verdict{}
	in := bufio.NewReader(r)
	for number := 1; ; number++ {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return whole, nil
		}
		if err != nil {
			return whole, err
		}
		var v Verdict
		if err := json.Unmarshal(bytes.TrimSpace(line), &v); err != nil {
			return whole, fmt.Errorf("line %d is not valid", number)
		}
		if err := v.check(); err != nil {
			return whole, fmt.Errorf("line %d: %w", number, err)
		}
		j.take(v)
		whole += int64(len(line))
	}
}

func (v *Verdict) check() error {
	switch {
	case v.ID == "":
		return errors.New("it names no proposal")
	case v.Decision != Yes && v.Decision != No:
		return errors.New("its decision is neither yes nor no")
	case v.Reviewer == "" || v.At.IsZero():
		return errors.New("it does not say whose it is, and of when")
	case v.People < 0:
		return errors.New("it does not say how many people have to agree")
	}
	return nil
}

// Of returns the last verdict on a proposal.
func (j *Journal) Of(id string) (Verdict, bool) {
	v, ok := j.verdicts[id]
	return v, ok
}

// Add stores verdicts; they are on disk when it returns.
func (j *Journal) Add(verdicts ...Verdict) error {
	var lines bytes.Buffer
	enc := json.NewEncoder(&lines)
	for i := range verdicts {
		if err := verdicts[i].check(); err != nil {
			return err
		}
		if err := enc.Encode(&verdicts[i]); err != nil {
			return err
		}
	}
	if _, err := j.file.Write(lines.Bytes()); err != nil {
		return err
	}
	if err := j.file.Sync(); err != nil {
		return err
	}
	for _, v := range verdicts {
		j.take(v)
	}
	return nil
}

// take adds a verdict to what is known.
func (j *Journal) take(v Verdict) {
	said := slices.DeleteFunc(j.said[v.ID], func(other Verdict) bool {
		v.People = max(v.People, other.People)
		return other.Reviewer == v.Reviewer
	})
	j.said[v.ID] = append(said, v)
	if settled, ok := settle(j.said[v.ID], v.People); ok {
		j.verdicts[v.ID] = settled
	} else {
		delete(j.verdicts, v.ID)
	}
}

// settle returns what the last verdicts of reviewers come to; false while too few have said yes.
func settle(said []Verdict, people int) (Verdict, bool) {
	last := said[len(said)-1]
	if people <= 1 {
		return last, true
	}
	var names []string
	for _, v := range said {
		if v.Decision == No {
			return v, true
		}
		names = append(names, v.Reviewer)
	}
	last.Reviewer = strings.Join(names, ", ")
	return last, len(said) >= people
}

// By returns the last verdict of one reviewer on a proposal.
func (j *Journal) By(id, reviewer string) (Verdict, bool) {
	for _, v := range j.said[id] {
		if v.Reviewer == reviewer {
			return v, true
		}
	}
	return Verdict{}, false
}

// Close closes the file.
func (j *Journal) Close() error { return j.file.Close() }

// Judged divides proposals by their verdicts: the verified ones, and the IDs of the refused ones.
func Judged(list []Proposal, verdicts map[string]Verdict) (verified List, refused []string) {
	var entries []Verified
	for _, p := range list {
		switch v := verdicts[p.ID]; v.Decision {
		case Yes:
			entries = append(entries, Verified{
				Kind: p.Kind, Text: p.Text, Detail: p.Detail, Reviewer: v.Reviewer, At: v.At, Origin: Harvested, Notes: p.Notes,
			})
		case No:
			refused = append(refused, p.ID)
		}
	}
	return NewList(entries), refused
}
