//go:build !linux

package bench

import (
	"time"

	"github.com/pgdeid/pgdeid/replicator/sandbox"
)

// serverTime returns 0: it is known on Linux alone.
func serverTime(...*sandbox.Server) time.Duration { return 0 }

// processTime returns 0: it is known on Linux alone.
func processTime(int) time.Duration { return 0 }
