//go:build native && unix

package remote

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/ensemble/synth"
	"github.com/pgdeid/pgdeid/internal/certificate"
	"github.com/pgdeid/pgdeid/internal/certificate/certificatetest"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/models"
)

// workerVariable has this test program be a detection worker, whose certificate is in the folder that it names.
const workerVariable = "PGDEID_TEST_DETECTION_WORKER"

// openModels opens the models of the program, those that are no networks alone where fast says so.
func openModels(b *testing.B, fast bool, remember int) *models.Set {
	b.Helper()
	plan, err := models.NewPlan([]config.Model{{Default: true, Fast: fast}}, nil)
	if err != nil {
		b.Fatal(err)
	}
	plan.Remember(remember)
	set, err := plan.Open()
	if err != nil {
		b.Fatal(err)
	}
	return set
}

func helloOfSet(set *models.Set) Hello {
	return Hello{Version: "bench", Runtime: set.Runtime().Version(), Networks: set.Runtime().Networks(), Cores: runtime.GOMAXPROCS(0)}
}

// BenchmarkWorkerProcess is the worker of the benchmark below, and skips in any other process.
func BenchmarkWorkerProcess(b *testing.B) {
	folder := os.Getenv(workerVariable)
	if folder == "" {
		b.Skip("it is the other end of BenchmarkAway")
	}
	set := openModels(b, false, 1)
	defer set.Close()
	secured, err := certificate.Mutual{
		CertFile: folder + "/here.pem", KeyFile: folder + "/here.key", AuthorityFile: folder + "/authority.pem",
	}.Server()
	if err != nil {
		b.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	fmt.Println("\nlistening", l.Addr()) // for the process that started this one
	if err := NewServer(helloOfSet(set), set.Runtime(), 0, slog.Default()).Serve(b.Context(), l, secured); err != nil {
		b.Fatal(err)
	}
}

// startWorker starts a worker in a process of its own and returns its address.
func startWorker(b *testing.B, folder string) string {
	b.Helper()
	cmd := exec.Command(os.Args[0], "-test.run", "^$", "-test.bench", "^BenchmarkWorkerProcess$", "-test.benchtime", "1x")
	cmd.Env = append(os.Environ(), workerVariable+"="+folder)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if address, ok := strings.CutPrefix(lines.Text(), "listening "); ok {
			return address
		}
	}
	b.Fatal("the worker does not start")
	return ""
}

// cpu returns what this process used of all cores so far.
func cpu(b *testing.B) time.Duration {
	b.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// benchNotes is how many notes are searched.
const benchNotes = 150

// BenchmarkAway searches notes with the default ensemble, caches empty, without networks, with those of this process alone, and with
// a worker's too. It reports what this process used of its cores for a note, the graphs of its networks left out, and how many windows
// a note had and how many of them were sent: so what a window costs that is sent, and one that is run here.
func BenchmarkAway(b *testing.B) {
	folder := b.TempDir()
	here := certificatetest.New(b, folder).Issue(b, "here")
	address := startWorker(b, folder)
	for _, c := range []struct {
		name       string
		fast, away bool
	}{{"no networks", true, false}, {"here", false, false}, {"away", false, true}} {
		b.Run(c.name, func(b *testing.B) {
			var l load
			for b.Loop() {
				set := openModels(b, c.fast, 0)
				if c.away {
					l.away(b, set, address, here)
				} else {
					l.search(b, set)
				}
				if err := set.Close(); err != nil {
					b.Fatal(err)
				}
			}
			l.report(b)
		})
	}
}

// load is what searching costs a process.
type load struct {
	used, graphs time.Duration
	windows      float64
	sent         float64
}

func (l *load) report(b *testing.B) {
	b.Helper()
	notes := float64(b.N * benchNotes)
	b.ReportMetric(1000*(l.used-l.graphs).Seconds()/notes, "own-ms/note")
	b.ReportMetric(1000*l.graphs.Seconds()/notes, "graphs-ms/note")
	b.ReportMetric(l.windows/notes, "windows/note")
	b.ReportMetric(l.sent/notes, "sent/note")
}

// benchHospital are notes with what is known of their patients.
var benchHospital = sync.OnceValues(func() ([]ensemble.Note, error) {
	h, err := synth.NewHospital(1, synth.Options{Patients: benchNotes / 30, Notes: benchNotes})
	if err != nil {
		return nil, err
	}
	staff := record.NewGazetteer(h.Directory())
	known := map[int64]*record.Gazetteer{}
	notes := make([]ensemble.Note, benchNotes)
	for i := range notes {
		d := h.Note(i)
		if known[d.Patient.ID] == nil {
			known[d.Patient.ID] = record.NewGazetteer(d.Patient.Record())
		}
		notes[i] = ensemble.Note{Text: d.Text, Patient: known[d.Patient.ID], Directory: staff}
	}
	return notes, nil
})

// search searches all notes and adds what that cost.
func (l *load) search(b *testing.B, set *models.Set) {
	b.Helper()
	notes, err := benchHospital()
	if err != nil {
		b.Fatal(err)
	}
	ens, err := set.Ensemble(1)
	if err != nil {
		b.Fatal(err)
	}
	next := make(chan ensemble.Note, len(notes))
	for _, n := range notes {
		next <- n
	}
	close(next)
	begun := cpu(b)
	var g sync.WaitGroup
	for range 34 { // as a stream with one worker has
		g.Go(func() {
			for n := range next {
				if _, err := ens.Detect(b.Context(), &n); err != nil {
					b.Error(err)
				}
			}
		})
	}
	g.Wait()
	l.used += cpu(b) - begun
	for _, s := range set.Stats() {
		l.graphs += s.Running
		l.windows += float64(s.Windows)
	}
}

// away is search with a worker.
func (l *load) away(b *testing.B, set *models.Set, address string, here certificate.Mutual) {
	b.Helper()
	pool := NewPool(Options{
		Addresses: []string{address}, Hello: helloOfSet(set), Sender: set.Runtime(), Log: slog.New(slog.DiscardHandler),
		Secured: func() (*tls.Config, error) { return here.Client() },
	})
	ctx, cancel := context.WithCancel(b.Context())
	var running sync.WaitGroup
	running.Go(func() { pool.Run(ctx) })
	for value(b, pool.metrics.state.WithLabelValues(address, string(Up))) == 0 {
		time.Sleep(10 * time.Millisecond)
	}
	l.search(b, set)
	cancel()
	running.Wait()
	l.sent += value(b, pool.metrics.windows.WithLabelValues(address))
}
