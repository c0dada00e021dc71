package bench

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"testing"
)

func TestMedian(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		values []float64
		want   float64
	}{{nil, 0}, {[]float64{7}, 7}, {[]float64{9, 1}, 5}, {[]float64{3, 100, 2}, 3}, {[]float64{4, 1, 3, 2}, 2.5}} {
		before := append([]float64(nil), c.values...)
		if got := median(c.values); got != c.want {
			t.Errorf("median of %v is %g, want %g", c.values, got, c.want)
		}
		if !reflect.DeepEqual(before, c.values) {
			t.Errorf("median sorted its argument: %v", c.values)
		}
	}
}

// sampleReport is of two stages and a limit, in three rounds.
func sampleReport() *Report {
	r := &Report{
		Version: "test", Notes: 100, Patients: 20, Rounds: 3, BytesPerNote: 3000, Sizes: Sizes{3400, 3000, 1500},
		Machine: Machine{CPUs: 2, System: "linux amd64", PostgreSQL: "18.1", LoadBefore: [3]float64{1.5}, LoadAfter: [3]float64{2.5}},
		Stages: []Stage{
			{Name: "replica/write", Limit: "replica/native", Rates: []float64{50, 300, 80}, CPU: []float64{.001, .003, .002}, ServerCPU: []float64{.004, .005, .006}, What: "write"},
			{Name: "replica/native", Rates: []float64{100, 200, 100}, What: "native"},
			{Name: "other", Limit: "not measured", Rates: []float64{1, 2, 3}, What: "other"},
		},
	}
	r.summarize()
	return r
}

// Shares are those of the rounds, not of the medians: the machine was twice as fast in the second one.
func TestSharesAreOfRounds(t *testing.T) {
	t.Parallel()
	r := sampleReport()
	write := r.Find("replica/write")
	own, servers := write.MedianCPU()
	if write.Median != 80 || math.Abs(write.Share-0.8) > 1e-9 || own != .002 || servers != .005 {
		t.Errorf("%+v", write)
	}
	if other := r.Find("other"); other.Share != 0 || other.Median != 2 {
		t.Errorf("without its limit: %+v", other)
	}
	if r.Find("no such stage") != nil {
		t.Error("found what is not there")
	}
}

func TestWriteTable(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := sampleReport().WriteTable(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"100 notes of 3000 bytes", "2 cores", "PostgreSQL 18.1", "load 1.5 before, 2.5 after", "50 - 300", "2.00", "5.00", "80%", "3.4 KB of WAL", "1.5 KB in the vault",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

func TestJSONIsReadAgain(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	r := sampleReport()
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	got, err := ReadReport(&b)
	if err != nil || !reflect.DeepEqual(got, r) {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := ReadReport(strings.NewReader("no JSON")); err == nil {
		t.Error("took what is no report")
	}
}

// The format is that of https://go.dev/design/14313-benchmark-format: keys, then lines with a
// name, a count and pairs of value and unit.
func TestWriteGo(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := sampleReport().WriteGo(&b); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if len(lines) != 2+9 || lines[0] != "goos: linux" {
		t.Fatalf("%q", lines)
	}
	for _, line := range lines[2:] {
		fields := strings.Fields(line)
		if !strings.HasPrefix(fields[0], "Benchmark") || !strings.HasSuffix(fields[0], "-2") || fields[1] != "1" || len(fields)%2 != 0 {
			t.Errorf("%q", line)
		}
	}
	if want := "BenchmarkStage/replica/write-2 1 20000000 ns/note 50.0 notes/s 1000000 cpu-ns/note 4000000 server-cpu-ns/note"; lines[2] != want {
		t.Errorf("%q, want %q", lines[2], want)
	}
}

// What stays with a stream whose networks other machines run is all but rules and graphs, and unknown without a measure of the graphs.
func TestRatesOfNetworks(t *testing.T) {
	t.Parallel()
	r := sampleReport()
	r.Stages = append(r.Stages,
		Stage{Name: StreamRules, Rates: []float64{1000}, CPU: []float64{.002}},
		Stage{Name: NetworksCold, Rates: []float64{40}, CPU: []float64{.042}, RunsPerNote: 10},
	)
	if got := r.Rates(); math.Abs(got.NetworkRun-.004) > 1e-9 || got.AwayRun != 0 {
		t.Errorf("without graphs: %+v", got)
	}
	r.Stages = append(r.Stages, Stage{Name: GraphsAlone, Rates: []float64{80}}) // on two cores: 25 ms of one
	r.summarize()
	if got := r.Rates(); math.Abs(got.NetworkRun-.004) > 1e-9 || math.Abs(got.AwayRun-.0015) > 1e-9 {
		t.Errorf("%+v", got)
	}
	r.Find(GraphsAlone).Median = 10 // more than was used in all
	if got := r.Rates(); got.AwayRun != 0 {
		t.Errorf("%+v", got)
	}
}

func TestChosenStagesBringTheirLimits(t *testing.T) {
	t.Parallel()
	l := &lab{}
	for _, c := range []struct {
		only []string
		want string
	}{
		{[]string{"replica/w"}, "replica/native replica/write"},
		{[]string{"detect/", "copy/"}, "detect/rules copy/rules"},
		{[]string{"nothing"}, ""},
	} {
		o := Options{Only: c.only}
		var names []string
		for _, s := range o.chosen(l.stages(&Report{})) {
			names = append(names, s.Name)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%v: %s, want %s", c.only, got, c.want)
		}
	}
	for _, only := range [][]string{nil, {"stream/networks-w"}} {
		if o := (Options{Only: only}); len(o.chosen(networkNames)) == 0 {
			t.Errorf("%v: no networks", only)
		}
	}
	if o := (Options{Only: []string{"stream/rules"}}); len(o.chosen(networkNames)) != 0 {
		t.Error("networks without being asked for")
	}
}
