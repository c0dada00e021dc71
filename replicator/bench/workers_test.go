package bench

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator"
	"github.com/pgdeid/pgdeid/replicator/session"
	"github.com/pgdeid/pgdeid/surrogate"
)

// callVariable has the arguments of a call of pgdeid that a process of this test program takes the place of.
const callVariable = "PGDEID_BENCH_TEST_CALL"

func TestMain(m *testing.M) {
	if args := strings.Fields(os.Getenv(callVariable)); len(args) > 0 {
		if err := answer(args); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// call is a call of pgdeid: see [Options.Program].
func call(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), callVariable+"="+strings.Join(args, " "))
	return cmd
}

// answer does what "pgdeid snapshot --workers --config FILE" and "pgdeid work --http ADDRESS --config FILE" do.
func answer(args []string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	cfg, err := config.Load(args[len(args)-1])
	if err != nil {
		return err
	}
	key, err := surrogate.ReadKey(cfg.KeyFile)
	if err != nil {
		return err
	}
	rules, err := ensemble.Default()
	if err != nil {
		return err
	}
	o := session.Options{Config: cfg, Key: key, Detector: rules, Version: "test", Grace: 5 * time.Second, ByWorkers: true}
	if args[0] == "work" {
		cfg.HTTP = args[2]
		return replicator.Work(ctx, o)
	}
	return replicator.Snapshot(ctx, o, false)
}

// Where one worker had more to do than others, the copy was as fast as that one; what is shared evenly is judged by what all used.
func TestCompareCrews(t *testing.T) {
	t.Parallel()
	crews := []Crew{{CPU: []float64{4}}, {CPU: []float64{2, 2}}, {CPU: []float64{1, 2, 1, 0}}, {CPU: []float64{2, 2, 2, 2}}}
	compareCrews(crews, 1000)
	for i, want := range []Crew{
		{Rate: 250, Even: 250, Share: 1},
		{Rate: 500, Even: 500, Share: 1},
		{Rate: 500, Even: 1000, Share: 1},
		{Rate: 500, Even: 500, Share: 0.5},
	} {
		got := crews[i]
		if math.Abs(got.Rate-want.Rate) > 1e-9 || math.Abs(got.Even-want.Even) > 1e-9 || math.Abs(got.Share-want.Share) > 1e-9 {
			t.Errorf("%v: %+v, want %+v", got.CPU, got, want)
		}
	}
	compareCrews(nil, 1000)
}

func TestCrewsInTheTable(t *testing.T) {
	t.Parallel()
	r := sampleReport()
	var without, with bytes.Buffer
	if err := r.WriteTable(&without); err != nil || strings.Contains(without.String(), "worker") {
		t.Errorf("%v\n%s", err, without.String())
	}
	r.Crews = []Crew{{CPU: []float64{0.4}, Planner: 0.01}, {CPU: []float64{0.2, 0.25}, Source: 0.1, Replica: 0.3}}
	compareCrews(r.Crews, r.Notes)
	if err := r.WriteTable(&with); err != nil {
		t.Fatal(err)
	}
	rows := strings.Join(strings.Fields(with.String()), " ")
	for _, want := range []string{
		"1 250 250 100% 4.00 0.10 0.00 0.00", "2 400 444 89% 4.50 0.00 1.00 3.00",
		"replica/write bounds all of them together, at 80 notes/s here; it used 7.00 ms",
	} {
		if !strings.Contains(rows, want) {
			t.Errorf("no %q in:\n%s", want, with.String())
		}
	}
}

// A process that ends at once is an error that says what it said, and is not waited for.
func TestWorkerThatDoesNotStart(t *testing.T) {
	t.Parallel()
	l := &lab{Options: Options{Program: func(ctx context.Context, _ ...string) *exec.Cmd {
		return exec.CommandContext(ctx, "sh", "-c", "echo first; echo there is no key >&2; exit 1")
	}}}
	p, err := l.startWorker(t.Context(), "none.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := p.ready(t.Context()); err == nil {
		t.Error("it is ready")
	}
	if err := p.end(); err == nil || !strings.HasSuffix(err.Error(), "there is no key") {
		t.Error(err)
	}
}
