//go:build native && !linux

package onnx

import "time"

// threadTime calls f and returns how long it took: what a thread uses of a core is known on Linux alone.
func threadTime(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}
