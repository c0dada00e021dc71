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

// alikeOf returns how many sentences are like one of a note, and some of them.
func (s *Server) alikeOf(ctx context.Context, v *visit, it *review.Item) (all int, some []string, err error) {
	list, err := s.opts.Store.Alike(ctx, it.Round, it.Place)
	for i := 1; err == nil && i < len(list) && len(some) < alikeShown; i++ {
		_, sentence, refused := s.readAlike(ctx, v, &list[i])
		if refused == nil && sentence != "" {
			some = append(some, sentence)
		}
	}
	return max(len(list)-1, 0), some, err
}

// decideAlike has a decision about words of the sentence that leads a cluster hold in all sentences of it: in each, for what stands
// between the same words. It answers with what became of each.
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
		lead := string(o.text[list[0].Start:list[0].End])
		var sent []sentAlike
		done := 0
		for i := range list {
			one := s.repairAlike(ctx, v, &list[i], lead, mark, list[0].Start)
			if one.ID != 0 {
				done++
			}
			sent = append(sent, one)
		}
		s.opts.Log.Info("places of notes that are alike are repaired", "user", v.name, "sentences", len(list), "repaired", done)
		return sent, nil
	})
}

// errOutside means that a decision is about words that no other sentence can be like.
var errOutside = &review.Refusal{
	Message: "these words are not in the sentence that others are like", Hint: "choose a mark in it, or repair it here",
}

// repairAlike repairs one sentence of a cluster. from is where the sentence that leads it begins in its note.
func (s *Server) repairAlike(ctx context.Context, v *visit, a *review.Alike, lead string, mark review.Mark, from int) sentAlike {
	note, sentence, err := s.readAlike(ctx, v, a)
	switch {
	case err != nil:
		return sentAlike{State: alikeAway}
	case sentence == "":
		return sentAlike{State: alikeChanged}
	}
	sent := sentAlike{Text: sentence, State: alikeDiffers}
	start, end, ok := cluster.Align(lead, sentence, mark.Start-from, mark.End-from)
	if !ok {
		return sent
	}
	m := counterpart(mark, a.Start+start, a.Start+end)
	id, err := s.opts.Notes.RepairHere(ctx, v.source, review.Repair{By: v.name, Mark: m}, a.Item, note)
	if err != nil {
		sent.State = alikeAway
		return sent
	}
	sent.ID, sent.Start, sent.End, sent.State = id, start, end, alikeRepaired
	return sent
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
