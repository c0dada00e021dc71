package tables

import (
	"fmt"
	"hash/maphash"
	"sync"
	"time"

	"github.com/pgdeid/pgdeid/internal/login"
	"github.com/pgdeid/pgdeid/replicator/pgwire"
)

// quotas count what users asked within the last hour, to the minute. They are of this process: a restart forgets them. Memory is bounded
// by the limits and the users' file.
type quotas struct {
	now  func() time.Time
	seed maphash.Seed

	mu    sync.Mutex
	users map[string]*quota
}

// window is how long what was asked counts, in minutes.
const window = 60

// quota is what one user asked.
type quota struct {
	minute   int64            // the last one that notes were counted in
	notes    [window]int      // by minute
	patients map[uint64]int64 // the minute of the last question, by a hash of the pseudonym
	swept    int64            // the minute when old patients were last forgotten
}

func newQuotas(now func() time.Time) *quotas {
	return &quotas{now: now, seed: maphash.MakeSeed(), users: map[string]*quota{}}
}

// take counts notes and patients of a user. Where that is beyond a limit, nothing is counted, and it returns which limit and an error.
func (q *quotas) take(user string, limits login.Limits, notes int, patients []string) (string, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	u := q.users[user]
	if u == nil {
		u = &quota{patients: map[uint64]int64{}}
		q.users[user] = u
	}
	minute := q.now().Unix() / 60
	if limits.Notes > 0 && u.notesUntil(minute)+notes > limits.Notes {
		return "notes", beyond("notes", limits.Notes)
	}
	if limits.Patients > 0 && !u.admit(minute, q.hashes(patients), limits.Patients) {
		return "patients", beyond("patients", limits.Patients)
	}
	if limits.Notes > 0 {
		u.notes[minute%window] += notes
	}
	return "", nil
}

func beyond(what string, limit int) error {
	return &pgwire.Error{
		State: stateLimit, Message: fmt.Sprintf("the user would ask about more than %d %s within an hour", limit, what),
		Hint: fmt.Sprintf("wait, or have the limit raised: %[1]s=… in the user's line, or --%[1]s-per-hour of 'pgdeid serve'", what),
	}
}

func (q *quotas) hashes(patients []string) map[uint64]bool {
	set := make(map[uint64]bool, len(patients))
	for _, p := range patients {
		set[maphash.String(q.seed, p)] = true
	}
	return set
}

// notesUntil forgets the minutes that are over and returns how many notes are left.
func (u *quota) notesUntil(minute int64) int {
	for m := max(u.minute+1, minute-window+1); m <= minute; m++ {
		u.notes[m%window] = 0
	}
	u.minute = max(u.minute, minute)
	sum := 0
	for _, n := range u.notes {
		sum += n
	}
	return sum
}

// admit notes patients if no more than limit of them were asked about within the hour.
func (u *quota) admit(minute int64, patients map[uint64]bool, limit int) bool {
	if u.swept < minute {
		for p, last := range u.patients {
			if last <= minute-window {
				delete(u.patients, p)
			}
		}
		u.swept = minute
	}
	fresh := 0
	for p := range patients {
		if _, ok := u.patients[p]; !ok {
			fresh++
		}
	}
	if len(u.patients)+fresh > limit {
		return false
	}
	for p := range patients {
		u.patients[p] = minute
	}
	return true
}
