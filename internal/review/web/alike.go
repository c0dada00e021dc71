package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/cluster"
)

// alikeShown is how many sentences of a cluster the page of the note that leads it shows.
const alikeShown = 8

// What became of a sentence of a cluster.
const (
	alikeRepaired = "repaired"
	alikeDiffers  = "left as it is: nothing stands for these words in it"
	alikeChanged  = "left as it is: the note has changed"
	alikeAway     = "left as it is: it can't be read"
)

// sentAlike is a sentence of a cluster as a page has it. It prints itself redacted.
type sentAlike struct {
	ID    int64  `json:"id,omitempty"` // of the repair; 0: none
	Text  string `json:"text"`
	Start int    `json:"s"` // range of the words that the decision is about, in characters of the text
	End   int    `json:"e"`
	State string `json:"state"`
}

// Format prints nothing of the sentence.
func (a sentAlike) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "alike[%d redacted]", a.ID) }

// readAlike reads a sentence of a cluster with a person's rights, and notes that it is shown. The text is "" where it is not what
// it was when the cluster was drawn.
func (s *Server) readAlike(ctx context.Context, v *visit, a *review.Alike) (note, sentence string, err error) {
	note, err = s.opts.Notes.Original(ctx, v.source, a.Item)
	if _, logged := s.opts.Store.Viewed(ctx, v.name, &a.Item, outcome(err)); err != nil || logged != nil {
		return "", "", errors.Join(err, logged) // what can't be noted is not shown
	}
	chars := []rune(note)
	if a.Start < 0 || a.End > len(chars) || a.End <= a.Start {
		return note, "", nil
	}
	sentence = string(chars[a.Start:a.End])
	if !bytes.Equal(s.opts.Store.SentenceHash(sentence), a.Words) {
		return note, "", nil
	}
	return note, sentence, nil
}

// alikePage is what the page of a note that leads a cluster shows of the cluster. It prints itself redacted.
type alikePage struct {
	Others   int      // sentences of other notes that are like one of this note
	Some     []string // some of these
	Repaired int      // notes with such sentences in which the reader has repaired something
}

// Format prints the counts, and no sentence.
func (p alikePage) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "alike[%d, %d repaired]", p.Others, p.Repaired)
}

// alikeOf returns what is shown of the sentences that are like one of a note.
func (s *Server) alikeOf(ctx context.Context, v *visit, it *review.Item) (p alikePage, err error) {
	list, err := s.opts.Store.Alike(ctx, it.Round, it.Place)
	if err != nil || len(list) == 0 {
		return p, err
	}
	p.Others = len(list) - 1
	for i := 1; i < len(list) && len(p.Some) < alikeShown; i++ {
		_, sentence, err := s.readAlike(ctx, v, &list[i])
		if err == nil && sentence != "" {
			p.Some = append(p.Some, sentence)
		}
	}
	p.Repaired, err = s.opts.Store.AlikeRepaired(ctx, it.Round, it.Place, v.name)
	return p, err
}

// alikePart is how many sentences of a cluster one request decides about. Each is repaired in a transaction of its own, so that a decision
// that is cut off has left nothing half done, and made again goes on where it ended.
const alikePart = 20

// sentPart is what became of some sentences of a cluster. It prints itself redacted.
type sentPart struct {
	List []sentAlike `json:"list"`
	Next int         `json:"next,omitempty"` // from where the next request goes on; 0: all are decided
	All  int         `json:"all"`
}

// Format prints nothing of the sentences.
func (p sentPart) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "part[%d of %d redacted]", len(p.List), p.All)
}

// decideAlike has a decision about words of the sentence that leads a cluster hold in sentences of it, as many as a request takes: in
// each, for what stands between the same words. It answers with what became of each.
func (s *Server) decideAlike(w http.ResponseWriter, r *http.Request, v *visit) {
	s.change(w, r, v, func(ctx context.Context, o *opened, data []byte) (any, error) {
		mark, err := s.receiveRepair(o, data)
		if err != nil {
			return nil, err
		}
		list, err := s.opts.Store.Alike(ctx, o.item.Round, o.item.Place)
		if err != nil {
			return nil, err
		}
		if len(list) < 2 || mark.Start < list[0].Start || mark.End > list[0].End || list[0].End > len(o.text) {
			return nil, errOutside
		}
		var asked struct{ From int }
		if json.Unmarshal(data, &asked) != nil || asked.From < 0 || asked.From >= len(list) {
			return nil, errRequest
		}
		to := min(asked.From+alikePart, len(list))
		lead := string(o.text[list[0].Start:list[0].End])
		part := sentPart{All: len(list)}
		for i := asked.From; i < to; i++ {
			one, err := s.repairAlike(ctx, v, &list[i], lead, mark, list[0].Start)
			if err != nil {
				return nil, err
			}
			part.List = append(part.List, one)
		}
		if to < len(list) {
			part.Next = to
		}
		s.opts.Log.Info("places of notes that are alike are decided", "user", v.name, "from", asked.From, "to", to, "of", len(list))
		return part, nil
	})
}

