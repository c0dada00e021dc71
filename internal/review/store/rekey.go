package store

import (
	"bytes"
	"context"
	"encoding/hex"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/surrogate"
)

// What people decided outlives the key that it is sealed with: everything is opened with the key before and sealed with the next
// one. Hashes of texts and words need these: they are made anew of the source's texts, where they still have what was read. A hash
// of what is not there any more becomes one that nothing has.

// Notes says what the next key makes of patients and notes.
type Notes interface {
	// Patient returns a patient's pseudonym by that of the key before.
	Patient(pseudonym string) string
	// Note reads a note of the source by its primary key there.
	Note(ctx context.Context, note review.Note, key []string) (NextNote, error)
	// Remembered returns the hashes of words of a patient's record under the next key.
	Remembered(patient, words string) [][]byte
}

// NextNote is a note under the next key. It prints itself redacted.
type NextNote struct {
	phi.Redacted

	Row  string // published primary key
	ID   []byte // [review.Hashes.Note]
	Text string // of the source
}

// Rekeyed counts what was carried over to another key.
type Rekeyed struct {
	Rounds   int `json:"rounds"`
	Readings int `json:"readings"`
	Repairs  int `json:"repairs"`
	Phrases  int `json:"phrases"`
}

// rekey carries over what people decided, in a transaction.
type rekey struct {
	tx       pgx.Tx
	from, to *Store
	old, now review.Hashes
	notes    Notes
	items    map[[2]int64]carried
	done     Rekeyed
}

// carried is a note of a round, before and under the next key.
type carried struct {
	phi.Redacted

	was, now review.Item
	text     string
}

// Rekey seals everything that people decided with another key.
func Rekey(ctx context.Context, tx pgx.Tx, old, next *surrogate.Key, notes Notes) (Rekeyed, error) {
	r := &rekey{
		tx: tx, from: New(tx, old), to: New(tx, next), old: review.Hashes{Key: old}, now: review.Hashes{Key: next},
		notes: notes, items: map[[2]int64]carried{},
	}
	_, err := tx.Exec(ctx, `lock table deid.review_round, deid.review_item, deid.review_reading, deid.review_repair, deid.review_member,
		deid.site_phrase in exclusive mode`)
	for _, step := range []func(context.Context) error{r.rounds, r.readings, r.repairs, r.phrases} {
		if err == nil {
			err = step(ctx)
		}
	}
	return r.done, fault.New("seal with the next key what people decided", err,
		"old_key_file has to name the key of this replica; nothing was changed")
}

func (r *rekey) rounds(ctx context.Context) error {
	rows, err := r.tx.Query(ctx, "select "+roundColumns+" from deid.review_round r order by r.id")
	if err != nil {
		return err
	}
	rounds, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (review.Round, error) { return r.from.scanRound(row) })
	if err != nil {
		return err
	}
	// No published key of a note is taken for that of another one meanwhile.
	if _, err := r.tx.Exec(ctx, "update deid.review_item set row_key = 'before ' || row_key"); err != nil {
		return err
	}
	for i := range rounds {
		round := &rounds[i]
		_, err := r.tx.Exec(ctx, "update deid.review_round set sealed = $2 where id = $1",
			round.ID, r.to.seal(round.Design, "review round", round.Name))
		if err == nil {
			err = r.itemsOf(ctx, round.ID)
		}
		if err != nil {
			return err
		}
		r.done.Rounds++
	}
	return nil
}

func (r *rekey) itemsOf(ctx context.Context, round int64) error {
	rows, err := r.tx.Query(ctx, `
		select place, table_name, column_name, substr(row_key, length('before ') + 1), patient, sealed
		from deid.review_item where round = $1`, round)
	if err != nil {
		return err
	}
	items, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (it review.Item, err error) {
		it.Round = round
		var sealed []byte
		if err := row.Scan(&it.Place, &it.Note.Table, &it.Note.Column, &it.Note.Row, &it.Patient, &sealed); err != nil {
			return it, err
		}
		return it, r.from.openItem(&it, sealed)
	})
	if err != nil {
		return err
	}
	for _, it := range items {
		next, err := r.notes.Note(ctx, it.Note, it.Key)
		if err != nil {
			return err
		}
		c := carried{was: it, now: it, text: next.Text}
		c.now.Note.Row, c.now.Patient = next.Row, r.notes.Patient(it.Patient)
		_, err = r.tx.Exec(ctx, "update deid.review_item set row_key = $3, patient = $4, sealed = $5 where round = $1 and place = $2",
			it.Round, it.Place, c.now.Note.Row, c.now.Patient, r.to.seal(origin{Key: it.Key, Stratum: it.Stratum}, itemPurpose, itemRow(&c.now)...))
		if err != nil {
			return err
		}
		r.items[[2]int64{it.Round, int64(it.Place)}] = c
		if err := r.alike(ctx, it.Round, it.Place); err != nil {
			return err
		}
	}
	return nil
}

