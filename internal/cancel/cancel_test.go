package cancel

import (
	"context"
	"errors"
	"testing"
)

func TestCancel(t *testing.T) {
	t.Parallel()
	why := errors.New("cancelled")
	keys := NewKeys(why)
	a, err := keys.Add()
	if err != nil {
		t.Fatal(err)
	}
	b, err := keys.Add()
	if err != nil || a.PID == b.PID || keys.Len() != 2 {
		t.Fatalf("%d keys, %v", keys.Len(), err)
	}
	if keys.Cancel(a.PID, a.Secret[:]) {
		t.Error("nothing runs, and it was cancelled")
	}
	ctx, stop := context.WithCancelCause(t.Context())
	a.Running(stop)
	other := a.Secret
	other[0]++
	for _, secret := range [][]byte{nil, a.Secret[:3], other[:], b.Secret[:]} {
		if string(secret) != string(a.Secret[:]) && keys.Cancel(a.PID, secret) {
			t.Errorf("a wrong secret of %d bytes cancels", len(secret))
		}
	}
	if ctx.Err() != nil || !keys.Cancel(a.PID, a.Secret[:]) || !errors.Is(context.Cause(ctx), why) {
		t.Errorf("%v", context.Cause(ctx))
	}
	a.Running(nil)
	if keys.Cancel(a.PID, a.Secret[:]) {
		t.Error("what has ended was cancelled")
	}
	keys.Remove(a)
	if keys.Cancel(a.PID, a.Secret[:]) || keys.Len() != 1 {
		t.Error("a key that was removed is known")
	}
}
