package synth

import (
	"iter"
	"math/rand/v2"
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

	seed    uint64
	opts    Options
	lists   *Lists
	grammar grammar
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
	g, err := loadGrammar()
	if err != nil {
		return nil, err
	}
	h := &Hospital{seed: seed, opts: opts.WithDefaults(), grammar: g}
	if h.lists = h.opts.Lists; h.lists == nil {
		h.lists = lexiconLists()
	}
	rng := rand.New(rand.NewPCG(seed, streamPeople))
	for i := range h.opts.Sites {
		h.Sites = append(h.Sites, h.newSite(rng, i))
	}
	for i := range h.opts.Providers {
		h.Providers = append(h.Providers, h.newProvider(rng, i))
	}
	for i := range h.opts.Patients {
		h.Patients = append(h.Patients, h.newPatient(rng, i))
	}
	h.Encounters = h.newEncounters(rng)
	return h, nil
}

// newEncounters gives each patient one to five encounters.
func (h *Hospital) newEncounters(rng *rand.Rand) []Encounter {
	var out []Encounter
	for p := range h.Patients {
		for range 1 + rng.IntN(5) {
			class := either(rng, "outpatient", "outpatient", "outpatient", "inpatient", "emergency", "telephone")
			start := h.day(rng, &h.Patients[p])
			start = start.Add(time.Duration(7*60+rng.IntN(11*60)) * time.Minute)
			stay := time.Duration(1+rng.IntN(4)) * time.Hour
			if class == "inpatient" {
				stay = time.Duration(24+rng.IntN(24*12)) * time.Hour
			}
			out = append(out, Encounter{
				ID: int64(7_000_001 + len(out)), Patient: p, Provider: rng.IntN(len(h.Providers)), Site: h.Patients[p].Site,
				Class: class, Start: start, End: start.Add(stay), Reason: either(rng, reasons...),
			})
		}
	}
	return out
}

// day draws a day of the last eight years on which the patient is born already.
func (h *Hospital) day(rng *rand.Rand, p *Patient) time.Time {
	d := epoch.AddDate(0, 0, -rng.IntN(8*365))
	if !d.After(p.Birth) {
		return p.Birth.AddDate(0, 0, 1+rng.IntN(20))
	}
	return d
}

var reasons = []string{
	"chest pain", "shortness of breath", "annual physical", "medication refill", "knee pain", "INR check", "follow-up", "fever",
	"abdominal pain", "fall", "diabetes follow-up", "hypertension", "headache", "back pain", "well child", "pre-op",
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
	d := Document{
		ID: int64(1_000_001 + i), Kind: drawKind(rng), Encounter: e, Patient: &h.Patients[e.Patient],
		Author: &h.Providers[e.Provider], When: e.Start.Add(time.Duration(rng.IntN(int(e.End.Sub(e.Start)/time.Minute)+1)) * time.Minute),
	}
	if oneIn(rng, 3) {
		d.Author = &h.Providers[rng.IntN(len(h.Providers))]
	}
	s := h.newScene(rng, &d)
	s.write("note." + d.Kind.slug())
	d.Text, d.Spans = s.finish()
	return d
}

func (h *Hospital) newScene(rng *rand.Rand, d *Document) *scene {
	return &scene{
		writer: &writer{rng: rng, manner: drawManner(rng)}, h: h, grammar: h.grammar, pt: d.Patient, author: d.Author,
		other: &h.Providers[rng.IntN(len(h.Providers))], site: &h.Sites[d.Encounter.Site], today: d.When, kind: d.Kind,
		dates: either(rng, dateLayouts...),
	}
}

// Directory returns what the structured tables tell of the staff and the sites.
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
