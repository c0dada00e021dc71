package synth

import (
	"iter"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

// epoch is the day that ages of newborns and the newest notes are counted from.
var epoch = time.Date(2024, time.June, 30, 0, 0, 0, 0, time.UTC)

// Options say how large a hospital is. Zero values mean the defaults.
type Options struct {
	Patients  int // default 300
	Notes     int // default 1500
	Providers int // default one for 6 patients, 12 at least
	Sites     int // default 8
	// Lists are the names it draws from; nil means [LexiconLists].
	Lists *Lists
}

// WithDefaults returns a copy with defaults filled in.
func (o Options) WithDefaults() Options {
	if o.Patients <= 0 {
		o.Patients = 300
	}
	if o.Notes <= 0 {
		o.Notes = 1500
	}
	if o.Providers <= 0 {
		o.Providers = max(12, o.Patients/6)
	}
	if o.Sites <= 0 {
		o.Sites = 8
	}
	return o
}

// Hospital is a made-up hospital: the rows of its EHR, and notes that are written
// when asked for, so that memory stays flat. The same seed and options give the same
// hospital on every machine. It is safe for concurrent use once made.
type Hospital struct {
	Patients   []Patient
	Providers  []Provider
	Sites      []Site
	Encounters []Encounter

	seed   uint64
	opts   Options
	lists  *Lists
	engine *engine
}

// Document is a note with its gold spans.
type Document struct {
	ID        int64
	Kind      Kind
	Patient   *Patient
	Author    *Provider
	Encounter *Encounter
	When      time.Time
	Text      string
	Spans     []phi.Span // in order, free of overlap
}

// Group returns the Census group of the patient's name.
func (d *Document) Group() lexicon.Group { return d.Patient.Group }

// The streams of chance of a hospital.
const (
	streamPeople uint64 = iota + 1
	streamNotes
	streamCopied
)

// NewHospital makes a hospital. It fails only if the embedded grammar or lexicon
// can't be read.
func NewHospital(seed uint64, opts Options) (*Hospital, error) {
	if err := lexicon.Load(); err != nil {
		return nil, err
	}
	e, err := loadEngine()
	if err != nil {
		return nil, err
	}
	h := &Hospital{seed: seed, opts: opts.WithDefaults(), engine: e}
	if h.lists = h.opts.Lists; h.lists == nil {
		h.lists = lexiconLists()
	}
	h.populate(rand.New(rand.NewPCG(seed, streamPeople)))
	return h, nil
}

// NoteCount returns how many notes the hospital has.
func (h *Hospital) NoteCount() int { return h.opts.Notes }

// Notes writes the notes one after the other.
func (h *Hospital) Notes() iter.Seq[Document] {
	return func(yield func(Document) bool) {
		for i := range h.opts.Notes {
			if !yield(h.Note(i)) {
				return
			}
		}
	}
}

// Note writes note i; i may run past NoteCount, for notes that come in later.
func (h *Hospital) Note(i int) Document {
	rng := rand.New(rand.NewPCG(h.seed^(uint64(i)*0x9e3779b97f4a7c15), streamNotes))
	e := &h.Encounters[rng.IntN(len(h.Encounters))]
	author := &h.Providers[e.Provider]
	if oneIn(rng, 3) {
		author = &h.Providers[rng.IntN(len(h.Providers))]
	}
	s := h.newScene(rng, e, author)
	kind, production := kindOf(s.value("kinds"))
	s.write(production)
	d := Document{ID: int64(1_000_001 + i), Kind: kind, Patient: s.pt, Author: author, Encounter: e, When: s.today}
	d.Text, d.Spans = s.finish()
	return d
}

// newScene sets the scene at some time of an encounter.
func (h *Hospital) newScene(rng *rand.Rand, e *Encounter, author *Provider) *scene {
	s := &scene{
		writer: &writer{rng: rng, manner: drawManner(rng)}, engine: h.engine, h: h, grammar: h.engine.productions,
		pt: &h.Patients[e.Patient], author: author, other: &h.Providers[rng.IntN(len(h.Providers))], visited: &h.Sites[e.Site],
	}
	stay := int(e.End.Sub(e.Start) / time.Minute)
	s.today = e.Start.Add(time.Duration(rng.IntN(stay+1)) * time.Minute)
	s.now = setting{s.pt.person(), s.visited, s.pt.Home, s.today}
	s.layout = s.value("date.layout")
	return s
}

// Kind is a kind of note, as an EHR names it.
type Kind string

// Kinds lists every kind of note, in the order of data/notes/05-kinds.txt.
func Kinds() []Kind {
	e, err := loadEngine()
	if err != nil {
		return nil
	}
	var out []Kind
	for _, a := range e.productions["kinds"].alternatives {
		kind, _ := kindOf(a.seq[0].text)
		out = append(out, kind)
	}
	return out
}

// kindOf reads "Phone message/call=phone": the kind and the production of its notes.
func kindOf(text string) (Kind, string) {
	kind, name, _ := strings.Cut(text, "=")
	return Kind(kind), "note." + name
}

// Directory returns what the structured tables hold of the staff and the sites.
func (h *Hospital) Directory() record.Record {
	r := record.Record{}
	for i := range h.Providers {
		p := &h.Providers[i]
		r.Add(record.ProviderName, p.Name.Full())
		r.Add(record.Username, p.Login)
		r.Add(record.Phone, p.Phone)
		r.Add(record.Phone, p.Pager)
		r.Add(record.Email, p.Email)
		r.Add(record.License, p.NPI)
	}
	for i := range h.Sites {
		s := &h.Sites[i]
		r.Add(record.Facility, s.Name)
		r.Add(record.Facility, s.Short)
		r.Add(record.Facility, s.Abbrev)
		r.Add(record.Phone, s.Phone)
		r.Add(record.Fax, s.Fax)
		r.Add(record.Street, s.Address.Street)
		r.Add(record.City, s.Address.City)
		r.Add(record.State, s.Address.State)
	}
	return r
}
