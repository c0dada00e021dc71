package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/deid"
)

// Options say what is measured. Zero values have defaults.
type Options struct {
	Version  string // of the program
	Notes    int    // a run of most stages: default 4000
	Patients int    // default: one for 40 notes, as in MIMIC-III
	Rounds   int    // default 5
	// Networks opens an ensemble with neural networks, with nothing in its caches; nil: none is measured.
	Networks     func() (*Networks, error)
	NetworkNotes int               // a run with networks: default 300
	Said         func(line string) // if not nil, is called with what is going on
	// Only picks stages by the beginning of their names, with the limits they are compared with; nil: all.
	Only []string
	// Workers are numbers of worker processes that make a first copy, each with a core; none: that is not measured.
	Workers []int
	// Program is a call of pgdeid, for workers.
	Program func(ctx context.Context, args ...string) *exec.Cmd

	settings map[string]string // of both servers
}

// Networks are an ensemble with neural networks.
type Networks struct {
	Detector deid.Detector
	// Ran returns how many networks there are, how often they ran over a window, and how long, of all cores together.
	Ran   func() (networks int, windows uint64, in time.Duration)
	Close func() error
}

func (o Options) withDefaults() Options {
	set := func(n *int, fallback int) {
		if *n <= 0 {
			*n = fallback
		}
	}
	set(&o.Notes, 4000)
	set(&o.Patients, max(1, o.Notes/40))
	set(&o.Rounds, 5)
	set(&o.NetworkNotes, 300)
	o.NetworkNotes = min(o.NetworkNotes, o.Notes)
	if o.Said == nil {
		o.Said = func(string) {}
	}
	return o
}

// The names of the stages.
const (
	RawStream    = "source/raw"
	Decoding     = "source/decode"
	Reading      = "source/read"
	PlainCopy    = "replica/copy"
	Native       = "replica/native"
	Durable      = "replica/native-durable"
	Writing      = "replica/write"
	Kept         = "stream/kept"
	DetectRules  = "detect/rules"
	StreamRules  = "stream/rules"
	CopyRules    = "copy/rules"
	GraphsAlone  = "networks/graphs"
	NetworksCold = "stream/networks-cold"
	NetworksWarm = "stream/networks-warm"
)

// stage is a stage that can be run.
type stage struct {
	Stage

	run func(context.Context) (sample, error)
}

// stages lists what is measured without networks, limits before what they bound.
func (l *lab) stages(r *Report) []stage {
	return []stage{
		{Stage{Name: RawStream, What: "receive the stream, do nothing"}, l.receiveRaw},
		{Stage{Name: Decoding, Limit: RawStream, What: "receive and decode it"}, l.decode},
		{Stage{Name: Reading, What: "read the notes in pages, one connection"}, l.readSource},
		{Stage{Name: PlainCopy, What: "COPY into a plain table"}, l.copyPlain},
		{Stage{Name: Native, Limit: PlainCopy, What: "a native subscription, from the slot to the tables"}, func(ctx context.Context) (sample, error) {
			return l.subscribe(ctx, "off")
		}},
		{Stage{Name: Durable, Limit: Native, What: "likewise, with commits that wait for the disk, as pgdeid's do"}, func(ctx context.Context) (sample, error) {
			return l.subscribe(ctx, "on")
		}},
		{Stage{Name: Writing, Limit: Native, What: "write rows made before, with surrogates and provenance"}, l.write},
		{Stage{Name: Kept, Limit: Native, What: "pgdeid from the slot to the tables, notes published as they are"}, func(ctx context.Context) (sample, error) {
			return l.follow(ctx, l.kept, keptDB, l.rules, l.Notes, l.all, nil)
		}},
		{Stage{Name: DetectRules, What: "search with rules and record, all cores, nothing else"}, l.detect},
		{Stage{Name: StreamRules, Limit: DetectRules, What: "end to end, rules and record"}, func(ctx context.Context) (sample, error) {
			return l.follow(ctx, l.cfg, readyDB, l.rules, l.Notes, l.all, r.Sizes.measure(l))
		}},
		{Stage{Name: CopyRules, Limit: DetectRules, What: "first copy of all tables, rules and record"}, l.copyWhole},
	}
}

// networkStages are those with networks, in the order in which they are run: what the first
// one opens and measures the next ones use.
func (l *lab) networkStages(count *int) []stage {
	var n *Networks
	var graphs sample
	return []stage{
		{Stage{Name: NetworksCold, Limit: GraphsAlone, What: "end to end, networks, caches empty"}, func(ctx context.Context) (s sample, err error) {
			if n, err = l.Networks(); err != nil {
				return s, err
			}
			s, err = l.follow(ctx, l.cfg, readyDB, n.Detector, l.Notes, l.all, nil)
			networks, windows, in := n.Ran()
			s.runs, *count = windows, networks
			graphs = sample{notes: l.Notes, took: in / time.Duration(cores())}
			return s, err
		}},
		{Stage{Name: GraphsAlone, What: "the networks' graphs of that run on all cores, nothing else"}, func(context.Context) (sample, error) {
			return graphs, nil
		}},
		{Stage{Name: NetworksWarm, Limit: GraphsAlone, What: "the same notes again: every sentence is in the caches"}, func(ctx context.Context) (sample, error) {
			s, err := l.follow(ctx, l.cfg, readyDB, n.Detector, l.Notes, l.all, nil)
			return s, errors.Join(err, n.Close())
		}},
	}
}

