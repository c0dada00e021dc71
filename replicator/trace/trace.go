// Package trace follows single notes on their way, where that is asked for: a trace of OpenTelemetry for a
// share of the notes that the stream brings, with a span for each step.
//
//	note: receive, decode, resolve, detect (a span for each member), replace, commit
//
// Nothing in a span tells of a value: there are names of tables and members, the size of a row, and times.
// A nil [Tracer] and a nil [Note] do nothing, and cost nothing.
package trace

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	otel "go.opentelemetry.io/otel/trace"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// Tracer begins traces.
type Tracer struct{ tracer otel.Tracer }

// Open returns a tracer that sends what it sees to the collector that the configuration names, and what
// sends the rest of it in the end; both are nil where it names none.
func Open(ctx context.Context, c config.Tracing, version string) (_ *Tracer, closer func(context.Context) error, err error) {
	if c.Endpoint == "" {
		return nil, nil, nil
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(c.Endpoint))
	if err != nil {
		return nil, nil, fault.New("send traces", err, "correct tracing.endpoint, or the OTEL_EXPORTER_OTLP_ variables")
	}
	provider := NewProvider(c.Sample, version, sdk.WithBatcher(exporter))
	return NewTracer(provider), provider.Shutdown, nil
}

// NewProvider returns a provider of spans of a share of all traces.
func NewProvider(share float64, version string, to sdk.TracerProviderOption) *sdk.TracerProvider {
	service := resource.NewSchemaless(attribute.String("service.name", "pgdeid"), attribute.String("service.version", version))
	return sdk.NewTracerProvider(to, sdk.WithSampler(sdk.TraceIDRatioBased(share)), sdk.WithResource(service))
}

// NewTracer returns a tracer with spans of p.
func NewTracer(p otel.TracerProvider) *Tracer {
	return &Tracer{p.Tracer("github.com/pgdeid/pgdeid/replicator")}
}

// Note is the trace of one row with texts, which one goroutine after the other works on.
type Note struct {
	tracer otel.Tracer
	root   otel.Span
	now    otel.Span // of the step under way; root between steps
}

// Begin begins a trace of a row of a table, or returns nil: most are not traced.
func (t *Tracer) Begin(table string, bytes int64, at time.Time) *Note {
	if t == nil {
		return nil
	}
	_, root := t.tracer.Start(context.Background(), "note", otel.WithTimestamp(at),
		otel.WithAttributes(attribute.String("db.collection.name", table), attribute.Int64("pgdeid.row.bytes", bytes)))
	if !root.IsRecording() {
		return nil
	}
	return &Note{tracer: t.tracer, root: root, now: root}
}

// On reports whether rows may be traced.
func (t *Tracer) On() bool { return t != nil }

// Took notes a step that is over.
func (n *Note) Took(step string, from, to time.Time) {
	if n == nil {
		return
	}
	_, span := n.tracer.Start(otel.ContextWithSpan(context.Background(), n.root), step, otel.WithTimestamp(from))
	span.End(otel.WithTimestamp(to))
}

func nothing() {}

// Step begins a step, or a part of the one under way, and returns what ends it.
func (n *Note) Step(step string) (end func()) {
	if n == nil {
		return nothing
	}
	within := n.now
	_, n.now = n.tracer.Start(otel.ContextWithSpan(context.Background(), within), step)
	span := n.now
	return func() {
		span.End()
		n.now = within
	}
}

// End ends the trace, with the reason why the row is set aside, or "".
func (n *Note) End(aside string) {
	if n == nil {
		return
	}
	if aside != "" {
		n.root.SetAttributes(attribute.String("pgdeid.aside", aside))
	}
	n.root.End()
}

// key is that of a note's trace in a context.
type key struct{}

// Into returns a context in which [Step] adds to the trace, and the members of an ensemble as well.
func (n *Note) Into(ctx context.Context) context.Context {
	if n == nil {
		return ctx
	}
	return ensemble.WithWatch(context.WithValue(ctx, key{}, n), func(member string) func() { return n.Step("member " + member) })
}

// Step is [Note.Step] of the note whose trace is in ctx, if there is one.
func Step(ctx context.Context, step string) (end func()) {
	n, _ := ctx.Value(key{}).(*Note)
	return n.Step(step)
}
