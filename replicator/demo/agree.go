package demo

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/eval/score"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/eval"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/ensemble/synth"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// Agreement reports whether tables and notes of the replica say the same of a patient.
type Agreement struct {
	Names, NamesAgree   int // notes that name the patient as the table does
	Shifts, ShiftsAgree int // rows moved by the one shift of their patient
	Dates, DatesAgree   int // whole dates in notes moved by that shift
}

// Holds reports whether no name and no row disagrees. A date in prose that does is one
// that was not found, which recall counts.
func (a Agreement) Holds() bool { return a.Names == a.NamesAgree && a.Shifts == a.ShiftsAgree }

// agree compares every published note with its source and its patient's row.
func (w *world) agree(ctx context.Context, conn *pgx.Conn) (Agreement, error) {
	var a Agreement
	documents := map[int64]synth.Document{}
	for i := range w.Notes + w.Live {
		d := w.hospital.Note(i)
		documents[w.noteKey(&d)] = d
	}
	shifts := map[string]int{}
	err := vault.NewReader(conn, w.key).Shifts(ctx, vault.Filter{}, func(s vault.Shift) error {
		shifts[s.Patient] = s.Days
		return nil
	})
	if err != nil {
		return a, err
	}
	rows, err := conn.Query(ctx, `
		select n.note_id, n.written_at, n.body, p.last_name, n.patient_id::text from ehr.note n join ehr.patient p using (patient_id)`)
	if err != nil {
		return a, fault.New("compare notes with tables", err, "")
	}
	var key int64
	var written time.Time
	var body, last, patient string
	_, err = pgx.ForEachRow(rows, []any{&key, &written, &body, &last, &patient}, func() error {
		if d, ok := documents[key]; ok {
			a.note(&d, written, body, last, shifts[patient])
		}
		return nil
	})
	return a, fault.New("compare notes with tables", err, "")
}

func (a *Agreement) note(d *synth.Document, written time.Time, body, last string, days int) {
	a.Shifts++
	if written.Equal(d.When.Truncate(time.Minute).AddDate(0, 0, days)) {
		a.ShiftsAgree++
	}
	named := false
	folded := strings.ToLower(body)
	for _, s := range d.Spans {
		text := d.Text[s.Start:s.End]
		switch {
		case s.Type == phi.Patient && !named && text == d.Patient.Name.Last:
			named = true
			a.Names++
			if strings.Contains(folded, strings.ToLower(last)) {
				a.NamesAgree++
			}
		case s.Type == phi.Date:
			a.date(text, folded, days)
		}
	}
}

// wholeLayouts are layouts of dates that say day, month and all of the year.
var wholeLayouts = []string{"01/02/2006", "1/2/2006", "2006-01-02", "January 2, 2006"}

func (a *Agreement) date(text, folded string, days int) {
	for _, layout := range wholeLayouts {
		t, err := time.Parse(layout, text)
		if err != nil || t.Format(layout) != text {
			continue
		}
		a.Dates++
		if strings.Contains(folded, strings.ToLower(t.AddDate(0, 0, days).Format(layout))) {
			a.DatesAgree++
		}
		return
	}
}

// score runs the same detectors with the same knowledge over the notes and compares
// with gold.
func (w *world) score(ctx context.Context) (eval.Result, error) {
	bar := w.say.bar("notes scored", w.Notes)
	defer bar.done()
	return eval.Run(ctx, w.detector, eval.Synthetic(w.hospital), eval.Options{
		Directory: record.NewGazetteer(w.hospital.Directory()), Tick: func(int) { bar.tick() },
	})
}

func (w *world) report(res *Result, scored *eval.Result) {
	s := w.say
	s.line("rows     %d in the first copy, %d notes in the replica", res.CopyRows, res.Notes)
	s.line("speed    %.0f notes per second end to end, with caches that were empty; searching alone %.0f",
		float64(res.CopyNotes)/res.Copy.Seconds(), float64(scored.Docs)/scored.Elapsed.Seconds())
	s.line("         when the same notes came again, whose sentences were in the caches ('pgdeid bench' measures each stage)")
	w.tellLeaks(res.Scan)
	res.Lost = w.Notes + w.Live - res.Notes - res.Quarantined
	s.verdict(res.Lost == 0, "notes    %d of %d published, %d set aside in quarantine, %d lost", res.Notes, w.Notes+w.Live, res.Quarantined, res.Lost)
	a := res.Agreement
	s.verdict(a.Holds(), "tables   names agree with notes in %d of %d, dates of rows in %d of %d, dates in prose in %d of %d",
		a.NamesAgree, a.Names, a.ShiftsAgree, a.Shifts, a.DatesAgree, a.Dates)
	c := scored.Groups[score.C.String()]
	s.line("gold     recall %.2f%% (%.2f-%.2f), precision %.2f%% by words of group C; %.2f%% of ordinary words scrubbed",
		100*c.Recall, 100*c.RecallCI[0], 100*c.RecallCI[1], 100*c.Precision, 100*scored.Overscrub)
	for _, class := range []score.Class{score.Names, score.Dates, score.Identifiers, score.Contacts, score.Locations, score.Organizations} {
		r := scored.Classes[class.String()]
		s.line("         %-13s recall %6.2f%%  precision %6.2f%%  %d words", class, 100*r.Recall, 100*r.Precision, r.Gold)
	}
	var groups []string
	for _, g := range scored.NameGroup {
		groups = append(groups, fmt.Sprintf("%s %.1f%%", g.Name, 100*g.Recall()))
	}
	s.line("         recall of names by group: %s", strings.Join(groups, ", "))
}
