package apply

import (
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/plain"
	"github.com/pgdeid/pgdeid/replicator/schema"
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
// dates that fit. A plain day would give the shift to a person who has the disk, so it is a
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
func (s *Store) dueLabel(patient string, day int) []byte {
	return s.key.HMAC("due", patient, strconv.Itoa(day))[:16]
}

// due returns when a version is due.
func (s *Store) due(v *Version) []byte {
	if s.plan.Config.Release.Mode != config.Delayed || v.patient == "" {
		return dueNext
	}
	today := calendarDay(s.Now())
	day := today + v.shift
	if v.copied() {
		day = s.shownDay(v, day)
	}
	if day <= today {
		return dueNext
	}
	return s.dueLabel(v.patient, day)
}

// copied reports whether v is of a row that the first copy read: nothing says when it
// arrived.
func (v *Version) copied() bool {
	c := v.Item.Change
	return c.Read && c.LSN == 0 && !v.Item.Fresh && !v.only
}

// shownDay returns the newest day that a row shows, or the lines of a note together: these
// become visible together. A text without a day may speak of today.
func (s *Store) shownDay(v *Version, last int) int {
	newest, dated := 0, false
	switch n := v.Item.Note(); {
	case n == nil:
		newest, dated = v.newestDay(last)
	case s.shown.note == n:
		return s.shown.day
	default:
		for _, l := range n.Lines() {
			day, ok := (&Version{Table: v.Table, Values: l.Out.Values}).newestDay(last)
			newest, dated = max(newest, day), dated || ok
		}
	}
	if !dated && v.Table.IsNote() {
		newest = last
	}
	s.shown.note, s.shown.day = v.Item.Note(), newest
	return newest
}

// newestDay returns the newest day that a row's own columns show, if it is not after
// last, which is today as moved for the patient: later days are plans. A date of birth says
// nothing of a row's age.
func (v *Version) newestDay(last int) (newest int, dated bool) {
	for i, c := range v.Table.Publish {
		col := &v.Table.Columns[c]
		if col.Publish == config.ByPath {
			return last, true // it may speak of today, as a text
		}
		if col.Publish != config.ShiftDate || col.Tells == record.BirthDate || i >= len(v.Values) || v.Values[i] == nil {
			continue
		}
		col.Each(*v.Values[i], func(text string) {
			d, err := plain.ParseDate(text, col.Order)
			if err != nil {
				return // infinity, before Christ: no day of an event
			}
			year, month, date := d.Time().Date()
			if day := calendarDay(time.Date(year, month, date, 0, 0, 0, 0, time.UTC)); day <= last {
				newest, dated = max(newest, day), true
			}
		})
	}
	return newest, dated
}

// print returns a keyed hash of the source's texts of a row, and of all lines of its note, or nil if the stream did
// not send them all.
func (s *Store) print(v *Version) []byte {
	if !v.Table.IsNote() {
		return dueNext
	}
	parts := []string{v.Table.ID}
	if n := v.Item.Note(); n != nil { // its lines are shown together
		parts = append(parts, string(n.Print()))
	}
	for _, c := range v.Table.Texts {
		value := v.Item.Change.Row[c]
		if value.State == schema.Unchanged {
			return nil
		}
		parts = append(parts, strconv.Itoa(int(value.State)), value.Text)
	}
	return s.key.HMAC("source text", parts...)[:16]
}

// queueRelease queues what becomes of the waiting and the released versions of rows
// that were written.
func (s *Store) queueRelease(batch *pgx.Batch, t *schema.Table, list []*Version) {
	if t.SQL.Release == nil {
		return
	}
	var removed, written, remade []*Version
	for _, v := range list {
		switch {
		case len(v.Key) == 0:
		case v.Remove:
			removed = append(removed, v)
		case v.only:
			remade = append(remade, v)
		default:
			written = append(written, v)
		}
	}
	if len(removed) > 0 {
		for _, sql := range t.SQL.Release.Withdraw {
			batch.Queue(sql, keyArrays(removed)...)
		}
	}
	s.queueVersions(batch, t.SQL.Release.Wait, slices.DeleteFunc(slices.Clone(written), (*Version).copied))
	s.queueVersions(batch, t.SQL.Release.Copy, slices.DeleteFunc(written, func(v *Version) bool { return !v.copied() }))
	s.queueVersions(batch, t.SQL.Release.Remake, remade)
}

// queueVersions queues statements with keys, due marks, patients and prints of rows.
func (s *Store) queueVersions(batch *pgx.Batch, statements []string, list []*Version) {
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
