//go:build native

package remote

import (
	"log/slog"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/ensemble/synth"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/models"
)

// The shipped networks find the same where a worker runs them, over the whole way there and back.
func TestShippedNetworksFindTheSameElsewhere(t *testing.T) {
	plan, err := models.NewPlan([]config.Model{{Default: true}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	plan.Remember(-1) // every sentence is asked for each time
	set, err := plan.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	ens, err := set.Ensemble(1)
	if err != nil {
		t.Fatal(err)
	}
	const notes = 5
	h, err := synth.NewHospital(4, synth.Options{Patients: 1, Notes: notes})
	if err != nil {
		t.Fatal(err)
	}
	search := func() (all [notes][]phi.Span) {
		var g sync.WaitGroup
		for i := range notes {
			d := h.Note(i)
			g.Go(func() {
				note := &ensemble.Note{Text: d.Text, Patient: record.NewGazetteer(d.Patient.Record())}
				spans, err := ens.Detect(t.Context(), note)
				if err != nil {
					t.Error(err)
				}
				all[i] = spans
			})
		}
		g.Wait()
		return all
	}
	here := search()

	s := newSite(t)
	hello := Hello{Version: "test", Runtime: set.Runtime().Version(), Networks: set.Runtime().Networks(), Cores: 2}
	if len(hello.Networks) < 2 {
		t.Fatalf("%+v", hello)
	}
	d := s.serve(t, hello, set.Runtime().Answer, time.Minute)
	pool := NewPool(Options{
		Addresses: []string{d.address}, Hello: hello, Sender: set.Runtime(), Log: slog.New(slog.DiscardHandler), Secured: s.client,
	})
	start(t, pool)
	eventually(t, "the worker works", func() bool { return state(t, pool, d.address) == Up })
	for range 20 { // this machine's cores may have been faster
		if !reflect.DeepEqual(search(), here) {
			t.Fatal("a worker finds something else")
		}
		if value(t, pool.metrics.windows.WithLabelValues(d.address)) > 0 {
			return
		}
	}
	t.Error("no window was sent")
}
