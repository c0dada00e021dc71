//go:build unix

package bench

import (
	"syscall"
	"time"
)

// cpuTime returns what this process has used of all cores so far. Unlike the time on the wall it does
// not depend on what else the machine does.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
