package itest

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"
)

// soakSample is what a soak looked like at one moment.
type soakSample struct {
	at       time.Duration // since the soak began
	process  int
	resident float64 // bytes of memory
	lag      float64 // bytes of WAL that the replica has not applied
	retained float64 // bytes of WAL that the slot holds back

	heap, goroutines float64 // bytes that Go has allocated, garbage included
}

// soakFigures are the figures of a soak.
type soakFigures struct {
	samples     int
	resident    float64       // median of the last process
	slope       float64       // of its memory, bytes an hour
	growth      float64       // by that slope, over the time that it was watched
	heapSlope   float64       // bytes an hour: what Go has allocated, without what it keeps free
	goroutines  [2]float64    // medians of the first and the last third of that time
	watched     time.Duration // without the beginning, in which caches fill
	lag         [3]float64    // median, 95 of 100, highest
	lagThirds   [2]float64    // medians of the middle and the last third
	retainedMax float64
	slotThirds  [2]float64 // medians of the middle and the last third
}

// warmUp is the part of a process's life that its memory is not judged by.
const warmUp = 0.25

func figuresOf(samples []soakSample) (f soakFigures) {
	f.samples = len(samples)
	if len(samples) == 0 {
		return f
	}
	last := samples[len(samples)-1].process
	mine := slices.DeleteFunc(slices.Clone(samples), func(s soakSample) bool { return s.process != last })
	mine = mine[int(warmUp*float64(len(mine))):]
	f.watched = mine[len(mine)-1].at - mine[0].at
	resident := func(s soakSample) float64 { return s.resident }
	f.resident, f.slope = quantile(mine, 0.5, resident), slopeOf(mine, resident)
	f.growth = f.slope * f.watched.Hours()
	f.heapSlope = slopeOf(mine, func(s soakSample) float64 { return s.heap })
	goroutines, part := func(s soakSample) float64 { return s.goroutines }, len(mine)/3
	f.goroutines = [2]float64{quantile(mine[:part+1], 0.5, goroutines), quantile(mine[2*part:], 0.5, goroutines)}
	lag := func(s soakSample) float64 { return s.lag }
	f.lag = [3]float64{quantile(samples, 0.5, lag), quantile(samples, 0.95, lag), quantile(samples, 1, lag)}
	retained := func(s soakSample) float64 { return s.retained }
	f.retainedMax = quantile(samples, 1, retained)
	third := len(samples) / 3
	f.lagThirds = [2]float64{quantile(samples[third:2*third+1], 0.5, lag), quantile(samples[2*third:], 0.5, lag)}
	f.slotThirds = [2]float64{quantile(samples[third:2*third+1], 0.5, retained), quantile(samples[2*third:], 0.5, retained)}
	return f
}

// slopeOf returns by how much a value grows in an hour, by least squares.
func slopeOf(samples []soakSample, of func(soakSample) float64) float64 {
	n, x, y, xx, xy := float64(len(samples)), 0.0, 0.0, 0.0, 0.0
	for _, s := range samples {
		t, v := s.at.Hours(), of(s)
		x, y, xx, xy = x+t, y+v, xx+t*t, xy+t*v
	}
	if d := n*xx - x*x; d > 0 {
		return (n*xy - x*y) / d
	}
	return 0
}

func quantile(samples []soakSample, q float64, of func(soakSample) float64) float64 {
	values := make([]float64, len(samples))
	for i, s := range samples {
		values[i] = of(s)
	}
	slices.Sort(values)
	return values[min(int(q*float64(len(values))), len(values)-1)]
}

const megabyte = 1 << 20

// String says the figures to people.
func (f soakFigures) String() string {
	return fmt.Sprintf("%d samples; memory of the last process %.0f MB, slope %+.1f MB an hour (%+.1f MB in %s that were watched), of the heap %+.1f MB an hour, "+
		"%.0f then %.0f goroutines; "+
		"lag %.2f MB median, %.1f MB in 95 of 100, %.1f MB at most; WAL kept for the slot %.0f MB at most, %.1f MB then %.1f MB in the last thirds",
		f.samples, f.resident/megabyte, f.slope/megabyte, f.growth/megabyte, f.watched.Round(time.Second), f.heapSlope/megabyte, f.goroutines[0], f.goroutines[1],
		f.lag[0]/megabyte, f.lag[1]/megabyte, f.lag[2]/megabyte, f.retainedMax/megabyte, f.slotThirds[0]/megabyte, f.slotThirds[1]/megabyte)
}

// problems says what grows that must not.
func (f soakFigures) problems() (list []string) {
	if f.samples < 10 {
		return []string{"too few samples to say anything"}
	}
	if limit := max(f.resident/3, 32*megabyte); f.growth > limit {
		list = append(list, fmt.Sprintf("memory grew by %.0f MB", f.growth/megabyte))
	}
	if f.goroutines[1] > 1.2*f.goroutines[0]+5 {
		list = append(list, fmt.Sprintf("there are more and more goroutines: %.0f, then %.0f", f.goroutines[0], f.goroutines[1]))
	}
	if f.slotThirds[1] > 1.3*f.slotThirds[0]+32*megabyte {
		list = append(list, "the WAL that is kept for the slot grows")
	}
	if f.lagThirds[1] > 1.3*f.lagThirds[0]+8*megabyte {
		list = append(list, "the lag grows")
	}
	return list
}

func TestSoakFigures(t *testing.T) {
	t.Parallel()
	grow := func(resident, lag, retained, goroutines float64) []soakSample { // a sample a minute; by how much each grows in an hour
		var list []soakSample
		for i := range 60 {
			x, process := float64(i)/60, 1
			if i >= 20 {
				process = 2
			}
			wave := 3 * megabyte * math.Sin(float64(i))
			list = append(list, soakSample{
				at: time.Duration(i) * time.Minute, process: process, resident: 100*megabyte + wave + x*resident,
				lag: megabyte + x*lag, retained: 20*megabyte + x*retained, heap: 50*megabyte + x*resident, goroutines: 40 + x*goroutines,
			})
		}
		return list
	}
	for name, c := range map[string]struct {
		samples []soakSample
		want    int
	}{
		"flat":    {grow(0, 0, 0, 0), 0},
		"memory":  {grow(200*megabyte, 0, 0, 0), 1},
		"lag":     {grow(0, 200*megabyte, 0, 0), 1},
		"slot":    {grow(0, 0, 1000*megabyte, 0), 1},
		"all":     {grow(200*megabyte, 200*megabyte, 1000*megabyte, 100), 4},
		"shrinks": {grow(-50*megabyte, 0, 0, 0), 0},
		"leak":    {grow(0, 0, 0, 100), 1},
		"nothing": {nil, 1},
	} {
		f := figuresOf(c.samples)
		if got := f.problems(); len(got) != c.want {
			t.Errorf("%s: %q: %s", name, got, f)
		}
	}
	f := figuresOf(grow(200*megabyte, 0, 0, 0))
	if math.Abs(f.slope/megabyte-200) > 15 || math.Abs(f.heapSlope/megabyte-200) > 1 ||
		f.watched != 29*time.Minute || math.Abs(f.growth-f.slope*29/60) > 1 {
		t.Errorf("%+v", f)
	}
	if s := slopeOf([]soakSample{{resident: 5}}, func(s soakSample) float64 { return s.resident }); s != 0 {
		t.Errorf("slope %g of one sample", s)
	}
}
