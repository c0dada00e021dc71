package plan

import "math"

// Stream is how fast the one stream is. It is of one machine, and others may run its networks.
type Stream struct {
	Rate  float64 `json:"notes_per_second"`       // with the fleet's detection workers
	Alone float64 `json:"notes_per_second_alone"` // without any
	Most  float64 `json:"notes_per_second_most"`  // with as many as help
	// Helpful is how many machines help: with more of them, what stays with the stream bounds it.
	Helpful int `json:"helpful_workers"`
	// Needed is how many are needed for what comes in; -1: none are enough.
	Needed int `json:"needed_workers"`
}

// stream says how fast the stream is, and what detection workers are worth.
func (p *planner) stream(e *Estimate, arriving float64) Stream {
	s := Stream{Rate: p.streamRate(e, e.Fleet.Detection), Alone: p.streamRate(e, 0), Needed: -1}
	s.Most = s.Alone
	if p.rates.Networks > 0 && p.rates.AwayRun > 0 {
		s.Most = p.streamRate(e, mostMachines)
		s.Helpful = p.workersFor(e, s.Most)
	}
	if arriving < s.Most {
		s.Needed = p.workersFor(e, arriving)
	}
	return s
}

// streamRate returns how many notes a second a stream takes whose networks so many other machines run too. All of them
// together bound it, what stays with the stream's own cores, and the writing.
func (p *planner) streamRate(e *Estimate, workers int) float64 {
	cores := float64(e.Fleet.Cores)
	if workers == 0 || p.rates.Networks == 0 || p.rates.AwayRun == 0 {
		return min(cores/e.Search, p.rates.Writes)
	}
	stays := p.rates.SearchPerNote + e.Runs*p.rates.AwayRun
	return min(float64(1+workers)*cores/e.Search, cores/stays, p.rates.Writes)
}

// workersFor returns how many detection workers a stream needs for a rate that it can have.
func (p *planner) workersFor(e *Estimate, rate float64) int {
	return max(0, int(math.Ceil(rate*e.Search/float64(e.Fleet.Cores)-1-1e-9)))
}
