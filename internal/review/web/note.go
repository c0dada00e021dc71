package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/store"
)

// notePage is what the page of a note shows.
type notePage struct {
	Round     review.Round
	Place     int
	Items     int
	View      *review.View
	Original  []segment
	Published []segment
	State     noteState
	Finished  bool // nothing can be changed any more
	Settles   bool // the reader is the note's adjudicator
	Differ    []difference
	Alike     alikePage
	Again     bool // the note has changed since the reader began with it
}

// noteState is what the page's script works with. It prints itself redacted.
type noteState struct {
	phi.Redacted

	Text    string        `json:"text"`
	Marks   []sentMark    `json:"marks"`
	Found   []review.Span `json:"found"`
	Repairs []sentRepair  `json:"repairs"`
}

// sentMark is a mark as a page has it. Found is the number of what was found, from 0.
type sentMark struct {
	Start   int            `json:"s"`
	End     int            `json:"e"`
	Type    string         `json:"t"`
	Verdict review.Verdict `json:"v"`
	Found   *int           `json:"f,omitempty"`
	By      []string       `json:"by,omitempty"`
	Score   float32        `json:"p,omitempty"`
	Was     string         `json:"was,omitempty"` // the type that was found
}

// inHand reads which note a request is about, and what the person has decided of it. The error is [store.ErrNone] where the
// person does not have it in hand.
func (s *Server) inHand(r *http.Request, v *visit) (it review.Item, reading review.Reading, err error) {
	round, err := strconv.ParseInt(r.PathValue("round"), 10, 64)
	if err != nil {
		return it, reading, store.ErrNone
	}
	place, err := strconv.Atoi(r.PathValue("place"))
	if err != nil {
		return it, reading, store.ErrNone
	}
	if reading, err = s.opts.Store.Reading(r.Context(), round, place, v.name); err != nil {
		return it, reading, err
	}
	it, err = s.opts.Store.Item(r.Context(), round, place)
	return it, reading, err
}

func (s *Server) showNote(w http.ResponseWriter, r *http.Request, v *visit) {
	it, reading, err := s.inHand(r, v)
	if err != nil {
		s.broken(w, r, err)
		return
	}
	round, err := s.opts.Store.Round(r.Context(), it.Round)
	if err != nil {
		s.broken(w, r, err)
		return
	}
	it = round.Of(it)
	view, err := s.opts.Notes.View(r.Context(), v.source, it)
	number, logged := s.opts.Store.Viewed(r.Context(), v.name, &it, outcome(err))
	if err = errors.Join(err, logged); err != nil { // what can't be noted is not shown
		s.broken(w, r, err)
		return
	}
	o := &opened{item: it, text: []rune(view.Text), spans: view.Spans, hash: s.opts.Store.TextHash(view.Text), view: number}
	o.settles = reading.Part == review.Adjudicator
	v.show(o)
	body := notePage{Round: round, Place: it.Place, View: &view, Finished: !reading.FinishedAt.IsZero()}
	body.Again = len(reading.Text) > 0 && !bytes.Equal(reading.Text, o.hash)
	marks := reading.Marks
	body.Settles = o.settles
	if len(reading.Text) == 0 || body.Again {
		if marks, body.Differ, err = s.begin(r, o, &reading); err != nil {
			s.broken(w, r, err)
			return
		}
	} else {
		o.adopt(marks)
	}
	body.Original, body.Published = original(o.text, marks), published([]rune(view.Published), view.Shown)
	if round.Kind == review.Clusters {
		if body.Alike, err = s.alikeOf(r.Context(), v, &it); err != nil {
			s.broken(w, r, err)
			return
		}
	}
	repairs, err := s.repairsOf(r, v, o)
	if err != nil {
		s.broken(w, r, err)
		return
	}
	body.State = noteState{Text: view.Text, Marks: o.send(marks), Found: o.spans, Repairs: repairs}
	p := v.page("Note "+strconv.Itoa(it.Place)+" of "+round.Name, body)
	p.Wide = true
	s.pages.show(w, http.StatusOK, "note.html", p)
}

// outcome says what became of an attempt to look at a note.
func outcome(err error) store.Outcome {
	switch {
	case err == nil:
		return store.Shown
	case errors.Is(err, review.ErrRole), errors.Is(err, review.ErrNoRole):
		return store.Refused
	case errors.Is(err, review.ErrGone):
		return store.Gone
	default:
		return store.Failed
	}
}

// adopt has what a reading's marks were made of count as found: a word that was remembered since is found now, and was
// missed when the reader began.
func (o *opened) adopt(marks []review.Mark) {
	o.spans = nil
	for i := range marks {
		if f := marks[i].Found; f != nil {
			o.spans = append(o.spans, *f)
		}
	}
}

// send returns marks as the page has them.
func (o *opened) send(marks []review.Mark) []sentMark {
	list := make([]sentMark, len(marks))
	n := 0
	for i, m := range marks {
		list[i] = sentMark{Start: m.Start, End: m.End, Type: m.Type, Verdict: m.Verdict}
		if m.Found != nil {
			at := n
			list[i].Found, list[i].By, list[i].Score, list[i].Was = &at, m.Found.By, m.Found.Score, m.Found.Type
			n++
		}
	}
	return list
}

