//go:build !unix

package bench

import "time"

// cpuTime returns 0: it is known on Unix alone.
func cpuTime() time.Duration { return 0 }
