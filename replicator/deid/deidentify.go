package deid

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/review/repair"
	"github.com/pgdeid/pgdeid/replicator/guard"
	"github.com/pgdeid/pgdeid/replicator/metrics"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/trace"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Detector finds the PHI of a note: an [ensemble.Ensemble].
type Detector interface {
	Detect(ctx context.Context, note *ensemble.Note) ([]phi.Span, error)
}

// Deidentifier makes rows fit to be seen. It is the only way to the detectors, and safe
// for concurrent use, except that rows of one patient are given to it one after another.
type Deidentifier struct {
	Reg      *patient.Register
	config   *config.Config
	key      *surrogate.Key
	Maker    *surrogate.Maker
	Detector Detector
	version  string
	Made     string        // a hash of mapping and models, stored with each text
	timeout  time.Duration // detection of one note
	now      func() time.Time
	Log      *slog.Logger
	metrics  *metrics.Metrics
}

// Settings are what de-identification needs to know. All of them are required, but for
// Models.
type Settings struct {
	Config   *config.Config
	Key      *surrogate.Key
	Detector Detector
	Version  string // of the program, stored with each text
	Models   string // identifies the neural members
	Now      func() time.Time
	Log      *slog.Logger
	Metrics  *metrics.Metrics
}

// New returns a deidentifier that knows patients and the site from reg.
func New(reg *patient.Register, o *Settings) *Deidentifier {
	return &Deidentifier{
		Reg: reg, config: o.Config, key: o.Key, Maker: reg.Maker, Detector: o.Detector, version: o.Version,
		Made: ConfigHash(reg.Plan.Hash, o.Models), timeout: o.Config.Limits.NoteTimeout, now: o.Now, Log: o.Log, metrics: o.Metrics,
	}
}

// ConfigHash returns a hash of everything but the text and its patient that decides the
// output. The position is stored with the mapping's hash alone: new models in a new
// version of the program put notes out of date, and make no gap in the stream.
func ConfigHash(mapping, models string) string {
	if models == "" {
		return mapping
	}
	sum := sha256.Sum256([]byte(mapping + "/" + models))
	return hex.EncodeToString(sum[:16])
}

// Deidentify makes an item's outcome: what is published of its row, or why
// nothing is. It never fails otherwise: whatever goes wrong with a row sets that
// row aside, without its text.
func (d *Deidentifier) Deidentify(ctx context.Context, it *Item) {
	ctx = it.Trace.Into(ctx)
	if n := it.Note(); n != nil {
		n.once.Do(func() { d.deidentifyLines(ctx, it) })
		return
	}
	if it.Ends != nil {
		d.publishNoteKey(it)
		return
	}
	d.deidentifyRow(ctx, it)
}

func (d *Deidentifier) deidentifyRow(ctx context.Context, it *Item) {
	c, out := it.Change, &it.Out
	defer func() {
		if v := recover(); v != nil {
			guard.Report(d.Log, ensemble.Recovered("a row of table "+c.Table.ID, v))
			out.Values, out.Reason = nil, vault.Broken
		}
	}()
	if c.Op == schema.TruncateOp || len(c.Table.Publish) == 0 || c.Covered {
		return
	}
	if it.Patient != nil {
		it.Patient.Remember(d.Reg)
	}
	out.Reason = d.PublishKeys(it) // also of a row that is set aside: what the replica has of it goes
	if it.Reason != "" {
		out.Reason = it.Reason
	}
	if it.LeftOut {
		out.Reason = ""
	}
	if c.Op == schema.DeleteOp || it.LeftOut || out.Reason != "" {
		return
	}
	out.Values = make([]*string, len(c.Table.Publish))
	out.Keep = make([]bool, len(c.Table.Texts))
	out.Texts = make([]TextOutcome, len(c.Table.Texts))
	ctx, cancel := context.WithTimeout(ctx, d.timeFor(int(c.Size)))
	defer cancel()
	text := 0
	for i, col := range c.Table.Publish {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) { // its columns take time as notes do
			out.Reason = vault.TimedOut
			return
		}
		if c.Table.Columns[col].Publish == config.Text {
			out.Values[i], out.Reason = d.publishText(ctx, it, col, text)
			text++
		} else {
			out.Values[i], out.Reason = d.publishValue(it, col)
		}
		if out.Reason != "" {
			return
		}
	}
	if c.Table.Hashed {
		out.Values = append(out.Values, &out.Key[0])
	}
}

