package remote

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/ensemble/onnx"
)

// Sender has windows that wait in this process run elsewhere: [onnx.Runtime].
type Sender interface {
	SendAway(ctx context.Context, places int, do onnx.Exchange) error
	CompareAway(ctx context.Context, do onnx.Exchange) error
	Waiting() int
}

// Options say who works for this process. All of them are required.
type Options struct {
	Addresses []string
	Secured   func() (*tls.Config, error) // asked for each connection: certificates are replaced
	Hello     Hello                       // of this process
	Sender    Sender
	Log       *slog.Logger
}

// Pool is the workers of a process.
type Pool struct {
	Options

	metrics        *poolMetrics
	first, longest time.Duration // pauses after failures
	answerTime     time.Duration
	lookEvery      time.Duration
}

// lookEvery is how often a worker that has nothing to answer is asked whether it is still there.
const lookEvery = 15 * time.Second

// NewPool returns a pool, which does nothing before [Pool.Run].
func NewPool(o Options) *Pool {
	return &Pool{
		Options: o, metrics: newPoolMetrics(o.Addresses, o.Sender), first: time.Second, longest: 30 * time.Second,
		answerTime: answerTime, lookEvery: lookEvery,
	}
}

// Metrics returns the counters of all workers.
func (p *Pool) Metrics() prometheus.Collector { return p.metrics }

// Run has the workers work until ctx is done. Whatever happens to them ends nothing here.
func (p *Pool) Run(ctx context.Context) {
	var g errgroup.Group
	for _, address := range p.Addresses {
		g.Go(func() error { p.keep(ctx, address); return nil })
	}
	_ = g.Wait() // they end with ctx alone
}

// keep has a worker work, again and again.
func (p *Pool) keep(ctx context.Context, address string) {
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval, wait.MaxInterval = p.first, p.longest
	before := ""
	for {
		worked, err := p.use(ctx, address)
		if ctx.Err() != nil || err == nil { // nothing is sent any more
			return
		}
		if worked {
			wait.Reset()
			before = ""
		}
		p.metrics.failed(address, err)
		pause := wait.NextBackOff()
		if said := err.Error(); said != before { // once, and not every half minute
			before = said
			p.report(address, err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

func (p *Pool) report(address string, err error) {
	var other *Mismatch
	if errors.As(err, &other) {
		p.Log.Error("a detection worker is refused; its share is done by others", "worker", address, "error", err, "hint", other.Hint())
		return
	}
	p.Log.Warn("a detection worker does not work; its share is done by others", "worker", address, "error", err)
}

// use has a worker work until it fails or ctx is done, and reports whether it answered anything.
func (p *Pool) use(ctx context.Context, address string) (worked bool, err error) {
	c, err := p.connect(address)
	if err != nil {
		return false, err
	}
	defer c.close()
	places, err := p.agree(ctx, c)
	if err != nil {
		return false, err
	}
	p.metrics.set(address, Up)
	p.Log.Info("a detection worker works", "worker", address, "requests", places)
	var answers atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	ctx, stop := context.WithCancel(ctx)
	g.Go(func() error {
		defer stop()
		return p.Sender.SendAway(ctx, places, func(ctx context.Context, count int, windows []byte) ([]byte, error) {
			begun := time.Now()
			scores, err := c.exchange(ctx, windows)
			if err == nil {
				answers.Add(1)
				p.metrics.answered(address, count, time.Since(begun))
			}
			return scores, err
		})
	})
	g.Go(func() error { return p.watch(ctx, c, &answers) })
	err = g.Wait()
	return answers.Load() > 0, err
}

// watch asks a worker that has answered nothing for a while whether it is still there: a stream that is quiet, or whose sentences the cache
// knows, would not notice that a worker is gone. It returns an error when it is, and nil when ctx is done.
func (p *Pool) watch(ctx context.Context, c *client, answers *atomic.Int64) error {
	tick := time.NewTicker(p.lookEvery)
	defer tick.Stop()
	seen := answers.Load()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if answers.Load() == seen {
			err := c.same(ctx)
			if ctx.Err() != nil {
				return nil
			}
			if err != nil {
				return err
			}
			answers.Add(1)
		}
		seen = answers.Load()
	}
}

// agree makes sure that a worker's networks are those of this process, and returns how many requests it gets at a time.
func (p *Pool) agree(ctx context.Context, c *client) (places int, err error) {
	hello, err := c.hello(ctx)
	if err != nil {
		return 0, err
	}
	if why := p.Hello.mismatch(hello); why != "" {
		return 0, &Mismatch{why}
	}
	c.process = hello.Process
	err = p.Sender.CompareAway(ctx, func(ctx context.Context, _ int, windows []byte) ([]byte, error) { return c.exchange(ctx, windows) })
	if errors.Is(err, onnx.ErrDiffers) || errors.Is(err, onnx.ErrUnfit) {
		return 0, &Mismatch{err.Error()}
	}
	return min(hello.Cores, mostCores) * requestsOfACore, err
}

// A worker has one request of each core being computed and one on its way.
const (
	requestsOfACore = 2
	mostCores       = 512
)

// Mismatch says that a worker does not have what this process works with.
type Mismatch struct{ why string }

// Error says in what it differs.
func (m *Mismatch) Error() string { return m.why }

// Hint says what to do about it.
func (*Mismatch) Hint() string {
	return "install the same package on both machines and give both the same detect.models; then restart the worker"
}

// Check asks every worker once, and returns by address what is wrong, nil for nothing.
func (p *Pool) Check(ctx context.Context) map[string]error {
	found := map[string]error{}
	for _, address := range p.Addresses {
		c, err := p.connect(address)
		if err == nil {
			_, err = p.agree(ctx, c)
			c.close()
		}
		found[address] = err
	}
	return found
}
