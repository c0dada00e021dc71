package backfill

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/sql/jobs"
)

// Task names a part of a table to copy. It is what a job says, and holds nothing of a patient.
type Task struct {
	Slot  string `json:"slot"`
	Table string `json:"table"`
	N     int    `json:"chunk"`
}

// Kind implements [river.JobArgs].
func (Task) Kind() string { return "copy" }

// queue returns the queue of a slot's tasks. Names of slots are not all names of queues.
func queue(slot string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(slot)) // never fails
	return fmt.Sprintf("copy_%x", h.Sum64())
}

// enqueue adds jobs in the transaction that makes them necessary.
func enqueue(ctx context.Context, tx pgx.Tx, slot, table string, chunks []int) error {
	if len(chunks) == 0 {
		return nil
	}
	client, err := river.NewClient(riverpgxv5.New(nil), &river.Config{Schema: jobs.Schema, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	jobs := make([]river.InsertManyParams, len(chunks))
	for i, n := range chunks {
		jobs[i] = river.InsertManyParams{
			Args:       Task{Slot: slot, Table: table, N: n},
			InsertOpts: &river.InsertOpts{Queue: queue(slot), MaxAttempts: attempts},
		}
	}
	_, err = client.InsertManyFastTx(ctx, tx, jobs)
	return err
}

const (
	// attempts is how often a job is tried: a chunk that fails needs a person, and goes on once that person has acted.
	attempts = 10_000
	// retryPause is how long a job waits after an error that needs a person.
	retryPause = 15 * time.Second
	// rescueAfter is when River itself gives a job to another process: later than [Orphans], which sees at once who died.
	rescueAfter = 10 * time.Minute
	// pollPause is how often a process looks for a job.
	pollPause = 500 * time.Millisecond
)

type steady struct{}

// NextRetry implements [river.ClientRetryPolicy].
func (steady) NextRetry(*rivertype.JobRow) time.Time { return time.Now().Add(retryPause) }

// ErrLater marks what goes away by itself: the task is done later, by a process that has time.
var ErrLater = errors.New("later")

// Serve does the tasks of a slot, one at a time, until stop is done, and what is begun then within ctx.
func Serve(ctx, stop context.Context, pool *pgxpool.Pool, slot string, log *slog.Logger, do func(context.Context, Task) error) error {
	workers := river.NewWorkers()
	river.AddWorker(workers, river.WorkFunc(func(ctx context.Context, job *river.Job[Task]) error {
		err := do(ctx, job.Args)
		if errors.Is(err, ErrLater) {
			return river.JobSnooze(0)
		}
		return err
	}))
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{
		Schema: jobs.Schema, Queues: map[string]river.QueueConfig{queue(slot): {MaxWorkers: 1}}, Workers: workers,
		PollOnly: true, FetchPollInterval: pollPause, JobTimeout: -1, RescueStuckJobsAfter: rescueAfter,
		RetryPolicy: steady{}, ReindexerSchedule: river.NeverSchedule(), Logger: slog.New(quiet{log.Handler()}),
	})
	if err != nil {
		return fault.New("look for jobs", err, "")
	}
	if err := client.Start(ctx); err != nil {
		return fault.New("look for jobs", err, migrateHint)
	}
	select {
	case <-stop.Done():
	case <-client.Stopped():
	}
	if err := client.Stop(ctx); err != nil && ctx.Err() == nil {
		return fault.New("end the work", err, "")
	}
	return nil
}

// quiet passes on what River says of what went wrong, and nothing of what it does.
type quiet struct{ slog.Handler }

// Enabled implements [slog.Handler].
func (q quiet) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && q.Handler.Enabled(ctx, level)
}
