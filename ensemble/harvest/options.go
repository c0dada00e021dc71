package harvest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Options configure [Run]. Zero values mean the defaults, except for the detectors.
type Options struct {
	// Kind is what to look for; default [Sentence]. The comments on sentences below apply to templates
	// too, except those on Clinical, Alone and Suspects.
	Kind Kind
	// Notes, Patients and Authors are the least numbers of notes, patients and authors with a
	// sentence; defaults 20, 11 and 5. Eleven is the least number of patients that statistics of US
	// hospitals show in a cell. -1 disables a threshold.
	Notes, Patients, Authors int
	// Top is how many sentences are proposed, those in most notes first; default 1,600, for templates
	// 10,000. Clinical is how many more with a disease or drug term are proposed; default 25,000.
	Top, Clinical int
	// MaxBytes is the maximum length of a counted sentence; default 400.
	MaxBytes int
	// Counters limits the memory of pass 1, see [Sketch]; default 4 million (100 MB).
	Counters int
	// InNotes searches every note with a candidate, using the patient's record. Required.
	InNotes Voter
	// Alone searches every proposal once more by itself, with slow members that read single sentences
	// anyway, such as networks. It may be nil.
	Alone Detector
	// Suspects also proposes sentences in which a member other than patterns, record and directory
	// found PHI, and marks them: if the members are wrong there, the list helps most. It also proposes
	// templates that are suspected to contain PHI, see [Run].
	Suspects bool
	// Detectors identifies InNotes and Alone: a state made with others is refused.
	Detectors string
	Workers   int // default the number of cores
	// State is the file in which the state is saved while Run works; "": none.
	State string
	// Every is the interval between saves; default one minute.
	Every time.Duration
	// Progress, if not nil, is called after each batch.
	Progress func(Progress)
}

// Voter is an ensemble that reports which members found a span.
type Voter interface {
	Vote(ctx context.Context, note *ensemble.Note) (*ensemble.Ballot, error)
}

// Detector is an ensemble.
type Detector interface {
	Detect(ctx context.Context, note *ensemble.Note) ([]phi.Span, error)
}

// Progress is how far Run has come.
type Progress struct {
	Pass  int   // 1, 2, or 3: the proposals by themselves
	Done  int64 // notes, or in pass 3 sentences
	Total int64 // 0: unknown
}

func (o Options) withDefaults() Options {
	if o.Kind == "" {
		o.Kind = Sentence
	}
	if o.Kind == Template && o.Top == 0 {
		o.Top = 10_000
	}
	for _, d := range []struct {
		field *int
		value int
	}{
		{&o.Notes, 20},
		{&o.Patients, 11},
		{&o.Authors, 5},
		{&o.Top, 1600},
		{&o.Clinical, 25_000},
		{&o.MaxBytes, 400},
		{&o.Counters, 4 << 20},
		{&o.Workers, runtime.GOMAXPROCS(0)},
	} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
	if o.Every == 0 {
		o.Every = time.Minute
	}
	return o
}

func (o Options) validate() error {
	switch {
	case !o.Kind.valid():
		return errKind
	case o.InNotes == nil:
		return errors.New("say which detectors search the notes")
	case o.Workers < 0, o.MaxBytes < 0:
		return errors.New("workers and the longest sentence are numbers above 0")
	}
	return nil
}

// normal is the version of sentence normalisation, see [text.AppendSentence].
const normal = 1

// essence identifies everything that determines the result.
func (o Options) essence(source string) string {
	return fmt.Sprintf("%016x", hashText(fmt.Sprintln(o.Kind, normal, source, o.Notes, o.Patients, o.Authors, o.MaxBytes, o.Counters,
		o.Detectors)))
}