// PublishKeys derives the published primary keys of the row, before and after. Where one of
// them can't be published the other one is there: what the replica has under it goes.
func (d *Deidentifier) PublishKeys(it *Item) vault.Reason {
	c, out := it.Change, &it.Out
	var why vault.Reason
	publish := func(row []schema.Value) (key []string, rowKey string) {
		key, err := d.publishedKey(it, row)
		if err != nil {
			why = vault.BadValue
			return nil, ""
		}
		return key, schema.RowKey(key)
	}
	if c.Old != nil {
		out.OldKey, out.OldRow = publish(c.Old)
		it.Key, _ = c.Table.KeyTexts(c.Old)
	}
	if c.Row != nil {
		out.Key, out.RowKey = publish(c.Row)
		it.Key, _ = c.Table.KeyTexts(c.Row)
	}
	return why
}

// PublishPseudonyms derives what a row's key and its columns of pseudonyms are published as, and nothing else of it, and
// returns the indexes of these columns in the table's statements.
func (d *Deidentifier) PublishPseudonyms(it *Item) (columns []int, why vault.Reason) {
	c, out := it.Change, &it.Out
	if why = d.PublishKeys(it); why != "" {
		return nil, why
	}
	out.Values = make([]*string, len(c.Table.SQL.Names))
	for n, i := range c.Table.SQL.Keys {
		out.Values[i] = &out.Key[n]
		columns = append(columns, i)
	}
	for i, col := range c.Table.Publish {
		if c.Table.Columns[col].Publish != config.Pseudonym || slices.Contains(columns, i) {
			continue
		}
		if out.Values[i], why = d.publishValue(it, col); why != "" {
			return nil, why
		}
		columns = append(columns, i)
	}
	return columns, ""
}

// publishedKey returns what identifies the row in the replica.
func (d *Deidentifier) publishedKey(it *Item, row []schema.Value) ([]string, error) {
	t := it.Change.Table
	if t.Hashed {
		return d.hashedKey(t, row)
	}
	key := make([]string, len(t.Key))
	for i, k := range t.Key {
		if row[k].State != schema.Present {
			return nil, patient.ErrValue
		}
		v, err := d.convert(it, &t.Columns[k], row[k].Text, surrogate.Address{})
		if err != nil {
			return nil, err
		}
		key[i] = v
	}
	return key, nil
}

// hashedKey returns a keyed hash of the primary key in row, in the form of a UUID.
func (d *Deidentifier) hashedKey(t *schema.Table, row []schema.Value) ([]string, error) {
	key, ok := t.KeyTexts(row)
	if !ok {
		return nil, patient.ErrValue
	}
	h := d.key.HMAC("row key", append([]string{t.ID}, key...)...)
	return []string{fmt.Sprintf("%x-%x-%x-%x-%x", h[:4], h[4:6], h[6:8], h[8:10], h[10:16])}, nil
}

// publishValue applies the policy of a column that is not free text.
func (d *Deidentifier) publishValue(it *Item, col int) (*string, vault.Reason) {
	c := it.Change
	v := c.Row[col]
	if v.State != schema.Present {
		return nil, ""
	}
	if c.Table.Columns[col].Publish == config.ByPath {
		return d.publishPaths(it, col)
	}
	text, err := d.convert(it, &c.Table.Columns[col], d.merged(c.Table, c.Row, col), addressOf(c.Table, c.Row, col))
	switch {
	case errors.Is(err, surrogate.ErrLeak):
		return nil, vault.Leak
	case errors.Is(err, patient.ErrValue) && !c.Table.Identifies(col):
		it.Out.Withheld = append(it.Out.Withheld, col) // the row is of use without it
		return nil, ""
	case errors.Is(err, patient.ErrValue):
		return nil, vault.BadValue
	case err != nil:
		return nil, vault.SurrogateFail
	}
	return &text, ""
}

