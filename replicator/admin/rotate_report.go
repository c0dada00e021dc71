package admin

import (
	"fmt"
	"strings"

	"github.com/pgdeid/pgdeid/internal/review/store"
	"github.com/pgdeid/pgdeid/sql/rotation"
)

// Settled reports whether nothing is left to be done.
func (r *RotationReport) Settled() bool { return r.Phase == RotationDone || r.Phase == RotationNone }

// Summary says in some lines how far the change of the key is.
func (r *RotationReport) Summary() string {
	var b strings.Builder
	say := func(format string, args ...any) { _, _ = fmt.Fprintf(&b, format+"\n", args...) }
	switch r.Phase {
	case RotationNone:
		say("the replica is written with the key of key_file, epoch %d: nothing is to be changed", r.To)
	case RotationBegun:
		say("begun: rows are made with the key of epoch %d from now on; analysts read those of epoch %d, as of now", r.To, r.From)
		if c := r.Carried; c != nil && *c != (store.Rekeyed{}) {
			say("carried over: %d rounds of review, %d readings, %d repairs, %d phrases of the site", c.Rounds, c.Readings, c.Repairs, c.Phrases)
		}
		say("start 'pgdeid run', which copies all tables; then call 'pgdeid key rotate' again")
	case RotationCopying:
		say("epoch %d to %d: %d tables are still to be copied by 'pgdeid run': %s", r.From, r.To, len(r.Copying), strings.Join(r.Copying, ", "))
	case RotationUnreleased:
		say("epoch %d to %d: all tables are copied; analysts can read them after the next release: wait for it, or 'pgdeid release'", r.From, r.To)
	case RotationUnproven:
		r.writeProof(say)
		say("NOT changed: what the next key has not made is in the tables above; analysts read the rows of epoch %d", r.From)
	case RotationDone:
		r.writeProof(say)
		writeCounts(say, r.Before, r.After)
		say("done: analysts read the rows of epoch %d, and nothing of epoch %d is left", r.To, r.From)
		say("take old_key_file out of the configuration, and destroy the key of before with all backups of the replica made with it")
	}
	return b.String()
}

// writeProof lists what was looked at.
func (r *RotationReport) writeProof(say func(format string, args ...any)) {
	for _, t := range r.Tables {
		say("%-40s %12d rows, %d of another key", t.Table, t.Rows, t.Foreign)
	}
	for _, t := range r.Vault {
		say("%-40s %12d values, %d of another key", t.Table, t.Values, t.Foreign)
	}
	for _, what := range r.Broken {
		say("%-40s had rows before and finds none now", what)
	}
}

// writeCounts lists tables and joins before and after.
func writeCounts(say func(format string, args ...any), before, after []rotation.TableCount) {
	now := map[string]rotation.TableCount{}
	for _, t := range after {
		now[t.Table] = t
	}
	for _, t := range before {
		say("%-40s %12d rows before, %d now", t.Table, t.Rows, now[t.Table].Rows)
		for i, j := range t.Joins {
			if i < len(now[t.Table].Joins) {
				n := now[t.Table].Joins[i]
				say("  %-38s %12d of %d found before, %d of %d now", j.Column+" in "+j.Other, j.Found, j.Filled, n.Found, n.Filled)
			}
		}
	}
}
