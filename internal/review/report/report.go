// Package report makes the report of an acceptance sample: what was drawn, who read it, what they found, and what
// follows for all notes, as JSON and as a page to print. It holds no text of a note and names no patient.
package report

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/eval/agreement"
	"github.com/pgdeid/pgdeid/internal/acceptance"
	"github.com/pgdeid/pgdeid/internal/review"
)

// Made says how what the replica shows of a note was made.
type Made struct {
	Version string
	Config  string // hash of the configuration
	At      time.Time
}

// Input is what a report is made of.
type Input struct {
	Round    review.Round
	Items    []review.Item
	Readings []review.Reading // finished ones
	Made     map[int]Made     // by place in the round; none: the replica does not have the note
	Claims   []review.Claim   // besides those of the round

	By      string // who makes the report
	At      time.Time
	Version string // of the program
	Config  string // hash of the configuration
}

// Report is what an acceptance sample says.
type Report struct {
	Format  int       `json:"format"`
	Made    time.Time `json:"made"`
	By      string    `json:"by"`
	Version string    `json:"version"`
	Config  string    `json:"config"`

	Round     Round               `json:"round"`
	Readers   []Reader            `json:"readers"`
	Published []Published         `json:"published"`
	Estimate  acceptance.Estimate `json:"estimate"`
	Verdicts  []Verdict           `json:"verdicts"`
	Pair      *Pair               `json:"pair,omitempty"` // where notes had two readers
	Remarks   []string            `json:"remarks"`
}

// Round is how the sample was drawn.
type Round struct {
	Name    string    `json:"name"`
	Drawn   time.Time `json:"drawn"`
	DrawnBy string    `json:"drawn_by"`
	Seed    string    `json:"seed"`
	Note    string    `json:"note,omitempty"`
	Readers int       `json:"readers"` // that each note was to have
	Items   int       `json:"items"`
	Read    int       `json:"read"`
	Open    int       `json:"open"` // read by two who differ, and nobody has settled it
	Strata  []Stratum `json:"strata,omitempty"`
}

// Stratum is a part of the population.
type Stratum struct {
	Label string `json:"label"`
	Notes int64  `json:"notes"`
	Drawn int    `json:"drawn"`
	Read  int    `json:"read"`
}

// Reader is a person who read notes.
type Reader struct {
	Name  string    `json:"name"`
	Part  string    `json:"part"`
	Notes int       `json:"notes"`
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
}

// Published counts notes that were read by what made the text that the replica shows.
type Published struct {
	Version string `json:"version"`
	Config  string `json:"config"`
	Notes   int    `json:"notes"`
}

// Verdict is what the sample says of a claim.
type Verdict struct {
	Types  string `json:"types"`
	Before bool   `json:"before"` // it was named when the round was drawn
	acceptance.Verdict
}

// Pair is how two readers of the same notes agree.
type Pair struct {
	Notes       int                  `json:"notes"`
	Identifiers agreement.Agreement  `json:"identifiers"` // what was found or marked: both call it PHI, one does, neither does
	Typed       int                  `json:"typed"`       // of what both call PHI: with the same type
	Misses      agreement.Agreement  `json:"misses"`      // notes in which a reader says that something was missed
	Marked      float64              `json:"marked"`      // agreement on identifiers: F1 of one reader against the other
	KappaSpans  float64              `json:"kappa_spans"` // on what was found or marked
	Kappa       float64              `json:"kappa"`       // on notes with misses
	Recapture   acceptance.Recapture `json:"recapture"`
	Unseen      float64              `json:"unseen"` // missed identifiers that neither saw, in the notes that both read
	Recall      float64              `json:"recall"` // with these, in these notes
}

// format is that of the JSON file.
const format = 1

// ErrNotRandom means that the notes of a round were not drawn at random, so that they say nothing of all notes.
var ErrNotRandom = errors.New("its notes were not drawn at random")

// ErrNothingRead means that no note of a round was read to the end.
var ErrNothingRead = errors.New("no note of it was read to the end")

// confidence of the intervals; claims have their own.
const confidence = .95

