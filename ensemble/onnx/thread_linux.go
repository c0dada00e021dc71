//go:build native

package onnx

import (
	"runtime"
	"syscall"
	"time"
)

// threadTime calls f and returns what its thread has used of a core meanwhile: unlike the time on the
// wall it does not depend on what else the machine does.
func threadTime(f func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := usedByThread()
	f()
	return usedByThread() - before
}

func usedByThread() time.Duration {
	const thread = 1 // RUSAGE_THREAD
	var usage syscall.Rusage
	if err := syscall.Getrusage(thread, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
