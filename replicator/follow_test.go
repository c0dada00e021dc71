package replicator

import (
	"testing"
	"time"
)

func TestPace(t *testing.T) {
	t.Parallel()
	for timeout, want := range map[time.Duration]time.Duration{
		0: 10 * time.Second, time.Second: time.Second / 3, time.Minute: 10 * time.Second, 9 * time.Second: 3 * time.Second,
	} {
		if tick, silence := pace(timeout); tick != want || silence <= tick {
			t.Errorf("pace(%s) = %s, %s", timeout, tick, silence)
		}
	}
}