// receive reads marks that a page sent: what was found is what this process found, whatever the page says.
func (s *Server) receive(o *opened, data []byte) ([]review.Mark, error) {
	var sent []sentMark
	if err := json.Unmarshal(data, &sent); err != nil || len(sent) > len(o.text) {
		return nil, errRequest
	}
	marks, now := make([]review.Mark, len(sent)), s.opts.Now().UTC()
	used := map[int]bool{}
	for i, m := range sent {
		marks[i] = review.Mark{Start: m.Start, End: m.End, Type: m.Type, Verdict: m.Verdict, At: now}
		if m.Found == nil {
			continue
		}
		if *m.Found < 0 || *m.Found >= len(o.spans) || used[*m.Found] {
			return nil, errRequest
		}
		used[*m.Found] = true
		marks[i].Found = &o.spans[*m.Found]
	}
	review.Sort(marks)
	if err := review.Check(marks, len(o.text)); err != nil {
		return nil, err
	}
	if len(used) != len(o.spans) { // of all that was found something has to be said
		return nil, errRequest
	}
	return marks, nil
}

// describe has marks say of their words what outlives the text: a keyed hash, and of names who bears such names.
func (s *Server) describe(o *opened, marks []review.Mark) {
	for i := range marks {
		m := &marks[i]
		if m.End > len(o.text) {
			continue // of a text that was another one
		}
		words := string(o.text[m.Start:m.End])
		m.Words, m.Bearer = s.opts.Store.WordsHash(o.item.Patient, words), ""
		if m.IsName() {
			m.Bearer = review.BearerOf(words)
		}
	}
}

// held returns the note of a request as the session was shown it.
func (s *Server) held(r *http.Request, v *visit) (*opened, error) {
	it, _, err := s.inHand(r, v)
	if err != nil {
		return nil, err
	}
	if o := v.shown(it.Round, it.Place); o != nil {
		return o, nil
	}
	return nil, review.ErrChanged
}

// store stores what a page sent of a note.
func (s *Server) store(r *http.Request, v *visit, o *opened, data []byte, finished bool) error {
	var marks []review.Mark
	if len(data) == 0 { // of a page without scripts: what was saved, or what was found
		reading, err := s.opts.Store.Reading(r.Context(), o.item.Round, o.item.Place, v.name)
		if err != nil {
			return err
		}
		if marks = reading.Marks; !bytes.Equal(reading.Text, o.hash) {
			if marks, _, err = s.begin(r, o, &reading); err != nil {
				return err
			}
		}
	} else {
		var err error
		if marks, err = s.receive(o, data); err != nil {
			return err
		}
	}
	s.describe(o, marks)
	return s.opts.Store.Save(r.Context(), review.Reading{
		Round: o.item.Round, Place: o.item.Place, Reader: v.name, Text: o.hash, Marks: marks,
	}, finished)
}

// save stores marks as they are made.
func (s *Server) save(w http.ResponseWriter, r *http.Request, v *visit) {
	s.change(w, r, v, func(_ context.Context, o *opened, data []byte) (any, error) {
		return nil, s.store(r, v, o, data, false)
	})
}

// change does what a script of a page asks for, with the data that it sent, and answers with what do returns.
func (s *Server) change(w http.ResponseWriter, r *http.Request, v *visit, do func(context.Context, *opened, []byte) (any, error)) {
	var done any
	o, err := s.held(r, v)
	if err == nil {
		var data bytes.Buffer
		if _, err = data.ReadFrom(http.MaxBytesReader(w, r.Body, maxForm)); err != nil {
			err = errRequest
		} else {
			done, err = do(r.Context(), o, data.Bytes())
		}
	}
	var refusal *review.Refusal
	switch {
	case err == nil && done == nil:
		w.WriteHeader(http.StatusNoContent)
	case err == nil:
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(done) // the browser went away
	case errors.As(err, &refusal):
		http.Error(w, sentence(refusal.Message)+" "+sentence(refusal.Hint), http.StatusConflict)
	default:
		s.broken(w, r, err)
	}
}

// finish stores what a person decided for good, and goes on to the next note.
func (s *Server) finish(w http.ResponseWriter, r *http.Request, v *visit) {
	o, err := s.held(r, v)
	if err != nil {
		s.broken(w, r, err)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := s.store(r, v, o, []byte(r.PostFormValue("marks")), true); err != nil {
		s.broken(w, r, err)
		return
	}
	v.forget(o.item.Round, o.item.Place)
	if o.settles {
		s.toSettle(w, r, v, o.item.Round)
		return
	}
	s.toNext(w, r, v, o.item.Round)
}

// stillSeen notes that the browser still shows a note.
func (s *Server) stillSeen(w http.ResponseWriter, r *http.Request, v *visit) {
	s.change(w, r, v, func(ctx context.Context, o *opened, _ []byte) (any, error) {
		return nil, s.opts.Store.StillViewed(ctx, v.name, o.view)
	})
}
