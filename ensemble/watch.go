package ensemble

import "context"

// watchKey is that of a [Watch] in a context.
type watchKey struct{}

// Watch is called as a member begins to read a note, by its name, and what it returns as the member ends.
type Watch func(member string) (end func())

// WithWatch returns a context in which [Ensemble.Detect] tells w of its members.
func WithWatch(ctx context.Context, w Watch) context.Context {
	return context.WithValue(ctx, watchKey{}, w)
}

func unwatched() {}

// watch begins the work of a member.
func watch(ctx context.Context, member Detector) (end func()) {
	w, _ := ctx.Value(watchKey{}).(Watch)
	if w == nil {
		return unwatched
	}
	return w(member.Name())
}
