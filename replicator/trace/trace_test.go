package trace

import (
	"context"
	"strings"
	"testing"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/internal/config"
)

// tracer returns a tracer of a share of all notes, and what it saw.
func tracer(share float64) (*Tracer, *tracetest.InMemoryExporter) {
	seen := tracetest.NewInMemoryExporter()
	return NewTracer(NewProvider(share, "v1", sdk.WithSyncer(seen))), seen
}

// tree writes the spans as "parent/child" in the order in which they ended.
func tree(seen *tracetest.InMemoryExporter) string {
	spans := seen.GetSpans()
	names := map[string]string{}
	for _, s := range spans {
		names[s.SpanContext.SpanID().String()] = s.Name
	}
	var list []string
	for _, s := range spans {
		list = append(list, names[s.Parent.SpanID().String()]+"/"+s.Name)
	}
	return strings.Join(list, " ")
}

func TestStepsAreLinked(t *testing.T) {
	t.Parallel()
	tr, seen := tracer(1)
	sent := time.Now().Add(-time.Second)
	n := tr.Begin("ehr.note", 17, sent)
	n.Took("receive", sent, sent.Add(time.Millisecond))
	n.Step("resolve")()
	ctx := n.Into(t.Context())
	end := Step(ctx, "detect")
	e, err := ensemble.New(ensemble.Options{Detectors: []string{"patterns"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Detect(ctx, &ensemble.Note{Text: "Zebulon, 617-555-0142"}); err != nil {
		t.Fatal(err)
	}
	end()
	Step(ctx, "replace")()
	n.End("leak")
	const want = "note/receive note/resolve detect/member patterns note/detect note/replace /note"
	if got := tree(seen); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	spans := seen.GetSpans()
	for _, s := range spans {
		if s.SpanContext.TraceID() != spans[0].SpanContext.TraceID() {
			t.Errorf("%s belongs to another trace", s.Name)
		}
	}
	root := spans[len(spans)-1]
	if len(root.Attributes) != 3 || !root.StartTime.Equal(sent) {
		t.Errorf("the note has %v and began at %s", root.Attributes, root.StartTime)
	}
	for _, s := range spans {
		for _, a := range s.Attributes {
			if strings.Contains(a.Value.String(), "Zebulon") {
				t.Errorf("%s has a text", s.Name)
			}
		}
	}
}

func TestWhatIsNotTracedDoesNothing(t *testing.T) { //nolint:paralleltest // it counts allocations
	none, seen := tracer(0)
	for name, tr := range map[string]*Tracer{"no tracer": nil, "not in the sample": none} {
		n := tr.Begin("ehr.note", 17, time.Now())
		if n != nil {
			t.Errorf("%s: a note is traced", name)
		}
		n.Took("receive", time.Now(), time.Now())
		n.Step("resolve")()
		if ctx := n.Into(t.Context()); ctx != t.Context() {
			t.Errorf("%s: the context is another one", name)
		}
		Step(t.Context(), "detect")()
		n.End("")
	}
	if len(seen.GetSpans()) != 0 {
		t.Errorf("%d spans", len(seen.GetSpans()))
	}
	if allocated := testing.AllocsPerRun(100, func() {
		var n *Note
		n.Step("resolve")()
		Step(n.Into(context.Background()), "detect")()
		n.End("")
	}); allocated != 0 {
		t.Errorf("%v allocations", allocated)
	}
}

func TestTracesGoNowhereUnlessAskedFor(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
	tr, closer, err := Open(t.Context(), config.Tracing{}, "v1")
	if tr.On() || closer != nil || err != nil {
		t.Errorf("traces without being asked for: %v", err)
	}
	tr, closer, err = Open(t.Context(), config.Tracing{Endpoint: "http://127.0.0.1:1", Sample: 1}, "v1")
	if err != nil || !tr.On() {
		t.Fatal(err)
	}
	if err := closer(t.Context()); err != nil { // there is nothing to send
		t.Error(err)
	}
}
