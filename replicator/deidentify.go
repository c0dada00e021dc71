package replicator

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Detector finds the PHI of a note: an [ensemble.Ensemble].
type Detector interface {
	Detect(ctx context.Context, note *ensemble.Note) ([]phi.Span, error)
}

// deidentifier makes rows fit to be seen. It is the only way to the detectors, and safe
// for concurrent use, except that rows of one patient are given to it one after another.
type deidentifier struct {
	reg      *register
	config   *config.Config
	key      *surrogate.Key
	maker    *surrogate.Maker
	detector Detector
	version  string
	made     string        // a hash of mapping and models, stored with each text
	timeout  time.Duration // detection of one note
	now      func() time.Time
	log      *slog.Logger
	metrics  *Metrics
}

// settings are what de-identification needs to know. All of them are required, but for
// Models.
type settings struct {
	Config   *config.Config
	Key      *surrogate.Key
	Detector Detector
	Version  string // of the program, stored with each text
	Models   string // identifies the neural members
	Now      func() time.Time
	Log      *slog.Logger
	Metrics  *Metrics
}

func newDeidentifier(reg *register, o *settings) *deidentifier {
	return &deidentifier{
		reg: reg, config: o.Config, key: o.Key, maker: reg.maker, detector: o.Detector, version: o.Version,
		made: configHash(reg.plan.hash, o.Models), timeout: o.Config.Limits.NoteTimeout, now: o.Now, log: o.Log, metrics: o.Metrics,
	}
}

// configHash returns a hash of everything but the text and its patient that decides the
// output. The position is stored with the mapping's hash alone: new models in a new
// version of the program put notes out of date, and make no gap in the stream.
func configHash(mapping, models string) string {
	if models == "" {
		return mapping
	}
	sum := sha256.Sum256([]byte(mapping + "/" + models))
	return hex.EncodeToString(sum[:16])
}

// deidentify makes an item's outcome: what is published of its row, or why
// nothing is. It never fails otherwise: whatever goes wrong with a row sets that
// row aside, without its text.
func (d *deidentifier) deidentify(ctx context.Context, it *item) {
	c, out := it.change, &it.out
	defer func() {
		if v := recover(); v != nil {
			sayBroken(d.log, ensemble.Recovered("a row of table "+c.table.id, v))
			out.values, out.reason = nil, broken
		}
	}()
	if c.op == truncateOp || len(c.table.publish) == 0 || c.covered {
		return
	}
	if it.patient != nil {
		it.patient.remember(d.reg)
	}
	out.reason = d.publishKeys(it) // also of a row that is set aside: what the replica has of it goes
	if it.reason != "" {
		out.reason = it.reason
	}
	if c.op == deleteOp || out.reason != "" {
		return
	}
	out.values = make([]*string, len(c.table.publish))
	out.keep = make([]bool, len(c.table.texts))
	out.texts = make([]textOutcome, len(c.table.texts))
	ctx, cancel := context.WithTimeout(ctx, d.timeFor(int(c.size)))
	defer cancel()
	text := 0
	for i, col := range c.table.publish {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) { // its columns take time as notes do
			out.reason = timedOut
			return
		}
		if c.table.columns[col].Publish == config.Text {
			out.values[i], out.reason = d.publishText(ctx, it, col, text)
			text++
		} else {
			out.values[i], out.reason = d.publishValue(it, col)
		}
		if out.reason != "" {
			return
		}
	}
}

// publishKeys derives the published primary keys of the row, before and after.
func (d *deidentifier) publishKeys(it *item) reason {
	c, out := it.change, &it.out
	var err error
	if c.row != nil {
		if out.key, err = d.publishedKey(it, c.row); err != nil {
			return badValue
		}
		out.rowKey = rowKey(out.key)
		it.key, _ = c.table.keyTexts(c.row)
	}
	if c.old != nil {
		if out.oldKey, err = d.publishedKey(it, c.old); err != nil {
			return badValue
		}
		out.oldRow = rowKey(out.oldKey)
		if c.row == nil {
			it.key, _ = c.table.keyTexts(c.old)
		}
	}
	return ""
}

// publishedKey returns what is published of the primary key in row.
func (d *deidentifier) publishedKey(it *item, row []value) ([]string, error) {
	t := it.change.table
	key := make([]string, len(t.key))
	for i, k := range t.key {
		if row[k].state != present {
			return nil, errValue
		}
		v, err := d.convert(it, &t.columns[k], row[k].text)
		if err != nil {
			return nil, err
		}
		key[i] = v
	}
	return key, nil
}

// rowKey writes a published key as deid.note_provenance holds it.
func rowKey(key []string) string {
	data, err := json.Marshal(key)
	if err != nil {
		return "" // strings can't fail to marshal
	}
	return string(data)
}

// publishValue applies the policy of a column that is not free text.
func (d *deidentifier) publishValue(it *item, col int) (*string, reason) {
	c := it.change
	v := c.row[col]
	if v.state != present {
		return nil, ""
	}
	text, err := d.convert(it, &c.table.columns[col], v.text)
	switch {
	case errors.Is(err, surrogate.ErrLeak):
		return nil, leak
	case errors.Is(err, errValue) && !slices.Contains(c.table.key, col):
		it.out.withheld = append(it.out.withheld, col) // the row is of use without it
		return nil, ""
	case errors.Is(err, errValue):
		return nil, badValue
	case err != nil:
		return nil, surrogateFail
	}
	return &text, ""
}

