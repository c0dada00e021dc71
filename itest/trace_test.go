package itest

import (
	"fmt"
	"strings"
	"testing"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/pgdeid/pgdeid/replicator"
	"github.com/pgdeid/pgdeid/replicator/trace"
)

// The way of a note from the source's message to the commit is one trace, without a word of the note.
func TestANoteIsTraced(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t)).exactly(t)
	do(t, r.src, patients)
	o, _ := r.options(t, exactDetector(t))
	if err := replicator.Snapshot(t.Context(), o, false); err != nil {
		t.Fatal(err)
	}
	seen := tracetest.NewInMemoryExporter()
	o.Trace = trace.NewTracer(trace.NewProvider(1, "v1", sdk.WithSyncer(seen)))
	r.runWith(t, o)
	r.streaming(t)
	do(t, r.src, "insert into ehr.note values (4711, 1, '2021-03-04', 'new', 'Zebulon Quarkstein, MR-4711'); insert into ehr.visit values (9, 1, null)")
	r.caughtUp(t)
	spans := seen.GetSpans()
	names, steps := map[string]string{}, map[string]int{}
	for _, s := range spans {
		names[s.SpanContext.SpanID().String()] = s.Name
	}
	for _, s := range spans {
		steps[names[s.Parent.SpanID().String()]+"/"+s.Name]++
		if s.SpanContext.TraceID() != spans[0].SpanContext.TraceID() {
			t.Errorf("%s is in a trace of its own", s.Name)
		}
		said := fmt.Sprintf("%s %v %v %v", s.Name, s.Attributes, s.Events, s.Status)
		for _, planted := range []string{"Zebulon", "Quarkstein", "4711", r.patient(1), r.note(4711)} {
			if strings.Contains(said, planted) {
				t.Errorf("a span says %s: %s", planted, said)
			}
		}
	}
	for _, step := range []string{"/note", "note/receive", "note/decode", "note/resolve", "note/detect", "detect/member record", "note/replace", "note/commit"} {
		if steps[step] != 1 {
			t.Errorf("%d spans %s of %v", steps[step], step, steps)
		}
	}
}
