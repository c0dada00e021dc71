package session

import (
	"context"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// Once opens a session and calls do with it.
func Once(ctx context.Context, o Options, do func(*Session) error) error {
	o, err := o.WithDefaults()
	if err != nil {
		return fault.New("start", err, "")
	}
	s, err := New(ctx, &o)
	if err != nil {
		return err
	}
	defer s.Close()
	return do(s)
}