// convert applies a policy to a value.
func (d *deidentifier) convert(it *item, col *column, text string) (string, error) {
	switch col.Publish {
	case config.ShiftDate:
		if it.patient == nil {
			return "", errValue
		}
		return shiftDate(text, col, it.patient.open(d.maker).ShiftTime)
	case config.Surrogate:
		if it.patient == nil {
			return "", errValue
		}
		v, entries, err := it.patient.open(d.maker).Value(col.Tells, text)
		if errors.Is(err, surrogate.ErrNoDate) {
			return "", errValue
		}
		it.remember(entries)
		return v, err
	case config.Year:
		if !col.moves {
			return plainYear(col, text, d.now())
		}
		if it.patient == nil {
			return "", errValue
		}
		return d.movedYear(it.patient, col, text)
	default:
		return plainPolicy(d.config, d.key, col, text, d.now())
	}
}

// remember keeps new surrogates, to be stored with the row even if the row itself
// is set aside: the book knows them from now on.
func (it *item) remember(entries []surrogate.Entry) {
	it.out.entries = append(it.out.entries, entries...)
	it.patient.ledger.add(entries)
	if it.change.read {
		it.patient.ledger.addUnstored(entries)
	}
}

// publishText de-identifies the text in column col, the nth one of its table.
func (d *deidentifier) publishText(ctx context.Context, it *item, col, nth int) (*string, reason) {
	v, out := it.change.row[col], &it.out
	switch {
	case v.state == unchanged:
		out.keep[nth] = true
		return nil, ""
	case v.state != present:
		out.texts[nth].null = true
		return nil, ""
	}
	if text.Check(v.text) != nil {
		return nil, badText
	}
	site := d.reg.site.Load()
	hmac := d.hashText(it.patient, site, v.text)
	if it.known != nil && string(it.known[nth].hmac) == string(hmac) && it.known[nth].config == d.made+"/"+d.version {
		out.keep[nth] = true
		return nil, ""
	}
	res, why := d.replaceText(ctx, it.patient, site, v.text)
	if why != "" {
		return nil, why
	}
	it.remember(res.New)
	out.texts[nth] = textOutcome{hmac: hmac, published: hashPublished(d.key, it.change.table, col, out.rowKey, res.Text), spans: res.Spans}
	return &res.Text, ""
}

// replaceText finds what identifies a person in a patient's text and puts surrogates in
// its place.
func (d *deidentifier) replaceText(ctx context.Context, p *patient, site *directory, text string) (surrogate.Result, reason) {
	spans, why := d.search(ctx, p, site, text)
	if why != "" {
		return surrogate.Result{}, why
	}
	return d.replaceSpans(p, text, spans)
}

// search runs the detectors over a patient's text, with all that is known of the patient.
func (d *deidentifier) search(ctx context.Context, p *patient, site *directory, body string) ([]phi.Span, reason) {
	if text.Check(body) != nil {
		return nil, badText
	}
	return d.detect(ctx, &ensemble.Note{Text: body, Patient: d.reg.gazetteerFor(p, site, body), Directory: site.gazetteer})
}

// searchText runs the detectors over a text without a patient's record or the site's directory.
func (d *deidentifier) searchText(ctx context.Context, body string) ([]phi.Span, reason) {
	if text.Check(body) != nil {
		return nil, badText
	}
	return d.detect(ctx, &ensemble.Note{Text: body})
}

// replaceSpans puts surrogates for what was found, and runs the leak check.
func (d *deidentifier) replaceSpans(p *patient, text string, spans []phi.Span) (surrogate.Result, reason) {
	res, err := p.open(d.maker).Replace(text, spans)
	switch {
	case errors.Is(err, surrogate.ErrLeak):
		d.metrics.leaks.Inc()
		return surrogate.Result{}, leak
	case err != nil:
		return surrogate.Result{}, surrogateFail
	}
	d.metrics.note(len(text))
	return res, ""
}

// hashText returns a hash of everything of a note that decides its output: the
// text, the patient, what is known of the patient and what of the site, and for the
// oldest the year that their dates may not go behind.
func (d *deidentifier) hashText(p *patient, site *directory, text string) []byte {
	return d.key.HMAC("note", p.pseudonym, p.remember(d.reg).record, site.label, text, d.ageLimit(p))
}

// timeFor returns how long the search of a note may take: limits.note_timeout, and as
// much again for each whole megabyte, since networks take time by the sentence.
func (d *deidentifier) timeFor(bytes int) time.Duration {
	return d.timeout * time.Duration(1+bytes>>20)
}

// detect runs the detectors over one note. A detector that panics or takes too
// long costs that note and no other.
func (d *deidentifier) detect(ctx context.Context, note *ensemble.Note) (spans []phi.Span, why reason) {
	ctx, cancel := context.WithTimeout(ctx, d.timeFor(len(note.Text)))
	defer cancel()
	start := time.Now()
	defer func() {
		d.metrics.detectSeconds.Observe(time.Since(start).Seconds())
		if v := recover(); v != nil {
			sayBroken(d.log, ensemble.Recovered("a detector", v))
			spans, why = nil, detectorPanic
		}
	}()
	spans, err := d.detector.Detect(ctx, note)
	switch {
	case sayBroken(d.log, err):
		return nil, detectorPanic
	case err == nil:
		return spans, ""
	case errors.Is(err, context.DeadlineExceeded):
		return nil, timedOut
	default:
		return nil, detectorFail
	}
}
