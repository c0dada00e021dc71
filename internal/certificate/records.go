package certificate

import (
	"net"
)

// recordBytes is the most that goes into one TLS record, as from PostgreSQL itself. libpq's asynchronous calls, which postgres_fdw makes,
// take of a record what they have room for and then wait for the socket: with longer records the rest, which was decrypted already, waits
// with them for ever.
const recordBytes = 8 << 10

// records is an encrypted connection that writes records of bounded length.
type records struct{ net.Conn }

func (r records) Write(p []byte) (int, error) {
	written := 0
	for {
		n, err := r.Conn.Write(p[written:min(len(p), written+recordBytes)])
		if written += n; err != nil || written == len(p) {
			return written, err
		}
	}
}
