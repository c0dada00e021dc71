package replicator

import (
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/source"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// transient reports whether an error may go away by itself: a server that
// restarts, a network path that is cut, a full disk, a lock, a conflict. After it
// the run starts again from the position that the replica holds.
func transient(err error) bool {
	for _, passing := range []error{
		vault.ErrStale, errNotAlone, source.ErrStandby, source.ErrSilent, errUnpublished, errCopyAgain, io.EOF, io.ErrUnexpectedEOF, net.ErrClosed,
	} {
		if errors.Is(err, passing) {
			return true
		}
	}
	switch state := fault.State(err); {
	case state == "":
		var ne net.Error
		var ce *pgconn.ConnectError
		return errors.As(err, &ne) || errors.As(err, &ce) || errors.Is(err, connect.ErrGone)
	case strings.HasPrefix(state, "08"), strings.HasPrefix(state, "40"), strings.HasPrefix(state, "53"),
		strings.HasPrefix(state, "57P"), strings.HasPrefix(state, "58"), state == "55006", state == "55P03", state == "57014",
		state == "25P03", state == "HV00N": // the foreign server can't reach the source
		return true
	}
	return false
}