// convert applies a policy to a value. at has the state and the ZIP code that go with a town.
func (d *Deidentifier) convert(it *Item, col *schema.Column, text string, at surrogate.Address) (string, error) {
	if col.Element != nil {
		return col.Map(text, func(one string) (string, error) { return d.convert(it, col.Element, one, at) })
	}
	switch col.Publish {
	case config.ShiftDate:
		if it.Patient == nil {
			return "", patient.ErrValue
		}
		return shiftDate(text, col, it.Patient.Open(d.Maker).ShiftTime)
	case config.Surrogate:
		if it.Patient == nil {
			return "", patient.ErrValue
		}
		var v string
		err := it.Patient.Choose(d.Maker, func(b *surrogate.Book) (entries []surrogate.Entry, err error) {
			v, entries, err = b.ValueAt(col.Tells, text, at)
			it.Remember(entries)
			return entries, err
		})
		if errors.Is(err, surrogate.ErrNoDate) {
			return "", patient.ErrValue
		}
		return v, err
	case config.Pseudonym:
		if col.Format == config.Reference {
			return d.referencePseudonym(col, text)
		}
		return plainPolicy(d.config, d.key, col, text, d.now())
	case config.Year:
		if !col.Moves {
			return plainYear(col, text, d.now())
		}
		if it.Patient == nil {
			return "", patient.ErrValue
		}
		return d.movedYear(it.Patient, col, text)
	default:
		return plainPolicy(d.config, d.key, col, text, d.now())
	}
}

// Remember keeps new surrogates, to be stored with the row even if the row itself
// is set aside: the book and the ledger know them from now on.
func (it *Item) Remember(entries []surrogate.Entry) {
	it.Out.Entries = append(it.Out.Entries, entries...)
}

// publishText de-identifies the text in column col, the nth one of its table.
func (d *Deidentifier) publishText(ctx context.Context, it *Item, col, nth int) (*string, vault.Reason) {
	if it.Note() != nil && col == it.Change.Table.Lines.Text {
		return d.publishLine(it, nth)
	}
	v, out := it.Change.Row[col], &it.Out
	switch {
	case v.State == schema.Unchanged:
		out.Keep[nth] = true
		return nil, ""
	case v.State != schema.Present:
		out.Texts[nth].Null = true
		return nil, ""
	}
	if text.Check(v.Text) != nil {
		return nil, vault.BadText
	}
	site := d.Reg.Site.Load()
	repairs := d.repairsOf(it.Patient, it.Change.Table, col, it.Change.Row)
	hmac := d.hashText(it.Patient, site, v.Text, repairs)
	switch {
	case it.known != nil && !it.Anew && d.same(it.known[nth], hmac, it.Compared):
		out.Keep[nth] = true
		return nil, ""
	case it.Compared == ForCount:
		return nil, ""
	}
	opened, why := d.open(it, col)
	if why != "" {
		return nil, why
	}
	res, why := d.replaceText(ctx, it, site, opened.Text(), repairs)
	if why != "" {
		return nil, why
	}
	written, err := opened.Write(res)
	if err != nil {
		return nil, vault.BadFormat
	}
	return it.publish(nth, written.Value, TextOutcome{
		HMAC: hmac, Published: hashPublished(d.key, it.Change.Table, col, out.RowKey, written.Value), Spans: written.Spans,
	}), ""
}

// same reports whether what is published of a text was made of what has hash and, unless rows are
// compared, by this very program and configuration.
func (d *Deidentifier) same(k known, hash []byte, as Comparing) bool {
	return string(k.hmac) == string(hash) && (as != NotCompared || k.config == d.Made+"/"+d.version)
}

