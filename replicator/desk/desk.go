package desk

import (
	"context"
	"errors"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/session"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// Question is a text to be de-identified.
type Question struct {
	phi.Redacted

	Patient   string // patient key as the source has it
	Text      string
	SpansOnly bool // return what is found in the text, and make no surrogates
	// TextAlone, with SpansOnly, searches without the patient's record and what is known of
	// the site: the answer depends on the text alone, not even on whether there is such a patient.
	TextAlone bool
	MaxSpans  int // refuse a text in which more is found; 0: no limit

	note []byte // [review.Hashes.Note] of the note that the text is; nil if it is none
}

// Answer is what became of a text.
type Answer struct {
	phi.Redacted

	Text   string  // with surrogates in
	Spans  []Found // of the question's text, if these were asked for
	Reason string  // why there is neither: one of the quarantine's reasons; "" if there is
}

// Found is PHI in a text: a range in characters, its type and who found it.
type Found struct {
	Start, End int
	Type       string
	By         []string
	Score      float32 // probability, from 0 to 1; 0: no member gives one
}

// Desk answers questions about single notes while the stream runs: with the same
// detectors, records, surrogates, shifts and leak check, so that its answers are
// what the stream would write. Surrogates that it makes are in the vault before
// anybody sees them. It is safe for concurrent use.
type Desk struct {
	opts *session.Options
	pool chan *connections // as many as may talk to the databases at a time
	work *semaphore.Weighted

	opening chan struct{} // holds a token while a session is being opened

	mu     sync.Mutex       // of what follows; not held while connecting
	at     *session.Session // nil: to be opened
	siteAt time.Time
}

// connections are those of one caller, opened when they are needed.
type connections struct {
	of   *session.Session
	look *patient.Lookups // nil: not open
}

// poolSize is how many callers may talk to the databases at a time. What takes
// long is the search, which needs no connection.
const poolSize = 4

// siteAge is how old what is known of staff and places may be.
const siteAge = 30 * time.Second

// Refusal is an error of a question, not of the desk: its words may be shown to the one who
// asked, and quote nothing of the question.
type Refusal struct{ Message, Hint string }

func (r *Refusal) Error() string { return r.Message }

// errDesk means that a batch was stale again and again.
var errDesk = errors.New("other processes keep storing surrogates of the same patients")

// maxDeskTries bounds how often a batch is done again because another process
// stored a surrogate first.
const maxDeskTries = 5

// Open connects to both databases and makes sure that the replica takes the key.
func Open(ctx context.Context, o session.Options) (*Desk, error) {
	o, err := o.WithDefaults()
	if err != nil {
		return nil, fault.New("start", err, "")
	}
	d := &Desk{opts: &o, pool: make(chan *connections, poolSize), opening: make(chan struct{}, 1)}
	for range poolSize {
		d.pool <- &connections{}
	}
	r, err := d.session(ctx)
	if err != nil {
		return nil, err
	}
	d.work = semaphore.NewWeighted(int64(r.Workers()))
	return d, nil
}

// Close closes all connections. No question may be asked afterwards.
func (d *Desk) Close() {
	for range poolSize {
		(<-d.pool).close()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.at != nil {
		d.at.Close()
		d.at = nil
	}
}

// session returns the session at hand, or opens one. What is known of staff and
// places is read again when it is old.
func (d *Desk) session(ctx context.Context) (*session.Session, error) {
	r, old, err := d.opened(ctx)
	if err != nil || !old {
		return r, err
	}
	// The others go on with what is known until this is done.
	if err := refreshDirectory(ctx, r); err != nil {
		d.drop(r)
		return nil, err
	}
	return r, nil
}

// opened returns the session, and whether it is up to the caller to read again what is
// known of staff and places. One caller opens a session; the others wait for it no longer
// than their own contexts allow.
func (d *Desk) opened(ctx context.Context) (_ *session.Session, old bool, err error) {
	if r, old := d.current(); r != nil {
		return r, old, nil
	}
	select {
	case d.opening <- struct{}{}:
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
	defer func() { <-d.opening }()
	if r, old := d.current(); r != nil {
		return r, old, nil
	}
	r, err := session.New(ctx, d.opts)
	if err != nil {
		return nil, false, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.at, d.siteAt = r, time.Now()
	return r, false, nil
}

// current returns the session at hand, or nil, and whether what it knows of staff and
// places is old. Only one of several callers gets true.
func (d *Desk) current() (_ *session.Session, old bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.at == nil {
		return nil, false
	}
	if old = time.Since(d.siteAt) >= siteAge; old {
		d.siteAt = time.Now()
	}
	return d.at, old
}

// refreshDirectory reads staff and places again over connections of its own: those of
// the pool may be busy.
func refreshDirectory(ctx context.Context, r *session.Session) error {
	look, err := session.OpenLookups(ctx, r)
	if err != nil {
		return err
	}
	defer look.Close()
	return look.RefreshDirectory(ctx)
}

// drop forgets a session after an error of its connections.
func (d *Desk) drop(r *session.Session) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.at == r {
		d.at.Close()
		d.at = nil
	}
}

func (c *connections) close() {
	if c.look != nil {
		c.look.Close()
	}
	*c = connections{}
}

// deskRetries is how often connections that broke are replaced before that is an error.
const deskRetries = 2

// with calls do with connections. After an error that they may be the cause of they
// are thrown away, and do is called again with new ones.
func (d *Desk) with(ctx context.Context, do func(s *connections) error) error {
	var s *connections
	select {
	case s = <-d.pool:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { d.pool <- s }()
	for try := 0; ; try++ {
		err := d.open(ctx, s)
		if err == nil {
			err = do(s)
		}
		if err == nil || errors.Is(err, vault.ErrStale) || errors.As(err, new(*Refusal)) || errors.As(err, new(*review.Refusal)) {
			return err
		}
		of := s.of
		s.close()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if of != nil {
			d.drop(of)
		}
		if !session.Transient(err) || try >= deskRetries {
			d.opts.Log.Warn("a question could not be answered", "error", err, "hint", session.Advice(err))
			return err
		}
	}
}

// open opens what connections lack, reads which ids mean other patients, and forgets whose rows were: a desk does not
// see when that changes.
func (d *Desk) open(ctx context.Context, s *connections) error {
	r, err := d.session(ctx)
	if err != nil {
		return err
	}
	if s.of != r || s.look == nil {
		s.close()
		look, err := session.OpenLookups(ctx, r)
		if err != nil {
			return err
		}
		s.of, s.look = r, look
	}
	s.look.PathGen.Add(1)
	s.look.Paths.Purge()
	return r.Reg.ReadMerges(ctx, s.look.Replica)
}

// each calls do for the numbers below n, as many at a time as there are workers in
// all: questions of other callers wait their turn.
func (d *Desk) each(ctx context.Context, n int, do func(ctx context.Context, i int)) error {
	g, work := errgroup.WithContext(ctx)
	for i := range n {
		if err := d.work.Acquire(work, 1); err != nil {
			break
		}
		g.Go(func() error {
			defer d.work.Release(1)
			do(work, i)
			return work.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}
