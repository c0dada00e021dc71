package plan

import (
	"container/heap"
	"math/rand/v2"
)

// pageNotes is how many notes a worker reads and commits at a time.
const pageNotes = 500

// ahead is how many pages a worker reads ahead of what it has written.
const ahead = 3

// chunkPages is how many pages a worker takes at a time, of the same patients.
const chunkPages = 40

// mostPages bounds a simulation: a longer copy goes on as these went.
const mostPages = 50_000

// Simulated is what came out of a simulation.
type Simulated struct {
	Hours float64 `json:"hours"`
	// Busy are shares of the time: of the connections that read, of the machines' cores, of the turn to write.
	Busy map[string]float64 `json:"busy"`
}

// Simulate runs the copy page by page: workers take chunks, read their pages ahead through as many
// connections as the source bears, search them on all their cores, and wait for the turn to write. Pages take as
// long as notes differ.
func Simulate(h Hospital, r Rates, f Fleet, seed uint64) (*Simulated, error) {
	p, err := newPlanner(h, r)
	if err != nil {
		return nil, err
	}
	s := newSimulation(p, f, seed)
	return s.run(), nil
}

// simulation is the line while it runs. Pages wait for stations in the order in which they come.
type simulation struct {
	rnd      *rand.Rand
	pages    int // not taken yet
	workers  []*simulatedWorker
	events   events
	now      float64
	read     station // pages that are read
	write    station
	readTime float64 // for a page
	cpuTime  float64 // for a page, on all cores of a machine
	put      float64 // for a page
	busy     map[string]float64
	done     int
	total    int
	times    float64 // as long as the simulation takes the copy
	machines int
}

// simulatedWorker is a machine.
type simulatedWorker struct {
	chunk  int // pages of its chunk that are not read yet
	open   int // pages that are read, or are being read, and not written
	search station
}

// station is a place where pages wait.
type station struct {
	free    int
	waiting []int // workers, one for each page
}

// event is the end of a page at a station.
type event struct {
	at     float64
	of     string
	worker int
}

type events []event

func (e events) Len() int           { return len(e) }
func (e events) Less(i, j int) bool { return e[i].at < e[j].at }
func (e events) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)        { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

func newSimulation(p *planner, f Fleet, seed uint64) *simulation {
	e := p.estimate(f)
	all := int(p.Notes/pageNotes) + 1
	pages := min(all, max(mostPages, chunkPages*10*f.Machines))
	s := &simulation{
		rnd: rand.New(rand.NewPCG(seed, 1)), pages: pages, total: pages, times: float64(all) / float64(pages), machines: f.Machines, //nolint:gosec // chance from a seed
		readTime: pageNotes / p.rates.Reads, cpuTime: pageNotes * e.Search / float64(f.Cores), put: pageNotes / p.rates.Writes,
		read: station{free: min(f.Machines, p.SourceCores)}, write: station{free: 1}, busy: map[string]float64{},
	}
	for range f.Machines {
		s.workers = append(s.workers, &simulatedWorker{search: station{free: 1}})
	}
	return s
}

// vary returns a time that differs from page to page by up to two fifths.
func (s *simulation) vary(time float64) float64 { return time * (0.6 + 0.8*s.rnd.Float64()) }

func (s *simulation) run() *Simulated {
	for i := range s.workers {
		s.fetch(i)
	}
	for s.events.Len() > 0 {
		e := heap.Pop(&s.events).(event)
		s.now = e.at
		s.end(e)
	}
	out := &Simulated{Hours: s.now * s.times / 3600, Busy: map[string]float64{}}
	for name, places := range map[string]int{Reading: min(s.machines, max(s.read.free, 1)), Searching: s.machines, Writing: 1} {
		out.Busy[name] = s.busy[name] / s.now / float64(places)
	}
	return out
}

// fetch has a worker read ahead.
func (s *simulation) fetch(i int) {
	w := s.workers[i]
	for w.open < ahead {
		if w.chunk == 0 {
			w.chunk = min(chunkPages, s.pages)
			s.pages -= w.chunk
		}
		if w.chunk == 0 {
			return
		}
		w.chunk--
		w.open++
		s.enter(&s.read, Reading, i, s.readTime)
	}
}

// enter has a page of a worker wait for a station, or begin there.
func (s *simulation) enter(at *station, name string, worker int, time float64) {
	if at.free == 0 {
		at.waiting = append(at.waiting, worker)
		return
	}
	at.free--
	s.begin(name, worker, time)
}

func (s *simulation) begin(name string, worker int, time float64) {
	took := s.vary(time)
	s.busy[name] += took
	heap.Push(&s.events, event{s.now + took, name, worker})
}

// leave lets the next page into a station.
func (s *simulation) leave(at *station, name string, time float64) {
	if len(at.waiting) == 0 {
		at.free++
		return
	}
	next := at.waiting[0]
	at.waiting = at.waiting[1:]
	s.begin(name, next, time)
}

// end moves a page on.
func (s *simulation) end(e event) {
	w := s.workers[e.worker]
	switch e.of {
	case Reading:
		s.leave(&s.read, Reading, s.readTime)
		s.enter(&w.search, Searching, e.worker, s.cpuTime)
	case Searching:
		s.leave(&w.search, Searching, s.cpuTime)
		s.enter(&s.write, Writing, e.worker, s.put)
	case Writing:
		s.leave(&s.write, Writing, s.put)
		w.open--
		s.done++
		s.fetch(e.worker)
	}
}
