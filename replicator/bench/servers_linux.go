package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/pgdeid/pgdeid/replicator/sandbox"
)

// tick is the unit in which /proc counts the time of processes, the same on all of Linux' platforms.
const tick = 10 * time.Millisecond

// serverTime returns what the processes of servers have used of all cores so far.
func serverTime(servers ...*sandbox.Server) (used time.Duration) {
	parents := map[int]bool{}
	for _, s := range servers {
		if pid, err := postmaster(s); err == nil {
			parents[pid] = true
		}
	}
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return 0
	}
	for _, file := range files {
		text, err := os.ReadFile(file) // #nosec G304 -- of the kernel
		if err != nil {
			continue // it has ended
		}
		if p, ok := parseStat(string(text)); ok && (parents[p.parent] || parents[p.pid]) {
			used += p.used
			if parents[p.pid] {
				used += p.ended
			}
		}
	}
	return used
}

// postmaster returns the number of a server's first process.
func postmaster(s *sandbox.Server) (int, error) {
	text, err := os.ReadFile(filepath.Join(filepath.Dir(s.Log()), "data", "postmaster.pid"))
	if err != nil {
		return 0, err
	}
	first, _, _ := strings.Cut(string(text), "\n")
	return strconv.Atoi(first)
}

// stat is what /proc/PID/stat says of a process.
type stat struct {
	pid, parent int
	used, ended time.Duration // by it, and by children that have ended
}

// parseStat reads a line of /proc/PID/stat: see proc_pid_stat(5). The second field, a name in
// brackets, may hold anything.
func parseStat(line string) (p stat, ok bool) {
	first, _, _ := strings.Cut(line, " ")
	at := strings.LastIndexByte(line, ')')
	if at < 0 {
		return p, false
	}
	var state string
	var user, system, endedUser, endedSystem int64
	skip := new(string)
	_, err := fmt.Sscan(line[at+1:], &state, &p.parent, skip, skip, skip, skip, skip, skip, skip, skip, skip,
		&user, &system, &endedUser, &endedSystem)
	if err != nil {
		return p, false
	}
	p.pid, err = strconv.Atoi(first)
	p.used, p.ended = time.Duration(user+system)*tick, time.Duration(endedUser+endedSystem)*tick
	return p, err == nil
}

// processTime returns what a process has used of all cores so far, 0 where it is gone.
func processTime(pid int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	p, _ := parseStat(string(text))
	return p.used
}