// New makes a report.
func New(in *Input) (*Report, error) {
	if in.Round.Kind != review.Acceptance {
		return nil, ErrNotRandom
	}
	notes := gather(in)
	if len(notes) == 0 {
		return nil, ErrNothingRead
	}
	r := &Report{
		Format: format, Made: in.At.UTC().Truncate(time.Second), By: in.By, Version: in.Version, Config: in.Config,
		Round: roundOf(in, notes), Readers: readersOf(in.Readings), Published: publishedOf(in, notes), Pair: pairOf(notes),
	}
	sample, names, ungrouped := r.Round.weigh(notes)
	r.Estimate = acceptance.Measure(sample, confidence)
	if names > ungrouped {
		r.Estimate.NamesBy(sample, review.Origins(), review.Sexes())
	}
	if err := r.judge(in, sample); err != nil {
		return nil, err
	}
	r.Remarks = append(r.remarks(in, notes), r.nameRemarks(names, ungrouped)...)
	return r, nil
}

// judge judges the claims of the round, and those that came later.
func (r *Report) judge(in *Input, sample []acceptance.Note) error {
	for i, c := range slices.Concat(in.Round.Design.Claims, in.Claims) {
		before := i < len(in.Round.Design.Claims)
		if !before && slices.Contains(in.Round.Design.Claims, c) {
			continue
		}
		types, name, err := acceptance.ParseTypes(c.Types)
		if err != nil {
			return err
		}
		v := acceptance.Judge(sample, types, c.Claim)
		v.Proven = v.Proven && r.Round.Read == r.Round.Items
		r.Verdicts = append(r.Verdicts, Verdict{name, before, v})
	}
	return nil
}

// note is a note that was read to the end.
type note struct {
	item     review.Item
	readings []review.Reading
	marks    []review.Mark
	open     bool
}

func gather(in *Input) []note {
	byPlace := map[int][]review.Reading{}
	for _, r := range in.Readings {
		byPlace[r.Place] = append(byPlace[r.Place], r)
	}
	var notes []note
	for _, it := range in.Items {
		list := byPlace[it.Place]
		if len(list) < max(in.Round.Readers, 1) {
			continue
		}
		n := note{item: it, readings: list}
		n.marks, n.open = Settle(list)
		notes = append(notes, n)
	}
	return notes
}

func roundOf(in *Input, notes []note) Round {
	r := Round{
		Name: in.Round.Name, Drawn: in.Round.DrawnAt.UTC().Truncate(time.Second), DrawnBy: in.Round.DrawnBy,
		Seed: in.Round.Design.Seed, Note: in.Round.Design.Note, Readers: max(in.Round.Readers, 1), Items: len(in.Items), Read: len(notes),
	}
	for _, s := range in.Round.Design.Strata {
		r.Strata = append(r.Strata, Stratum{Label: s.Label, Notes: s.Notes, Drawn: s.Drawn})
	}
	for _, n := range notes {
		if n.open {
			r.Open++
		}
		if i := n.item.Stratum; i < len(r.Strata) {
			r.Strata[i].Read++
		}
	}
	return r
}

// weigh makes the sample of what was read: each note stands for as many of its stratum as there are for each that was read. It
// counts the names in it, and those of which no group was worked out.
func (r *Round) weigh(notes []note) (sample []acceptance.Note, names, ungrouped int) {
	sample = make([]acceptance.Note, len(notes))
	for i, n := range notes {
		by, without := countNames(n.marks)
		ungrouped += without
		names += without
		for _, c := range by.Origins {
			names += c.Present
		}
		sample[i] = acceptance.Note{Patient: n.item.Patient, Weight: 1, Counts: count(n.marks), Names: by}
		if s := n.item.Stratum; s < len(r.Strata) && r.Strata[s].Notes > 0 {
			sample[i].Weight = float64(r.Strata[s].Notes) / float64(r.Strata[s].Read)
		}
	}
	return sample, names, ungrouped
}

