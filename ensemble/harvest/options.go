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

// Options choose what [Run] looks for. Zero values mean the defaults, but for the
// detectors.
type Options struct {
	// Kind is what is looked for; default [Sentence]. What is said of sentences below goes
	// for templates too, but for Clinical, Alone and what Suspects says.
	Kind Kind
	// Notes, Patients and Authors are in how many notes, of how many patients and by how
	// many authors a sentence must stand; defaults 20, 11 and 5. Eleven is the least
	// number of patients that statistics of US hospitals show in a cell. -1: not asked for.
	Notes, Patients, Authors int
	// Top is how many sentences are proposed, those in most notes first; default 1,600, of
	// templates 10,000.
	// Clinical is how many more that have a disease or drug term; default 25,000.
	Top, Clinical int
	// MaxBytes is the length of the longest sentence that is counted; default 400.
	MaxBytes int
	// Counters bounds the memory of pass 1, see [Sketch]; default 4 million (100 MB).
	Counters int
	// InNotes searches every note that a candidate stands in, with the patient's record.
	// Required.
	InNotes Voter
	// Alone searches every proposal once more, by itself: members that see no more than a
	// sentence anyway and are slow, such as networks. May be nil.
	Alone Detector
	// Suspects proposes also sentences in which a member other than patterns, record and
	// directory sees PHI, and marks them: where the members are wrong, the list helps most.
	// Of templates it proposes those too that are suspected to hold PHI, see [Run].
	Suspects bool
	// Detectors stands for InNotes and Alone: a state of others is refused.
	Detectors string
	Workers   int // default the number of cores
	// State is the file that the state is kept in while Run works; "": none.
	State string
	// Every is how often it is stored; default one minute.
	Every time.Duration
	// Progress is told of each batch, if not nil.
	Progress func(Progress)
}

// Voter is an ensemble whose members' findings can be told apart.
type Voter interface {
	Vote(ctx context.Context, note *ensemble.Note) (*ensemble.Ballot, error)
}

// Detector is an ensemble.
type Detector interface {
	Detect(ctx context.Context, note *ensemble.Note) ([]phi.Span, error)
}

// Progress tells how far Run has come.
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

// normal is the version of how sentences are written, see [text.AppendSentence].
const normal = 1

// essence says in a word what decides the result.
func (o Options) essence(source string) string {
	return fmt.Sprintf("%016x", hashText(fmt.Sprintln(o.Kind, normal, source, o.Notes, o.Patients, o.Authors, o.MaxBytes, o.Counters, o.Detectors)))
}