// replaceText finds what identifies a person in a text of an item's patient, puts surrogates in
// its place, and remembers these with the item.
func (d *Deidentifier) replaceText(
	ctx context.Context, it *Item, site *patient.Directory, text string, repairs repair.List,
) (surrogate.Result, vault.Reason) {
	spans, why := d.Search(ctx, it.Patient, site, text)
	if why != "" {
		return surrogate.Result{}, why
	}
	defer trace.Step(ctx, "replace")()
	spans = d.repairText(it, text, spans, repairs)
	res, why := d.ReplaceSpans(it.Patient, text, spans)
	it.Remember(res.New)
	return res, why
}

// Search runs the detectors over a patient's text, with all that is known of the patient.
func (d *Deidentifier) Search(ctx context.Context, p *patient.Patient, site *patient.Directory, body string) ([]phi.Span, vault.Reason) {
	if text.Check(body) != nil {
		return nil, vault.BadText
	}
	return d.detect(ctx, &ensemble.Note{Text: body, Patient: d.Reg.GazetteerFor(p, site, body), Directory: site.Gazetteer})
}

// SearchText runs the detectors over a text without a patient's record or the site's directory.
func (d *Deidentifier) SearchText(ctx context.Context, body string) ([]phi.Span, vault.Reason) {
	if text.Check(body) != nil {
		return nil, vault.BadText
	}
	return d.detect(ctx, &ensemble.Note{Text: body})
}

// ReplaceSpans puts surrogates for what was found, and runs the leak check.
func (d *Deidentifier) ReplaceSpans(p *patient.Patient, text string, spans []phi.Span) (surrogate.Result, vault.Reason) {
	var res surrogate.Result
	err := p.Choose(d.Maker, func(b *surrogate.Book) (_ []surrogate.Entry, err error) {
		res, err = b.Replace(text, spans)
		return res.New, err
	})
	switch {
	case errors.Is(err, surrogate.ErrLeak):
		d.metrics.Leaks.Inc()
		return surrogate.Result{}, vault.Leak
	case err != nil:
		return surrogate.Result{}, vault.SurrogateFail
	}
	d.metrics.Note(len(text))
	return res, ""
}

// hashText returns a hash of everything of a note that decides its output: the
// text, the patient, what is known of the patient and what of the site, for the
// oldest the year that their dates may not go behind, and what people had repaired.
func (d *Deidentifier) hashText(p *patient.Patient, site *patient.Directory, text string, repairs repair.List) []byte {
	of := []string{p.Pseudonym, p.Remember(d.Reg).Record, site.Label, text, d.ageLimit(p)}
	if len(repairs) > 0 {
		of = append(of, repairs.Label())
	}
	return d.key.HMAC("note", of...)
}

// timeFor returns how long the search of a note may take: limits.note_timeout, and as
// much again for each whole megabyte, since networks take time by the sentence.
func (d *Deidentifier) timeFor(bytes int) time.Duration {
	return d.timeout * time.Duration(1+bytes>>20)
}

// detect runs the detectors over one note. A detector that panics or takes too
// long costs that note and no other.
func (d *Deidentifier) detect(ctx context.Context, note *ensemble.Note) (spans []phi.Span, why vault.Reason) {
	defer trace.Step(ctx, "detect")()
	ctx, cancel := context.WithTimeout(ctx, d.timeFor(len(note.Text)))
	defer cancel()
	start := time.Now()
	defer func() {
		d.metrics.DetectSeconds.Observe(time.Since(start).Seconds())
		if v := recover(); v != nil {
			guard.Report(d.Log, ensemble.Recovered("a detector", v))
			spans, why = nil, vault.DetectorPanic
		}
	}()
	spans, err := d.Detector.Detect(ctx, note)
	switch {
	case guard.Report(d.Log, err):
		return nil, vault.DetectorPanic
	case err == nil:
		return spans, ""
	case errors.Is(err, context.DeadlineExceeded):
		return nil, vault.TimedOut
	default:
		return nil, vault.DetectorFail
	}
}