// errOutside means that a decision is about words that no other sentence can be like.
var errOutside = &review.Refusal{
	Message: "these words are not in the sentence that others are like", Hint: "choose a mark in it, or repair it here",
}

// repairAlike repairs one sentence of a cluster, unless the same person has repaired it so before. from is where the sentence that leads it
// begins in its note.
func (s *Server) repairAlike(ctx context.Context, v *visit, a *review.Alike, lead string, mark review.Mark, from int) (sentAlike, error) {
	note, sentence, err := s.readAlike(ctx, v, a)
	switch {
	case ofOneNote(err):
		return sentAlike{State: alikeAway}, nil
	case err != nil:
		return sentAlike{}, err
	case sentence == "":
		return sentAlike{State: alikeChanged}, nil
	}
	sent := sentAlike{Text: sentence, State: alikeDiffers}
	start, end, ok := cluster.Align(lead, sentence, mark.Start-from, mark.End-from)
	if !ok {
		return sent, nil
	}
	m := counterpart(mark, a.Start+start, a.Start+end)
	id, err := s.repairedBefore(ctx, v, a, note, &m)
	if err == nil && id == 0 {
		id, err = s.opts.Notes.RepairHere(ctx, v.source, review.Repair{By: v.name, Mark: m}, a.Item, note)
	}
	if ofOneNote(err) {
		sent.State = alikeAway
		return sent, nil
	}
	sent.ID, sent.Start, sent.End, sent.State = id, start, end, alikeRepaired
	return sent, err
}

// ofOneNote reports whether an error is about one note, and not about all that would follow.
func ofOneNote(err error) bool {
	var refusal *review.Refusal
	return errors.As(err, &refusal)
}

// repairedBefore returns the repair with which a person decided the same about the same words of a note that has not changed since; 0 if
// there is none.
func (s *Server) repairedBefore(ctx context.Context, v *visit, a *review.Alike, note string, m *review.Mark) (int64, error) {
	list, err := s.opts.Store.NoteRepairs(ctx, a.Item.Note)
	if err != nil {
		return 0, err
	}
	hash := s.opts.Store.TextHash(note)
	for i := range list {
		r := &list[i]
		same := r.Mark.Start == m.Start && r.Mark.End == m.End && r.Mark.Type == m.Type && r.Mark.Verdict == m.Verdict
		if same && r.By == v.name && r.Scope == review.Here && !r.Void && bytes.Equal(r.Text, hash) {
			return r.ID, nil
		}
	}
	return 0, nil
}

// counterpart returns the decision about other words that a mark stands for. Which range was found there is not known: what is
// retyped or resized is PHI, and what is wrong was found as the words are.
func counterpart(m review.Mark, start, end int) review.Mark {
	next := review.Mark{Start: start, End: end, Type: m.Type, Verdict: review.Missed, At: m.At}
	if m.Verdict == review.Wrong {
		next.Verdict, next.Found = review.Wrong, &review.Span{Start: start, End: end, Type: m.Type}
	}
	if m.Verdict == review.Retyped {
		next.Verdict, next.Found = review.Retyped, &review.Span{Start: start, End: end, Type: m.Found.Type}
	}
	return next
}

// receiveRepair reads a mark that a page sent to have it repaired.
func (s *Server) receiveRepair(o *opened, data []byte) (review.Mark, error) {
	var sent sentMark
	if json.Unmarshal(data, &sent) != nil {
		return review.Mark{}, errRequest
	}
	m := review.Mark{Start: sent.Start, End: sent.End, Type: sent.Type, Verdict: sent.Verdict, At: s.opts.Now().UTC()}
	if f := sent.Found; f != nil {
		if *f < 0 || *f >= len(o.spans) {
			return m, errRequest
		}
		m.Found = &o.spans[*f]
	}
	if err := review.Check([]review.Mark{m}, len(o.text)); err != nil {
		return m, err
	}
	if !m.Repairable() {
		return m, errRequest
	}
	return m, nil
}
