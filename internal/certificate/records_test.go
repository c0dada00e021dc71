package certificate

import (
	"bytes"
	"net"
	"testing"
)

// sizes notes how long each write is.
type sizes struct {
	net.Conn

	all   bytes.Buffer
	write []int
}

func (s *sizes) Write(p []byte) (int, error) {
	s.write = append(s.write, len(p))
	return s.all.Write(p)
}

func TestRecordsAreBounded(t *testing.T) {
	for n, want := range map[int]int{0: 1, 1: 1, recordBytes: 1, recordBytes + 1: 2, 5*recordBytes - 1: 5} {
		to := &sizes{}
		in := bytes.Repeat([]byte("0123456789"), n/10+1)[:n]
		if got, err := (records{to}).Write(in); got != n || err != nil || len(to.write) != want || !bytes.Equal(to.all.Bytes(), in) {
			t.Errorf("%d bytes: wrote %d in %d, %v", n, got, len(to.write), err)
		}
		for _, size := range to.write {
			if size > recordBytes {
				t.Errorf("%d bytes in one record", size)
			}
		}
	}
}
