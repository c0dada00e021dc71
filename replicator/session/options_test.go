package session

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/metrics"
	"github.com/pgdeid/pgdeid/surrogate"
)

type noDetector struct{}

func (noDetector) Detect(context.Context, *ensemble.Note) ([]phi.Span, error) { return nil, nil }

func TestOptionsThatAreRequired(t *testing.T) {
	t.Parallel()
	whole := Options{Config: &config.Config{}, Key: &surrogate.Key{}, Detector: noDetector{}}
	for name, lack := range map[string]func(o *Options){
		"nothing":  func(*Options) {},
		"config":   func(o *Options) { o.Config = nil },
		"key":      func(o *Options) { o.Key = nil },
		"detector": func(o *Options) { o.Detector = nil },
	} {
		o := whole
		lack(&o)
		if _, err := o.WithDefaults(); (err == nil) != (name == "nothing") {
			t.Errorf("%s is missing: %v", name, err)
		}
		if name != "nothing" {
			err := Once(t.Context(), o, func(*Session) error { return nil })
			if err == nil {
				t.Errorf("%s is missing, and a session opens", name)
			}
		}
	}
}

func TestOptionsAreKept(t *testing.T) {
	t.Parallel()
	o := Options{Config: &config.Config{}, Key: &surrogate.Key{}, Detector: noDetector{}}
	filled, err := o.WithDefaults()
	if err != nil || filled.Grace == 0 || filled.Log == nil || filled.Now == nil || filled.Metrics == nil || o.Log != nil {
		t.Errorf("defaults %v", err)
	}
	o.Grace, o.Log, o.Metrics, o.Version, o.Models = time.Minute, slog.New(slog.DiscardHandler), metrics.New(), "v1", "m1"
	o.Now = func() time.Time { return time.Unix(7, 0) }
	filled, err = o.WithDefaults()
	if err != nil || filled.Grace != o.Grace || filled.Log != o.Log || filled.Metrics != o.Metrics || filled.Now().Unix() != 7 {
		t.Errorf("what was set is replaced: %v", err)
	}
	s := filled.settings()
	if s.Config != o.Config || s.Key != o.Key || s.Version != "v1" || s.Models != "m1" || s.Log != o.Log || s.Metrics != o.Metrics {
		t.Error("de-identification works with other settings")
	}
}

// conn notes that it was closed.
type conn struct {
	name   string
	closed *[]string
}

func (c conn) Close(context.Context) error {
	*c.closed = append(*c.closed, c.name)
	return errors.New("closed already")
}

func TestConnectionsAreClosedFromOneOn(t *testing.T) {
	t.Parallel()
	var closed []string
	s := &Session{}
	for _, name := range []string{"a", "b", "c"} {
		s.Conns = append(s.Conns, conn{name, &closed})
	}
	s.CloseFrom(1)
	if !slices.Equal(closed, []string{"b", "c"}) || len(s.Conns) != 1 {
		t.Errorf("closed %q, %d left", closed, len(s.Conns))
	}
	s.Close()
	s.Close()
	if !slices.Equal(closed, []string{"b", "c", "a"}) {
		t.Errorf("closed %q", closed)
	}
}

func TestNumberOfWorkers(t *testing.T) {
	t.Parallel()
	s := &Session{Cfg: &config.Config{Limits: config.Limits{Workers: 3}}}
	if s.Workers() != 3 {
		t.Errorf("%d workers", s.Workers())
	}
	s.Cfg.Limits.Workers = 0
	if got, want := s.Workers(), corpus.PerCore*runtime.GOMAXPROCS(0); got != want {
		t.Errorf("%d workers by default, not %d", got, want)
	}
	s.Cfg.Detect.Workers.Addresses = []string{"a:1", "b:1"}
	if got, want := s.Workers(), corpus.PerCore*runtime.GOMAXPROCS(0)+2*notesAway; got != want {
		t.Errorf("%d workers with two machines, not %d", got, want)
	}
}