// alike carries over the sentences of a cluster.
func (r *rekey) alike(ctx context.Context, round int64, place int) error {
	list, err := r.from.Alike(ctx, round, place)
	if err != nil {
		return err
	}
	for i := range list {
		a := &list[i]
		next, err := r.notes.Note(ctx, a.Item.Note, a.Item.Key)
		if err != nil {
			return err
		}
		a.Item.Note.Row, a.Item.Patient = next.Row, r.notes.Patient(a.Item.Patient)
		words := between(next.Text, &review.Mark{Start: a.Start, End: a.End})
		if words != "" && bytes.Equal(a.Words, r.old.Sentence(words)) {
			a.Words = r.now.Sentence(words)
		} else {
			a.Words = r.gone(a.Words)
		}
		_, err = r.tx.Exec(ctx, `update deid.review_member set row_key = $4, patient = $5, sealed = $6
			where round = $1 and place = $2 and member = $3`,
			round, place, a.Item.Member, a.Item.Note.Row, a.Item.Patient,
			r.to.seal(sentence{Key: a.Item.Key, Start: a.Start, End: a.End, Words: a.Words}, alikePurpose, alikeRow(&a.Item)...))
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *rekey) readings(ctx context.Context) error {
	list, err := r.from.readings(ctx, "true")
	if err != nil {
		return err
	}
	for i := range list {
		g := &list[i]
		c := r.items[[2]int64{g.Round, int64(g.Place)}] // of each reading there is one
		for n := range g.Marks {
			r.mark(&g.Marks[n], c.was.Patient, c.now.Patient, c.text)
		}
		_, err := r.tx.Exec(ctx, "update deid.review_reading set text_hmac = $4, sealed = $5 where round = $1 and place = $2 and reader = $3",
			g.Round, g.Place, g.Reader, r.text(g.Text, c.text),
			r.to.seal(g.Marks, readingPurpose, readingRow(g.Round, g.Place, g.Reader)...))
		if err != nil {
			return err
		}
		r.done.Readings++
	}
	return nil
}

func (r *rekey) repairs(ctx context.Context) error {
	list, err := r.from.repairs(ctx, "true")
	if err != nil {
		return err
	}
	for i := range list {
		p := &list[i]
		was := p.Patient
		next, err := r.notes.Note(ctx, p.Note, p.Key)
		if err != nil {
			return err
		}
		p.Patient, p.NoteID = r.notes.Patient(was), next.ID
		there := r.mark(&p.Mark, was, p.Patient, next.Text)
		p.Text = r.text(p.Text, next.Text)
		if len(p.Words) > 0 {
			p.Words = nil
			if there {
				p.Words = r.notes.Remembered(p.Patient, between(next.Text, &p.Mark))
			}
		}
		_, err = r.tx.Exec(ctx, "update deid.review_repair set row_key = $2, note_hmac = $3, patient = $4, sealed = $5 where id = $1",
			p.ID, next.Row, p.NoteID, p.Patient, r.to.sealRepair(p))
		if err != nil {
			return err
		}
		r.done.Repairs++
	}
	return nil
}

// listed is a phrase of the site in its table.
type listed struct {
	phi.Redacted

	id    []byte
	added int
	p     review.Phrase
}

func (r *rekey) phrases(ctx context.Context) error {
	rows, err := r.tx.Query(ctx, "select id, added, sealed from deid.site_phrase")
	if err != nil {
		return err
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (l listed, err error) {
		var sealed []byte
		if err := row.Scan(&l.id, &l.added, &sealed); err != nil {
			return l, err
		}
		return l, r.from.open(sealed, &l.p, phrasePurpose, hex.EncodeToString(l.id))
	})
	if err != nil {
		return err
	}
	for i := range list {
		l := &list[i]
		id := r.to.phraseID(l.p.Text)
		_, err := r.tx.Exec(ctx, "update deid.site_phrase set id = $3, sealed = $4 where id = $1 and added = $2",
			l.id, l.added, id, r.to.seal(&l.p, phrasePurpose, hex.EncodeToString(id)))
		if err != nil {
			return err
		}
		r.done.Phrases++
	}
	return nil
}

// gone returns a hash that nothing has, in the place of one of what is not there any more. Two that were equal stay so.
func (r *rekey) gone(hash []byte) []byte {
	if len(hash) == 0 {
		return hash
	}
	return r.now.Key.HMAC("review before", string(hash))[:len(hash)]
}

// text makes the hash of a text that was read anew.
func (r *rekey) text(hash []byte, text string) []byte {
	if len(hash) > 0 && bytes.Equal(hash, r.old.Text(text)) {
		return r.now.Text(text)
	}
	return r.gone(hash)
}

// mark makes the hash of a mark's words anew, and reports whether the text still has them where they were.
func (r *rekey) mark(m *review.Mark, was, now, text string) bool {
	words := between(text, m)
	if words != "" && bytes.Equal(m.Words, r.old.Words(was, words)) {
		m.Words = r.now.Words(now, words)
		return true
	}
	m.Words = r.gone(m.Words)
	return false
}

// between returns the words of a mark; "" where the text ends before.
func between(text string, m *review.Mark) string {
	chars := []rune(text)
	if m.Start < 0 || m.End <= m.Start || m.End > len(chars) {
		return ""
	}
	return string(chars[m.Start:m.End])
}
