//go:build native

package onnx

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/ensemble"
)

// benchFolder names the environment variable with the folder of the model to measure;
// without it a tiny network is, which shows what everything around a network costs.
const benchFolder = "PGDEID_BENCH_MODEL"

// benchSentences are made up; %s is a name, %d a number, so that few of them repeat.
var benchSentences = []string{
	"Mr. %s is a %d-year-old man with hypertension who comes in for chest pain.\n",
	"Blood pressure %d/80, pulse %d, afebrile, oxygen saturation %d%% on room air.\n",
	"He was seen by Dr. %s in the clinic and takes lisinopril %d mg daily.\n",
	"ASSESSMENT AND PLAN:\n",
	"1. Diabetes, type 2: continue metformin %d mg twice daily, check A1c in %d months.\n",
	"The patient denies fever, chills, nausea, vomiting, diarrhea or any other complaint at this time.\n",
	"Lives with his wife %s in Quillburg, works as a roofer.\n",
	"Electrocardiogram shows sinus rhythm at %d beats per minute without acute ischemic changes, unchanged from %d.\n",
	"Signed: %s, MD\n\n",
}

func benchNote(rng *rand.Rand) string {
	names := []string{"Ann Moss", "Wibberley", "Zoe Quill", "Ben Ash", "OTTO LINDQVIST", "Mary-Lou O'Brannock"}
	var b strings.Builder
	for range 4 {
		for _, s := range benchSentences {
			for strings.Contains(s, "%s") {
				s = strings.Replace(s, "%s", names[rng.IntN(len(names))], 1)
			}
			for strings.Contains(s, "%d") {
				s = strings.Replace(s, "%d", strconv.Itoa(rng.IntN(1000)), 1)
			}
			b.WriteString(s)
		}
	}
	return b.String()
}

func BenchmarkMembers(b *testing.B) {
	r := openForTest(b)
	folder, opts := os.DirFS(os.Getenv(benchFolder)), ModelOptions{Unverified: true}
	if os.Getenv(benchFolder) == "" {
		folder = wordFolder(b)
	}
	for _, c := range []struct {
		name    string
		cache   int
		members int
	}{{"no cache", -1, 1}, {"cache, one member", 0, 1}, {"cache, five members", 0, 5}} {
		b.Run(c.name, func(b *testing.B) {
			opts.Cache = c.cache
			m, err := r.Load("bench", folder, opts)
			if err != nil {
				b.Fatal(err)
			}
			var members []ensemble.Detector
			for i := range c.members {
				members = append(members, newMember(b, m, MemberOptions{Name: fmt.Sprint("member", i)}))
			}
			benchMembers(b, m, members)
		})
	}
}

// benchMembers runs members over notes as the workers of a replication do: each worker
// a note at a time, one member after the other.
func benchMembers(b *testing.B, m *Model, members []ensemble.Detector) {
	b.Helper()
	rng := rand.New(rand.NewPCG(1, 1))
	sentences, bytes, before := 0, 0, cpuTime(b)
	for b.Loop() {
		notes := make(chan string)
		group, ctx := errgroup.WithContext(context.Background())
		for range runtime.GOMAXPROCS(0) {
			group.Go(func() error {
				for text := range notes {
					note := &ensemble.Note{Text: text}
					for _, d := range members {
						if _, err := d.Detect(ctx, note, nil); err != nil {
							return err
						}
					}
				}
				return nil
			})
		}
		for range 20 {
			text := benchNote(rng)
			sentences += len((&ensemble.Note{Text: text}).View().Sentences())
			bytes += len(text)
			notes <- text
		}
		close(notes)
		if err := group.Wait(); err != nil {
			b.Fatal(err)
		}
	}
	s, used := m.Stats(), cpuTime(b)-before
	b.SetBytes(int64(bytes / b.N))
	b.ReportMetric(float64(sentences)/b.Elapsed().Seconds(), "sentences/s")
	b.ReportMetric(float64(used.Microseconds())/float64(sentences), "cpu-us/sentence")
	b.ReportMetric(float64(s.Hits)/float64(s.Sentences)*100, "%hits")
	b.ReportMetric(float64(s.Padding)/float64(max(s.Cells, 1))*100, "%padding")
	b.ReportMetric(float64(s.Windows)/float64(max(s.Batches, 1)), "windows/batch")
}

// cpuTime is what this process has used of all cores so far. Unlike the time on the
// wall it does not depend on what else the machine does.
func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