func readersOf(readings []review.Reading) []Reader {
	by := map[[2]string]*Reader{}
	for _, r := range readings {
		key := [2]string{r.Reader, string(r.Part)}
		p := by[key]
		if p == nil {
			p = &Reader{Name: r.Reader, Part: string(r.Part), First: r.OpenedAt.UTC(), Last: r.FinishedAt.UTC()}
			by[key] = p
		}
		p.Notes++
		if r.OpenedAt.Before(p.First) {
			p.First = r.OpenedAt.UTC()
		}
		if r.FinishedAt.After(p.Last) {
			p.Last = r.FinishedAt.UTC()
		}
	}
	list := make([]Reader, 0, len(by))
	for _, p := range by {
		p.First, p.Last = p.First.Truncate(time.Second), p.Last.Truncate(time.Second)
		list = append(list, *p)
	}
	slices.SortFunc(list, func(a, b Reader) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Part, b.Part)) })
	return list
}

func publishedOf(in *Input, notes []note) []Published {
	by := map[Published]int{}
	for _, n := range notes {
		m := in.Made[n.item.Place]
		by[Published{Version: m.Version, Config: m.Config}]++
	}
	list := make([]Published, 0, len(by))
	for p := range maps.Keys(by) {
		list = append(list, Published{p.Version, p.Config, by[p]})
	}
	slices.SortFunc(list, func(a, b Published) int {
		return cmp.Or(cmp.Compare(b.Notes, a.Notes), cmp.Compare(a.Version, b.Version), cmp.Compare(a.Config, b.Config))
	})
	return list
}

// remarks says what a reader of the report must know.
func (r *Report) remarks(in *Input, notes []note) []string {
	var list []string
	say := func(n int, format string) {
		if n > 0 {
			list = append(list, fmt.Sprintf(format, n))
		}
	}
	say(r.Round.Items-r.Round.Read, "%d notes of the sample were not read to the end. The estimate takes those that were read for the rest of their stratum, "+
		"and no claim is proven before all are.")
	drawn := 0
	for _, s := range r.Round.Strata {
		drawn += s.Drawn
	}
	say(drawn-r.Round.Items, "%d notes that were drawn are not in the sample any more: their patients left the replica.")
	say(r.Round.Open, "In %d notes, two readers differ and nobody has settled it: the worse of both counts.")
	other, newer := 0, 0
	for _, n := range notes {
		m, there := in.Made[n.item.Place]
		if there && (m.Version != in.Version || m.Config != in.Config) {
			other++
		}
		if there && m.At.After(n.readings[0].FinishedAt) {
			newer++
		}
	}
	say(other, "%d notes are published as another version or configuration made them than that of this report. The figures are of what readers were "+
		"shown as found when they read: 'pgdeid reprocess' makes the replica anew.")
	say(newer, "%d notes were made anew since they were read.")
	return append(list,
		"An identifier that was found in part counts as missed. What the readers overlooked themselves is in no interval.",
		"Each interval holds with its confidence for itself, not all of them together.",
		"The bounded interval, by which claims are judged, takes patients for the observations: it holds however misses bunch.")
}

// nameRemarks says what a reader of the report must know of groups of names.
func (r *Report) nameRemarks(names, ungrouped int) (list []string) {
	if names > ungrouped {
		list = append(list, "Groups of names are guessed from public lists (US Census 2010, births of the Social Security Administration): they say of a "+
			"name which people mostly bear it, and nothing of the person. A name that is in no list counts as \"unknown\".")
	}
	few := func(row acceptance.Row) bool { return row.Few() }
	if slices.ContainsFunc(r.Estimate.Origins, few) || slices.ContainsFunc(r.Estimate.Sexes, few) {
		list = append(list, "A group that is marked \"few\" has names of so few patients that a recall above 90% could not be shown even without a miss: read its "+
			"interval, not its recall, and draw more notes to compare it.")
	}
	if ungrouped > 0 {
		list = append(list, fmt.Sprintf("%d of %d names are in no group of names: they were read before groups were recorded.", ungrouped, names))
	}
	return list
}

// WriteJSON writes the report as JSON.
func (r *Report) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}
