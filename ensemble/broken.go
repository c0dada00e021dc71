package ensemble

import (
	"fmt"
	"runtime"
)

// Broken is the error of a part of the program that panicked: which one, and where. What
// the panic said is left out, since it may quote a text.
type Broken struct {
	Part string   // "model lstm", "detector"
	Kind string   // the type of what the panic said
	At   []string // functions and lines on the stack, the innermost first
}

func (b *Broken) Error() string { return b.Part + " is broken: " + b.Kind }

// brokenFrames bounds how much of a stack is kept.
const brokenFrames = 16

// Recovered makes an error of what a deferred function has recovered.
func Recovered(part string, said any) *Broken {
	var pc [brokenFrames]uintptr
	frames := runtime.CallersFrames(pc[:runtime.Callers(3, pc[:])]) // without this one and the deferred one
	b := &Broken{Part: part, Kind: fmt.Sprintf("%T", said)}
	for {
		f, more := frames.Next()
		b.At = append(b.At, fmt.Sprintf("%s %s:%d", f.Function, f.File, f.Line))
		if !more {
			return b
		}
	}
}

// Guarded calls do, and returns a panic of it as an error.
func Guarded(part string, do func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = Recovered(part, v)
		}
	}()
	return do()
}
