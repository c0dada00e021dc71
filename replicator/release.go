package replicator

import (
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/config"
)

// A row that becomes visible on the day of its event gives away by how much its
// patient's dates are moved: today minus the day that it shows. Where the mapping asks
// for it, the rows that analysts read are therefore not those that are written:
//
//	rows      every change, at once, as always
//	waiting   versions of rows that are not released, each with the day it is due
//	released  what analysts read
//
// All three are written in the transaction that stores the position, so nothing about
// exactly once changes, and versions are moved in one transaction over all tables: who
// reads them sees the state of one moment.
//
// In batches every version is due at the next release. Delayed, a version is due when
// the day of its arrival, moved as the dates of its patient are, has come: what is
// seen of a patient is what a live replica would have shown so many days ago, with
// dates that fit. A plain day would give the shift to who has the disk, so it is a
// keyed hash of patient and day, and the process that releases asks for the hashes of
// the days that have passed.
//
// What must go does not wait: a row that is deleted or set aside leaves all three at
// once, and a text that is made anew, since a name was learned, is repaired where the
// same text of the source is shown, and withdrawn elsewhere. That something left shows
// that there was a reason, and neither a date nor whose it was.

// dueNext marks versions that are due at the next release.
var dueNext = []byte{}

// calendarDay returns the day of a moment, counted from 1970 in UTC.
func calendarDay(t time.Time) int { return int(t.UTC().Unix() / 86400) }

// dueLabel returns the mark of versions of a patient that are due on a day.
func (s *store) dueLabel(patient string, day int) []byte {
	return s.key.HMAC("due", patient, strconv.Itoa(day))[:16]
}

// due returns when a version is due.
func (s *store) due(v *version) []byte {
	if s.plan.config.Release.Mode != config.Delayed || v.patient == "" {
		return dueNext
	}
	today := calendarDay(s.now())
	day := today + v.shift
	if v.copied() {
		day = v.shownDay(day)
	}
	if day <= today {
		return dueNext
	}
	return s.dueLabel(v.patient, day)
}

// copied reports whether v is of a row that the first copy read: nothing says when it
// arrived.
func (v *version) copied() bool {
	c := v.item.change
	return c.read && c.lsn == 0 && !v.item.fresh && !v.only
}

// shownDay returns the newest day that a row's own columns show, if it is not after
// last, which is today as moved for the patient: later days are plans. A text without
// such a column may speak of today. A date of birth says nothing of a row's age.
func (v *version) shownDay(last int) int {
	newest, dated := 0, false
	for i, c := range v.table.publish {
		col := &v.table.columns[c]
		if col.Publish != config.ShiftDate || col.Tells == record.BirthDate || v.values[i] == nil {
			continue
		}
		text := *v.values[i]
		at, err := time.Parse(time.DateOnly, text[:min(len(text), len(time.DateOnly))])
		if err != nil {
			continue // infinity, before Christ: no day of an event
		}
		if day := calendarDay(at); day <= last {
			newest, dated = max(newest, day), true
		}
	}
	if !dated && v.table.isNote() {
		return last
	}
	return newest
}

// print returns a keyed hash of the source's texts of a row, or nil if the stream did
// not send them all.
func (s *store) print(v *version) []byte {
	if !v.table.isNote() {
		return dueNext
	}
	parts := []string{v.table.id}
	for _, c := range v.table.texts {
		value := v.item.change.row[c]
		if value.state == unchanged {
			return nil
		}
		parts = append(parts, strconv.Itoa(int(value.state)), value.text)
	}
	return s.key.HMAC("source text", parts...)[:16]
}

// queueRelease queues what becomes of the waiting and the released versions of rows
// that were written.
func (s *store) queueRelease(batch *pgx.Batch, t *table, list []*version) {
	if t.sql.release == nil {
		return
	}
	var removed, written, remade []*version
	for _, v := range list {
		switch {
		case len(v.key) == 0:
		case v.remove:
			removed = append(removed, v)
		case v.only:
			remade = append(remade, v)
		default:
			written = append(written, v)
		}
	}
	if len(removed) > 0 {
		for _, sql := range t.sql.release.withdraw {
			batch.Queue(sql, keyArrays(removed)...)
		}
	}
	s.queueVersions(batch, t.sql.release.wait, slices.DeleteFunc(slices.Clone(written), (*version).copied))
	s.queueVersions(batch, t.sql.release.copy, slices.DeleteFunc(written, func(v *version) bool { return !v.copied() }))
	s.queueVersions(batch, t.sql.release.remake, remade)
}

// queueVersions queues statements with keys, due marks, patients and prints of rows.
func (s *store) queueVersions(batch *pgx.Batch, statements []string, list []*version) {
	if len(list) == 0 {
		return
	}
	var due, prints [][]byte
	var patients []string
	for _, v := range list {
		due, patients, prints = append(due, s.due(v)), append(patients, v.patient), append(prints, s.print(v))
	}
	args := append(keyArrays(list), due, patients, prints)
	for _, sql := range statements {
		batch.Queue(sql, args...)
	}
}
