package session

import (
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/replicator/source"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// Every session, and each of its heartbeats, makes sure that the stream has the
// changes of all mapped tables: what the publication carries is compared with the
// plan, and with what it carried when the rows were copied. While it lacks something
// nothing is streamed: rows would go stale in silence, and notes would be searched
// without names that changed. Tables that changes may have passed by are copied
// again before the stream goes on.

// ErrUnpublished marks that the publication lacks something that it had before. It
// goes away once the publication is complete again.
var ErrUnpublished = errors.New("changes pass by the stream")

// ErrCopyAgain marks that tables must be copied again, which the next session does.
var ErrCopyAgain = errors.New("tables must be copied again")

// Advice says what a person can do about an error that may go away by itself.
func Advice(err error) string {
	switch fault.State(err) {
	case "53100":
		return "the disk of that server is full: make room, and it goes on by itself"
	case "53200":
		return "that server is out of memory"
	case "53300":
		return "raise max_connections of that server, or the role's connection limit"
	case "55006":
		return "another process streams from the slot, or one that died is not noticed yet"
	}
	return fault.Hint(err)
}

// ErrNotAlone means that another process copies or streams through the same slot.
var ErrNotAlone = errors.New("another pgdeid is active for this slot")

// Transient reports whether an error may go away by itself: a server that
// restarts, a network path that is cut, a full disk, a lock, a conflict. After it
// the run starts again from the position that the replica holds.
func Transient(err error) bool {
	for _, passing := range []error{
		vault.ErrStale, apply.ErrPurged, apply.ErrReplanned, ErrNotAlone, source.ErrStandby, source.ErrSilent, ErrUnpublished, ErrCopyAgain, io.EOF, io.ErrUnexpectedEOF, net.ErrClosed,
	} {
		if errors.Is(err, passing) {
			return true
		}
	}
	switch state := fault.State(err); {
	case state == "":
		var ne net.Error
		var ce *pgconn.ConnectError
		// Nothing was sent where the connection was found closed.
		return errors.As(err, &ne) || errors.As(err, &ce) || errors.Is(err, connect.ErrGone) || pgconn.SafeToRetry(err)
	case strings.HasPrefix(state, "08"), strings.HasPrefix(state, "40"), strings.HasPrefix(state, "53"),
		strings.HasPrefix(state, "57P"), strings.HasPrefix(state, "58"), state == "55006", state == "55P03", state == "57014",
		state == "25P03", state == "HV00N": // the foreign server can't reach the source
		return true
	}
	return false
}
