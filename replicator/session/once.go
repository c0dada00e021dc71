package session

import (
	"context"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/apply"
)

// Once opens a session and a writer, and calls do with them.
func Once(ctx context.Context, o Options, do func(*Session, *apply.Writer) error) error {
	o, err := o.WithDefaults()
	if err != nil {
		return fault.New("start", err, "")
	}
	r, err := New(ctx, &o)
	if err != nil {
		return err
	}
	defer r.Close()
	w, err := r.NewWriter(ctx)
	if err != nil {
		return err
	}
	w.Beside = true
	return do(r, w)
}
