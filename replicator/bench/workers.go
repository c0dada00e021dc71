package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// Crew is a first copy by several worker processes, each with one core at most. Processes share this machine's cores, so that time on
// the wall says little: what each used of a core says how long it takes where each has one.
type Crew struct {
	CPU     []float64 `json:"cpu_seconds"`         // of a core, by worker, from when it was ready until all was copied
	Planner float64   `json:"planner_cpu_seconds"` // of the process that plans
	Source  float64   `json:"source_cpu_seconds"`  // of the source's server
	Replica float64   `json:"replica_cpu_seconds"` // of the replica's server
	Rate    float64   `json:"notes_per_second"`    // notes by what the busiest worker used: the least that they make
	Even    float64   `json:"notes_per_second_shared_evenly"`
	Share   float64   `json:"share_of_linear"` // of Even, of as many times what the first crew makes with a worker
}

// used returns what all workers used.
func (c *Crew) used() (seconds float64) {
	for _, each := range c.CPU {
		seconds += each
	}
	return seconds
}

// crews measures copies by as many workers as [Options.Workers] says. What they share out is rules and record: networks cost more, and are
// shared out as well.
func (l *lab) crews(ctx context.Context) (list []Crew, err error) {
	if len(l.Workers) > 0 && processTime(os.Getpid()) == 0 {
		return nil, errors.New("what other processes use of a core is known on Linux alone: leave out --workers")
	}
	for _, n := range l.Workers {
		l.Said(fmt.Sprintf("a copy by worker processes: %d", n))
		c, err := l.crew(ctx, n)
		if err != nil {
			return nil, fault.New(fmt.Sprintf("measure a copy by %d workers", n), err, "")
		}
		list = append(list, *c)
	}
	compareCrews(list, l.Notes)
	return list, nil
}

// compareCrews fills in rates and shares. A long copy has thousands of parts, which its workers share evenly; a short one
// has so few that one worker may have had a part more than others.
func compareCrews(list []Crew, notes int) {
	for i := range list {
		c, first := &list[i], &list[0]
		c.Rate = float64(notes) / slices.Max(c.CPU)
		c.Even = float64(notes) / c.used() * float64(len(c.CPU))
		c.Share = first.used() / c.used()
	}
}

// crew copies everything with so many workers into an empty replica.
func (l *lab) crew(ctx context.Context, workers int) (c *Crew, err error) {
	err = l.withClone(ctx, emptyDB, func(name string, _ *pgx.Conn) error {
		file, err := l.crewFile(name)
		if err != nil {
			return err
		}
		c, err = l.copyBy(ctx, file, workers)
		return errors.Join(err, l.dropSlot(context.WithoutCancel(ctx), l.cfg.Source.Slot))
	})
	return c, err
}

// crewFile writes the configuration for a copy of the replica, without networks.
func (l *lab) crewFile(name string) (string, error) {
	text, err := os.ReadFile(l.site.Mapping())
	if err != nil {
		return "", err
	}
	path := filepath.Join(l.dir, name+".yaml")
	other := strings.ReplaceAll(string(text), "/"+readyDB+"?", "/"+name+"?") + "\ndetect: {models: none}\n"
	return path, os.WriteFile(path, []byte(other), 0o600)
}

// copyBy runs the process that plans and workers until all is copied.
func (l *lab) copyBy(ctx context.Context, file string, workers int) (_ *Crew, err error) {
	var started []*process
	defer func() {
		for _, p := range started {
			err = errors.Join(err, p.end())
		}
	}()
	for range workers {
		p, err := l.startWorker(ctx, file)
		if err != nil {
			return nil, err
		}
		started = append(started, p)
	}
	for _, p := range started {
		if err := p.ready(ctx); err != nil {
			return nil, err
		}
	}
	c := &Crew{}
	source, replica := serverTime(l.site.Source), serverTime(l.site.Replica)
	planner := l.command(ctx, "snapshot", "--workers", "--config", file)
	if said, err := planner.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, lastLine(said))
	}
	for _, p := range started {
		c.CPU = append(c.CPU, (processTime(p.cmd.Process.Pid) - p.before).Seconds())
	}
	c.Planner = (planner.ProcessState.UserTime() + planner.ProcessState.SystemTime()).Seconds()
	c.Source, c.Replica = (serverTime(l.site.Source) - source).Seconds(), (serverTime(l.site.Replica) - replica).Seconds()
	return c, nil
}

// command is a call of pgdeid that has one core, where Go decides.
func (l *lab) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := l.Program(ctx, args...)
	cmd.Env = append(cmd.Environ(), "GOMAXPROCS=1")
	return cmd
}

// process is a worker.
type process struct {
	cmd    *exec.Cmd
	said   bytes.Buffer
	http   string
	before time.Duration // used until it was ready
	group  errgroup.Group
	gone   chan struct{}
}

func (l *lab) startWorker(ctx context.Context, file string) (*process, error) {
	free, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &process{http: free.Addr().String(), gone: make(chan struct{})}
	if err := free.Close(); err != nil {
		return nil, err
	}
	p.cmd = l.command(ctx, "work", "--http", p.http, "--config", file)
	p.cmd.Stdout, p.cmd.Stderr = &p.said, &p.said
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	p.group.Go(func() error {
		defer close(p.gone)
		return p.cmd.Wait()
	})
	return p, nil
}

// startTime is how long a worker may take until it answers.
const startTime = 2 * time.Minute

// ready waits until a worker can work.
func (p *process) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	for {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.http+"/healthz", nil)
		if err != nil {
			return err
		}
		answer, err := http.DefaultClient.Do(r)
		if err == nil {
			err = answer.Body.Close()
		}
		if err == nil && answer.StatusCode == http.StatusOK {
			p.before = processTime(p.cmd.Process.Pid)
			return nil
		}
		select {
		case <-p.gone:
			return errors.New("a worker ended before it began")
		case <-ctx.Done():
			return fmt.Errorf("a worker does not start: %w", ctx.Err())
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// end has a worker end as a service manager does.
func (p *process) end() error {
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // it may be gone, and then says why
	if err := p.group.Wait(); err != nil {
		return fmt.Errorf("a worker: %w: %s", err, lastLine(p.said.Bytes()))
	}
	return nil
}

// lastLine returns the last line of what a process said.
func lastLine(said []byte) string {
	said = bytes.TrimSpace(said)
	return string(said[bytes.LastIndexByte(said, '\n')+1:])
}

// writeCrews prints the curve for people.
func (r *Report) writeCrews(w io.Writer) error {
	if len(r.Crews) == 0 {
		return nil
	}
	fmt.Fprintf(w, "\na first copy by worker processes of a core each, rules and record: notes by seconds of a core\n\n")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "workers\tnotes/s by the busiest\tshared evenly\tof linear\tCPU ms/note: workers\tplanner\tsource\treplica")
	ms := func(seconds float64) float64 { return 1000 * seconds / float64(r.Notes) }
	for i := range r.Crews {
		c := &r.Crews[i]
		fmt.Fprintf(t, "%d\t%.0f\t%.0f\t%.0f%%\t%.2f\t%.2f\t%.2f\t%.2f\n",
			len(c.CPU), c.Rate, c.Even, 100*c.Share, ms(c.used()), ms(c.Planner), ms(c.Source), ms(c.Replica))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if s := r.Find(Writing); s != nil {
		own, servers := s.MedianCPU()
		_, err := fmt.Fprintf(w, "\nthey write in turn: %s bounds all of them together, at %.0f notes/s here; "+
			"it used %.2f ms of a core for a note\n", Writing, s.Median, 1000*(own+servers))
		return err
	}
	return nil
}
