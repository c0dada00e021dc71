package session

import (
	"errors"
	"log/slog"
	"time"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/metrics"
	"github.com/pgdeid/pgdeid/replicator/trace"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Options are what a run needs. Config, Key and Detector are required.
type Options struct {
	Config   *config.Config
	Key      *surrogate.Key
	OldKey   *surrogate.Key // of the epoch before, while the key is changed; else nil
	Detector deid.Detector
	Version  string           // of the program, stored with each text
	Models   string           // identifies the neural members: notes made by others are out of date
	Grace    time.Duration    // how long what was read may take after the context is done; default 20 s
	Log      *slog.Logger     // default: slog.Default()
	Metrics  *metrics.Metrics // default: new ones
	Stay     bool             // errors that need a person do not end the run: it tries again until that person has acted
	Now      func() time.Time // the clock; default time.Now
	// ByWorkers leaves the copy of large tables to the processes of [replicator.Work].
	ByWorkers bool
	Trace     *trace.Tracer // of notes that the stream brings; nil: none
	// Snapshot, if not nil, is called as the first copy advances.
	Snapshot func(SnapshotProgress)
}

// settings returns what de-identification needs of o.
func (o *Options) settings() *deid.Settings {
	return &deid.Settings{
		Config: o.Config, Key: o.Key, Detector: o.Detector, Version: o.Version, Models: o.Models, Now: o.Now, Log: o.Log, Metrics: o.Metrics,
	}
}

// WithDefaults returns o with defaults for what is not set, or an error if something required is not.
func (o Options) WithDefaults() (Options, error) {
	if o.Config == nil || o.Key == nil || o.Detector == nil {
		return o, errors.New("config, key and detector are required")
	}
	if o.Grace == 0 {
		o.Grace = 20 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Metrics == nil {
		o.Metrics = metrics.New()
	}
	o.Metrics.Version(o.Version)
	return o, nil
}

// SnapshotProgress says how the first copy advances.
type SnapshotProgress struct {
	Table    string
	Rows     int64 // copied so far
	Estimate int64 // of all rows, from the source's statistics; 0 if unknown
	Done     bool
}