// Run measures. It takes minutes, and starts two servers in a temporary folder.
func Run(ctx context.Context, o Options) (_ *Report, err error) {
	o = o.withDefaults()
	r := &Report{Version: o.Version, Patients: o.Patients, Rounds: o.Rounds}
	r.Machine = Machine{CPUs: cores(), System: runtime.GOOS + " " + runtime.GOARCH, LoadBefore: load()}
	o.Said("making a hospital in two servers")
	l, err := newLab(ctx, o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	r.describe(l)
	list := o.chosen(l.stages(r))
	if few := o.chosen(networkNames); o.Networks != nil && len(few) > 0 {
		r.NetworkNotes = o.NetworkNotes
		o.Notes = o.NetworkNotes // the stream ends with them: nothing else is searched meanwhile
		other, err := newLab(ctx, o)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, other.close()) }()
		list = append(list, other.networkStages(&r.Networks)...)
	}
	for round := range o.Rounds {
		for i := range list {
			o.Said(fmt.Sprintf("round %d of %d: %s", round+1, o.Rounds, list[i].Name))
			if err := list[i].measure(ctx); err != nil {
				return nil, fault.New("measure "+list[i].Name, err, "")
			}
		}
	}
	for i := range list {
		r.Stages = append(r.Stages, list[i].Stage)
	}
	if r.Crews, err = l.crews(ctx); err != nil {
		return nil, err
	}
	r.Sizes.WALPerNote = l.wal / float64(l.Notes)
	r.Machine.LoadAfter = load()
	r.summarize()
	return r, nil
}

func (s *stage) measure(ctx context.Context) error {
	got, err := s.run(ctx)
	if err != nil {
		return err
	}
	n := float64(got.notes)
	s.Rates = append(s.Rates, n/got.took.Seconds())
	if got.cpu > 0 {
		s.CPU = append(s.CPU, got.cpu.Seconds()/n)
		s.ServerCPU = append(s.ServerCPU, got.servers.Seconds()/n)
	}
	if got.runs > 0 {
		s.RunsPerNote = float64(got.runs) / n
	}
	return nil
}

// networkNames are the stages with networks: they need one another, so all of them are run or none.
var networkNames = []stage{{Stage: Stage{Name: NetworksCold}}, {Stage: Stage{Name: GraphsAlone}}, {Stage: Stage{Name: NetworksWarm}}}

// chosen returns the stages that were asked for, and those they are compared with.
func (o *Options) chosen(all []stage) []stage {
	if o.Only == nil {
		return all
	}
	wanted := map[string]bool{}
	for _, s := range all {
		for _, prefix := range o.Only {
			if strings.HasPrefix(s.Name, prefix) {
				wanted[s.Name], wanted[s.Limit] = true, true
			}
		}
	}
	var list []stage
	for _, s := range all {
		if wanted[s.Name] {
			list = append(list, s)
		}
	}
	return list
}

// describe says what the notes are like.
func (r *Report) describe(l *lab) {
	r.Notes, r.Machine.PostgreSQL = l.Notes, l.site.Source.Version()
	size, sentences := 0, 0
	for i := range l.Notes {
		d := l.hospital.Note(i)
		size += len(d.Text)
		sentences += len((&ensemble.Note{Text: d.Text}).View().Sentences())
	}
	r.BytesPerNote = float64(size) / float64(l.Notes)
	r.SentencesPerNote = float64(sentences) / float64(l.Notes)
}

// measure returns what measures the replica's sizes after a run.
func (s *Sizes) measure(l *lab) func(context.Context, *pgx.Conn) error {
	return func(ctx context.Context, conn *pgx.Conn) error {
		err := conn.QueryRow(ctx, `select pg_total_relation_size('deid_rows."ehr.note"'),
			(select sum(pg_total_relation_size(oid)) from pg_class where relkind = 'r' and relnamespace = 'deid'::regnamespace
				and relname in ('note_provenance', 'surrogate'))`).Scan(&s.ReplicaPerNote, &s.VaultPerNote)
		s.ReplicaPerNote /= float64(l.Notes)
		s.VaultPerNote /= float64(l.Notes)
		return fault.New("measure the replica", err, "")
	}
}

func cores() int { return runtime.GOMAXPROCS(0) }

// load returns the load averages, or zeros where the system does not say.
func load() (avg [3]float64) {
	text, err := os.ReadFile("/proc/loadavg")
	if err == nil {
		_, err = fmt.Sscan(string(text), &avg[0], &avg[1], &avg[2])
	}
	if err != nil {
		return [3]float64{}
	}
	return avg
}
